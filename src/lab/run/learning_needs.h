// SPDX-License-Identifier: Apache-2.0
// learning_needs: what a setup, and learning with it, will need; from the sizes of its spec.
#ifndef CFPC_LAB_LEARNING_NEEDS_H
#define CFPC_LAB_LEARNING_NEEDS_H

#include "base/needs.h"
#include "plant/sizes.h"

// How a rule learns in a phase.
typedef enum lab_way {
    LAB_WAY_COMPUTED, // by the least-squares problem; only the last trial is run
    LAB_WAY_AFTER,    // on the loop; weights change after each trial
    LAB_WAY_TRACES,   // on the loop, with traces
    LAB_WAY_ADJOINT,  // on the loop, in adjoint form
    LAB_WAY_FROZEN    // on the loop, without learning
} lab_way;

// Of a rule with this spec; `may_compute`: it is the only phase, and nothing of its trials is
// measured.
lab_way lab_way_of(const lab_spec *spec, const lab_rule_spec *rule, bool may_compute, bool guarded);

// Whether lab_lift (lifted.h) can compute it.
bool lab_way_lifts(const lab_spec *spec, const lab_rule_spec *rule);

// Making a setup, all but its rules; `is_first`: it is that of the first phase. Adds to the needs.
void lab_setup_needs(lab_needs *needs, const lab_sizes *sizes, const lab_spec *spec, bool is_first);

// Making one of its rules.
void lab_rule_needs(lab_needs *needs, const lab_sizes *sizes, const lab_spec *spec,
                    const lab_rule_spec *rule);

// So many trials of a phase; `keeps_last`: as a rule of the spec is run, with its guard and the
// last trial kept, not to try it.
void lab_phase_needs(lab_needs *needs, const lab_sizes *sizes, const lab_spec *spec,
                     const lab_rule_spec *rule, lab_way way, double trials, bool keeps_last);

// One curve by lab_lift.
void lab_lift_needs(lab_needs *needs, const lab_sizes *sizes, const lab_spec *spec,
                    const lab_rule_spec *rule, double trials);

// A trial without a cell, and the simulation that it needs.
void lab_reactive_needs(lab_needs *needs, const lab_sizes *sizes);

#endif
