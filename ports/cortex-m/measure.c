// SPDX-License-Identifier: Apache-2.0
// measure: what an exported cell needs on the board, one "NAME value" per line: instructions of its
// functions (with QEMU's -icount shift=0) and bytes of stack. Compile it with the cell NAME:
//   -DCELL=NAME -include NAME_model.h, and -DINPUT=... if NAME_act takes something
// The errors are made up, and the rate is so small that they could be those of the loop alone. In
// the first trial the guard, if there is one, takes them for that; it judges the others and has no
// reason to pause the cell. The last trial counts.
#include "port.h"

#ifndef INPUT
#define INPUT
#endif
#define JOIN(a, b) a##b
#define NAMED(a, b) JOIN(a, b)
#define act NAMED(CELL, _act)
#define learn NAMED(CELL, _learn)
#define next_trial NAMED(CELL, _next_trial)
#define start NAMED(CELL, _start)
#define data NAMED(CELL, _data)()

enum { TRIALS = 6, STEPS = 2500 };

static void print(const char *name, uint32_t value)
{
    port_print(name);
    port_print(" ");
    port_print_integer(value);
    port_print("\n");
}

// Instructions per round of a loop of two.
static uint32_t known_loop(void)
{
    uint32_t rounds = 100000;
    const uint64_t begin = port_instructions();
    __asm__ volatile("1: subs %0, #1\n\tbne 1b" : "+r"(rounds) : : "cc");
    return (uint32_t)(port_instructions() - begin + 50000) / 100000;
}

static cfpc_real error_at(int n)
{
    return (cfpc_real)0.001 * (cfpc_real)(n % 7 - 3);
}

static uint32_t instructions_of_steps(volatile cfpc_real *out)
{
    const uint64_t begin = port_instructions();
    for (int n = 0; n < STEPS; n++) {
        *out = act(INPUT);
        learn(error_at(n));
    }
    return (uint32_t)(port_instructions() - begin) / STEPS;
}

// The loop around the cell.
static uint32_t instructions_without(volatile cfpc_real *out)
{
    const uint64_t begin = port_instructions();
    for (int n = 0; n < STEPS; n++)
        *out = error_at(n);
    return (uint32_t)(port_instructions() - begin) / STEPS;
}

int main(void)
{
    volatile cfpc_real out;
    uint32_t steps = 0, end = 0;
    if (start() != CFPC_OK) {
        port_print("the cell cannot start\n");
        return 1;
    }
    cfpc_set_rate(data, cfpc_data_rate(data) / 1000);
    print("known_loop", known_loop());
    port_stack_paint();
    for (int trial = 0; trial < TRIALS; trial++) {
        steps = instructions_of_steps(&out);
        const uint64_t begin = port_instructions();
        next_trial();
        end = (uint32_t)(port_instructions() - begin);
    }
    const uint32_t stack = port_stack_used();
    print("step", steps - instructions_without(&out));
    print("trial_end", end);
    print("stack", stack);
    if (cfpc_flags(data) || cfpc_guard_paused(data) || cfpc_guard_pauses(data) > 0) {
        port_print("the guard paused the cell\n");
        return 1;
    }
    return 0;
}
