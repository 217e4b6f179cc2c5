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
cfpc_status cfpc_bank_init(void *mem, size_t bytes, const cfpc_lti *lti, int32_t width,
                           cfpc_bank **bank);

// Resets all states and lines to 0.
void cfpc_bank_reset(cfpc_bank *bank);

// One step of every copy. A line takes what is below 1e-200 (float: 1e-30) as 0: signals that die
// away must not go round in it for ever. x: (inputs x width), NULL: zeros. y: (outputs x width),
// NULL: not needed.
void cfpc_bank_step(const cfpc_lti *lti, cfpc_bank *bank, const cfpc_real *x, cfpc_real *y);

// The output that a step with this x would have; the state does not change.
void cfpc_bank_output(const cfpc_lti *lti, cfpc_bank *bank, const cfpc_real *x, cfpc_real *y);

#ifdef __cplusplus
}
#endif

#endif
