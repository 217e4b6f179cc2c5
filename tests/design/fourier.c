// SPDX-License-Identifier: Apache-2.0
// fourier: against the sum that defines it.
#include "design/algebra/fourier.h"
#include "harness.h"

enum { MOST = 256 };

static void the_transform_is_its_sum(void **state)
{
    (void)state;
    dice d = {7};
    for (int count = 1; count <= MOST; count *= 2) {
        double complex x[MOST], fast[MOST];
        for (int n = 0; n < count; n++)
            fast[n] = x[n] = dice_between(&d, -1, 1) + dice_between(&d, -1, 1) * I;
        assert_ok(cfpci_fourier(count, fast));
        for (int k = 0; k < count; k++) {
            double complex sum = 0;
            for (int n = 0; n < count; n++)
                sum += x[n] * cexp(-2 * acos(-1) * (k * n % count) / count * I);
            // sums of 256 numbers up to 1.5, each rounded to 1.1e-16 a few times
            assert_near(cabs(fast[k] - sum), 0, 256 * 1.5 * 1e-15);
        }
    }
}

static void so_it_is_for_any_count(void **state)
{
    (void)state;
    dice d = {8};
    for (int count = 1; count <= MOST; count += count < 20 ? 1 : 59) {
        double complex x[MOST], fast[MOST];
        for (int n = 0; n < count; n++)
            fast[n] = x[n] = dice_between(&d, -1, 1) + dice_between(&d, -1, 1) * I;
        cfpci_transform transform;
        assert_ok(cfpci_transform_make(&transform, count));
        cfpci_transform_run(&transform, fast);
        cfpci_transform_free(&transform);
        for (int k = 0; k < count; k++) {
            double complex sum = 0;
            for (int n = 0; n < count; n++)
                sum += x[n] * cexp(-2 * acos(-1) * (k * n % count) / count * I);
            // sums of 256 numbers up to 1.5, each rounded to 1.1e-16 a few times
            assert_near(cabs(fast[k] - sum), 0, 256 * 1.5 * 1e-15);
        }
    }
    cfpci_transform none;
    assert_int_equal(cfpci_transform_make(&none, 0), CFPC_BAD_SIZE);
    cfpci_transform_free(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_transform_is_its_sum),
                                       cmocka_unit_test(so_it_is_for_any_count)};
    return cmocka_run_group_tests_name("design.fourier", tests, NULL, NULL);
}
