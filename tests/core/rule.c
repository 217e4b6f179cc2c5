// SPDX-License-Identifier: Apache-2.0
// rule: every variation of the rule, alone and in all combinations, against plain loops in double.
#include "cell_fixture.h"

enum { SYNAPSES = 13, STEPS = 40, TRIALS = 4, PARTS = 7 };

// A variation a bit; a preconditioner is for batch only.
enum {
    NORMALISED = 1,
    LEAKS = 2,
    GOES_ON = 4,
    BOUNDED = 8,
    PENALISED = 16,
    RECTIFIED = 32,
    PRECONDITIONED = 64
};

typedef struct trial_inputs {
    cfpc_real x[TRIALS][STEPS][SYNAPSES];
    cfpc_real e[TRIALS][STEPS];
    cfpc_real preconditioner[SYNAPSES * SYNAPSES];
} trial_inputs;

static void draw_trial(dice *d, trial_inputs *it)
{
    draw_reals(d, TRIALS * STEPS * SYNAPSES, it->x[0][0]);
    draw_reals(d, TRIALS * STEPS, it->e[0]);
    draw_reals(d, SYNAPSES * SYNAPSES, it->preconditioner);
    for (int j = 0; j < SYNAPSES; j++)
        it->preconditioner[j * SYNAPSES + j] += 2;
}

static cfpc_real between(dice *d, double low, double high)
{
    return (cfpc_real)dice_between(d, low, high);
}

static cfpc_rule draw_rule(dice *d, const trial_inputs *from, cfpc_mode mode, int parts)
{
    cfpc_rule rule = {.rate = between(d, 0.02, 0.05), .mode = mode};
    if (parts & NORMALISED)
        rule.normaliser = between(d, 0.1, 2);
    if (parts & LEAKS)
        rule.leak = between(d, 0.05, 0.3);
    if (parts & GOES_ON)
        rule.momentum = between(d, 0.2, 0.8);
    if (parts & BOUNDED) {
        rule.weight_low = between(d, -0.02, -0.01);
        rule.weight_high = between(d, 0.005, 0.01);
    }
    if (parts & PENALISED)
        rule.output_penalty = between(d, 0.2, 0.5);
    rule.rectified = (parts & RECTIFIED) != 0;
    if (parts & PRECONDITIONED)
        rule.preconditioner = from->preconditioner;
    return rule;
}

static cfpc_model_def def_of(const cfpc_rule *rule)
{
    cfpc_model_def def = cfpc_default_model_def();
    def.synapses = SYNAPSES;
    def.trace = small_trace();
    def.rule = *rule;
    def.guard.on = false;
    return def;
}

// ---- the rule, read plainly ------------------------------------------------------------------

typedef struct plain {
    double s0[SYNAPSES], s1[SYNAPSES], z[SYNAPSES][STEPS]; // of the small trace
    double h[SYNAPSES];
    double w[SYNAPSES], v[SYNAPSES], sum[SYNAPSES];
    double energy;
} plain;

static void plain_traces(plain *it, int n, const cfpc_real *x)
{
    for (int j = 0; j < SYNAPSES; j++) {
        const double late = n < 5 ? 0 : it->z[j][n - 5];
        const double next0 = 0.5 * it->s0[j] - 0.25 * it->s1[j] + x[j];
        const double next1 = 0.125 * it->s0[j] + 0.75 * it->s1[j] + 0.5 * late;
        it->h[j] = it->s0[j] - 0.5 * it->s1[j] + 0.25 * late;
        it->z[j][n] = it->s1[j] + x[j];
        it->s0[j] = next0;
        it->s1[j] = next1;
    }
}

static double plain_output(const plain *it, const cfpc_real *x)
{
    double o = 0;
    for (int j = 0; j < SYNAPSES; j++)
        o += x[j] * it->w[j];
    return o;
}

// v ← μ v + η d / (ε + energy),  w ← (1 - leak) w + v, held within its bounds.
static void plain_update(plain *it, const cfpc_rule *rule, const double *direction, double energy)
{
    const double rate =
        rule->normaliser > 0 ? rule->rate / (rule->normaliser + energy) : (double)rule->rate;
    for (int j = 0; j < SYNAPSES; j++) {
        it->v[j] = rule->momentum * it->v[j] + rate * direction[j];
        it->w[j] = (1 - (double)rule->leak) * it->w[j] + it->v[j];
        if (rule->weight_low < rule->weight_high)
            it->w[j] = fmin(fmax(it->w[j], rule->weight_low), rule->weight_high);
    }
}

