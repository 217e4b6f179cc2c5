// SPDX-License-Identifier: Apache-2.0
// report: what a verb prints of a report, and the folder that it leaves.
#ifndef CFPC_APP_REPORT_H
#define CFPC_APP_REPORT_H

#include "cfpc/lab.h"

// Prints a text, if there is one.
void app_print(const char *text);

// The same, and frees the text.
void app_print_text(char *text);

// Writes the report, and prints it unless quiet.
cfpc_outcome app_leave_report(const cfpc_report *report, const char *folder,
                              const cfpc_write_options *options, bool quiet, cfpc_why *why);

#endif
