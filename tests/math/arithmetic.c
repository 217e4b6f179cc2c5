// SPDX-License-Identifier: Apache-2.0
// arithmetic: a machine that is set otherwise is noticed.
#include "math/arithmetic.h"

#include <fenv.h>

#include "harness.h"

static void this_machine_computes_as_ieee_754_says(void **state)
{
    (void)state;
    assert_null(cfpci_arithmetic_fault());
}

static void another_rounding_is_noticed(void **state)
{
    (void)state;
    const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fesetround(modes[i]), 0);
        const char *fault = cfpci_arithmetic_fault();
        fesetround(FE_TONEAREST);
        assert_string_equal(fault, "it does not round to the nearest number");
    }
}

static void flushed_numbers_are_noticed(void **state)
{
    (void)state;
#if defined(__x86_64__)
    unsigned before, flushes;
    __asm__ volatile("stmxcsr %0" : "=m"(before));
    flushes = before | 0x8040; // what programs set that are linked with -ffast-math
    __asm__ volatile("ldmxcsr %0" : : "m"(flushes));
    const char *fault = cfpci_arithmetic_fault();
    __asm__ volatile("ldmxcsr %0" : : "m"(before));
    assert_string_equal(fault, "it sets subnormal numbers to 0");
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(this_machine_computes_as_ieee_754_says),
        cmocka_unit_test(another_rounding_is_noticed),
        cmocka_unit_test(flushed_numbers_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
