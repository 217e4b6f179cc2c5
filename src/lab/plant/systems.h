// SPDX-License-Identifier: Apache-2.0
// systems: plants, controllers and loops, as a spec describes them.
#ifndef CFPC_LAB_SYSTEMS_H
#define CFPC_LAB_SYSTEMS_H

#include <math.h>

#include "cfpc/lti.h"
#include "plant/parts.h"
#include "spec/spec.h"

// A loop, closed, and cut at the command for one that saturates.
typedef struct lab_loop {
    cfpc_system closed; // CFPC_LOOP_ inputs to outputs
    cfpc_system open; // likewise, with the applied command; empty if the command does not saturate
    cfpc_system feedforward;   // from the reference to the push, discrete; empty if there is none
    cfpc_system from_o;        // from o, where the spec has it enter, to the LAB_LOOP_ outputs
    int32_t error_delay_steps; // between the comparison and the controller
} lab_loop;

// Outputs of a loop as the cell sees it: those of CFPC_LOOP_, and one more.
enum {
    LAB_LOOP_TOTAL = CFPC_LOOP_OUTPUTS, // what controller, feed-forward path and cell send
    LAB_LOOP_OUTPUTS
};

// The loop that is, or, with `believed`, the one that the cell believes in. Free it in either case.
lab_outcome lab_loop_make(lab_loop *loop, const lab_spec *spec, bool believed, lab_why *why);
void lab_loop_free(lab_loop *loop);

// A system that runs, at rest: free both, the state with free.
cfpc_status lab_system_start(cfpc_lti **lti, cfpc_bank **state, const cfpc_system *sys);

// The parts of the loop that is, or of the believed one; with `windup` the controller has its
// second input. Free them in either case.
lab_outcome lab_parts_make(lab_parts *parts, const lab_spec *spec, bool believed, bool windup,
                           lab_why *why);

// The loop from o to its LAB_LOOP_ outputs.
cfpc_status lab_parts_from_o(cfpc_system *from_o, const lab_spec *spec, const lab_parts *parts,
                             const cfpc_system *closed);

// The loop's plant with the time constant of one stage of its chain (-1: all its times) multiplied.
// Only a chain or a transfer function has such.
bool lab_plant_has_times(const lab_spec *spec);
lab_outcome lab_plant_slower(cfpc_system *plant, const lab_spec *spec, int stage, double factor,
                             lab_why *why);

// Whether the command of this spec's loop saturates, and whether its output has limits.
bool lab_saturates(const lab_spec *spec);
bool lab_limits_output(const lab_spec *spec);

// A value of the spec, or this where it gives none.
static inline double lab_or_else(double given, double standard)
{
    return isnan(given) ? standard : given;
}

#endif
