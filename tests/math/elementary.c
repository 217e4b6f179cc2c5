// SPDX-License-Identifier: Apache-2.0
// elementary: the functions against values of mpmath (tests/golden/elementary.py), bit for bit;
// their special cases; and two ways to compute the same.
#include "math/elementary.h"

#include "harness.h"
#include "math/binary.h"
#include "math/complex_functions.h"
#include "math/order.h"
#include "math/tables.h"
#include "math/unrounded.h"

typedef struct named {
    const char *name;
    double (*of_one)(double);
    double (*of_two)(double, double);
} named;

static const named functions[] = {
    {"exp", cfpci_exp, NULL},     {"exp2", cfpci_exp2, NULL},   {"expm1", cfpci_expm1, NULL},
    {"log", cfpci_log, NULL},     {"log2", cfpci_log2, NULL},   {"log10", cfpci_log10, NULL},
    {"log1p", cfpci_log1p, NULL}, {"sin", cfpci_sin, NULL},     {"cos", cfpci_cos, NULL},
    {"tan", cfpci_tan, NULL},     {"erfc", cfpci_erfc, NULL},   {"lgamma", cfpci_log_gamma, NULL},
    {"pow", NULL, cfpci_pow},     {"atan2", NULL, cfpci_atan2}, {"hypot", NULL, cfpci_hypot},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static double call(const char *name, double x, double y)
{
    for (int i = 0; i < FUNCTIONS; i++)
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].of_one ? functions[i].of_one(x) : functions[i].of_two(x, y);
    fail_msg("there is no function %s", name);
    return NAN;
}

static bool is_same(double a, double b)
{
    return isnan(a) ? isnan(b) : cfpci_bits_of(a) == cfpci_bits_of(b);
}

static void assert_same_bits(const char *name, double x, double y, double expected)
{
    const double found = call(name, x, y);
    if (!is_same(found, expected))
        fail_msg("%s of %a, %a is %a, not %a", name, x, y, found, expected);
}

static void they_are_the_values_of_mpmath(void **state)
{
    (void)state;
    FILE *file = fopen(TEST_SOURCE_DIR "/golden/elementary.csv", "r");
    assert_non_null(file);
    char line[160], name[16];
    int rows = 0;
    while (fgets(line, sizeof line, file)) {
        double x, y, value;
        assert_int_equal(sscanf(line, "%15[^,],%la,%la,%la", name, &x, &y, &value), 4);
        assert_same_bits(name, x, y, value);
        rows++;
    }
    fclose(file);
    assert_true(rows > 500);
}