static void plain_step(plain *it, const cfpc_rule *rule, int n, const cfpc_real *x, double e)
{
    double d[SYNAPSES], energy = 0;
    const double o = plain_output(it, x);
    plain_traces(it, n, x);
    if (rule->rectified && e < 0)
        e = 0;
    for (int j = 0; j < SYNAPSES; j++) {
        d[j] = it->h[j] * e - rule->output_penalty * x[j] * o;
        it->sum[j] += d[j];
        energy += it->h[j] * it->h[j];
    }
    it->energy += energy;
    if (rule->mode == CFPC_ONLINE)
        plain_update(it, rule, d, energy);
}

static void plain_next_trial(plain *it, const cfpc_rule *rule)
{
    double d[SYNAPSES] = {0};
    for (int i = 0; i < SYNAPSES; i++)
        for (int j = 0; j < SYNAPSES; j++)
            d[i] += (rule->preconditioner ? rule->preconditioner[i * SYNAPSES + j] : i == j) *
                    it->sum[j];
    if (rule->mode == CFPC_BATCH)
        plain_update(it, rule, d, it->energy);
    memset(it->sum, 0, sizeof it->sum);
    memset(it->s0, 0, sizeof it->s0);
    memset(it->s1, 0, sizeof it->s1);
    it->energy = 0;
}

// ---- held against each other -----------------------------------------------------------------

static void expect_weights(cell *it, const plain *expected)
{
    double found[SYNAPSES];
    for (int j = 0; j < SYNAPSES; j++)
        found[j] = cfpc_weights(it->data)[j];
    assert_same(SYNAPSES, found, expected->w, 20 * TOLERANCE);
}

// Runs a trial through the cell and through the plain rule; leaves the plain weights.
static void expect_the_plain_rule(const cfpc_rule *rule, const trial_inputs *from, double *weights)
{
    const cfpc_model_def def = def_of(rule);
    cell it = cell_of(&def);
    plain expected = {0};
    for (int k = 0; k < TRIALS; k++) {
        for (int n = 0; n < STEPS; n++) {
            const cfpc_real *x = from->x[k][n];
            const double o = plain_output(&expected, x);
            assert_near(cfpc_step(it.model, it.data, x, from->e[k][n]), o,
                        20 * TOLERANCE * fmax(1, fabs(o)));
            plain_step(&expected, rule, n, x, from->e[k][n]);
            expect_weights(&it, &expected);
        }
        cfpc_next_trial(it.model, it.data);
        plain_next_trial(&expected, rule);
        expect_weights(&it, &expected);
    }
    memcpy(weights, expected.w, sizeof expected.w);
    cell_free(&it);
}

static void expect_every_variation(uint64_t seed, cfpc_mode mode)
{
    static trial_inputs from;
    double plain_weights[SYNAPSES] = {0}, weights[SYNAPSES];
    const int most = 1 << (mode == CFPC_BATCH ? PARTS : PARTS - 1);
    for (int parts = 0; parts < most; parts++) {
        dice d = {seed}; // the same trial and rate for all: what differs is the variation
        draw_trial(&d, &from);
        const cfpc_rule rule = draw_rule(&d, &from, mode, parts);
        expect_the_plain_rule(&rule, &from, weights);
        if (parts == 0)
            memcpy(plain_weights, weights, sizeof weights);
        else
            assert_true(relative_distance(SYNAPSES, weights, plain_weights) > 0.02);
    }
}

static void on_line_every_variation_is_the_plain_one(void **state)
{
    (void)state;
    for (uint64_t seed = 401; seed < 404; seed++)
        expect_every_variation(seed, CFPC_ONLINE);
}

static void in_batch_every_variation_is_the_plain_one(void **state)
{
    (void)state;
    for (uint64_t seed = 411; seed < 414; seed++)
        expect_every_variation(seed, CFPC_BATCH);
}

// ---- nothing varied --------------------------------------------------------------------------

// w += (η e) h in the core's own numbers.
static void with_all_at_zero_on_line_learning_is_eq_9_bit_for_bit(void **state)
{
    (void)state;
    static trial_inputs from;
    dice d = {421};
    draw_trial(&d, &from);
    const cfpc_rule rule = {.rate = (cfpc_real)0.03, .mode = CFPC_ONLINE};
    const cfpc_model_def def = def_of(&rule);
    cell it = cell_of(&def);
    cfpc_real w[SYNAPSES] = {0};
    for (int n = 0; n < STEPS; n++) {
        cfpc_step(it.model, it.data, from.x[0][n], from.e[0][n]);
        const cfpc_real a = rule.rate * from.e[0][n];
        for (int j = 0; j < SYNAPSES; j++)
            w[j] += a * cfpc_traces(it.data)[j];
        assert_memory_equal(cfpc_weights(it.data), w, sizeof w);
    }
    cell_free(&it);
}

