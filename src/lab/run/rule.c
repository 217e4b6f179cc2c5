// SPDX-License-Identifier: Apache-2.0
#include "run/rule.h"

#include "cfpc/response.h"

enum { MAX_STEPS = 100000 }; // of a filter, where trials go on without a reset

void lab_rule_free(lab_rule *rule)
{
    cfpc_system_free(&rule->trace);
    cfpc_system_free(&rule->response);
    cfpc_teaching_filter_free(&rule->filter);
}

// What a status means for the filter of a rule, and what to change.
static lab_outcome rule_explain(const lab_spec *spec, const lab_rule_spec *rule_spec,
                                cfpc_status status, int most, lab_why *why)
{
    const bool filtered = lab_is_filtered(rule_spec->trace);
    const char *other = filtered ? ", or another whitening_rho" : "";
    if (status == CFPC_TOO_LARGE && spec->task.reset)
        return lab_spec_refuse(spec, rule_spec->place, why,
                               "the teaching filter of rule '%s' is longer than a trial (%d steps, "
                               "%g ms): lengthen the trial, or cut off more (learning.neglect "
                               "above %g%s)",
                               rule_spec->name, most, most * spec->step_ms, spec->learning.neglect,
                               other);
    if (status == CFPC_TOO_LARGE)
        return lab_spec_refuse(spec, rule_spec->place, why,
                               "the teaching filter of rule '%s' is longer than %d steps: cut off "
                               "more (learning.neglect above %g%s)",
                               rule_spec->name, most, spec->learning.neglect, other);
    if (status == CFPC_UNSTABLE)
        return lab_spec_refuse(spec, rule_spec->place, why,
                               "the trace of rule '%s' does not decay, so that no teaching filter "
                               "can replace it: use 'learning: {form: traces}'%s",
                               rule_spec->name, filtered ? " and another trace" : "");
    if (status == CFPC_BAD_VALUE && filtered)
        return lab_spec_refuse(spec, rule_spec->place, why,
                               "rule '%s' cannot undo what the loop does to some frequency, which "
                               "hardly passes it: use a 'whitening_rho' above 0, e.g. 0.001",
                               rule_spec->name);
    return lab_spec_from_status(spec, rule_spec->place, "the teaching filter", status, why);
}

lab_outcome lab_filter_make(cfpc_teaching_filter *filter, const lab_spec *spec, int steps,
                            const lab_rule_spec *rule_spec, const cfpc_system *trace, lab_why *why)
{
    const int most = spec->task.reset ? steps : MAX_STEPS;
    *filter = (cfpc_teaching_filter){0};
    if (!lab_is_adjoint(spec, rule_spec) || spec->learning.frozen)
        return LAB_DONE;
    const double neglect = spec->learning.neglect, rho = rule_spec->whitening_rho;
    const cfpc_status status =
        rule_spec->trace == LAB_TRACE_WHITENED
            ? cfpc_teaching_filter_whitened(filter, trace, rho, neglect, most)
        : rule_spec->trace == LAB_TRACE_PHASE_MATCHED
            ? cfpc_teaching_filter_phase_matched(filter, trace, rho, neglect, most)
            : cfpc_teaching_filter_of(filter, trace, neglect, most);
    return rule_explain(spec, rule_spec, status, most, why);
}

lab_filter_record lab_filter_of(const lab_rule *rule)
{
    return (lab_filter_record){.is_adjoint = lab_has_filter(rule),
                               .lead = rule->filter.lead,
                               .horizon = rule->filter.horizon,
                               .neglected = rule->filter.neglected};
}

cfpc_status lab_traces(const lab_rule *rule, int32_t steps, int32_t columns, const double *x,
                       double *z)
{
    return lab_has_filter(rule) ? cfpc_teaching_filter_traces(&rule->filter, steps, columns, x, z)
                                : cfpc_apply(&rule->trace, steps, columns, x, z);
}
