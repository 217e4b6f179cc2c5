// SPDX-License-Identifier: Apache-2.0
// guard_saved: saved, restored and reset.
#include "guard_fixture.h"

// A run in which it acts twice, and learns on.
static void run(const cell *it, int from, int to)
{
    for (int n = from; n < to; n++) {
        dice d = {1000u + (uint64_t)n};
        const double size = n == 70 || n == 200 ? 50 : n / STEPS % 3 == 2 ? 1.1 : 0.75;
        cfpc_saturated(it->model, it->data, n % 50 > 45);
        cfpc_step(it->model, it->data, input, (cfpc_real)(size * dice_between(&d, -1, 1)));
        if (n % STEPS == STEPS - 1)
            cfpc_next_trial(it->model, it->data);
    }
}

static void what_was_saved_goes_on_bit_for_bit(void **state)
{
    (void)state;
    enum { END = 20 * STEPS };
    for (int i = 0; i < 4; i++) {
        cfpc_model_def def = learning_def(modes[i % 2]);
        def.guard.resume = (cfpc_real)(i < 2 ? 0.5 : 0);
        cell alone = cell_of(&def);
        run(&alone, 0, END);
        assert_true(cfpc_guard_acts(alone.data) > 0);
        for (int at = 0; at <= END; at += 7) {
            cell first = {.model = alone.model, .data = data_of(alone.model)};
            cell second = {.model = alone.model, .data = data_of(alone.model)};
            run(&first, 0, at);
            run(&second, 50, 90); // what stood there before must not matter
            cfpc_data_seal(first.data);
            assert_ok(cfpc_data_restore(first.model, second.data, first.data,
                                        cfpc_data_bytes(first.data)));
            run(&second, at, END);
            expect_same_bytes(second.data, alone.data);
            free(first.data);
            free(second.data);
        }
        cell_free(&alone);
    }
}

static void reset_it_is_as_new(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const cfpc_model_def def = learning_def(modes[i]);
        cell it = cell_of(&def), fresh = cell_of(&def);
        run(&it, 0, 20 * STEPS);
        assert_true(cfpc_guard_acts(it.data) > 0);
        cfpc_data_reset(it.model, it.data);
        expect_calm(&it);
        assert_true(cfpc_baseline(it.data) == 0);
        expect_same_bytes(it.data, fresh.data);
        cell_free(&it);
        cell_free(&fresh);
    }
}

static void a_save_with_a_damaged_guard_is_refused(void **state)
{
    (void)state;
    const cfpc_model_def def = learning_def(CFPC_ONLINE);
    cell it = cell_of(&def);
    cfpc_data *to = data_of(it.model);
    run(&it, 0, 100);
    cfpc_data_seal(it.data);
    const size_t bytes = cfpc_data_bytes(it.data);
    unsigned char *guard = (unsigned char *)&it.data->guard;
    for (size_t k = 0; k < sizeof it.data->guard; k++) {
        guard[k] ^= 0x10;
        assert_int_not_equal(cfpc_data_restore(it.model, to, it.data, bytes), CFPC_OK);
        guard[k] ^= 0x10;
    }
    assert_ok(cfpc_data_restore(it.model, to, it.data, bytes));
    free(to);
    cell_free(&it);
}

// With the checksum made right again: what would lead outside the arrays is found all the same.
static void a_save_whose_guard_leads_outside_is_refused(void **state)
{
    (void)state;
    const cfpc_model_def def = learning_def(CFPC_ONLINE);
    cell it = cell_of(&def);
    cfpc_data *to = data_of(it.model);
    cfpci_guard_state *g = &it.data->guard;
    int32_t *const fields[] = {&g->rounds, &g->segments, &g->is_on, &g->slides};
    static const int32_t wrong[] = {-1, 32, INT32_MAX, INT32_MIN};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            const int32_t was = *fields[i];
            *fields[i] = wrong[k];
            cfpc_data_seal(it.data);
            assert_int_equal(cfpc_data_restore(it.model, to, it.data, cfpc_data_bytes(it.data)),
                             CFPC_ALTERED);
            *fields[i] = was;
        }
    free(to);
    cell_free(&it);
}

static void a_save_under_another_guard_is_refused(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        cfpc_model_def def = learning_def(CFPC_BATCH), other = def;
        other.guard.on = i != 0;
        other.guard.factor = i == 1 ? 2 : def.guard.factor;
        other.guard.rounds = i == 2 ? 6 : def.guard.rounds;
        other.guard.resume = (cfpc_real)(i == 3 ? 0.5 : 0);
        other.guard.estimates = i != 4;
        cell it = cell_of(&def), foreign = cell_of(&other);
        cfpc_data_seal(foreign.data);
        assert_int_equal(
            cfpc_data_restore(it.model, it.data, foreign.data, cfpc_data_bytes(foreign.data)),
            CFPC_OTHER_MODEL);
        cell_free(&it);
        cell_free(&foreign);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_saved_goes_on_bit_for_bit),
        cmocka_unit_test(reset_it_is_as_new),
        cmocka_unit_test(a_save_with_a_damaged_guard_is_refused),
        cmocka_unit_test(a_save_whose_guard_leads_outside_is_refused),
        cmocka_unit_test(a_save_under_another_guard_is_refused),
    };
    return cmocka_run_group_tests_name("core.guard_saved", tests, NULL, NULL);
}
