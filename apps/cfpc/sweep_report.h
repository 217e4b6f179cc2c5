// SPDX-License-Identifier: Apache-2.0
// sweep_report: what a sweep says on the terminal.
#ifndef CFPC_APP_SWEEP_REPORT_H
#define CFPC_APP_SWEEP_REPORT_H

#include "sweep/swept.h"

void app_report_sweep(const lab_swept *swept, const char *folder, bool figures);

#endif
