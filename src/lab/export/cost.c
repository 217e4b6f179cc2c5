// SPDX-License-Identifier: Apache-2.0
#include "export/cost.h"

// Fitted to what tools/check-export-cost --table measures: gcc 12.2 for the Cortex-M4F (-O2
// -ffp-contract=off -ffunction-sections), instructions counted by QEMU's -icount, code and
// constants from the linker's map, stack from the compiler's call graph. Instructions are a sum
// over what a step does, each a loop whose length is known; tools/check-export-cost holds the sum
// to 20 % for every cell of its list. Double precision has no FPU there: its operations are calls.

// Instructions of one step.
#define STEP 496.0        // each step
#define ADJOINT 61.0      // each step in adjoint form
#define SYNAPSE 26.4      // each synapse: o, and learning
#define ROW 8.1           // each basis signal of a row
#define ACTIVE 7.4        // each that is not 0
#define PASS 8.0          // each synapse of another pass over them
#define ENTRY 65.0        // each entry of the trace's matrix that is not 0
#define ENTRY_SYNAPSE 6.3 // and for each synapse
#define STORE_SYNAPSE 2.4 // each row of the trace's matrix and synapse
#define TAP 8.9           // each tap of the teaching filter
#define GUARD 56.0        // the guard
#define BANK_CELL 13.3    // each cell of a driven bank's matrix
#define BANK_ENTRY 18.4   // each that is not 0
#define BANK_ROW 20.0     // each row
#define DOUBLE 12.0       // factor of double precision

// Bytes.
enum { CODE = 18000, CODE_BANKS = 100, STACK = 376, STACK_DOUBLE = 480 };

static double trace_cost(const lab_cost_of *of)
{
    const bool none = of->trace.cells == 1;
    if (none || !of->learns || (of->taps > 0 && !of->guarded))
        return 0;
    if (of->taps > 0) // once, on o
        return ENTRY * of->trace.entries;
    return ENTRY * of->trace.entries +
           of->synapses * (ENTRY_SYNAPSE * of->trace.entries + STORE_SYNAPSE * of->trace.rows);
}

static double bank_cost(const lab_cost_of *of)
{
    return BANK_CELL * of->banks.cells + BANK_ENTRY * of->banks.entries + BANK_ROW * of->banks.rows;
}

lab_cost lab_cost_estimate(const lab_cost_of *of)
{
    const double g = of->synapses;
    const double steps = STEP + (of->taps > 0 ? ADJOINT + TAP * of->taps : 0) + SYNAPSE * g +
                         of->rows * (ROW * g + ACTIVE * of->active) +
                         PASS * g * (of->normalised + of->momentum) + trace_cost(of) +
                         (of->guarded ? GUARD : 0) + bank_cost(of);
    const bool is_float = of->real_bytes == sizeof(float);
    return (lab_cost){.code = CODE + (of->banks.cells > 0 ? CODE_BANKS : 0),
                      .stack = is_float ? STACK : STACK_DOUBLE,
                      .instructions = is_float ? steps : DOUBLE * steps};
}
