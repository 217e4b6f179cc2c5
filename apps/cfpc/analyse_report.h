// SPDX-License-Identifier: Apache-2.0
// analyse_report: what an analysis says on the terminal.
#ifndef CFPC_APP_ANALYSE_REPORT_H
#define CFPC_APP_ANALYSE_REPORT_H

#include "analyse/analysis.h"

void app_report_analysis(const lab_analysis *analysis, const char *folder, bool figures);

#endif
