// SPDX-License-Identifier: Apache-2.0
#include "math/arithmetic.h"

#include <math.h>
#include <stdbool.h>

#include "math/binary.h"

#define MIXED 0x3fd174afe95e38d4u // mixed() by IEEE 754: tests/math/mixed.py

// By volatile numbers, so that the machine computes and not the compiler.
static double sum(double a, double b)
{
    const volatile double one = a, other = b;
    return one + other;
}

static double arithmetic_product(double a, double b)
{
    const volatile double one = a, other = b;
    return one * other;
}

// (1 + 2^-27) (1 - 2^-27) - 1 is 0 where the product is rounded, and -2^-54 where it is not.
static bool fuses(void)
{
    const volatile double a = 1 + 0x1p-27, b = 1 - 0x1p-27, c = -1;
    return a * b + c != 0;
}

// What the compiler may have done with sums and quotients: 2^-60 is lost when it is added to 1, and
// 5/3 is not 5 (1/3).
static bool reorders(void)
{
    const volatile double one = 1, little = 0x1p-60;
    const double a = one, b = little;
    return (a + b) - a != 0;
}

static bool inverts(void)
{
    const volatile double five = 5, three = 3;
    const double b = three, exact = five / 3.0;
    return exact != five / b || exact != 0x1.aaaaaaaaaaaabp+0;
}

// All operations once, a hundred times over: a mistake in any bit stays.
static uint64_t mixed(void)
{
    double x = 0.1;
    for (int n = 1; n <= 100; n++) {
        const volatile double root = sqrt(sum(x, n)),
                              quotient = root / sum(3, arithmetic_product(x, x));
        x = sum(quotient, -rint(quotient)) + arithmetic_product(root, 0x1p-10);
    }
    return cfpci_bits_of(x);
}

const char *cfpci_arithmetic_fault(void)
{
    if (sum(1, 0x1p-53) != 1 || sum(1, 0x1.8p-53) != 1 + 0x1p-52 || sum(-1, -0x1p-53) != -1)
        return "it does not round to the nearest number";
    if (sum(1, 0x1p-53 + 0x1p-64) != 1 + 0x1p-52)
        return "it rounds twice, in wider registers";
    if (arithmetic_product(0x1p-1022, 0.5) == 0 || arithmetic_product(0x1p-1074, 0x1p52) == 0)
        return "it sets subnormal numbers to 0";
    if (fuses())
        return "it fuses products and sums";
    if (reorders())
        return "it reorders sums";
    if (inverts())
        return "it multiplies by a reciprocal instead of dividing";
    return mixed() == MIXED ? NULL : "it computes other bits than IEEE 754";
}
