// SPDX-License-Identifier: Apache-2.0
#include "export/cost.h"

// Fitted to what tools/check-export-cost --table measures: gcc 12.2 for the Cortex-M4F (-O2
// -ffp-contract=off -ffunction-sections), instructions counted by QEMU's -icount, code and
// constants from the linker's map, stack from the compiler's call graph. Instructions are a sum
// over what a step does, each a loop whose length is known; tools/check-export-cost holds the sum
// to 20 % for every cell of its list. Double precision has no FPU there: its operations are calls.

// Instructions of one step.
#define STEP 260.0        // each step
#define ADJOINT 170.0     // each step in adjoint form
#define SYNAPSE 9.5       // each synapse: o, and learning
#define ROW 11.4          // each basis signal of a row
#define ACTIVE 6.1        // each that is not 0
#define PASS 5.7          // each synapse of another pass over them
#define ENTRY 79.0        // each entry of the trace's matrix that is not 0
#define ENTRY_SYNAPSE 0.9 // and for each synapse
#define STORE_SYNAPSE 6.2 // each row of the trace's matrix and synapse
#define TAP 2.7           // each tap of the teaching filter
#define GUARD 45.0        // the guard
#define RESPONSE 6.5      // each entry of the matrix of its response that is not 0
#define DELAYED 10.0      // each tap of a delay line
#define LEAKY_ROW 15.0    // each row of a leaky cascade
#define LEAKY_PRODUCT 6.0 // each product in it
#define BANK_CELL 8.2     // each cell of a driven bank's matrix
#define BANK_ENTRY 11.7   // each that is not 0
#define BANK_ROW 161.0    // each row
#define SOFT 40.0         // in double: each multiplication or addition, a call
#define SOFT_TAP 108.0    // in double: each tap or product of numbers that are hardly ever 0

// Bytes.
enum { CODE = 13800, CODE_ADJOINT = 2000, CODE_BANKS = 700, STACK = 370 };
enum { CODE_DOUBLE = 4000, STACK_DOUBLE = 640 }; // with the routines of libgcc

static double trace_cost(const lab_cost_of *cost_of)
{
    const bool none = cost_of->trace.cells == 1;
    if (none || !cost_of->learns || cost_of->taps > 0)
        return 0;
    return ENTRY * cost_of->trace.entries +
           cost_of->synapses *
               (ENTRY_SYNAPSE * cost_of->trace.entries + STORE_SYNAPSE * cost_of->trace.rows);
}

static double bank_cost(const lab_cost_of *cost_of)
{
    return DELAYED * cost_of->delayed + LEAKY_ROW * cost_of->leaky.rows +
           LEAKY_PRODUCT * cost_of->leaky.cells + BANK_CELL * cost_of->banks.cells +
           BANK_ENTRY * cost_of->banks.entries + BANK_ROW * cost_of->banks.rows;
}

// What double precision adds.
static double soft_cost(const lab_cost_of *cost_of)
{
    const double g = cost_of->synapses, entries = cost_of->trace.entries;
    const double trace = cost_of->taps > 0 ? 0 : g * entries;
    return SOFT * (4 * g + 2 * trace + 2 * cost_of->response.entries + 2 * cost_of->banks.entries +
                   2 * g * (cost_of->normalised + cost_of->momentum)) +
           SOFT_TAP * (cost_of->taps + cost_of->leaky.cells);
}

lab_cost lab_cost_estimate(const lab_cost_of *cost_of)
{
    const double g = cost_of->synapses;
    const double steps =
        STEP + (cost_of->taps > 0 ? ADJOINT + TAP * cost_of->taps : 0) + SYNAPSE * g +
        cost_of->rows * (ROW * g + ACTIVE * cost_of->active) +
        PASS * g * (cost_of->normalised + cost_of->momentum) + trace_cost(cost_of) +
        (cost_of->guarded ? GUARD + RESPONSE * cost_of->response.entries : 0) + bank_cost(cost_of);
    const bool is_float = cost_of->real_bytes == sizeof(float);
    return (lab_cost){.code = CODE + (cost_of->taps > 0 ? CODE_ADJOINT : 0) +
                              (cost_of->banks.rows > 0 ? CODE_BANKS : 0) +
                              (is_float ? 0 : CODE_DOUBLE),
                      .stack = is_float ? STACK : STACK_DOUBLE,
                      .instructions = steps + (is_float ? 0 : soft_cost(cost_of))};
}
