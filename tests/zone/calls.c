// SPDX-License-Identifier: Apache-2.0
// Calls that cannot be served are refused and change nothing; and the number of threads changes no
// bit.
#include "zone_fixture.h"

static const trial_case given = {
    .synapses = 10, .cells = 2, .block_steps = 4, .lead = 1, .horizon = 6, .past = CFPC_PAST_GIVEN};

static zone zone_of(const trial_case *of, int32_t threads)
{
    dice d = {.state = 4};
    defined def = make_def(of, &d);
    def.def.threads = threads;
    zone z = make_zone(&def.def);
    free_def(&def);
    return z;
}

static cfpc_status step(zone *z, const cfpc_source *source, int32_t steps)
{
    static const cfpc_real errors[8];
    cfpc_real out[8];
    return cfpc_zone_step_block_by(cfpc_zone_default_products(), 1, z->model, z->data, source,
                                   errors, steps, out);
}

static const cfpc_real row[40];

static void arguments_out_of_range(void **state)
{
    (void)state;
    trial_case of = given;
    of.past = CFPC_PAST_KEPT;
    zone z = zone_of(&of, 2);
    const cfpc_source source = {.kind = CFPC_HANDED, .x = row};
    const cfpc_real errors[8] = {0};
    cfpc_real out[8];
    assert_ok(step(&z, &source, 4));
    assert_int_equal(step(&z, &source, 5), CFPC_BLOCK_TOO_LONG);
    assert_int_equal(step(&z, &source, -1), CFPC_BAD_SIZE);
    assert_ok(step(&z, &source, 0));
    for (int32_t threads = 0; threads < 5; threads++)
        assert_int_equal(cfpc_zone_step_block_by(cfpc_zone_default_products(), threads, z.model,
                                                 z.data, &source, errors, 1, out),
                         threads == 1 || threads == 2 ? CFPC_OK : CFPC_BAD_SIZE);
    assert_int_equal(cfpc_zone_step_block_by(NULL, 1, z.model, z.data, &source, errors, 1, out),
                     CFPC_MISSING);
    assert_int_equal(cfpc_zone_step_block(NULL, z.data, row, errors, 1, out), CFPC_MISSING);
    assert_int_equal(cfpc_zone_step_block(z.model, NULL, row, errors, 1, out), CFPC_MISSING);
    assert_int_equal(cfpc_zone_step_block(z.model, z.data, NULL, errors, 1, out), CFPC_MISSING);
    assert_int_equal(cfpc_zone_step_block(z.model, z.data, row, NULL, 1, out), CFPC_MISSING);
    assert_int_equal(cfpc_zone_step_block(z.model, z.data, row, errors, 1, NULL), CFPC_MISSING);
    assert_int_equal(cfpc_zone_next_trial(NULL, 1, z.model, z.data, NULL), CFPC_MISSING);
    assert_int_equal(cfpc_zone_next_trial(cfpc_zone_default_products(), 3, z.model, z.data, NULL),
                     CFPC_BAD_SIZE);
    assert_string_equal(cfpc_zone_products_name(cfpc_zone_default_products()), "plain");
    assert_string_equal(cfpc_zone_products_name(NULL), "none");
    free_zone(&z);
}

// The data of a larger zone would be written past its end.
static void the_data_of_another_model(void **state)
{
    (void)state;
    trial_case of = given, larger = given;
    of.past = larger.past = CFPC_PAST_KEPT;
    larger.cells = 3;
    zone z = zone_of(&of, 1), other = zone_of(&larger, 1);
    const cfpc_real errors[12] = {0};
    cfpc_real out[12];
    assert_int_equal(cfpc_zone_step_block(other.model, z.data, row, errors, 1, out),
                     CFPC_OTHER_MODEL);
    assert_int_equal(
        cfpc_zone_next_trial(cfpc_zone_default_products(), 1, other.model, z.data, NULL),
        CFPC_OTHER_MODEL);
    free_zone(&z);
    free_zone(&other);
}

