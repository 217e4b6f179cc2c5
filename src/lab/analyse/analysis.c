// SPDX-License-Identifier: Apache-2.0
#include "analyse/analysis.h"

const char *lab_verdict(const lab_learning_analysis *learning)
{
    static const char *const names[] = {"monotone", "eventual", "diverges"};
    return learning->reason                         ? "not-applicable"
           : !learning->certificate.verdict_decided ? "not-decided"
                                                    : names[learning->certificate.verdict];
}

const char *lab_form_name(const lab_spec *spec, lab_form form)
{
    static const char *const names[] = {"traces", "adjoint", "whitened"};
    const lab_rule_spec *rule = spec ? &lab_rules(spec)[spec->main_rule] : NULL;
    return rule && form == LAB_BY_FILTER && lab_is_filtered(rule->trace)
               ? lab_name_of_trace(rule->trace)
               : names[form];
}

const char *lab_fate_name(lab_fate fate)
{
    static const char *const names[] = {"monotone", "eventual", "diverges", "loop unstable"};
    return names[fate];
}

void lab_analysis_free(lab_analysis *analysis)
{
    lab_arena_free(&analysis->arena);
    *analysis = (lab_analysis){0};
}
