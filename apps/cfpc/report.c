// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <stdio.h>

void app_print_text(char *text)
{
    if (text)
        fputs(text, stdout);
    cfpc_text_free(text);
}

cfpc_outcome app_leave_report(const cfpc_report *report, const char *folder,
                              const cfpc_write_options *options, bool quiet, cfpc_why *why)
{
    char *text = NULL;
    cfpc_outcome outcome = cfpc_report_write(report, folder, options, why);
    if (quiet || outcome != CFPC_DONE)
        return outcome;
    outcome = cfpc_report_text(report, &text, why);
    app_print_text(text);
    if (outcome == CFPC_DONE) {
        outcome = cfpc_report_files(report, folder, options, &text, why);
        app_print_text(text);
    }
    return outcome;
}