// w += η Σ h e.
static void with_all_at_zero_batch_learning_is_eq_8_bit_for_bit(void **state)
{
    (void)state;
    static trial_inputs from;
    dice d = {422};
    draw_trial(&d, &from);
    const cfpc_rule rule = {.rate = (cfpc_real)0.03, .mode = CFPC_BATCH};
    const cfpc_model_def def = def_of(&rule);
    cell it = cell_of(&def);
    cfpc_real w[SYNAPSES] = {0};
    for (int k = 0; k < TRIALS; k++) {
        cfpc_real sum[SYNAPSES] = {0};
        for (int n = 0; n < STEPS; n++) {
            cfpc_step(it.model, it.data, from.x[k][n], from.e[k][n]);
            for (int j = 0; j < SYNAPSES; j++)
                sum[j] += from.e[k][n] * cfpc_traces(it.data)[j];
            assert_memory_equal(cfpc_weights(it.data), w, sizeof w);
        }
        cfpc_next_trial(it.model, it.data);
        for (int j = 0; j < SYNAPSES; j++)
            w[j] += rule.rate * sum[j];
        assert_memory_equal(cfpc_weights(it.data), w, sizeof w);
    }
    cell_free(&it);
}

// The weights after a trial.
static void learn(const cfpc_rule *rule, const trial_inputs *from, cfpc_real *w)
{
    const cfpc_model_def def = def_of(rule);
    cell it = cell_of(&def);
    for (int k = 0; k < TRIALS; k++) {
        for (int n = 0; n < STEPS; n++)
            cfpc_step(it.model, it.data, from->x[k][n], from->e[k][n]);
        cfpc_next_trial(it.model, it.data);
    }
    memcpy(w, cfpc_weights(it.data), SYNAPSES * sizeof *w);
    cell_free(&it);
}

static void bounds_that_no_weight_reaches_change_no_bit(void **state)
{
    (void)state;
    static trial_inputs from;
    dice d = {423};
    draw_trial(&d, &from);
    for (int mode = CFPC_ONLINE; mode <= CFPC_BATCH; mode++) {
        cfpc_real free_weights[SYNAPSES], bounded[SYNAPSES];
        cfpc_rule rule = {.rate = (cfpc_real)0.03, .mode = (cfpc_mode)mode};
        learn(&rule, &from, free_weights);
        rule.weight_low = (cfpc_real)-1e30;
        rule.weight_high = (cfpc_real)1e30;
        learn(&rule, &from, bounded);
        assert_memory_equal(free_weights, bounded, sizeof bounded);
    }
}

static void a_preconditioner_of_ones_is_none(void **state)
{
    (void)state;
    static trial_inputs from;
    cfpc_real identity[SYNAPSES * SYNAPSES] = {0}, without[SYNAPSES], with[SYNAPSES];
    dice d = {424};
    draw_trial(&d, &from);
    for (int j = 0; j < SYNAPSES; j++)
        identity[j * SYNAPSES + j] = 1;
    cfpc_rule rule = {.rate = (cfpc_real)0.03, .mode = CFPC_BATCH};
    learn(&rule, &from, without);
    rule.preconditioner = identity;
    learn(&rule, &from, with);
    for (int j = 0; j < SYNAPSES; j++)
        assert_true(with[j] == without[j]);
}

// ---- what is kept ----------------------------------------------------------------------------

// Past the table there is no x, and so no price of the output: as with an x of zeros.
static void past_the_table_the_output_has_no_price(void **state)
{
    (void)state;
    static trial_inputs from;
    dice d = {47};
    draw_trial(&d, &from);
    cfpc_rule rule = draw_rule(&d, &from, CFPC_ONLINE, PENALISED);
    cfpc_model_def def = def_of(&rule);
    cell handed = cell_of(&def);
    def.steps = 10;
    def.basis = from.x[0][0];
    cell table = cell_of(&def);
    const cfpc_real zeros[SYNAPSES] = {0};
    for (int n = 0; n < STEPS; n++) {
        cfpc_step(table.model, table.data, NULL, from.e[0][n]);
        cfpc_step(handed.model, handed.data, n < 10 ? from.x[0][n] : zeros, from.e[0][n]);
        assert_memory_equal(cfpc_weights(table.data), cfpc_weights(handed.data), sizeof zeros);
    }
    cell_free(&table);
    cell_free(&handed);
}

