// SPDX-License-Identifier: Apache-2.0
// What is not finite harms no cell that it does not concern, and a frozen cell acts but learns
// nothing.
#include "zone_fixture.h"

enum { G = 20, P = 3, B = 5, M = 8 };

static zone make_three(double leak, int32_t paths_per_cell)
{
    const trial_case of = {.synapses = G,
                           .cells = P,
                           .block_steps = B,
                           .lead = 1,
                           .horizon = M,
                           .paths_per_cell = paths_per_cell,
                           .precision = CFPC_ZONE_DOUBLE,
                           .leak = leak};
    dice d = {.state = 21};
    defined def = make_def(&of, &d);
    zone z = make_zone(&def.def);
    free_def(&def);
    return z;
}

// Runs a block of random inputs and errors, one of each replaced; cell or input -1: none.
typedef struct fault {
    int error, input;
    cfpc_real value;
} fault;

static const fault none = {.error = -1, .input = -1};

static void run_block(zone *z, dice *d, fault with, cfpc_real out[B * P])
{
    cfpc_real x[B * G], e[B * P];
    for (int i = 0; i < B * G; i++)
        x[i] = (cfpc_real)dice_between(d, -1, 1);
    for (int i = 0; i < B * P; i++)
        e[i] = (cfpc_real)dice_between(d, -1, 1);
    if (with.error >= 0)
        e[2 * P + with.error] = with.value;
    if (with.input >= 0)
        x[3 * G + with.input] = with.value;
    assert_ok(cfpc_zone_step_block(z->model, z->data, x, e, B, out));
}

static void weights_of(const zone *z, int32_t cell, cfpc_real w[G])
{
    cfpc_zone_get_weights(z->model, z->data, cell, w);
}

static bool are_finite(const cfpc_real *v, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(v[i]))
            return false;
    return true;
}

static void a_cell_that_does_not_exist_is_left_alone(void **state)
{
    (void)state;
    zone z = make_three(0, 1);
    const size_t bytes = cfpc_zone_data_size(z.model);
    void *before = must_calloc(1, bytes);
    cfpc_real w[G];
    for (int i = 0; i < G; i++)
        w[i] = 7;
    memcpy(before, z.data, bytes);
    for (int32_t i = 0; i < 3; i++) {
        const int32_t cell = (const int32_t[]){-2, P, INT32_MAX}[i];
        cfpc_zone_set_weights(z.model, z.data, cell, w);
        cfpc_zone_get_weights(z.model, z.data, cell, w);
        cfpc_zone_freeze(z.model, z.data, cell);
        assert_int_equal(cfpc_zone_flags(z.model, z.data, cell), 0);
    }
    cfpc_zone_set_weights(z.model, z.data, -1, w);
    assert_true(w[0] == 7);
    assert_memory_equal(z.data, before, bytes);
    free(before);
    free_zone(&z);
}

static void an_error_flags_the_cells_it_teaches(void **state)
{
    (void)state;
    static const cfpc_real values[] = {(cfpc_real)NAN, (cfpc_real)INFINITY, -(cfpc_real)INFINITY};
    for (int i = 0; i < 3; i++) {
        zone z = make_three(0, 1), both = make_three(0, 2);
        dice d = {.state = 2}, same = d;
        cfpc_real out[B * P];
        run_block(&z, &d, (fault){.error = 1, .input = -1, .value = values[i]}, out);
        assert_int_equal(cfpc_zone_flags(z.model, z.data, 0), 0);
        assert_int_equal(cfpc_zone_flags(z.model, z.data, 1), CFPC_FLAG_NOT_FINITE);
        assert_int_equal(cfpc_zone_flags(z.model, z.data, 2), 0);
        run_block(&both, &same, (fault){.error = 1, .input = -1, .value = values[i]}, out);
        assert_int_equal(cfpc_zone_flags(both.model, both.data, 0), CFPC_FLAG_NOT_FINITE);
        assert_int_equal(cfpc_zone_flags(both.model, both.data, 1), CFPC_FLAG_NOT_FINITE);
        assert_int_equal(cfpc_zone_flags(both.model, both.data, 2), 0); // taught by 2 and 0
        assert_int_equal(cfpc_zone_flags(both.model, both.data, -1), CFPC_FLAG_NOT_FINITE);
        cfpc_zone_clear_flags(both.model, both.data, -1, CFPC_FLAG_NOT_FINITE);
        assert_int_equal(cfpc_zone_flags(both.model, both.data, -1), 0);
        free_zone(&z);
        free_zone(&both);
    }
}

// Taps that are zeros because other cells have more paths name error 0, which teaches nothing.
static void error_0_does_not_flag_cells_with_fewer_paths(void **state)
{
    (void)state;
    static const double tap[] = {1}, rates[] = {1, 1};
    const cfpc_zone_path paths[] = {{0, 0, 0, 0, tap}, {0, 1, 0, 0, tap}, {1, 1, 0, 0, tap}};
    cfpc_zone_def def = cfpc_default_zone_def();
    def.guard.on = false;
    def.cells = 2;
    def.path_count = 3;
    def.paths = paths;
    def.rates = rates;
    zone z = make_zone(&def);
    const cfpc_real x = 1, e[] = {(cfpc_real)NAN, 1};
    cfpc_real o[2];
    assert_ok(cfpc_zone_step_block(z.model, z.data, &x, e, 1, o));
    assert_int_equal(cfpc_zone_flags(z.model, z.data, 0), CFPC_FLAG_NOT_FINITE);
    assert_int_equal(cfpc_zone_flags(z.model, z.data, 1), 0);
    free_zone(&z);
}