// C17, Annex F.10, and IEEE 754.
static void special_cases_are_those_of_the_standard(void **state)
{
    (void)state;
    const double inf = INFINITY, none = NAN;
    static const struct {
        const char *name;
        double x, y, expected;
    } rows[] = {
        {"exp", 0, 0, 1},
        {"exp", -0.0, 0, 1},
        {"exp", -INFINITY, 0, 0},
        {"exp2", -INFINITY, 0, 0},
        {"expm1", -0.0, 0, -0.0},
        {"expm1", 0, 0, 0},
        {"expm1", -INFINITY, 0, -1},
        {"log", 1, 0, 0},
        {"log", 0, 0, -INFINITY},
        {"log", -0.0, 0, -INFINITY},
        {"log2", 1, 0, 0},
        {"log10", 1, 0, 0},
        {"log1p", -1, 0, -INFINITY},
        {"log1p", -0.0, 0, -0.0},
        {"sin", -0.0, 0, -0.0},
        {"sin", 0, 0, 0},
        {"cos", 0, 0, 1},
        {"tan", -0.0, 0, -0.0},
        {"erfc", INFINITY, 0, 0},
        {"erfc", -INFINITY, 0, 2},
        {"erfc", 0, 0, 1},
        {"lgamma", 1, 0, 0},
        {"lgamma", 2, 0, 0},
        {"lgamma", 0, 0, INFINITY},
        {"pow", 0, -3, INFINITY},
        {"pow", -0.0, -3, -INFINITY},
        {"pow", -0.0, -2, INFINITY},
        {"pow", 0, 3, 0},
        {"pow", -0.0, 3, -0.0},
        {"pow", -0.0, 2, 0},
        {"pow", -1, INFINITY, 1},
        {"pow", -1, -INFINITY, 1},
        {"pow", 1, NAN, 1},
        {"pow", NAN, 0, 1},
        {"pow", 0.5, -INFINITY, INFINITY},
        {"pow", 2, -INFINITY, 0},
        {"pow", 0.5, INFINITY, 0},
        {"pow", -2, INFINITY, INFINITY},
        {"pow", -INFINITY, -3, -0.0},
        {"pow", -INFINITY, -2, 0},
        {"pow", -INFINITY, 3, -INFINITY},
        {"pow", -INFINITY, 2, INFINITY},
        {"pow", INFINITY, -1, 0},
        {"pow", -8, 3, -512},
        {"pow", -2, 0x1p60, INFINITY},
        {"atan2", 0, 1, 0},
        {"atan2", -0.0, 1, -0.0},
        {"atan2", -0.0, 0, -0.0},
        {"atan2", INFINITY, 1, 0x1.921fb54442d18p+0},
        {"atan2", 0, -1, 0x1.921fb54442d18p+1},
        {"atan2", -0.0, -1, -0x1.921fb54442d18p+1},
        {"atan2", 0, -0.0, 0x1.921fb54442d18p+1},
        {"atan2", 1, 0, 0x1.921fb54442d18p+0},
        {"atan2", -1, -0.0, -0x1.921fb54442d18p+0},
        {"atan2", 1, -INFINITY, 0x1.921fb54442d18p+1},
        {"atan2", 1, INFINITY, 0},
        {"atan2", INFINITY, -INFINITY, 0x1.2d97c7f3321d2p+1},
        {"atan2", INFINITY, INFINITY, 0x1.921fb54442d18p-1},
        {"hypot", INFINITY, NAN, INFINITY},
        {"hypot", NAN, -INFINITY, INFINITY},
        {"hypot", 0, -0.0, 0},
        {"hypot", -2, 0, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_same_bits(rows[i].name, rows[i].x, rows[i].y, rows[i].expected);
    for (const char *const *name =
             (const char *const[]){"exp", "exp2", "expm1", "log", "log2", "log10", "log1p", NULL};
         *name; name++)
        assert_same_bits(*name, inf, 0, inf);
    for (const char *const *name = (const char *const[]){"log", "log2", "log10", "lgamma", NULL};
         *name; name++)
        assert_same_bits(*name, -1, 0, none);
    for (const char *const *name = (const char *const[]){"sin", "cos", "tan", NULL}; *name; name++)
        assert_same_bits(*name, -inf, 0, none);
    assert_same_bits("pow", -2, 0.5, none);
    for (int i = 0; i < FUNCTIONS; i++)
        assert_same_bits(functions[i].name, none, 2, none);
}

// |x| mod pi/2 by four doubles and by integers
static void both_ways_to_reduce_an_angle_agree(void **state)
{
    (void)state;
    dice d = {3};
    for (int n = 0; n < 20000; n++) {
        const double k = floor(dice_between(&d, 1, 600000));
        const double x = n % 2 ? k * cfpci_half_pi.hi : dice_between(&d, -1e6, 1e6);
        if (fabs(x) < 0.5)
            continue;
        const cfpci_angle by_parts = cfpci_quarter_turns(x), by_bits = cfpci_many_quarter_turns(x);
        const double apart =
            (by_parts.rest.hi - by_bits.rest.hi) + (by_parts.rest.lo - by_bits.rest.lo);
        assert_int_equal(by_parts.quarter, by_bits.quarter);
        // of the parts of pi/2 the last ends 2^-152 below its first bit; times 2^20
        assert_near(apart, 0, 0x1p-95 * fabs(by_bits.rest.hi) + 0x1p-128);
    }
}

// exp, log, sin and cos have a quick way, which they leave where it cannot tell how the number is
// rounded.
static void quick_ways_have_the_bits_of_the_careful_ones(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 200000; i++) {
        double drawn[3];
        for (int k = 0; k < 3; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            drawn[k] = (double)(seed >> 11) * 0x1p-53;
        }
        const double small = drawn[1] * drawn[2] * drawn[2]; // dense around 0
        const double exponent = (i % 2 ? 1400 : 10 * small) * (drawn[0] - 0.5);
        const cfpci_exponential grown = cfpci_exponential_of((cfpci_dd){exponent, 0});
        assert_same_bits("exp", exponent, 0, cfpci_round(grown.value, grown.power));
        const double number = i % 2 ? cfpci_exp(exponent) : 1 + small * (drawn[0] - 0.5);
        const cfpci_dd logarithm = cfpci_logarithm_of_double(number);
        assert_same_bits("log", number, 0, logarithm.hi + logarithm.lo);
        const double angle = (i % 2 ? 2e6 : 1000 * small) * (drawn[0] - 0.5);
        const cfpci_point at = cfpci_point_at(angle);
        assert_same_bits("sin", angle, 0, at.sine.hi + at.sine.lo);
        assert_same_bits("cos", angle, 0, at.cosine.hi + at.cosine.lo);
    }
}

static void a_product_of_doubles_is_exact(void **state)
{
    (void)state;
    dice d = {4};
    for (int n = 0; n < 10000; n++) {
        const double a = dice_between(&d, -1, 1), b = ldexp(dice_between(&d, -1, 1), n % 200 - 100);
        const cfpci_dd product = cfpci_dd_product(a, b), sum = cfpci_dd_sum(a, b);
        assert_true(product.hi == a * b && product.lo == fma(a, b, -product.hi));
        assert_true(sum.hi == a + b &&
                    (fabs(a) > fabs(b) ? b - (sum.hi - a) : a - (sum.hi - b)) == sum.lo);
    }
}

// e^z and ln z undo each other, and are made of the real functions.
static void complex_functions_fit_the_real_ones(void **state)
{
    (void)state;
    dice d = {5};
    for (int n = 0; n < 2000; n++) {
        const double x = dice_between(&d, -20, 20), y = dice_between(&d, -3, 3);
        const double complex z = cfpci_cexp(cfpci_complex(x, y)), back = cfpci_clog(z);
        const double size = cfpci_exp(x);
        assert_near(creal(z), size * cfpci_cos(y), 3 * 0x1p-53 * size);
        assert_near(cimag(z), size * cfpci_sin(y), 3 * 0x1p-53 * size);
        // e^z is rounded by 2^-53 of its modulus, which is what the logarithm is wrong by; and by
        // itself
        assert_near(cfpci_cabs(back - cfpci_complex(x, y)), 0,
                    2 * 0x1p-53 * (1 + cfpci_cabs(back)));
        const double complex other = cfpci_complex(y, x);
        const double complex quotient = cfpci_complex_quotient(z, other);
        assert_near(cfpci_cabs(cfpci_complex_product(quotient, other) - z), 0,
                    12 * 0x1p-53 * cfpci_cabs(z));
    }
    assert_true(is_same(creal(cfpci_clog(0)), -INFINITY));
    assert_true(is_same(creal(cfpci_cexp(cfpci_complex(-INFINITY, 1))), 0));
    assert_true(is_same(creal(cfpci_cexp(cfpci_complex(1000, 1.5707963267948966))), INFINITY));
    assert_true(isfinite(creal(cfpci_cexp(cfpci_complex(720, 1.5707963267948966))))); // times 6e-17
}

static bool is_pair(double complex z, double re, double im)
{
    return is_same(creal(z), re) && is_same(cimag(z), im);
}

// C17, Annex G.6.3, but for the signs of what is not defined.
static void complex_functions_have_their_special_cases(void **state)
{
    (void)state;
    const double inf = INFINITY, quarter = 0x1.921fb54442d18p+0;
    assert_true(is_pair(cfpci_cexp(cfpci_complex(-inf, inf)), 0, 0));
    assert_true(isnan(creal(cfpci_cexp(cfpci_complex(0, inf)))));
    assert_true(isnan(cimag(cfpci_cexp(cfpci_complex(1, NAN)))));
    assert_true(is_pair(cfpci_cexp(cfpci_complex(inf, 0)), inf, 0));
    assert_true(is_pair(cfpci_cexp(cfpci_complex(inf, 2)), -inf, inf));
    assert_true(is_pair(cfpci_cexp(cfpci_complex(-2000, 2)), -0.0, 0));
    assert_true(is_pair(cfpci_cexp(cfpci_complex(2000, -0.0)), inf, -0.0));
    assert_true(isnan(creal(cfpci_cexp(cfpci_complex(NAN, 1)))));
    assert_true(is_pair(cfpci_clog(cfpci_complex(-0.0, 0)), -inf, 2 * quarter));
    assert_true(is_pair(cfpci_clog(cfpci_complex(0, inf)), inf, quarter));
    assert_true(is_pair(cfpci_clog(cfpci_complex(-inf, 1)), inf, 2 * quarter));
    assert_true(isnan(creal(cfpci_clog(cfpci_complex(NAN, 1)))));
    assert_true(is_pair(cfpci_clog(cfpci_complex(1, 0)), 0, 0));
    assert_true(is_pair(cfpci_unit(0), 1, 0));
}

static void order_does_not_depend_on_the_library(void **state)
{
    (void)state;
    assert_true(cfpci_min(1, NAN) == 1 && cfpci_min(NAN, 1) == 1 && cfpci_max(1, NAN) == 1 &&
                cfpci_max(NAN, 1) == 1);
    assert_true(cfpci_min(1, 2) == 1 && cfpci_max(1, 2) == 2 && isnan(cfpci_max(NAN, NAN)));
    assert_true(is_same(cfpci_min(0, -0.0), -0.0) &&
                is_same(cfpci_max(0, -0.0), -0.0)); // of equal ones the second
    double values[] = {3, NAN, 0, -INFINITY, -0.0, 1, -0.0, INFINITY, 0};
    const double sorted[] = {-INFINITY, -0.0, -0.0, 0, 0, 1, 3, INFINITY, NAN};
    cfpci_sort(values, 9);
    for (int i = 0; i < 9; i++)
        assert_true(is_same(values[i], sorted[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_the_values_of_mpmath),
        cmocka_unit_test(special_cases_are_those_of_the_standard),
        cmocka_unit_test(both_ways_to_reduce_an_angle_agree),
        cmocka_unit_test(quick_ways_have_the_bits_of_the_careful_ones),
        cmocka_unit_test(a_product_of_doubles_is_exact),
        cmocka_unit_test(complex_functions_fit_the_real_ones),
        cmocka_unit_test(complex_functions_have_their_special_cases),
        cmocka_unit_test(order_does_not_depend_on_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
