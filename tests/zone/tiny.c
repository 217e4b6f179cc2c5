// SPDX-License-Identifier: Apache-2.0
// tiny: in a zone, too, a weight that leaks away ends in an exact zero, whatever the precision, and
// an error that is tiny is none. A cell that is frozen keeps its weights.
#include "zone_fixture.h"

enum { SYNAPSES = 300, CELLS = 3, BLOCK = 4, FROZEN = 1 };

// The border and the number before it.
static double border_of(cfpc_zone_precision precision)
{
    return precision == CFPC_ZONE_FLOAT ? (double)0x1.4484cp-100F : 1e-200;
}

static double below_of(cfpc_zone_precision precision)
{
    return precision == CFPC_ZONE_FLOAT ? (double)nextafterf(0x1.4484cp-100F, 0)
                                        : nextafter(1e-200, 0);
}

static bool is_held(cfpc_zone_precision precision) // by cfpc_real
{
    return precision == CFPC_ZONE_FLOAT || !CFPC_REAL_IS_FLOAT;
}

static zone some_zone(cfpc_zone_precision precision, double leak)
{
    dice d = {.state = 5};
    const trial_case of = {.synapses = SYNAPSES,
                           .cells = CELLS,
                           .block_steps = BLOCK,
                           .horizon = 2,
                           .leak = leak,
                           .precision = precision};
    defined def = make_def(&of, &d);
    const zone it = make_zone(&def.def);
    free_def(&def);
    return it;
}

static void run_block(zone *it, cfpc_real e)
{
    static cfpc_real x[BLOCK * SYNAPSES], outputs[BLOCK * CELLS];
    cfpc_real errors[BLOCK * CELLS];
    for (int k = 0; k < BLOCK * CELLS; k++)
        errors[k] = e;
    for (int k = 0; k < BLOCK * SYNAPSES; k++)
        x[k] = e != 0;
    assert_ok(cfpc_zone_step_block(it->model, it->data, x, errors, BLOCK, outputs));
}

// A block of four steps leaves a sixteenth.
static void leaking_weights_end_in_zeros(void **state)
{
    (void)state;
    for (int precision = CFPC_ZONE_FLOAT; precision <= CFPC_ZONE_DOUBLE; precision++)
        for (int frozen = 0; frozen < 2 && is_held(precision); frozen++) {
            const cfpc_real at = (cfpc_real)border_of(precision);
            const cfpc_real below = (cfpc_real)below_of(precision);
            cfpc_real w[SYNAPSES];
            zone it = some_zone(precision, 0.5);
            for (int p = 0; p < CELLS; p++) {
                for (int j = 0; j < SYNAPSES; j++)
                    w[j] = (p == FROZEN && frozen ? 1 : 16) * (j % 2 ? below : -at);
                cfpc_zone_set_weights(it.model, it.data, p, w);
            }
            if (frozen)
                cfpc_zone_freeze(it.model, it.data, FROZEN);
            run_block(&it, 0);
            for (int p = 0; p < CELLS; p++) {
                cfpc_zone_get_weights(it.model, it.data, p, w);
                for (int j = 0; j < SYNAPSES; j++)
                    assert_true(w[j] == (frozen && p == FROZEN ? (j % 2 ? below : -at)
                                         : j % 2               ? 0
                                                               : -at));
            }
            free_zone(&it);
        }
}

// Without a leak nothing decays: a small weight stays. A tiny error does not change it.
static void small_weights_stay(void **state)
{
    (void)state;
    for (int precision = CFPC_ZONE_FLOAT; precision <= CFPC_ZONE_DOUBLE; precision++)
        for (int tiny = 0; tiny < 2 && is_held(precision); tiny++) {
            const cfpc_real e = (cfpc_real)(tiny ? below_of(precision) : border_of(precision));
            cfpc_real w[SYNAPSES] = {e / 2};
            zone it = some_zone(precision, 0);
            cfpc_zone_set_weights(it.model, it.data, 0, w);
            run_block(&it, e);
            cfpc_zone_get_weights(it.model, it.data, 0, w);
            assert_true(tiny ? w[0] == e / 2 && w[1] == 0 : w[0] != e / 2 && w[1] != 0);
            free_zone(&it);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(leaking_weights_end_in_zeros),
                                       cmocka_unit_test(small_weights_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
