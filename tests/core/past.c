// SPDX-License-Identifier: Apache-2.0
// past: the fast kernels of the adjoint form give the same bits as the plain one.
#include "core/fast/past.h"
#include "blocks_fixture.h"

enum { WIDE = 5 * CFPC_TILE, RUN_STEPS = 51 };

typedef struct memory {
    cfpc_real weight[WIDE], sums[RUN_STEPS * CFPC_LANES];
} memory;

static void expect_kernels(const cfpci_past_run *run, int32_t count, dice *d)
{
    static cfpc_real x[RUN_STEPS * (WIDE + 1)], past[RUN_STEPS * (WIDE + 3)];
    memory given, a, b;
    draw_reals(d, sizeof given / sizeof(cfpc_real), given.weight);
    draw_reals(d, RUN_STEPS * (WIDE + 1), x);
    draw_reals(d, RUN_STEPS * (WIDE + 3), past);
    b = given;
    cfpci_past_strip strip = {.count = count,
                              .weight = b.weight,
                              .x = x,
                              .stride = WIDE + 1,
                              .past = past,
                              .past_stride = WIDE + 3,
                              .sums = b.sums};
    cfpci_past_run_plain(run, &strip);
    strip.weight = a.weight;
    strip.sums = a.sums;
    for (int way = 0; way < CFPC_STRIP_WAYS; way++) {
        a = given;
        if (!cfpci_strip_has((cfpci_strip_way)way))
            continue;
        cfpci_past_run_by((cfpci_strip_way)way, run, &strip);
        assert_memory_equal(&a, &b, sizeof a);
    }
}

static void every_kernel_is_plain(void **state)
{
    (void)state;
    dice d = {131};
    cfpc_real gain[RUN_STEPS];
    draw_reals(&d, RUN_STEPS, gain);
    for (int flags = 0; flags < 8; flags++)
        for (int rule = 0; rule < 4; rule++)
            for (int32_t steps = 1; steps <= RUN_STEPS; steps += 5) {
                const cfpci_past_run run = {.steps = steps,
                                            .acts = flags & 1,
                                            .learns = flags & 2,
                                            .adds = flags & 4,
                                            .gain = gain,
                                            .keep = (cfpc_real)(rule & 1 ? 0.9 : 1),
                                            .low = (cfpc_real)(rule & 2 ? -0.5 : 0),
                                            .high = (cfpc_real)(rule & 2 ? 0.25 : 0)};
                expect_kernels(&run, dice_integer(&d, 1, 4) * CFPC_TILE, &d);
                expect_kernels(&run, dice_integer(&d, 1, WIDE), &d);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_kernel_is_plain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
