// SPDX-License-Identifier: Apache-2.0
// A block of a zone does what its cells would do one by one.
#include "zone_fixture.h"

// Products of up to 4133 inputs are summed in double, or in float, of terms that cancel: the error
// is some units of the last place of the largest sum. What is missed, delayed or counted twice is a
// hundred thousand times as large.
static double tolerance_of(const trial_case *of)
{
    return of->precision == CFPC_ZONE_FLOAT || CFPC_REAL_IS_FLOAT ? 1e-5 : 1e-12;
}

static int32_t next_length(const trial_case *of, int32_t n)
{
    static const int32_t shares[] = {1, 3, 1, 2};
    const int32_t length = of->block_steps / shares[n % 4];
    return length > 0 ? length : 1;
}

// A trial of the zone, and what its cells must do.
typedef struct trial {
    const trial_case *of;
    const defined *def;
    zone *zone;
    double *w;              // weights of the cells                        (cells x synapses)
    int32_t steps, errors;  // steps of the trial, errors per step
    inputs in;              //
    cfpc_real *error, *out; // (steps x errors), (steps x cells)
    double *expected;       // outputs of the cells                        (steps x cells)
} trial;

static trial begin_trial(const trial_case *of, const defined *def, zone *z, double *w, dice *d)
{
    trial it = {.of = of,
                .def = def,
                .zone = z,
                .w = w,
                .steps = of->steps ? of->steps : 3 * of->block_steps + of->block_steps / 2,
                .errors = of->errors ? of->errors : of->cells};
    it.in = make_inputs(of, it.steps, d);
    it.error = must_calloc((size_t)(it.steps * it.errors), sizeof *it.error);
    it.out = must_calloc((size_t)(it.steps * of->cells), sizeof *it.out);
    it.expected = must_calloc((size_t)(it.steps * of->cells), sizeof *it.expected);
    for (int32_t i = 0; i < it.steps * it.errors; i++)
        it.error[i] = (cfpc_real)dice_between(d, -1, 1);
    return it;
}

static void end_trial(trial *it)
{
    free(it->error);
    free(it->out);
    free(it->expected);
    free_inputs(&it->in);
}

// The cells one by one: they act with the weights at the start of the block, then learn.
static void run_cells(trial *it, int32_t n, int32_t length)
{
    for (int32_t p = 0; p < it->of->cells; p++) {
        double *w = it->w + (size_t)p * (size_t)it->of->synapses;
        for (int32_t i = n; i < n + length; i++)
            it->expected[i * it->of->cells + p] = output_of(&it->in, i, w);
        for (int32_t i = n; i < n + length; i++)
            learn_step(it->def, &it->in, it->error, it->errors, p, i, i, 1 - it->of->leak, w);
        bound_weights(&it->def->def, w);
    }
}

static void run_zone(trial *it, int32_t n, int32_t length)
{
    maker by[2];
    const cfpc_source source = block_source(&it->in, by, n, it->of->past);
    assert_ok(cfpc_zone_step_block_by(cfpc_zone_default_products(), 1, it->zone->model,
                                      it->zone->data, &source, it->error + (size_t)(n * it->errors),
                                      length, it->out + (size_t)(n * it->of->cells)));
}

static void assert_outputs(const trial *it)
{
    const int32_t count = it->steps * it->of->cells;
    double most = 0;
    for (int32_t i = 0; i < count; i++)
        most = fmax(most, fabs(it->expected[i]));
    assert_true(most > 0);
    for (int32_t i = 0; i < count; i++)
        assert_near(it->out[i], it->expected[i], tolerance_of(it->of) * most);
}

// What is due when the trial ends is learned, as if errors of 0 followed, and nothing leaks.
static void learn_due(trial *it)
{
    maker by[2];
    const int32_t steps = it->steps;
    const cfpc_source source = block_source(&it->in, by, steps, it->of->past);
    assert_ok(cfpc_zone_next_trial(cfpc_zone_default_products(), 1, it->zone->model, it->zone->data,
                                   it->of->past == CFPC_PAST_GIVEN ? &source : NULL));
    for (int32_t p = 0; p < it->of->cells; p++) {
        double *w = it->w + (size_t)p * (size_t)it->of->synapses;
        for (int32_t i = steps; i < steps + it->def->horizon; i++)
            learn_step(it->def, &it->in, it->error, it->errors, p, i, steps - 1, 1, w);
        bound_weights(&it->def->def, w);
    }
}

static void run_trial(const trial_case *of, const defined *def, zone *z, double *w, dice *d)
{
    trial it = begin_trial(of, def, z, w, d);
    for (int32_t n = 0, block = 0, length = 0; n < it.steps; n += length, block++) {
        length = next_length(of, block);
        length = length < it.steps - n ? length : it.steps - n;
        run_zone(&it, n, length);
        run_cells(&it, n, length);
    }
    assert_outputs(&it);
    learn_due(&it);
    end_trial(&it);
}

static void assert_weights(const trial_case *of, const zone *z, const double *w)
{
    cfpc_real *own = must_calloc((size_t)of->synapses, sizeof *own);
    double most = 0;
    for (int32_t i = 0; i < of->cells * of->synapses; i++)
        most = fmax(most, fabs(w[i]));
    for (int32_t p = 0; p < of->cells; p++) {
        cfpc_zone_get_weights(z->model, z->data, p, own);
        for (int32_t j = 0; j < of->synapses; j++)
            assert_near(own[j], w[p * of->synapses + j], tolerance_of(of) * most);
    }
    free(own);
}