static void sources_that_cannot_be_read(void **state)
{
    (void)state;
    trial_case of = given;
    of.past = CFPC_PAST_KEPT;
    zone z = zone_of(&of, 1);
    const int32_t start[] = {0, 1}, outside[] = {10};
    assert_int_equal(step(&z, NULL, 1), CFPC_MISSING);
    assert_int_equal(step(&z, &(cfpc_source){.kind = CFPC_HANDED}, 1), CFPC_MISSING);
    assert_int_equal(step(&z, &(cfpc_source){.kind = CFPC_TAPPED, .signal = row}, 1),
                     CFPC_BAD_DELAY);
    assert_int_equal(step(&z, &(cfpc_source){.kind = CFPC_LEAKY, .signal = row}, 1), CFPC_MISSING);
    assert_int_equal(step(&z, &(cfpc_source){.kind = CFPC_MADE}, 1), CFPC_MISSING);
    assert_int_equal(
        step(&z,
             &(cfpc_source){.kind = CFPC_SPARSE, .start = start, .synapse = outside, .value = row},
             1),
        CFPC_BAD_VALUE);
    assert_int_equal(step(&z, &(cfpc_source){.kind = (cfpc_source_kind)9}, 1), CFPC_BAD_VALUE);
    free_zone(&z);
}

static void a_past_that_is_not_given(void **state)
{
    (void)state;
    zone z = zone_of(&given, 1);
    cfpc_real last[10] = {0};
    const cfpc_source nothing = {.kind = CFPC_HANDED};
    const cfpc_source handed = {.kind = CFPC_HANDED, .x = row};
    const cfpc_source leaky = {.kind = CFPC_LEAKY, .signal = row, .decay = row, .last = last};
    cfpc_source source = handed;
    assert_int_equal(step(&z, &source, 1), CFPC_MISSING);
    source.past = &nothing;
    assert_int_equal(step(&z, &source, 1), CFPC_MISSING);
    source.past = &handed;
    assert_ok(step(&z, &source, 1));
    source = leaky;
    source.past = &leaky; // whose state would be moved on twice
    assert_int_equal(step(&z, &source, 1), CFPC_MISSING);
    assert_int_equal(cfpc_zone_next_trial(cfpc_zone_default_products(), 1, z.model, z.data, NULL),
                     CFPC_MISSING);
    assert_int_equal(
        cfpc_zone_next_trial(cfpc_zone_default_products(), 1, z.model, z.data, &handed),
        CFPC_MISSING);
    free_zone(&z);
}

// Seven chunks, and threads from one to five.
static void threads_change_no_bit(void **state)
{
    (void)state;
    const trial_case of = {
        .synapses = 6 * 4096 + 300, .cells = 3, .block_steps = 20, .lead = 2, .horizon = 25};
    const int32_t blocks = 4, count = of.block_steps * of.cells;
    const size_t weights = (size_t)of.synapses * 3 * sizeof(cfpc_real);
    cfpc_real expected[60];
    cfpc_real *w = must_calloc(2, weights), *learned = w + (size_t)of.synapses * 3;
    for (int32_t threads = 1; threads <= 5; threads++) {
        zone z = zone_of(&of, 5);
        dice d = {.state = 8};
        inputs in = make_inputs(&of, blocks * of.block_steps, &d);
        cfpc_real out[60], errors[60];
        for (int32_t block = 0; block < blocks; block++) {
            maker by[2];
            const cfpc_source source = block_source(&in, by, block * of.block_steps, of.past);
            for (int32_t i = 0; i < count; i++)
                errors[i] = (cfpc_real)dice_between(&d, -1, 1);
            assert_ok(cfpc_zone_step_block_by(cfpc_zone_default_products(), threads, z.model,
                                              z.data, &source, errors, of.block_steps, out));
        }
        assert_ok(
            cfpc_zone_next_trial(cfpc_zone_default_products(), threads, z.model, z.data, NULL));
        for (int32_t p = 0; p < 3; p++)
            cfpc_zone_get_weights(z.model, z.data, p, learned + (size_t)p * of.synapses);
        if (threads == 1) {
            memcpy(expected, out, sizeof out);
            memcpy(w, learned, weights);
        }
        assert_true(out[59] != 0);
        assert_memory_equal(out, expected, sizeof out);
        assert_memory_equal(learned, w, weights);
        free_inputs(&in);
        free_zone(&z);
    }
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_out_of_range),      cmocka_unit_test(the_data_of_another_model),
        cmocka_unit_test(sources_that_cannot_be_read), cmocka_unit_test(a_past_that_is_not_given),
        cmocka_unit_test(threads_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
