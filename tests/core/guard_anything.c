// SPDX-License-Identifier: Apache-2.0
// guard_anything: whatever comes, the weights stay finite.
#include "guard_fixture.h"

static cfpc_model_def draw_def(dice *d)
{
    cfpc_model_def def = full_def(modes[dice_integer(d, 0, 1)], dice_integer(d, 0, 1));
    def.rule.rate = (cfpc_real)pow(10, dice_between(d, -3, 1));
    def.guard.factor = (cfpc_real)dice_between(d, 1, 3);
    def.guard.rounds = dice_integer(d, 1, CFPC_GUARD_MAX_ROUNDS);
    def.guard.window_steps = dice_integer(d, 0, 40);
    def.guard.saturated_steps = dice_integer(d, 0, 10);
    def.guard.resume = (cfpc_real)(dice_integer(d, 0, 1) ? dice_between(d, 0, 0.99) : 0);
    def.guard.drift = (cfpc_real)dice_between(d, 1, 3);
    def.guard.estimates = dice_integer(d, 0, 1);
    return def;
}

static double draw_error(dice *d)
{
    static const double odd[] = {INFINITY, -INFINITY, NAN, 1e30, -1e30, 0};
    return dice_integer(d, 0, 60) == 0 ? odd[dice_integer(d, 0, 5)] : dice_between(d, -2, 2);
}

static void call_something(cell *it, dice *d)
{
    switch (dice_integer(d, 0, 60)) {
    case 0:
        cfpc_new_phase(it->model, it->data);
        break;
    case 1:
        cfpc_set_baseline(it->model, it->data, dice_between(d, 0, 30), dice_between(d, 0, 3));
        break;
    case 2:
        cfpc_clear_flags(it->data, (uint32_t)dice_integer(d, 0, 7));
        break;
    case 3:
        cfpc_disable(it->data, dice_integer(d, 0, 20));
        break;
    case 4:
        cfpc_enable(it->data, dice_integer(d, 0, 20));
        break;
    case 5:
    case 6:
    case 7:
        cfpc_next_trial(it->model, it->data);
        break;
    default:
        cfpc_saturated(it->model, it->data, dice_integer(d, 0, 2) == 0);
    }
}

// Memory is of exactly their size, so that sanitizers see a step outside.
static void whatever_comes_the_weights_stay_finite(void **state)
{
    (void)state;
    dice d = {790};
    int acts = 0;
    for (int draw = 0; draw < 200; draw++) {
        const cfpc_model_def def = draw_def(&d);
        cell it = cell_of(&def);
        for (int n = 0; n < 1000; n++) {
            cfpc_real x[SYNAPSES];
            draw_reals(&d, SYNAPSES, x);
            const cfpc_real o = cfpc_step(it.model, it.data, x, (cfpc_real)draw_error(&d));
            assert_true(isfinite(o));
            call_something(&it, &d);
            expect_finite(&it);
        }
        acts += cfpc_guard_acts(it.data);
        cell_free(&it);
    }
    assert_true(acts > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_comes_the_weights_stay_finite),
    };
    return cmocka_run_group_tests_name("core.guard_anything", tests, NULL, NULL);
}
