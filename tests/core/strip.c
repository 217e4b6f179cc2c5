// SPDX-License-Identifier: Apache-2.0
// strip: every fast way is the plain way, bit for bit, and it is taken where it may be.
#include "blocks_fixture.h"

#include "core/fast/strip.h"

enum { STEPS = 51, SLOTS = 63, ROW = CFPC_TILE + 3 };

typedef struct memory {
    cfpc_real state[4 * ROW], slots[SLOTS * ROW], weight[CFPC_TILE], trace[CFPC_TILE];
    cfpc_real sums[STEPS * CFPC_LANES];
} memory;

static cfpci_strip strip_of(memory *m, const cfpc_real *x, int32_t count)
{
    return (cfpci_strip){.count = count,
                         .row = ROW,
                         .state = m->state,
                         .slots = m->slots,
                         .weight = m->weight,
                         .trace = m->trace,
                         .x = x,
                         .stride = CFPC_TILE + 1,
                         .sums = m->sums};
}

static void expect_same(const cfpci_run *run, int32_t count, dice *d)
{
    memory given, a, b;
    cfpc_real x[STEPS * (CFPC_TILE + 1)];
    draw_reals(d, sizeof given / sizeof(cfpc_real), given.state);
    draw_reals(d, STEPS * (CFPC_TILE + 1), x);
    for (int j = 0; j < CFPC_TILE; j++)
        given.slots[3 * ROW + j] = (cfpc_real)(j % 2 ? -0.0 : 0.0);
    b = given;
    const cfpci_strip fast = strip_of(&a, x, count), plain = strip_of(&b, x, count);
    cfpci_strip_run_plain(run, &plain);
    for (int way = 0; way < CFPC_STRIP_WAYS; way++) {
        a = given;
        if (!cfpci_strip_has((cfpci_strip_way)way))
            continue;
        cfpci_strip_run_by((cfpci_strip_way)way, run, &fast);
        assert_memory_equal(&a, &b, sizeof a);
    }
}

static void fast_is_plain(void **state)
{
    (void)state;
    dice d = {17};
    for (int kind = 0; kind < TRACES; kind++)
        for (int rule = 0; rule < 8; rule++)
            for (int32_t steps = 1; steps <= STEPS; steps += 10) {
                const cfpc_lti trace = trace_of_kind(kind);
                int32_t heads[2] = {0};
                cfpc_real gain[STEPS];
                draw_reals(&d, STEPS, gain);
                for (int32_t i = 0; i < trace.lines; i++)
                    heads[i] = dice_integer(&d, 0, trace.delay_steps[i] - 1);
                cfpci_run run = {.steps = steps,
                                 .trace = &trace,
                                 .heads = heads,
                                 .teaches = rule != 7,
                                 .gain = gain,
                                 .keep = (cfpc_real)(rule & 1 ? 0.9 : 1),
                                 .low = (cfpc_real)(rule & 2 ? -0.5 : 0),
                                 .high = (cfpc_real)(rule & 2 ? 0.25 : 0)};
                cfpci_run_recognise(&run);
                assert_int_equal(run.is_modal, kind != 4 && kind != 6);
                expect_same(&run, CFPC_TILE, &d);
                expect_same(&run, dice_integer(&d, 1, CFPC_TILE - 1), &d);
            }
}

// One number that does not fit, anywhere, and the plain way is taken.
static void others_are_not_modal(void **state)
{
    (void)state;
    const cfpc_lti modal = modal_trace();
    cfpc_real matrix[25];
    cfpc_lti trace = modal;
    trace.matrix = matrix;
    for (int k = 0; k < 25; k++) {
        memcpy(matrix, modal.matrix, sizeof matrix);
        matrix[k] += (cfpc_real)0.5;
        cfpci_run run = {.trace = &trace};
        cfpci_run_recognise(&run);
        assert_int_equal(run.is_modal, k == 0 || k == 6 || k == 12); // another pole
        matrix[k] = 0;
        cfpci_run_recognise(&run);
        assert_int_equal(run.is_modal, modal.matrix[k] == 0);
    }
}

// Neither is one with a mode that is not seen, which the plain way leaves out.
static void unseen_is_not_modal(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        const cfpc_lti modal = trace_of_kind(kind);
        const int columns = cfpc_lti_columns(&modal), y = modal.states * columns;
        cfpc_real matrix[25];
        memcpy(matrix, modal.matrix, (size_t)(cfpc_lti_rows(&modal) * columns) * sizeof *matrix);
        matrix[y] = 0;
        if (modal.lines > 0)
            matrix[y + columns] = 0;
        cfpc_lti trace = modal;
        trace.matrix = matrix;
        cfpci_run run = {.trace = &trace};
        cfpci_run_recognise(&run);
        assert_false(run.is_modal);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fast_is_plain),
                                       cmocka_unit_test(others_are_not_modal),
                                       cmocka_unit_test(unseen_is_not_modal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
