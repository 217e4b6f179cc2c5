// SPDX-License-Identifier: Apache-2.0
// guard: every cell of a zone has a guard of its own, which is that of a single cell.
#include "harness.h"

#include <math.h>

#include "cfpc/blocks.h"
#include "cfpc/cell.h"
#include "zone_fixture.h"

enum { CELLS = 4, INPUTS = 8, STEPS = 80, DEAD = 4, TAPS = 12, TRIALS = 60 };
enum { RIGHT, HARMFUL, STILL, FAST }; // the cells

// Loops that are responses of their own: e = r - g * o, with dead time. The model of one has the
// wrong sign, one learns nothing, and one is far too fast.
typedef struct world {
    double g[TAPS];      // 0 up to DEAD
    double taps[TAPS];   // g, for the zone
    double wrong[TAPS];  // -g
    double rates[CELLS]; //
    cfpc_real x[STEPS][INPUTS], r[STEPS];
    cfpc_real o[STEPS][CELLS], e[STEPS][CELLS];
    double rms[CELLS];   // of the last trial
    double alone;        // of the loop without a cell
    double worst[CELLS]; // of all trials
    cfpc_zone_path paths[CELLS];
    cfpc_zone_def def;
} world;

static void make_world(world *w, int32_t block)
{
    memset(w, 0, sizeof *w);
    for (int k = DEAD; k < TAPS; k++)
        w->g[k] = 0.5 * exp(-(k - DEAD) / 3.0);
    for (int k = 0; k < TAPS; k++) {
        w->taps[k] = w->g[k];
        w->wrong[k] = -w->g[k];
    }
    for (int n = 0; n < STEPS; n++) {
        w->r[n] = (cfpc_real)(n > 25 && n < 60 ? sin((n - 25) * 0.09) : 0);
        w->alone += (double)(w->r[n] * w->r[n]) / STEPS;
        for (int j = 0; j < INPUTS; j++)
            w->x[n][j] = (cfpc_real)exp(-0.5 * pow((n - 10.0 * j) / 6, 2));
    }
    w->alone = sqrt(w->alone);
    w->rates[RIGHT] = w->rates[HARMFUL] = 0.02;
    w->rates[STILL] = 0;
    w->rates[FAST] = 1;
    for (int p = 0; p < CELLS; p++)
        w->paths[p] = (cfpc_zone_path){
            .cell = p, .error = p, .horizon = TAPS - 1, .taps = p == HARMFUL ? w->wrong : w->taps};
    w->def = cfpc_default_zone_def();
    w->def.synapses = INPUTS;
    w->def.cells = w->def.path_count = CELLS;
    w->def.block_steps = block;
    w->def.paths = w->paths;
    w->def.rates = w->rates;
    w->def.precision = CFPC_REAL_IS_FLOAT ? CFPC_ZONE_FLOAT : CFPC_ZONE_DOUBLE;
    w->def.guard.repeats = true;
    w->def.guard.settle_steps = 0;
}

static cfpc_real error_at(const world *w, int n, int p)
{
    double e = (double)w->r[n];
    for (int k = DEAD; k < TAPS && k <= n; k++)
        e -= w->g[k] * (double)w->o[n - k][p];
    return (cfpc_real)e;
}

static void note_trial(world *w)
{
    for (int p = 0; p < CELLS; p++) {
        double sum = 0;
        for (int n = 0; n < STEPS; n++)
            sum += (double)w->e[n][p] * (double)w->e[n][p];
        w->rms[p] = sqrt(sum / STEPS);
        w->worst[p] = w->rms[p] > w->worst[p] || isnan(w->rms[p]) ? w->rms[p] : w->worst[p];
    }
}

static void run_trial(world *w, zone *z)
{
    const int32_t block = w->def.block_steps;
    memset(w->o, 0, sizeof w->o);
    for (int n = 0; n < STEPS; n += block) {
        for (int i = 0; i < block; i++)
            for (int p = 0; p < CELLS; p++)
                w->e[n + i][p] = error_at(w, n + i, p);
        assert_ok(cfpc_zone_step_block(z->model, z->data, w->x[n], w->e[n], block, w->o[n]));
    }
    note_trial(w);
    assert_ok(cfpc_zone_next_trial(cfpc_zone_default_products(), 1, z->model, z->data, NULL));
}

static bool has_weights(const zone *z, int32_t cell)
{
    cfpc_real w[INPUTS];
    cfpc_zone_get_weights(z->model, z->data, cell, w);
    for (int j = 0; j < INPUTS; j++)
        if (w[j] != 0)
            return true;
    return false;
}

