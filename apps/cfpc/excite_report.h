// SPDX-License-Identifier: Apache-2.0
// excite_report: what the design of a probe says on the terminal.
#ifndef CFPC_APP_EXCITE_REPORT_H
#define CFPC_APP_EXCITE_REPORT_H

#include "analyse/excite.h"

void app_report_excitation(const lab_excitation *excitation, const char *folder, bool figures);

#endif
