// SPDX-License-Identifier: Apache-2.0
#include "say.h"

#include <stdarg.h>
#include <stdio.h>

void app_say(cfpc_why *why, const char *format, ...)
{
    va_list values;
    *why = (cfpc_why){0};
    va_start(values, format);
    vsnprintf(why->text, sizeof why->text, format, values);
    va_end(values);
}

void app_print_text(char *text)
{
    if (text)
        fputs(text, stdout);
    cfpc_text_free(text);
}

// The texts are made first: once the report is written, nothing can fail.
cfpc_outcome app_leave_report(const cfpc_report *report, const char *folder,
                              const cfpc_write_options *options, bool quiet, cfpc_why *why)
{
    char *text = NULL, *files = NULL;
    cfpc_outcome outcome = quiet ? CFPC_DONE : cfpc_report_text(report, &text, why);
    if (outcome == CFPC_DONE && !quiet)
        outcome = cfpc_report_files(report, folder, options, &files, why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_report_write(report, folder, options, why);
    if (outcome != CFPC_DONE) {
        cfpc_text_free(text);
        cfpc_text_free(files);
        return outcome;
    }
    app_print_text(text);
    app_print_text(files);
    return CFPC_DONE;
}
