// SPDX-License-Identifier: Apache-2.0
// A zone and single cells of the core whose weights are held: the same outputs and weights, also
// with errors that are not finite and with cells that are frozen for a while.
#include "cfpc/core.h"
#include "zone_fixture.h"

// Two orders of summing 300 products, over 340 steps; outputs are of the order of 2, weights of
// 0.2.
#define APART (CFPC_REAL_IS_FLOAT ? 1e-5 : 1e-12)

// ---- the single cells ------------------------------------------------------------------------

typedef struct single {
    void *model_mem, *data_mem;
    const cfpc_model *model;
    cfpc_data *data;
} single;

// The cell of a zone with one path per cell: its taps with zeros before and after them.
static single make_single(const trial_case *of, const defined *def, int32_t cell, bool held)
{
    const cfpc_zone_path *path = def->paths + cell;
    const int32_t count = of->lead + of->horizon + 1;
    cfpc_real *taps = must_calloc((size_t)count, sizeof *taps);
    for (int32_t k = -path->lead; k <= path->horizon; k++)
        taps[of->lead + k] = (cfpc_real)path->taps[path->lead + k];
    cfpc_model_def it = cfpc_default_model_def();
    it.synapses = of->synapses;
    it.trace = cfpc_trace_none();
    it.adjoint = (cfpc_adjoint_form){
        .taps = taps, .lead = of->lead, .horizon = of->horizon, .past = of->past, .held = held};
    it.rule.rate = (cfpc_real)def->rates[cell];
    it.rule.leak = (cfpc_real)of->leak;
    it.rule.weight_low = (cfpc_real)-of->bound;
    it.rule.weight_high = (cfpc_real)of->bound;
    it.guard.on = false;
    it.dead_time_steps = of->block_steps;
    single made = {.model_mem = must_calloc(1, cfpc_model_size(&it))};
    assert_ok(cfpc_model_init(&made.model, made.model_mem, cfpc_model_size(&it), &it));
    made.data_mem = must_calloc(1, cfpc_data_size(made.model));
    assert_ok(cfpc_data_init(&made.data, made.data_mem, cfpc_data_size(made.model), made.model));
    free(taps);
    return made;
}

// ---- both ------------------------------------------------------------------------------------

typedef struct pair {
    const trial_case *of;
    defined def;
    zone zone;
    single *cells;
    dice dice;
} pair;

static pair make_pair(const trial_case *of, bool held)
{
    pair it = {.of = of, .dice = {.state = 5}};
    it.def = make_def(of, &it.dice);
    it.zone = make_zone(&it.def.def);
    it.cells = must_calloc((size_t)of->cells, sizeof *it.cells);
    cfpc_real *w = must_calloc((size_t)of->synapses, sizeof *w);
    for (int32_t p = 0; p < of->cells; p++) {
        it.cells[p] = make_single(of, &it.def, p, held);
        for (int32_t j = 0; j < of->synapses; j++)
            w[j] = (cfpc_real)dice_between(&it.dice, -0.3, 0.3);
        cfpc_zone_set_weights(it.zone.model, it.zone.data, p, w);
        memcpy(cfpc_weights(it.cells[p].data), w, (size_t)of->synapses * sizeof *w);
    }
    free(w);
    return it;
}

static void free_pair(pair *it)
{
    for (int32_t p = 0; p < it->of->cells; p++) {
        free(it->cells[p].model_mem);
        free(it->cells[p].data_mem);
    }
    free(it->cells);
    free_zone(&it->zone);
    free_def(&it->def);
}

// A block of both; their inputs and, per step, the errors of all cells.
static void run_pair(pair *it, inputs *in, const cfpc_real *errors, int32_t n, int32_t steps)
{
    const int32_t cells = it->of->cells;
    cfpc_real out[64 * 8], e[64], o[64];
    maker by[2];
    const cfpc_source source = block_source(in, by, n, it->of->past);
    assert_true(steps * cells <= 64 * 8 && steps <= 64);
    assert_ok(cfpc_zone_step_block_by(cfpc_zone_default_products(), 1, it->zone.model,
                                      it->zone.data, &source, errors + (size_t)n * (size_t)cells,
                                      steps, out));
    for (int32_t p = 0; p < cells; p++) {
        const cfpc_source own = block_source(in, by, n, it->of->past);
        for (int32_t i = 0; i < steps; i++)
            e[i] = errors[(size_t)(n + i) * (size_t)cells + (size_t)p];
        assert_ok(cfpc_step_block_from(it->cells[p].model, it->cells[p].data, &own, e, steps, o));
        for (int32_t i = 0; i < steps; i++)
            assert_near(out[i * cells + p], o[i], APART);
        assert_int_equal(cfpc_zone_flags(it->zone.model, it->zone.data, p),
                         cfpc_flags(it->cells[p].data));
    }
}

static void end_pair(pair *it, inputs *in, int32_t steps)
{
    maker by[2];
    const bool given = it->of->past == CFPC_PAST_GIVEN;
    const cfpc_source source = block_source(in, by, steps, it->of->past);
    assert_ok(cfpc_zone_next_trial(cfpc_zone_default_products(), 1, it->zone.model, it->zone.data,
                                   given ? &source : NULL));
    for (int32_t p = 0; p < it->of->cells; p++) {
        if (given)
            assert_ok(cfpc_learn_due_from(it->cells[p].model, it->cells[p].data, &source));
        cfpc_next_trial(it->cells[p].model, it->cells[p].data);
    }
}

