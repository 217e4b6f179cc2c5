// SPDX-License-Identifier: Apache-2.0
// guard_saved: saved, restored, reset, and carried to another model.
#include "guard_fixture.h"

static void expect_same_bytes(cfpc_data *a, cfpc_data *b)
{
    cfpc_data_seal(a);
    cfpc_data_seal(b);
    assert_int_equal(cfpc_data_bytes(a), cfpc_data_bytes(b));
    assert_memory_equal(a, b, cfpc_data_bytes(a));
}

static cfpc_model_def learning_def(int kind)
{
    cfpc_model_def def = def_of_kind(kind);
    def.rule.rate = (cfpc_real)0.02;
    def.guard.saturated_steps = 20;
    return def;
}

enum { END = 20 * ROUND };

// It learns, is paused for a world that changes and cleared, and stopped as the gain does.
static void run(const cell *it, int from, int to)
{
    for (int n = from; n < to; n++) {
        dice d = {1000u + (uint64_t)n};
        const double gain = n < 14 * ROUND ? GAIN : -2 * GAIN;
        const cfpc_real next = (cfpc_real)pattern(n + 1), x[SYNAPSES] = {next, -next / 2};
        const double e = (n < 6 * ROUND ? 1 : 4) * pattern(n) - gain * it->data->put_out +
                         0.01 * dice_between(&d, -1, 1);
        cfpc_saturated(it->model, it->data, n % 50 > 45);
        cfpc_step(it->model, it->data, x, (cfpc_real)e);
        if (n % ROUND == ROUND - 1)
            cfpc_next_trial(it->model, it->data);
    }
}

static void what_was_saved_goes_on_bit_for_bit_and_what_was_reset_begins_anew(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        const cfpc_model_def def = learning_def(kind);
        cell alone = cell_of(&def), fresh = cell_of(&def);
        run(&alone, 0, END);
        assert_true(cfpc_guard_acts(alone.data) > 0 && cfpc_guard_pauses(alone.data) > 1);
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
            cfpc_data_reset(second.model, second.data);
            expect_same_bytes(second.data, fresh.data);
            free(first.data);
            free(second.data);
        }
        cell_free(&alone);
        cell_free(&fresh);
    }
}

// A trial of no steps is none; without a guard there is none to judge, and nothing to carry: no
// byte changes.
static void where_there_is_nothing_to_do_nothing_is_done(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * KINDS; i++) {
        cfpc_model_def def = learning_def(i % KINDS), other = def;
        def.guard.on = i < KINDS;
        other.guard.on = !def.guard.on;
        cell it = cell_of(&def), twin = cell_of(&def), from = cell_of(&other);
        const int steps = def.guard.on ? 2 * ROUND : 2 * ROUND + 5;
        run(&it, 0, steps);
        run(&twin, 0, steps);
        run(&from, 0, END);
        cfpc_end_trial(it.model, it.data);
        cfpc_guard_carry(from.data, it.model, it.data);
        expect_same_bytes(it.data, twin.data);
        cell_free(&it);
        cell_free(&twin);
        cell_free(&from);
    }
}

// As it is, and with the checksum made right again: what would lead outside the arrays.
static void a_save_with_a_damaged_guard_is_refused(void **state)
{
    (void)state;
    const cfpc_model_def def = learning_def(1);
    cell it = cell_of(&def);
    cfpc_data *to = data_of(it.model);
    run(&it, 0, 100);
    cfpc_data_seal(it.data);
    const size_t bytes = cfpc_data_bytes(it.data);
    cfpci_guard_state *g = &it.data->guard;
    for (size_t k = 0; k < sizeof *g; k++) {
        ((unsigned char *)g)[k] ^= 0x10;
        assert_int_not_equal(cfpc_data_restore(it.model, to, it.data, bytes), CFPC_OK);
        ((unsigned char *)g)[k] ^= 0x10;
    }
    int32_t *const fields[] = {&g->at, &g->entries, &g->rounds, &g->looks, &g->is_on};
    static const int32_t wrong[] = {-1, CFPC_GUARD_HISTORY + 1, INT32_MAX, INT32_MIN};
    for (int i = 0; i < 5 * 4; i++) {
        const int32_t was = *fields[i / 4];
        *fields[i / 4] = wrong[i % 4];
        cfpc_data_seal(it.data);
        assert_int_equal(cfpc_data_restore(it.model, to, it.data, bytes), CFPC_ALTERED);
        *fields[i / 4] = was;
    }
    cfpc_data_seal(it.data);
    assert_ok(cfpc_data_restore(it.model, to, it.data, bytes));
    free(to);
    cell_free(&it);
}