static void a_model_keeps_its_rule(void **state)
{
    (void)state;
    static trial_inputs from;
    dice d = {425};
    draw_trial(&d, &from);
    const cfpc_rule rule = draw_rule(&d, &from, CFPC_BATCH, (1 << PARTS) - 1);
    const cfpc_model_def def = def_of(&rule);
    const cfpc_model *model = model_of(&def), *checked = NULL;
    assert_ok(cfpc_model_check(&checked, model, cfpc_model_bytes(model)));
    const cfpc_rule kept = cfpc_model_rule(checked);
    assert_true(kept.rate == rule.rate && kept.mode == rule.mode);
    assert_true(kept.rectified && kept.normaliser == rule.normaliser && kept.leak == rule.leak);
    assert_true(kept.momentum == rule.momentum && kept.output_penalty == rule.output_penalty);
    assert_true(kept.weight_low == rule.weight_low && kept.weight_high == rule.weight_high);
    assert_memory_equal(kept.preconditioner, rule.preconditioner, sizeof from.preconditioner);
    free((void *)model);
}

static void a_rule_out_of_range_is_refused(void **state)
{
    (void)state;
    static const cfpc_real identity[SYNAPSES * SYNAPSES] = {1},
                                               broken[SYNAPSES * SYNAPSES] = {(cfpc_real)NAN};
    const cfpc_real nan = (cfpc_real)NAN, inf = (cfpc_real)INFINITY;
    const struct {
        cfpc_rule rule;
        cfpc_status status;
    } cases[] = {{{.rate = nan}, CFPC_BAD_VALUE},
                 {{.mode = (cfpc_mode)2}, CFPC_BAD_VALUE},
                 {{.normaliser = -1}, CFPC_BAD_VALUE},
                 {{.normaliser = inf}, CFPC_BAD_VALUE},
                 {{.leak = (cfpc_real)-0.1}, CFPC_BAD_VALUE},
                 {{.leak = (cfpc_real)1.1}, CFPC_BAD_VALUE},
                 {{.leak = nan}, CFPC_BAD_VALUE},
                 {{.momentum = (cfpc_real)-0.1}, CFPC_BAD_VALUE},
                 {{.momentum = 1}, CFPC_BAD_VALUE},
                 {{.momentum = nan}, CFPC_BAD_VALUE},
                 {{.output_penalty = -1}, CFPC_BAD_VALUE},
                 {{.output_penalty = inf}, CFPC_BAD_VALUE},
                 {{.weight_low = 1}, CFPC_BAD_VALUE},
                 {{.weight_low = -inf}, CFPC_BAD_VALUE},
                 {{.weight_high = nan}, CFPC_BAD_VALUE},
                 {{.inhibition = inf}, CFPC_BAD_VALUE},
                 {{.inhibition_delay_steps = -1}, CFPC_BAD_VALUE},
                 {{.inhibition_delay_steps = INT32_MAX}, CFPC_BAD_VALUE},
                 {{.preconditioner = identity}, CFPC_BAD_SHAPE},
                 {{.preconditioner = broken, .mode = CFPC_BATCH}, CFPC_BAD_VALUE}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const cfpc_model_def def = def_of(&cases[i].rule);
        const cfpc_model *model = NULL;
        uint64_t mem[512];
        assert_int_equal(cfpc_model_size(&def), 0);
        assert_int_equal(cfpc_model_init(&model, mem, sizeof mem, &def), cases[i].status);
        assert_null(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_line_every_variation_is_the_plain_one),
        cmocka_unit_test(in_batch_every_variation_is_the_plain_one),
        cmocka_unit_test(with_all_at_zero_on_line_learning_is_eq_9_bit_for_bit),
        cmocka_unit_test(with_all_at_zero_batch_learning_is_eq_8_bit_for_bit),
        cmocka_unit_test(bounds_that_no_weight_reaches_change_no_bit),
        cmocka_unit_test(a_preconditioner_of_ones_is_none),
        cmocka_unit_test(past_the_table_the_output_has_no_price),
        cmocka_unit_test(a_model_keeps_its_rule),
        cmocka_unit_test(a_rule_out_of_range_is_refused),
    };
    return cmocka_run_group_tests_name("core.rule", tests, NULL, NULL);
}
