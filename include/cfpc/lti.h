// SPDX-License-Identifier: Apache-2.0
// lti: a discrete linear system, small dense matrices plus delay lines; and banks of
// identical ones.
//
//     [s⁺]   [A   B   B_v ] [s]
//     [y ] = [C   D   D_v ] [x]        v_i[n] = z_i[n - delay_i]
//     [z ]   [C_z D_z D_zv] [v]
//
// A delay of 50 steps is a line of 50 values, not 50 more states.
#ifndef CFPC_LTI_H
#define CFPC_LTI_H

#include <stddef.h>
#include <stdint.h>

#include "cfpc/config.h"
#include "cfpc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- lti -------------------------------------------------------------------------------------

typedef struct cfpc_lti {
    int32_t states;             // length of s
    int32_t inputs;             // length of x
    int32_t outputs;            // length of y
    int32_t lines;              // length of z and v
    const int32_t *delay_steps; // delay of each line, at least 1   (lines)
    const cfpc_real *matrix;    // the block matrix above, row-major
                                // ((states + outputs + lines) x (states + inputs + lines))
} cfpc_lti;

// Rows and columns of the block matrix.
static inline int32_t cfpc_lti_rows(const cfpc_lti *lti)
{
    return lti->states + lti->outputs + lti->lines;
}

static inline int32_t cfpc_lti_columns(const cfpc_lti *lti)
{
    return lti->states + lti->inputs + lti->lines;
}

// CFPC_OK, or a status that says which of the sizes, delays or numbers is invalid.
cfpc_status cfpc_lti_check(const cfpc_lti *lti);

// A bank: `width` copies of one lti that step together, each with its own state. It is contiguous
// memory without pointers, so memcpy copies it. A bank of width 1 is one running system.
typedef struct cfpc_bank cfpc_bank;

// Size of a bank in bytes; 0 if lti or width is invalid.
size_t cfpc_bank_size(const cfpc_lti *lti, int32_t width);

// Creates a bank at rest in mem (8-byte aligned).
cfpc_status cfpc_bank_init(cfpc_bank **bank, void *mem, size_t bytes, const cfpc_lti *lti,
                           int32_t width);

// Resets all states and lines to 0.
void cfpc_bank_reset(cfpc_bank *bank);

// One step of every copy. A line takes what is below 1e-200 (float: 1e-30) as 0: signals that die
// away must not go round in it for ever. x: (inputs x width), NULL: zeros. y: (outputs x width),
// NULL: not needed.
void cfpc_bank_step(const cfpc_lti *lti, cfpc_bank *bank, const cfpc_real *x, cfpc_real *y);

// The output that a step with this x would have; the state does not change.
void cfpc_bank_output(const cfpc_lti *lti, cfpc_bank *bank, const cfpc_real *x, cfpc_real *y);

// ---- trace -----------------------------------------------------------------------------------
//
// The lti that turns a basis signal x_j into the eligibility trace h_j of its synapse.
//
//     none           h_j[n] = x_j[n]          Widrow-Hoff, LMS
//     delay          h_j[n] = x_j[n - d]      Widrow-Hoff with a delta trace
//     forward model  h_j = T x_j              the paper's rule: any cfpc_lti of the closed loop

// No trace: h = x.
cfpc_lti cfpc_trace_none(void);

// A pure delay of *delay_steps steps, at least 1. The lti keeps the pointer: it must stay valid
// until cfpc_model_init has copied what it points at, and while the lti is used directly
// (cfpc_bank_...).
cfpc_lti cfpc_trace_delay(const int32_t *delay_steps);

// ---- periodic --------------------------------------------------------------------------------
//
// Basis signals over a phase, for example the angle of a rotor, by table lookup.
//
// One turn is divided into `points`. The signals are copies of one bump, at equal distances around
// the turn. The bump is a table of the points at which it is not 0; between points it is
// interpolated linearly:
//
//     s = points · (turns mod 1)                                  the phase, in points
//     k + f = (s - j points/synapses - first) mod points          whole part and fraction
//     x_j = (1 - f) values[k] + f values[k + 1]   where k < length; otherwise 0
//
// A row costs what the synapses near the phase cost, plus setting the others to 0.

typedef struct cfpc_periodic {
    int32_t synapses;        // bumps in one turn; that of synapse j is at the phase j/synapses
    int32_t points;          // points in one turn: a multiple of synapses, at most 2^20
    int32_t first;           // the point of values[0], counted from the bump's phase; for a bump
                             // that is symmetric about its phase -length/2   (-points ... points)
    int32_t length;          // points from the first value to the last, 1 to points
    const cfpc_real *values; // the bump                                      (length + 1)
} cfpc_periodic;

// CFPC_OK, or a status that says which of the sizes or values is invalid.
cfpc_status cfpc_periodic_check(const cfpc_periodic *periodic);

// The basis signals at this phase, x (synapses). turns is any number: 0.25, 7.25 and -0.75 are the
// same phase. It is as precise as cfpc_real: at 1000 turns the phase is rounded to 6e-5 turns in
// float (1e-13 in double), from 2^23 turns on (2^52) to whole turns. A counter that wraps, as that
// of an encoder does, keeps its precision forever. If turns is not finite, all are 0: the cell then
// neither acts nor learns.
void cfpc_periodic_row(const cfpc_periodic *periodic, cfpc_real turns, cfpc_real *x);

// ---- shapes ----------------------------------------------------------------------------------
//
// Basis signals in time as short shapes, instead of a table of every step.
//
//     x_j[n] = values[start_j + k],   k = n - first_j,   where 0 <= k < length_j; otherwise 0
//
// A bump of 60 steps in a trial of 2500 takes 60 values, and synapses whose bumps differ only in
// their time share them. Where centres lie between two steps, `fraction` shifts the shape by a part
// of a step, by linear interpolation:
//
//     x_j[n] = (1 - f_j) values[start_j + k] + f_j values[start_j + k + 1]
//
// A shape then has length_j + 1 values.

typedef struct cfpc_shapes {
    int32_t synapses;          // length of a row
    const cfpc_real *values;   // all shapes, one after the other
    const int32_t *start;      // index in values of the synapse's shape             (synapses)
    const int32_t *length;     // number of steps at which it is not 0, 0 or more     (synapses)
    const int32_t *first;      // the first of these steps; may be negative           (synapses)
    const cfpc_real *fraction; // part of a step, 0 <= f < 1; NULL: all are 0         (synapses)
} cfpc_shapes;

// CFPC_OK, or a status that says which of the sizes or fractions is invalid. The number of values
// is not known here: that start_j + length_j (+ 1) stays within them is up to the caller.
cfpc_status cfpc_shapes_check(const cfpc_shapes *shapes);

// The basis signals at this step of the trial (any number), x (synapses). Pass x to cfpc_step; with
// a teaching filter (CFPC_PAST_GIVEN) pass the rows of this step and of M steps ago to
// cfpc_step_given, which saves the ring of past inputs.
void cfpc_shapes_row(const cfpc_shapes *shapes, int64_t step, cfpc_real *x);

#ifdef __cplusplus
}
#endif

#endif
