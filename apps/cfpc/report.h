// SPDX-License-Identifier: Apache-2.0
// report: what a run says on the terminal.
#ifndef CFPC_APP_REPORT_H
#define CFPC_APP_REPORT_H

#include "write/results.h"

void app_report(const lab_result *result, const char *folder, bool figures);

#endif
