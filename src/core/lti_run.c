// SPDX-License-Identifier: Apache-2.0
// One copy of a system with one input and one output, several steps at a time. Each row of the
// matrix is added up over all steps together, as one vector per entry that is not zero. Only the
// states that depend on each other go step by step: a group of rows, most often one. No step
// depends on a line's input of the same run, because a run is no longer than the shortest line.
#include <string.h>

#include "bank.h"

typedef struct lti_run {
    const cfpc_lti *lti;
    const cfpc_real *x;
    cfpc_real *y;
    cfpc_real *state, *slots;
    cfpc_real *rows;  // s, z of every step    (states + lines, each CFPC_RUN)
    cfpc_real *lines; // v of every step       (lines x CFPC_RUN)
    int32_t *heads;
} lti_run;

// Adds an entry of a row times its column, over all steps; whether the row is still without terms.
CFPC_INLINE bool add_over_time(cfpc_real *restrict out, bool is_first, cfpc_real a,
                               const cfpc_real *restrict in, int32_t steps)
{
    if (a == 0)
        return is_first;
    cfpci_add_term(out, is_first, a, in, steps);
    return false;
}

// One row of matrix · [s; x; v] for all steps, of the first states only.
CFPC_PER_COUNT void row_over_time(const lti_run *run, int32_t row, int32_t states, cfpc_real *out,
                                  int32_t steps)
{
    const cfpc_lti *lti = run->lti;
    const cfpc_real *a = lti->matrix + (size_t)row * (size_t)cfpc_lti_columns(lti);
    bool is_first = true;
    for (int32_t i = 0; i < states; i++)
        is_first = add_over_time(out, is_first, a[i], run->rows + (size_t)i * CFPC_RUN, steps);
    is_first = add_over_time(out, is_first, a[lti->states], run->x, steps);
    a += lti->states + 1;
    for (int32_t i = 0; i < lti->lines; i++)
        is_first = add_over_time(out, is_first, a[i], run->lines + (size_t)i * CFPC_RUN, steps);
    if (is_first)
        memset(out, 0, (size_t)steps * sizeof *out);
}

// The end of the smallest group of states from this one on that depends on no later state.
static int32_t group_end(const cfpc_lti *lti, int32_t first)
{
    const size_t columns = (size_t)cfpc_lti_columns(lti);
    int32_t end = first + 1;
    for (int32_t row = first; row < end; row++)
        for (int32_t i = lti->states - 1; i >= end; i--)
            if (lti->matrix[(size_t)row * columns + (size_t)i] != 0)
                end = i + 1;
    return end;
}

// s⁺ = a s + what comes from outside, step by step; s takes its place.
CFPC_PER_COUNT void step_alone(cfpc_real *restrict state, cfpc_real a, cfpc_real *restrict row,
                               int32_t steps)
{
    cfpc_real s = *state;
    for (int32_t n = 0; n < steps; n++) {
        const cfpc_real next = row[n] + a * s;
        row[n] = s;
        s = next;
    }
    *state = s;
}

// The same for a group.
static CFPC_SELDOM void step_group(const lti_run *run, int32_t first, int32_t end, int32_t steps)
{
    const size_t columns = (size_t)cfpc_lti_columns(run->lti);
    for (int32_t n = 0; n < steps; n++) {
        for (int32_t row = first; row < end; row++)
            for (int32_t i = first; i < end; i++)
                run->rows[(size_t)row * CFPC_RUN + (size_t)n] +=
                    run->lti->matrix[(size_t)row * columns + (size_t)i] * run->state[i];
        for (int32_t i = first; i < end; i++) {
            cfpc_real *at = run->rows + (size_t)i * CFPC_RUN + n;
            const cfpc_real s = run->state[i];
            run->state[i] = *at;
            *at = s;
        }
    }
}

CFPC_PER_COUNT void run_rows(const lti_run *run, int32_t steps)
{
    const cfpc_lti *lti = run->lti;
    const int32_t states = lti->states, columns = cfpc_lti_columns(lti);
    for (int32_t first = 0, end; first < states; first = end) {
        end = group_end(lti, first);
        for (int32_t row = first; row < end; row++)
            row_over_time(run, row, first, run->rows + (size_t)row * CFPC_RUN, steps);
        if (end == first + 1)
            step_alone(run->state + first, lti->matrix[(size_t)first * (size_t)(columns + 1)],
                       run->rows + (size_t)first * CFPC_RUN, steps);
        else
            step_group(run, first, end, steps);
    }
    row_over_time(run, states, states, run->y, steps);
    for (int32_t i = 0; i < lti->lines; i++)
        row_over_time(run, states + 1 + i, states, run->rows + (size_t)(states + i) * CFPC_RUN,
                      steps);
}

// Steps of a line from its head on, before it starts again.
static int32_t before_end(const lti_run *run, int32_t line, int32_t steps)
{
    const int32_t left = run->lti->delay_steps[line] - run->heads[line];
    return left < steps ? left : steps;
}

// v of all steps out of the lines.
static void load_lines(const lti_run *run, int32_t steps)
{
    const cfpc_real *line = run->slots;
    cfpc_real *v = run->lines;
    for (int32_t i = 0; i < run->lti->lines; line += run->lti->delay_steps[i++], v += CFPC_RUN) {
        const int32_t first = before_end(run, i, steps);
        cfpci_copy(v, line + run->heads[i], first);
        if (first < steps)
            cfpci_copy(v + first, line, steps - first);
    }
}

// z of all steps into the lines, and on.
static void store_lines(const lti_run *run, int32_t steps)
{
    const cfpc_lti *lti = run->lti;
    const cfpc_real *z = run->rows + (size_t)lti->states * CFPC_RUN;
    cfpc_real *line = run->slots;
    for (int32_t i = 0; i < lti->lines; line += lti->delay_steps[i++], z += CFPC_RUN) {
        const int32_t first = before_end(run, i, steps), next = run->heads[i] + steps;
        cfpci_copy_settled(line + run->heads[i], z, first);
        if (first < steps)
            cfpci_copy_settled(line, z + first, steps - first);
        run->heads[i] = next < lti->delay_steps[i] ? next : next - lti->delay_steps[i];
    }
}

// The length of a run.
static int32_t steps_at_once(const cfpc_lti *lti, int32_t steps)
{
    int32_t most = steps < CFPC_RUN ? steps : CFPC_RUN;
    for (int32_t i = 0; i < lti->lines; i++)
        most = lti->delay_steps[i] < most ? lti->delay_steps[i] : most;
    return most;
}

void cfpci_bank_run(const cfpc_lti *lti, cfpc_bank *bank, cfpc_real *scratch, const cfpc_real *x,
                    cfpc_real *y, int32_t steps)
{
    char *base = (char *)bank;
    lti_run run = {.lti = lti,
                   .state = (cfpc_real *)(base + bank->state_at),
                   .slots = (cfpc_real *)(base + bank->slot_at),
                   .rows = scratch,
                   .heads = (int32_t *)(base + bank->head_at)};
    run.lines = run.rows + (size_t)(lti->states + lti->lines) * CFPC_RUN;
    for (int32_t done = 0, now; done < steps; done += now) {
        now = steps_at_once(lti, steps - done);
        run.x = x + done;
        run.y = y + done;
        load_lines(&run, now);
        if (!CFPC_ARM_FLOAT && now == CFPC_RUN) // a constant, for vectors
            run_rows(&run, CFPC_RUN);
        else
            run_rows(&run, now);
        store_lines(&run, now);
    }
}