static int32_t acts_of(const zone *z, int32_t cell)
{
    return cfpc_guard_acts(cfpc_zone_guard(z->model, z->data, cell));
}

// ---- each by itself --------------------------------------------------------------------------

static void each_cell_is_stopped_by_itself(void **state)
{
    (void)state;
    static world w, bare;
    make_world(&w, DEAD);
    make_world(&bare, DEAD);
    bare.def.guard.on = false;
    zone z = make_zone(&w.def), without = make_zone(&bare.def);
    for (int k = 0; k < TRIALS; k++) {
        run_trial(&w, &z);
        run_trial(&bare, &without);
    }
    assert_true(bare.rms[RIGHT] < 0.2 * w.alone && bare.worst[HARMFUL] > 2 * w.alone);
    assert_true(!(bare.worst[FAST] < 2 * w.alone));
    assert_true(w.rms[RIGHT] < 0.2 * w.alone && w.worst[RIGHT] < 1.001 * w.alone);
    assert_int_equal(acts_of(&z, RIGHT), 0);
    assert_true(w.rms[HARMFUL] < 1.02 * w.alone);
    assert_int_equal(acts_of(&z, HARMFUL), 3);
    assert_false(has_weights(&z, HARMFUL));
    assert_int_equal(cfpc_zone_flags(z.model, z.data, HARMFUL),
                     CFPC_FLAG_FROZEN | CFPC_FLAG_GUARDED);
    const cfpc_guard_act last = cfpc_guard_last(cfpc_zone_guard(z.model, z.data, HARMFUL));
    assert_int_equal(last.reason, CFPC_GUARD_WORSE);
    assert_true(last.with_cell > last.alone);
    assert_near(last.alone, w.alone, 1e-5);
    assert_int_equal(acts_of(&z, STILL), 0);
    assert_int_equal(cfpc_guard_pauses(cfpc_zone_guard(z.model, z.data, STILL)), 0);
    assert_true(w.rms[FAST] < 1.02 * w.alone && acts_of(&z, FAST) > 0);
    assert_null(cfpc_zone_guard(without.model, without.data, 0));
    assert_null(cfpc_zone_guard(z.model, z.data, CELLS));
    free_zone(&z);
    free_zone(&without);
}

static void in_the_first_trial_the_loop_alone_is_seen(void **state)
{
    (void)state;
    static world w;
    make_world(&w, DEAD);
    zone z = make_zone(&w.def);
    run_trial(&w, &z);
    for (int p = 0; p < CELLS; p++) {
        assert_false(has_weights(&z, p));
        assert_near(w.rms[p], w.alone, 1e-6);
        assert_near(sqrt((double)cfpc_baseline(cfpc_zone_guard(z.model, z.data, p))), w.alone,
                    1e-6);
        assert_false(cfpc_guard_paused(cfpc_zone_guard(z.model, z.data, p)));
    }
    run_trial(&w, &z);
    assert_true(has_weights(&z, RIGHT) && !has_weights(&z, STILL));
    free_zone(&z);
}

// ---- as a single cell ------------------------------------------------------------------------

// In blocks of one step a cell of the zone is a single cell in adjoint form with the same guard, as
// long as no best weights are brought back: the harmful one has none.
static void it_is_the_guard_of_a_single_cell(void **state)
{
    (void)state;
    static world w;
    make_world(&w, 1);
    zone z = make_zone(&w.def);
    cfpc_real taps[TAPS], o[STEPS];
    for (int k = 0; k < TAPS; k++)
        taps[k] = (cfpc_real)w.wrong[k];
    cfpc_model_def def = cfpc_default_model_def();
    def.synapses = INPUTS;
    def.rule.rate = (cfpc_real)w.rates[HARMFUL];
    def.rule.mode = CFPC_ONLINE;
    def.guard = w.def.guard;
    def.guard.window_steps = STEPS + 1; // the trial ends it
    def.adjoint = (cfpc_adjoint_form){
        .taps = taps, .horizon = TAPS - 1, .past = CFPC_PAST_KEPT, .held = true};
    uint64_t model_memory[512], data_memory[1024];
    const cfpc_model *model;
    cfpc_data *data;
    assert_ok(cfpc_model_init(&model, model_memory, sizeof model_memory, &def));
    assert_ok(cfpc_data_init(&data, data_memory, sizeof data_memory, model));
    int32_t acts = 0;
    for (int k = 0; k < TRIALS; k++) {
        run_trial(&w, &z);
        for (int n = 0; n < STEPS; n++) {
            double e = (double)w.r[n];
            for (int i = DEAD; i < TAPS && i <= n; i++)
                e -= w.g[i] * (double)o[n - i];
            o[n] = cfpc_step(model, data, w.x[n], (cfpc_real)e);
            assert_near(o[n], w.o[n][HARMFUL], CFPC_REAL_IS_FLOAT ? 1e-4 : 1e-12);
        }
        cfpc_next_trial(model, data);
        acts = cfpc_guard_acts(data);
        assert_int_equal(acts, acts_of(&z, HARMFUL));
        assert_int_equal(cfpc_guard_pauses(data),
                         cfpc_guard_pauses(cfpc_zone_guard(z.model, z.data, HARMFUL)));
    }
    assert_int_equal(acts, 3);
    free_zone(&z);
}

