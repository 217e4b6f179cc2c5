// SPDX-License-Identifier: Apache-2.0
// teaching: a rule's trace moved to the teaching signal, where it learns in adjoint form, and the
// traces that a rule learns by in either form.
#ifndef CFPC_LAB_TEACHING_H
#define CFPC_LAB_TEACHING_H

#include "run/record.h"
#include "run/setup.h"

// The teaching filter of a rule whose trace is made, if its spec is in adjoint form or whitened;
// else none. Free it with cfpc_teaching_filter_free in either case.
lab_outcome lab_filter_make(cfpc_teaching_filter *filter, const lab_setup *setup,
                            const lab_rule_spec *of, const cfpc_system *trace, lab_why *why);

// Whether it learns in adjoint form.
static inline bool lab_has_filter(const lab_rule *rule)
{
    return rule->filter.taps != NULL;
}

lab_filter_record lab_filter_of(const lab_rule *rule);

// The traces of basis signals x over a trial; z, x: (steps x columns).
cfpc_status lab_traces(const lab_rule *rule, int32_t steps, int32_t columns, const double *x,
                       double *z);

#endif
