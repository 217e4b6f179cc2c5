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

// Runs one trial of the zone and of the cells; w: their weights (cells x synapses).
static void run_trial(const trial_case *of, const defined *def, zone *z, double *w, dice *d)
{
    const int32_t count = of->errors ? of->errors : of->cells, cells = of->cells;
    const int32_t steps = of->steps ? of->steps : 3 * of->block_steps + of->block_steps / 2;
    const size_t width = (size_t)of->synapses;
    inputs in = make_inputs(of, steps, d);
    cfpc_real *errors = must_calloc((size_t)(steps * count), sizeof *errors);
    cfpc_real *out = must_calloc((size_t)(steps * cells), sizeof *out);
    double *expected = must_calloc((size_t)(steps * cells), sizeof *expected), most = 0;
    for (int32_t i = 0; i < steps * count; i++)
        errors[i] = (cfpc_real)dice_between(d, -1, 1);
    for (int32_t n = 0, block = 0, length = 0; n < steps; n += length, block++) {
        length = next_length(of, block);
        length = length < steps - n ? length : steps - n;
        maker by[2];
        const cfpc_source source = block_source(&in, by, n, of->past);
        assert_ok(cfpc_zone_step_block_by(cfpc_zone_plain(), 1, z->model, z->data, &source,
                                          errors + (size_t)n * (size_t)count, length,
                                          out + (size_t)n * (size_t)cells));
        for (int32_t p = 0; p < cells; p++) {
            double *own = w + (size_t)p * width;
            for (int32_t i = n; i < n + length; i++)
                expected[i * cells + p] = output_of(&in, i, own);
            for (int32_t i = n; i < n + length; i++)
                learn_step(def, &in, errors, count, p, i, steps, 1 - of->leak, own);
            bound_weights(&def->def, own);
        }
        assert_int_equal(cfpc_zone_clock(z->data), n + length);
    }
    for (int32_t i = 0; i < steps * cells; i++)
        most = fmax(most, fabs(expected[i]));
    assert_true(most > 0);
    for (int32_t i = 0; i < steps * cells; i++)
        assert_near(out[i], expected[i], tolerance_of(of) * most);

    maker by[2];
    const cfpc_source source = block_source(&in, by, steps, of->past);
    assert_ok(cfpc_zone_next_trial(cfpc_zone_plain(), 1, z->model, z->data,
                                   of->past == CFPC_PAST_GIVEN ? &source : NULL));
    assert_int_equal(cfpc_zone_clock(z->data), 0);
    for (int32_t p = 0; p < cells; p++) {
        for (int32_t i = steps; i < steps + def->horizon; i++)
            learn_step(def, &in, errors, count, p, i, steps - 1, 1, w + (size_t)p * width);
        bound_weights(&def->def, w + (size_t)p * width);
    }
    free(errors);
    free(out);
    free(expected);
    free_inputs(&in);
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