// ---- what is not finite ----------------------------------------------------------------------

static void an_error_that_is_not_finite_stops_its_cell_only(void **state)
{
    (void)state;
    static world w;
    make_world(&w, DEAD);
    zone z = make_zone(&w.def);
    for (int k = 0; k < 5; k++)
        run_trial(&w, &z);
    assert_true(has_weights(&z, RIGHT));
    cfpc_real e[DEAD][CELLS] = {{0}}, o[DEAD][CELLS];
    e[2][FAST] = (cfpc_real)NAN;
    cfpc_real small[INPUTS] = {0};
    small[0] = 1;
    cfpc_zone_set_weights(z.model, z.data, FAST, small);
    assert_ok(cfpc_zone_step_block(z.model, z.data, w.x[0], e[0], DEAD, o[0]));
    assert_false(has_weights(&z, FAST));
    assert_true(has_weights(&z, RIGHT));
    assert_int_equal(cfpc_guard_last(cfpc_zone_guard(z.model, z.data, FAST)).reason,
                     CFPC_GUARD_NOT_FINITE);
    assert_true(cfpc_zone_flags(z.model, z.data, FAST) & CFPC_FLAG_NOT_FINITE);
    small[0] = (cfpc_real)INFINITY; // and an output
    cfpc_zone_set_weights(z.model, z.data, RIGHT, small);
    e[2][FAST] = 0;
    assert_ok(cfpc_zone_step_block(z.model, z.data, w.x[0], e[0], DEAD, o[0]));
    for (int n = 0; n < DEAD; n++)
        assert_true(o[n][RIGHT] == 0);
    assert_false(has_weights(&z, RIGHT));
    assert_int_equal(acts_of(&z, RIGHT), 1);
    free_zone(&z);
}

// ---- reset -----------------------------------------------------------------------------------

static void a_reset_forgets_its_acts(void **state)
{
    (void)state;
    static world w;
    make_world(&w, DEAD);
    zone z = make_zone(&w.def);
    for (int k = 0; k < TRIALS; k++)
        run_trial(&w, &z);
    assert_int_equal(acts_of(&z, HARMFUL), 3);
    cfpc_zone_data_reset(z.model, z.data);
    assert_int_equal(acts_of(&z, HARMFUL), 0);
    free_zone(&z);
}

static void a_guard_that_cannot_know_is_refused(void **state)
{
    (void)state;
    static world w;
    unsigned char memory[8];
    const cfpc_zone_model *model;
    make_world(&w, DEAD);
    w.def.guard.repeats = false;
    assert_int_equal(cfpc_zone_model_init(&model, memory, sizeof memory, &w.def), CFPC_BLIND_GUARD);
    w.def.guard.repeats = true;
    w.def.guard.saturated_steps = 1;
    assert_int_equal(cfpc_zone_model_init(&model, memory, sizeof memory, &w.def), CFPC_BAD_VALUE);
    w.def.guard.saturated_steps = 0;
    w.def.guard.factor = (cfpc_real)0.5;
    assert_int_equal(cfpc_zone_model_init(&model, memory, sizeof memory, &w.def), CFPC_BAD_VALUE);
    w.def.guard.on = false;
    assert_int_not_equal(cfpc_zone_model_size(&w.def), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_cell_is_stopped_by_itself),
        cmocka_unit_test(in_the_first_trial_the_loop_alone_is_seen),
        cmocka_unit_test(it_is_the_guard_of_a_single_cell),
        cmocka_unit_test(an_error_that_is_not_finite_stops_its_cell_only),
        cmocka_unit_test(a_reset_forgets_its_acts),
        cmocka_unit_test(a_guard_that_cannot_know_is_refused),
    };
    return cmocka_run_group_tests_name("zone.guard", tests, NULL, NULL);
}
