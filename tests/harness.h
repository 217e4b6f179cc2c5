// SPDX-License-Identifier: Apache-2.0
// harness: cmocka, and what the tests share.
#ifndef CFPC_TESTS_HARNESS_H
#define CFPC_TESTS_HARNESS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cfpc/config.h"

// What agrees to rounding: relative to the norms involved.
#define TOLERANCE (CFPC_REAL_IS_FLOAT ? 1e-5 : 1e-12)

#define assert_ok(call) assert_int_equal((call), 0)

// |a - b| <= tolerance · scale, and both finite.
#define assert_near(a, b, bound) harness_near((a), (b), (bound), #a, #b, __FILE__, __LINE__)

static inline void harness_near(double a, double b, double bound, const char *a_text,
                                const char *b_text, const char *file, int line)
{
    if (fabs(a - b) <= bound)
        return;
    print_error("%s = %.17g\n%s = %.17g\ndiffer by %.3g, more than %.3g\n", a_text, a, b_text, b,
                fabs(a - b), bound);
    _fail(file, line);
}

// ‖a - b‖ / max(‖a‖, ‖b‖), 0 when both are zero.
static inline double relative_distance(size_t count, const double *a, const double *b)
{
    double apart = 0, norm_a = 0, norm_b = 0;
    for (size_t i = 0; i < count; i++) {
        apart += (a[i] - b[i]) * (a[i] - b[i]);
        norm_a += a[i] * a[i];
        norm_b += b[i] * b[i];
    }
    const double norm = fmax(norm_a, norm_b);
    return apart == 0 ? 0 : sqrt(apart / norm); // not a number if any of them is none
}

// ‖a - b‖ <= tolerance · max(‖a‖, ‖b‖)
#define assert_same(count, a, b, tolerance)                                                        \
    harness_near(relative_distance((size_t)(count), (a), (b)), 0, (tolerance),                     \
                 "distance of " #a " and " #b, "none", __FILE__, __LINE__)

// A small seeded generator (xorshift64*): tests with random parameters repeat exactly.
typedef struct dice {
    uint64_t state;
} dice;

static inline double dice_between(dice *d, double low, double high)
{
    d->state ^= d->state >> 12;
    d->state ^= d->state << 25;
    d->state ^= d->state >> 27;
    return low +
           (high - low) * (double)((d->state * 0x2545F4914F6CDD1Du) >> 11) / 9007199254740992.0;
}

static inline int dice_integer(dice *d, int low, int high)
{
    return low + (int)dice_between(d, 0, high - low + 1);
}

// Memory or the end of the test.
static inline void *must_calloc(size_t count, size_t bytes)
{
    void *mem = calloc(count ? count : 1, bytes);
    assert_non_null(mem);
    return mem;
}

#endif
