// SPDX-License-Identifier: Apache-2.0
// compare: the report of finished runs side by side.
#include "draw/compare.h"

#include <limits.h>

#include "api/report.h"

cfpc_outcome cfpc_compare(cfpc_report **report, const char *const *folders, size_t count,
                          const cfpc_compare_options *options, cfpc_why *why)
{
    const cfpc_compare_options how = options ? *options : (cfpc_compare_options){0};
    lab_call call;
    lab_call_begin(&call, NULL);
    lab_outcome outcome =
        lab_report_begin(report, LAB_REPORT_COMPARISON, folders, "list of folders", &call.why);
    if (outcome == LAB_DONE && how.rule && how.all)
        outcome = lab_refuse(&call.why, "a rule shows one rule, all shows all; give only one");
    for (size_t i = 0; outcome == LAB_DONE && count <= LAB_MAX_RUNS && i < count; i++)
        outcome = lab_check_given(folders[i], "folder", &call.why);
    if (outcome == LAB_DONE)
        outcome = lab_comparison_make(&(*report)->comparison, count < INT_MAX ? (int)count : 0,
                                      folders, &call.why);
    if (outcome == LAB_DONE && (how.rule || how.all))
        outcome = lab_comparison_show(&(*report)->comparison, how.rule, &call.why);
    return lab_call_end(&call, lab_report_end(report, outcome), why);
}
