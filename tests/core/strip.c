// SPDX-License-Identifier: Apache-2.0
// strip: every fast way is the plain way, bit for bit, and it is taken where it may be.
#include "blocks_fixture.h"

#include "core/fast/strip.h"

enum { STEPS = 51, SLOTS = 63, ROW = CFPC_TILE + 3 };

typedef struct memory {
    cfpc_real state[5 * ROW], slots[SLOTS * ROW], weight[CFPC_TILE], trace[CFPC_TILE];
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

// A trace of so many modes, with x beside them or not, and no line, a line or a closed one.
typedef enum line_kind { NO_LINE, OPEN_LINE, CLOSED_LINE, LINE_KINDS } line_kind;

static cfpc_lti trace_of_modes(int modes, bool direct, line_kind line, cfpc_real *matrix)
{
    static const int32_t delay_steps[] = {9};
    const int lines = line != NO_LINE, columns = modes + 1 + lines, u = modes + lines;
    cfpc_real *y = matrix + modes * columns, *z = y + columns;
    memset(matrix, 0, (size_t)((modes + 1 + lines) * columns) * sizeof *matrix);
    for (int i = 0; i < modes; i++) {
        matrix[i * columns + i] = (cfpc_real)(0.9 - 0.125 * i);
        matrix[i * columns + u] = 1;
        y[i] = (cfpc_real)(0.25 - 0.1 * i);
        if (line == CLOSED_LINE)
            z[i] = -y[i];
    }
    y[u] = (cfpc_real)(direct ? 0.375 : 0);
    if (lines)
        z[modes] = 1;
    return (cfpc_lti){modes, 1, 1, lines, delay_steps, matrix};
}

// Every number of modes that the fast way is compiled for, and one more; every way to learn.
static void every_kernel_is_plain(void **state)
{
    (void)state;
    dice d = {19};
    cfpc_real matrix[49], gain[STEPS];
    const int32_t heads[] = {4};
    draw_reals(&d, STEPS, gain);
    for (int modes = 0; modes <= CFPC_STRIP_MODES + 1; modes++)
        for (int direct = 0; direct < 2; direct++)
            for (int line = 0; line < LINE_KINDS; line++)
                for (int rule = 0; rule < 3; rule++) {
                    const cfpc_lti trace = trace_of_modes(modes, direct, (line_kind)line, matrix);
                    cfpci_run run = {.steps = STEPS,
                                     .trace = &trace,
                                     .heads = heads,
                                     .teaches = rule != 1,
                                     .gain = gain,
                                     .keep = (cfpc_real)(rule == 2 ? 0.9 : 1)};
                    cfpci_run_recognise(&run);
                    // Closed is only what goes back without x itself; of nothing there is no mode.
                    const bool closed = line == CLOSED_LINE && modes > 0;
                    assert_int_equal(run.is_modal, (modes > 0 || direct) && !(closed && direct) &&
                                                       modes <= CFPC_STRIP_MODES);
                    expect_same(&run, CFPC_TILE, &d);
                    expect_same(&run, dice_integer(&d, 1, CFPC_TILE - 1), &d);
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_is_plain), cmocka_unit_test(fast_is_plain),
        cmocka_unit_test(others_are_not_modal), cmocka_unit_test(unseen_is_not_modal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
