// SPDX-License-Identifier: Apache-2.0
// Nucleo-olivary inhibition: the cell's own output, late, taken off what teaches it.
#include "cell_fixture.h"

enum { SYNAPSES = 3, STEPS = 40 };

static cfpc_real basis[STEPS][SYNAPSES], errors[STEPS];

static cfpc_model_def olive_def(cfpc_mode mode, double inhibition, int delay)
{
    dice d = {71};
    draw_reals(&d, STEPS * SYNAPSES, basis[0]);
    draw_reals(&d, STEPS, errors);
    cfpc_model_def def = cfpc_default_model_def();
    def.synapses = SYNAPSES;
    def.rule.rate = (cfpc_real)0.0625;
    def.rule.mode = mode;
    def.rule.inhibition = (cfpc_real)inhibition;
    def.rule.inhibition_delay_steps = delay;
    def.guard.on = false;
    return def;
}

// The same by hand: no trace, so that h is x.
static void plain_trial(const cfpc_rule *rule, double *w)
{
    double o[STEPS], sum[SYNAPSES] = {0};
    for (int n = 0; n < STEPS; n++) {
        o[n] = 0;
        for (int j = 0; j < SYNAPSES; j++)
            o[n] += (double)basis[n][j] * w[j];
        const int then = n - rule->inhibition_delay_steps;
        double t = rule->rectified && errors[n] < 0 ? 0 : (double)errors[n];
        t -= then >= 0 ? (double)rule->inhibition * o[then] : 0;
        for (int j = 0; j < SYNAPSES; j++) {
            double *to = rule->mode == CFPC_BATCH ? sum : w;
            to[j] += (double)rule->rate * (double)basis[n][j] * t;
        }
    }
    for (int j = 0; j < SYNAPSES; j++)
        w[j] += sum[j];
}

static void expect_plain(const cfpc_model_def *def)
{
    cell it = cell_of(def);
    double w[SYNAPSES] = {0};
    for (int trial = 0; trial < 4; trial++) {
        for (int n = 0; n < STEPS; n++)
            cfpc_step(it.model, it.data, basis[n], errors[n]);
        cfpc_next_trial(it.model, it.data);
        plain_trial(&def->rule, w);
    }
    for (int j = 0; j < SYNAPSES; j++)
        assert_near(cfpc_weights(it.data)[j], w[j], CFPC_REAL_IS_FLOAT ? 1e-5 : 1e-13);
    cell_free(&it);
}

static void inhibition_is_taken_off_the_teaching_signal(void **state)
{
    (void)state;
    static const int delays[] = {0, 1, 7, STEPS - 1, STEPS, 3 * STEPS};
    for (int i = 0; i < 6; i++)
        for (int batch = 0; batch < 2; batch++)
            for (int rectified = 0; rectified < 2; rectified++) {
                cfpc_model_def def = olive_def(batch ? CFPC_BATCH : CFPC_ONLINE, 0.75, delays[i]);
                def.rule.rectified = rectified;
                expect_plain(&def);
            }
}

static void it_is_taken_off_after_the_error_is_rectified(void **state)
{
    (void)state;
    cfpc_model_def def = olive_def(CFPC_ONLINE, 1, 0);
    def.rule.rectified = true;
    cell it = cell_of(&def);
    const cfpc_real x[SYNAPSES] = {1, 0, 0};
    cfpc_weights(it.data)[0] = 1;
    cfpc_step(it.model, it.data, x, -1); // no error, but an output: it is unlearned
    assert_near(cfpc_weights(it.data)[0], 1 - 0.0625, 1e-7);
    cell_free(&it);
}

static void what_is_inhibited_is_what_was_put_out(void **state)
{
    (void)state;
    cfpc_model_def def = olive_def(CFPC_ONLINE, 1, 1);
    cell it = cell_of(&def);
    const cfpc_real x[SYNAPSES] = {1, 0, 0};
    cfpc_weights(it.data)[0] = 1;
    cfpc_disable(it.data, 0);
    cfpc_step(it.model, it.data, x, 0); // silent
    cfpc_enable(it.data, 0);
    cfpc_step(it.model, it.data, x, 0); // inhibited by the silent step
    assert_near(cfpc_weights(it.data)[0], 1, 0);
    cfpc_step(it.model, it.data, x, 0);
    assert_near(cfpc_weights(it.data)[0], 1 - 0.0625, 1e-7);
    cell_free(&it);
}

static void a_save_keeps_what_is_on_its_way(void **state)
{
    (void)state;
    const cfpc_model_def def = olive_def(CFPC_ONLINE, 0.5, 9);
    cell it = cell_of(&def), other = cell_of(&def);
    for (int n = 0; n < 20; n++)
        cfpc_step(it.model, it.data, basis[n], errors[n]);
    cfpc_data_seal(it.data);
    assert_ok(cfpc_data_restore(other.model, other.data, it.data, cfpc_data_bytes(it.data)));
    for (int n = 20; n < STEPS; n++) {
        cfpc_step(it.model, it.data, basis[n], errors[n]);
        cfpc_step(other.model, other.data, basis[n], errors[n]);
    }
    assert_memory_equal(cfpc_weights(it.data), cfpc_weights(other.data),
                        SYNAPSES * sizeof(cfpc_real));
    cell_free(&it);
    cell_free(&other);
}

static void settings_that_cannot_be_are_refused(void **state)
{
    (void)state;
    cfpc_model_def def = olive_def(CFPC_ONLINE, 0.5, -1);
    assert_int_equal(cfpc_model_size(&def), 0);
    def = olive_def(CFPC_ONLINE, NAN, 1);
    assert_int_equal(cfpc_model_size(&def), 0);
    def = olive_def(CFPC_ONLINE, INFINITY, 1);
    assert_int_equal(cfpc_model_size(&def), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inhibition_is_taken_off_the_teaching_signal),
        cmocka_unit_test(it_is_taken_off_after_the_error_is_rectified),
        cmocka_unit_test(what_is_inhibited_is_what_was_put_out),
        cmocka_unit_test(a_save_keeps_what_is_on_its_way),
        cmocka_unit_test(settings_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests_name("core.olive", tests, NULL, NULL);
}