static void assert_same_weights(const pair *it)
{
    cfpc_real *w = must_calloc((size_t)it->of->synapses, sizeof *w);
    for (int32_t p = 0; p < it->of->cells; p++) {
        cfpc_zone_get_weights(it->zone.model, it->zone.data, p, w);
        for (int32_t j = 0; j < it->of->synapses; j++)
            assert_near(w[j], cfpc_weights(it->cells[p].data)[j], APART);
    }
    free(w);
}

enum { LOST_ERROR = 1, FREEZES = 2 };

static void freeze_or_resume(pair *it, int32_t block)
{
    if (block == 2) {
        cfpc_zone_freeze(it->zone.model, it->zone.data, 1);
        cfpc_freeze(it->cells[1].data);
    } else if (block == 4) {
        cfpc_zone_clear_flags(it->zone.model, it->zone.data, 1, CFPC_FLAG_FROZEN);
        cfpc_clear_flags(it->cells[1].data, CFPC_FLAG_FROZEN);
    }
}

// Two trials of blocks of uneven length. what: LOST_ERROR and FREEZES or'ed
static void compare(const trial_case *of, bool held, int what)
{
    pair it = make_pair(of, held);
    const int32_t steps = of->steps, cells = of->cells;
    for (int trial = 0; trial < 2; trial++) {
        inputs in = make_inputs(of, steps, &it.dice);
        cfpc_real *errors = must_calloc((size_t)(steps * cells), sizeof *errors);
        for (int32_t i = 0; i < steps * cells; i++)
            errors[i] = (cfpc_real)dice_between(&it.dice, -1, 1);
        if (what & LOST_ERROR)
            errors[40 * cells + 2] = (cfpc_real)NAN;
        for (int32_t n = 0, block = 0, some = 0; n < steps; n += some, block++) {
            const int32_t length = 1 + block * 13 % of->block_steps;
            some = length < steps - n ? length : steps - n;
            if (what & FREEZES)
                freeze_or_resume(&it, block);
            run_pair(&it, &in, errors, n, some);
        }
        end_pair(&it, &in, steps);
        assert_same_weights(&it);
        free(errors);
        free_inputs(&in);
    }
    free_pair(&it);
}

// A case in double, with the cells' inputs handed: leaky sources would be moved on by each cell.
static trial_case case_of(cfpc_past past, cfpc_source_kind kind)
{
    return (trial_case){.synapses = 300,
                        .cells = 4,
                        .block_steps = 31,
                        .lead = 4,
                        .horizon = 45,
                        .steps = 170,
                        .precision = CFPC_ZONE_DOUBLE,
                        .past = past,
                        .kind = kind};
}

static void held_cells(void **state)
{
    (void)state;
    static const cfpc_source_kind kinds[] = {CFPC_HANDED, CFPC_TAPPED, CFPC_SPARSE, CFPC_MADE};
    for (int i = 0; i < 4; i++) {
        const trial_case kept = case_of(CFPC_PAST_KEPT, kinds[i]);
        const trial_case given = case_of(CFPC_PAST_GIVEN, kinds[i]);
        compare(&kept, true, 0);
        compare(&given, true, 0);
    }
}

static void with_leak_and_bounds(void **state)
{
    (void)state;
    trial_case of = case_of(CFPC_PAST_GIVEN, CFPC_HANDED);
    of.leak = 0.01;
    of.bound = 0.25;
    compare(&of, true, 0);
}

// The error counts as 0, and what was due before it is still learned.
static void an_error_that_is_not_finite(void **state)
{
    (void)state;
    const trial_case of = case_of(CFPC_PAST_KEPT, CFPC_HANDED);
    compare(&of, true, LOST_ERROR);
}

// What is due when a cell is frozen is dropped; what follows once it is not is learned.
static void a_cell_that_is_frozen_for_a_while(void **state)
{
    (void)state;
    trial_case of = case_of(CFPC_PAST_KEPT, CFPC_HANDED);
    compare(&of, true, FREEZES);
    of.leak = 0.01;
    of.bound = 0.28;
    compare(&of, true, FREEZES);
    of.past = CFPC_PAST_GIVEN;
    compare(&of, true, FREEZES);
}

// In blocks of one step nothing is held.
static void blocks_of_one_step_are_ordinary_cells(void **state)
{
    (void)state;
    for (int given = 0; given < 2; given++) {
        trial_case of = case_of(given ? CFPC_PAST_GIVEN : CFPC_PAST_KEPT, CFPC_HANDED);
        of.block_steps = 1;
        compare(&of, false, LOST_ERROR | FREEZES);
        of.leak = 0.01;
        of.bound = 0.28;
        compare(&of, false, FREEZES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(held_cells),
        cmocka_unit_test(with_leak_and_bounds),
        cmocka_unit_test(an_error_that_is_not_finite),
        cmocka_unit_test(a_cell_that_is_frozen_for_a_while),
        cmocka_unit_test(blocks_of_one_step_are_ordinary_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
