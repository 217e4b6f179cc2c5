// SPDX-License-Identifier: Apache-2.0
// report: what a run says on the terminal.
#ifndef CFPC_APP_REPORT_H
#define CFPC_APP_REPORT_H

#include "published.h"
#include "write/results.h"

// hash: of the result; published: of the experiment.
void app_report(const lab_result *result, const char *hash, const app_published *published,
                const char *folder, bool figures);

#endif
