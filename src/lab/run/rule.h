// SPDX-License-Identifier: Apache-2.0
// rule: a rule, ready to learn: its trace, or, in adjoint form, the teaching filter that the trace
// becomes; its rate, and how it changes the weights.
#ifndef CFPC_LAB_RULE_H
#define CFPC_LAB_RULE_H

#include "cfpc/learned.h"
#include "cfpc/model.h"
#include "cfpc/trace.h"
#include "run/record.h"
#include "spec/spec.h"

// HᵀH as the cell believes, by its eigenvectors: P for any ρ, without a matrix for each.
typedef struct lab_spectrum {
    double *values;  // (G)
    double *rows;    // eigenvectors, row by row          (G x G)
    double *columns; // the same, column by column        (G x G)
} lab_spectrum;

typedef struct lab_rule {
    cfpc_system trace;           // basis signal to eligibility; filtered: the forward model
    cfpc_teaching_filter filter; // in adjoint form; without taps: it learns by traces
    double scale;   // rates are fractions of 1/this: λmax(HᵀH), or, filtered, ‖ZᵀH‖
    double rate;    // η, before it is rounded
    cfpc_rule rule; // how trace and teaching signal change the weights
    double *preconditioner;       // P (G x G), NULL: none
    const lab_spectrum *spectrum; // instead, with ρ; only to compute (lifted.h), NULL: none
    double rho;                   //
    const cfpc_system *q;         // F of its Q-filter (q_filter.h), NULL: none
    cfpc_system response;         // T̂, from o to what it takes off the error that the guard
                                  // watches; no outputs: not known
    bool is_learned; // its forward model is learned while it runs; the filter is 0 at first
    double probe;    // learned: as the spec says
    cfpc_learned_def learned; // learned: settings
} lab_rule;

void lab_rule_free(lab_rule *rule); // what it owns: neither preconditioner nor Q-filter

// The teaching filter of a rule with this trace, for trials of this many steps: if its spec is in
// adjoint form or filtered, else none. Free it with cfpc_teaching_filter_free in either case.
lab_outcome lab_filter_make(cfpc_teaching_filter *filter, const lab_spec *spec, int steps,
                            const lab_rule_spec *rule_spec, const cfpc_system *trace, lab_why *why);

// Whether it learns in adjoint form.
static inline bool lab_has_filter(const lab_rule *rule)
{
    return rule->filter.taps != NULL;
}

// Whether what it learned is filtered after every update.
static inline bool lab_has_q(const lab_rule *rule)
{
    return rule->q != NULL;
}

lab_filter_record lab_filter_of(const lab_rule *rule);

// The traces of basis signals x over a trial, by which it learns in either form; z, x: (steps x
// columns).
cfpc_status lab_traces(const lab_rule *rule, int32_t steps, int32_t columns, const double *x,
                       double *z);

#endif
