// SPDX-License-Identifier: Apache-2.0
// systems: plants and controllers, loops and traces, as a spec describes them.
#ifndef CFPC_LAB_SYSTEMS_H
#define CFPC_LAB_SYSTEMS_H

#include "cfpc/loop.h"
#include "spec.h"

// A loop, closed, and cut at the command for one that saturates.
typedef struct lab_loop {
    cfpc_system closed; // CFPC_LOOP_ inputs to outputs
    cfpc_system open; // likewise, with the applied command; empty if the command does not saturate
} lab_loop;

// The loop that is, or, with `believed`, the one that the cell believes in. Free it in either case.
lab_outcome lab_loop_make(lab_loop *loop, const lab_spec *spec, bool believed, lab_why *why);
void lab_loop_free(lab_loop *loop);

// Whether the command of this spec's loop saturates.
bool lab_saturates(const lab_spec *spec);

// H's path: minus the change of the teaching signal by o, without the teacher's delay.
lab_outcome lab_teaching_path(cfpc_system *path, const lab_spec *spec, const lab_loop *loop,
                              lab_why *why);

// The path from o to y.
lab_outcome lab_output_path(cfpc_system *path, const lab_spec *spec, const lab_loop *loop,
                            lab_why *why);

// A rule's trace. `response` (steps) is the measured response from o to minus the teaching signal.
lab_outcome lab_trace_make(cfpc_system *trace, const lab_spec *spec, const lab_rule_spec *rule,
                           const lab_loop *believed, int steps, const double *response,
                           lab_why *why);

#endif
