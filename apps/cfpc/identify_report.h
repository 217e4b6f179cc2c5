// SPDX-License-Identifier: Apache-2.0
// identify_report: what an identification says on the terminal.
#ifndef CFPC_APP_IDENTIFY_REPORT_H
#define CFPC_APP_IDENTIFY_REPORT_H

#include "identify/identification.h"

// folder NULL: none was written.
void app_report_identification(const lab_identification *identification, const char *model,
                               const char *folder);

#endif
