// SPDX-License-Identifier: Apache-2.0
#include "export/cost.h"

// Measured with gcc 12.2 for the Cortex-M4F (-O2 -ffp-contract=off -ffunction-sections), counted by
// QEMU's -icount.
enum {
    CODE = 12000,
    STACK = 1024,
};

lab_cost lab_cost_estimate(const lab_cost_of *of)
{
    const double g = of->synapses;
    return (lab_cost){
        .code = CODE, .stack = STACK, .instructions = 600 + 16 * g + 6.0 * of->trace_entries * g};
}