static void an_output_freezes_its_cell_alone(void **state)
{
    (void)state;
    zone z = make_three(0, 1), twin = make_three(0, 1);
    dice d = {.state = 2}, same = d;
    cfpc_real out[B * P], expected[B * P], w[G] = {0};
    w[4] = (cfpc_real)NAN;
    cfpc_zone_set_weights(z.model, z.data, 1, w);
    for (int block = 0; block < 6; block++) {
        run_block(&z, &d, none, out);
        run_block(&twin, &same, none, expected);
        for (int n = 0; n < B; n++) {
            assert_true(out[n * P] == expected[n * P]);
            assert_true(out[n * P + 1] == 0);
            assert_true(out[n * P + 2] == expected[n * P + 2]);
        }
    }
    assert_int_equal(cfpc_zone_flags(z.model, z.data, 0), 0);
    assert_int_equal(cfpc_zone_flags(z.model, z.data, 1), CFPC_FLAG_NOT_FINITE | CFPC_FLAG_FROZEN);
    assert_int_equal(cfpc_zone_flags(z.model, z.data, 2), 0);
    free_zone(&z);
    free_zone(&twin);
}

// An input that is not finite makes every output so. It is never learned from: once the flags are
// cleared the cells go on.
static void an_input_freezes_all_and_harms_no_weight(void **state)
{
    (void)state;
    zone z = make_three(0, 1);
    dice d = {.state = 2};
    cfpc_real out[B * P], w[G];
    for (int block = 0; block < 4; block++)
        run_block(&z, &d, none, out);
    run_block(&z, &d, (fault){.error = -1, .input = 7, .value = (cfpc_real)INFINITY}, out);
    assert_true(are_finite(out, B * P));
    for (int p = 0; p < P; p++) {
        assert_true(out[3 * P + p] == 0);
        assert_true(out[2 * P + p] != 0);
        assert_int_equal(cfpc_zone_flags(z.model, z.data, p),
                         CFPC_FLAG_NOT_FINITE | CFPC_FLAG_FROZEN);
    }
    cfpc_zone_clear_flags(z.model, z.data, -1, CFPC_FLAG_NOT_FINITE | CFPC_FLAG_FROZEN);
    for (int block = 0; block < 4; block++)
        run_block(&z, &d, none, out);
    assert_ok(cfpc_zone_next_trial(cfpc_zone_default_products(), 1, z.model, z.data, NULL));
    for (int p = 0; p < P; p++) {
        weights_of(&z, p, w);
        assert_true(are_finite(w, G));
        assert_int_equal(cfpc_zone_flags(z.model, z.data, p), 0);
    }
    free_zone(&z);
}

// Neither errors, nor what was due, nor the leak, nor the end of a trial changes its weights; the
// other cells learn as ever.
static void a_frozen_cell_learns_nothing(void **state)
{
    (void)state;
    for (int leaks = 0; leaks < 2; leaks++) {
        zone z = make_three(leaks ? 0.01 : 0, 1), twin = make_three(leaks ? 0.01 : 0, 1);
        dice d = {.state = 2}, same = d;
        cfpc_real out[B * P], before[G], after[G], expected[G];
        run_block(&z, &d, none, out);
        run_block(&z, &d, none, out);
        weights_of(&z, 1, before);
        cfpc_zone_freeze(z.model, z.data, 1);
        assert_int_equal(cfpc_zone_flags(z.model, z.data, 1), CFPC_FLAG_FROZEN);
        run_block(&twin, &same, none, out);
        run_block(&twin, &same, none, out);
        for (int block = 0; block < 3; block++) {
            run_block(&z, &d, none, out);
            run_block(&twin, &same, none, out);
        }
        assert_ok(cfpc_zone_next_trial(cfpc_zone_default_products(), 1, z.model, z.data, NULL));
        assert_ok(
            cfpc_zone_next_trial(cfpc_zone_default_products(), 1, twin.model, twin.data, NULL));
        weights_of(&z, 1, after);
        assert_memory_equal(before, after, sizeof before);
        weights_of(&twin, 1, after);
        assert_memory_not_equal(before, after, sizeof before);
        for (int p = 0; p < P; p += 2) {
            weights_of(&z, p, after);
            weights_of(&twin, p, expected);
            for (int j = 0; j < G; j++)
                assert_near(after[j], expected[j], CFPC_REAL_IS_FLOAT ? 1e-7 : 1e-14);
        }
        free_zone(&z);
        free_zone(&twin);
    }
}

static void all_cells_are_frozen_at_once(void **state)
{
    (void)state;
    zone z = make_three(0, 1);
    cfpc_zone_freeze(z.model, z.data, -1);
    for (int p = 0; p < P; p++)
        assert_int_equal(cfpc_zone_flags(z.model, z.data, p), CFPC_FLAG_FROZEN);
    cfpc_zone_clear_flags(z.model, z.data, 2, CFPC_FLAG_FROZEN);
    assert_int_equal(cfpc_zone_flags(z.model, z.data, 2), 0);
    assert_int_equal(cfpc_zone_flags(z.model, z.data, 0), CFPC_FLAG_FROZEN);
    free_zone(&z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cell_that_does_not_exist_is_left_alone),
        cmocka_unit_test(an_error_flags_the_cells_it_teaches),
        cmocka_unit_test(error_0_does_not_flag_cells_with_fewer_paths),
        cmocka_unit_test(an_output_freezes_its_cell_alone),
        cmocka_unit_test(an_input_freezes_all_and_harms_no_weight),
        cmocka_unit_test(a_frozen_cell_learns_nothing),
        cmocka_unit_test(all_cells_are_frozen_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