static void run_case(const trial_case *of)
{
    dice d = {.state = 11};
    defined def = make_def(of, &d);
    zone z = make_zone(&def.def);
    const size_t width = (size_t)of->synapses;
    double *w = must_calloc((size_t)of->cells * width, sizeof *w);
    cfpc_real *start = must_calloc(width, sizeof *start);
    for (int32_t p = 0; p < of->cells; p++) {
        for (size_t j = 0; j < width; j++)
            w[(size_t)p * width + j] = start[j] = (cfpc_real)(float)dice_between(&d, -0.3, 0.3);
        cfpc_zone_set_weights(z.model, z.data, p, start);
    }
    run_trial(of, &def, &z, w, &d);
    run_trial(of, &def, &z, w, &d);
    assert_weights(of, &z, w);
    assert_int_equal(cfpc_zone_flags(z.model, z.data, -1), 0);
    free(w);
    free(start);
    free_zone(&z);
    free_def(&def);
}

// In both precisions, with kept and with given inputs.
static void run_all(trial_case of)
{
    for (int precise = 0; precise < 2; precise++)
        for (int given = 0; given < 2; given++) {
            of.precision = precise ? CFPC_ZONE_DOUBLE : CFPC_ZONE_FLOAT;
            of.past = given ? CFPC_PAST_GIVEN : CFPC_PAST_KEPT;
            run_case(&of);
        }
}

static void cells_of_every_number(void **state)
{
    (void)state;
    static const int32_t numbers[] = {1, 3, 16, 65};
    for (int i = 0; i < 4; i++)
        run_all((trial_case){
            .synapses = 300, .cells = numbers[i], .block_steps = 31, .lead = 5, .horizon = 40});
}

static void inputs_of_every_number(void **state)
{
    (void)state;
    static const int32_t numbers[] = {1, 17, 256, 257, 4096 + 37};
    for (int i = 0; i < 5; i++)
        run_all((trial_case){
            .synapses = numbers[i], .cells = 3, .block_steps = 48, .lead = 0, .horizon = 55});
}

static void blocks_of_every_length(void **state)
{
    (void)state;
    static const int32_t lengths[] = {1, 31, 48, 100, 130};
    for (int i = 0; i < 5; i++)
        run_all((trial_case){.synapses = 61,
                             .cells = 5,
                             .block_steps = lengths[i],
                             .lead = 7,
                             .horizon = 70,
                             .steps = lengths[i] == 1 ? 150 : 0});
}

// The input that learns may be one of the same block, even of the same step.
static void horizons_shorter_than_a_block(void **state)
{
    (void)state;
    run_all((trial_case){.synapses = 30, .cells = 4, .block_steps = 20, .lead = 3, .horizon = 7});
    run_all((trial_case){.synapses = 30, .cells = 4, .block_steps = 20, .lead = 0, .horizon = 0});
}

static void every_kind_of_source(void **state)
{
    (void)state;
    for (int kind = CFPC_HANDED; kind <= CFPC_MADE; kind++)
        run_all((trial_case){.synapses = 1100,
                             .cells = 6,
                             .block_steps = 70,
                             .lead = 4,
                             .horizon = 75,
                             .kind = (cfpc_source_kind)kind});
}

static void several_paths_per_cell(void **state)
{
    (void)state;
    run_all((trial_case){.synapses = 50,
                         .cells = 7,
                         .errors = 5,
                         .paths_per_cell = 3,
                         .block_steps = 31,
                         .lead = 6,
                         .horizon = 50});
}

static void trials_shorter_than_the_horizon(void **state)
{
    (void)state;
    run_all((trial_case){
        .synapses = 20, .cells = 3, .block_steps = 10, .lead = 2, .horizon = 60, .steps = 25});
}

// A leak of 0.01 per step takes nine tenths of a weight within the trial: a leak per block, or one
// that spares what is learned within the block, would be seen.
static void leaks(void **state)
{
    (void)state;
    for (int kind = CFPC_HANDED; kind <= CFPC_MADE; kind++)
        run_all((trial_case){.synapses = 700,
                             .cells = 4,
                             .block_steps = 48,
                             .lead = 2,
                             .horizon = 50,
                             .kind = (cfpc_source_kind)kind,
                             .leak = 0.01});
}

static void bounds(void **state)
{
    (void)state;
    for (int leaky = 0; leaky < 2; leaky++)
        run_all((trial_case){.synapses = 700,
                             .cells = 4,
                             .block_steps = 48,
                             .lead = 2,
                             .horizon = 50,
                             .kind = CFPC_SPARSE,
                             .leak = leaky ? 0.01 : 0,
                             .bound = 0.25});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_of_every_number),
        cmocka_unit_test(inputs_of_every_number),
        cmocka_unit_test(blocks_of_every_length),
        cmocka_unit_test(horizons_shorter_than_a_block),
        cmocka_unit_test(every_kind_of_source),
        cmocka_unit_test(several_paths_per_cell),
        cmocka_unit_test(trials_shorter_than_the_horizon),
        cmocka_unit_test(leaks),
        cmocka_unit_test(bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