static void a_save_under_another_guard_is_refused(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        cfpc_model_def def = still_def(CFPC_BATCH, 1), other = def;
        other.guard.on = i != 0;
        other.guard.factor = i == 1 ? 2 : def.guard.factor;
        other.guard.tries = i == 2 ? 6 : def.guard.tries;
        other.guard.spread = (cfpc_real)(i == 3 ? 0.5 : 0);
        other.guard.repeats = i == 4;
        other.response = i == 5 ? late_gain(2 * GAIN) : def.response;
        cell it = cell_of(&def), foreign = cell_of(&other);
        cfpc_data_seal(foreign.data);
        assert_int_equal(
            cfpc_data_restore(it.model, it.data, foreign.data, cfpc_data_bytes(foreign.data)),
            CFPC_OTHER_MODEL);
        cell_free(&it);
        cell_free(&foreign);
    }
}

// ---- carried to another model ----------------------------------------------------------------

// Another rate, or other synapses; to any kind of model of the same loop.
static void what_the_guard_knows_and_did_goes_on_in_another_model(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * KINDS; i++) {
        const cfpc_model_def def = def_of_kind(1);
        cfpc_model_def other = def_of_kind(i / 2);
        const bool fits = i % 2;
        other.synapses = fits ? SYNAPSES : SYNAPSES + 1;
        loop l = known_loop(&def);
        cell to = cell_of(&other);
        play_with(&l, 0.75, 4);
        play_with(&l, -0.125, 3 + 2);
        expect_acts(&l, 1, CFPC_GUARD_WORSE);
        assert_true(has_share(&l, 0.75));
        cfpc_guard_carry(l.it.data, to.model, to.data);
        assert_int_equal(cfpc_guard_acts(to.data), 1);
        assert_int_equal(cfpc_guard_pauses(to.data), 1);
        assert_int_equal(cfpc_guard_paused_steps(to.data), 2 * ROUND);
        const cfpc_guard_act from = cfpc_guard_last(l.it.data), last = cfpc_guard_last(to.data);
        assert_int_equal(last.reason, from.reason);
        assert_int_equal(last.step, from.step);
        assert_true(last.with_cell == from.with_cell && last.alone == from.alone);
        assert_true(cfpc_baseline(to.data) == cfpc_baseline(l.it.data));
        assert_int_equal(cfpc_flags(to.data), CFPC_FLAG_GUARDED);
        assert_true(to.data->guard.rate_share == def.guard.resume);
        assert_int_equal(to.data->guard.best < 1, fits);
        assert_false(cfpc_guard_paused(to.data)); // it need not look again
        cfpc_step(to.model, to.data, NULL, (cfpc_real)NAN);
        assert_int_equal(to.data->guard.tries, 2);
        assert_true(cfpc_weights(to.data)[0] == (fits ? cfpc_weights(l.it.data)[0] : 0));
        loop_free(&l);
        cell_free(&to);
    }
}

// Frozen and paused as it was; in the pause the other cell is silent, too, and then judged.
static void a_pause_and_a_frozen_cell_are_carried_on(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        cfpc_model_def def = def_of_kind(kind);
        def.guard.tries = 1;
        loop l = known_loop(&def), to = loop_of(&def);
        put_share(&l, -0.125);
        assert_int_equal(steps_to_pause(&l, 9 * ROUND), 3 * ROUND);
        cfpc_guard_carry(l.it.data, to.it.model, to.it.data);
        put_share(&to, -0.125);
        assert_true(cfpc_guard_paused(to.it.data));
        play_step(&to);
        assert_true(to.o == 0);
        see_pause_out(&to);
        expect_acts(&to, 1, CFPC_GUARD_WORSE);
        assert_true(has_share(&to, 0));
        cfpc_data_reset(l.it.model, l.it.data);
        cfpc_guard_carry(to.it.data, l.it.model, l.it.data);
        assert_int_equal(cfpc_flags(l.it.data), frozen);
        loop_free(&l);
        loop_free(&to);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_saved_goes_on_bit_for_bit_and_what_was_reset_begins_anew),
        cmocka_unit_test(where_there_is_nothing_to_do_nothing_is_done),
        cmocka_unit_test(a_save_with_a_damaged_guard_is_refused),
        cmocka_unit_test(a_save_under_another_guard_is_refused),
        cmocka_unit_test(what_the_guard_knows_and_did_goes_on_in_another_model),
        cmocka_unit_test(a_pause_and_a_frozen_cell_are_carried_on),
    };
    return cmocka_run_group_tests_name("core.guard_saved", tests, NULL, NULL);
}
