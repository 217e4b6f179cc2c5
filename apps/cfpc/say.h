// SPDX-License-Identifier: Apache-2.0
// say: why the command itself refuses something, the texts it prints, and the folder that a report
// leaves.
#ifndef CFPC_APP_SAY_H
#define CFPC_APP_SAY_H

#include "cfpc/lab.h"

__attribute__((format(printf, 2, 3))) void app_say(cfpc_why *why, const char *format, ...);

// Each writes the line and is its outcome.
#define app_refuse(why, ...) (app_say((why), __VA_ARGS__), CFPC_REFUSED)
#define app_fail(why, ...) (app_say((why), __VA_ARGS__), CFPC_FAILED)
#define app_no_memory(why) app_fail((why), "memory ran out")

// Prints a text, if there is one, and frees it.
void app_print_text(char *text);

// Writes the report, and prints it unless quiet.
cfpc_outcome app_leave_report(const cfpc_report *report, const char *folder,
                              const cfpc_write_options *options, bool quiet, cfpc_why *why);

#endif
