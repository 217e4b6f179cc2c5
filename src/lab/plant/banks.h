// SPDX-License-Identifier: Apache-2.0
// banks: the basis signals of a spec. Those in trial time are a table; those driven by a signal run
// along with the loop, and those over the angle follow it. A CSV file is in trial time where the
// task repeats; where time goes on, so does the file, which must then last for all trials.
#ifndef CFPC_LAB_BANKS_H
#define CFPC_LAB_BANKS_H

#include "base/csv.h"
#include "cfpc/basis.h"
#include "cfpc/lti.h"
#include "cfpc/system.h"
#include "plant/systems.h"
#include "plant/world.h"

// What drives a bank from the loop: its signals of the step before. A bank that is driven by the
// world receives none of it.
typedef struct lab_heard {
    double measurement;   // m
    double command;       // u
    double total_command; // of controller, feed-forward path and cell
    double prediction;    // of this step, by the first stage of a cascade
    double phase;         // of this step: the angle within its turn, 0 to 1
} lab_heard;

// A bank that runs.
typedef struct lab_driven {
    const lab_basis_spec *spec;
    int column;       // of its first basis signal
    int source;       // index of the cue or disturbance
    int ahead;        // steps that it receives the reference ahead of time
    cfpc_lti *lti;    // one input, spec->count outputs
    cfpc_bank *state; // of it
} lab_driven;

// A bank over the angle.
typedef struct lab_turning {
    int column; // of its first basis signal
    cfpc_periodic periodic;
} lab_turning;

// A table that goes on from trial to trial, where time does.
typedef struct lab_going_on {
    int column; // of its first basis signal
    lab_csv csv;
} lab_going_on;

typedef struct lab_basis {
    const lab_world *world;
    int steps;            // N
    int bases;            // G, of all banks
    int *first;           // column of each bank's first basis signal      (banks of the spec)
    double *table;        // basis signals in trial time, 0 in the other columns    (N x G)
    int driven_count;     //
    lab_driven *driven;   // (driven_count)
    int turning_count;    //
    lab_turning *turning; // (turning_count)
    int going_count;      //
    lab_going_on *going;  // (going_count)
    bool hears_loop;      // a bank is driven by measurement or commands
} lab_basis;

// Whether a bank is driven by measurement or commands.
bool lab_hears_loop(const lab_basis_spec *bank);

// The output of the loop that drives such a bank (plant/systems.h).
int32_t lab_heard_output(const lab_basis_spec *bank);

// What a bank in time, centred or decaying, is in trials of this many steps. Of those kinds only.
cfpc_time_basis_def lab_bank_in_time(const lab_spec *spec, const lab_basis_spec *bank, int steps);

// The network of a bank that is driven by a signal: one input, bank->count outputs.
cfpc_status lab_bank_network(cfpc_system *sys, const lab_basis_spec *bank, double step_s);

// Free it in either case.
lab_outcome lab_basis_make(lab_basis *basis, const lab_spec *spec, const lab_world *world,
                           int steps, lab_why *why);
void lab_basis_free(lab_basis *basis);

// Resets all driven banks.
void lab_basis_reset(lab_basis *basis);

// The basis signals of a step, x (G); the driven banks move on.
void lab_basis_step(lab_basis *basis, const lab_heard *heard, int trial, int n, cfpc_real *x);

#endif
