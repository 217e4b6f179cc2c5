// SPDX-License-Identifier: Apache-2.0
// against_mpfr: the functions of src/math beside MPFR, which rounds correctly: the largest error in
// units in the last place (ulp), on random points of every range, points near zeros and multiples
// of pi/2, and known hard cases.
//   against_mpfr [POINTS [SEED]]     points per function (default 1000000)
// Prints one line per function; exits with 1 if one is above its bound. tools/check-peers math
// builds and runs it.
#include <inttypes.h>
#include <math.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "math/binary.h"
#include "math/complex_functions.h"
#include "math/elementary.h"
#include "math/unrounded.h"

enum { BITS = 160, LINE = 64 };

// ---- points ------------------------------------------------------------------------------------

static uint64_t state;

static uint64_t next(void) // xorshift64*
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 2685821657736338717u;
}

static double uniform(double low, double high)
{
    return low + (high - low) * (double)(next() >> 11) * 0x1p-53;
}

// Of a size between two powers of two, each exponent as often.
static double of_size(int low, int high)
{
    return ldexp(uniform(1, 2), low + (int)(next() % (uint64_t)(high - low)));
}

static double signed_size(int low, int high)
{
    return next() % 2 ? of_size(low, high) : -of_size(low, high);
}

// Some steps of the last place away from x.
static double near(double x)
{
    return cfpci_from_bits(cfpci_bits_of(x) + next() % 2001 - 1000);
}

static double for_exp(uint64_t n)
{
    return n % 3 ? uniform(-746, 710) : signed_size(-60, 10);
}

static double for_exp2(uint64_t n)
{
    return n % 3 ? uniform(-1076, 1024) : signed_size(-60, 10);
}

static double for_log(uint64_t n)
{
    return n % 4 == 0   ? of_size(-1074, 1023)
           : n % 4 == 1 ? uniform(0.5, 2)
           : n % 4 == 2 ? near(ldexp(1 + (double)(next() % 128) / 128, (int)(next() % 5) - 2))
                        : 1 + signed_size(-52, -1);
}

static double for_log1p(uint64_t n)
{
    return n % 3 == 0 ? of_size(-1000, 1023) : n % 3 == 1 ? uniform(-1, 2) : signed_size(-60, -1);
}

static double for_circle(uint64_t n)
{
    return n % 4 == 0   ? signed_size(-40, 1023)
           : n % 4 == 1 ? uniform(-10, 10)
           : n % 4 == 2 ? near((double)(1 + next() % 1000000) * 1.5707963267948966)
                        : uniform(-2e6, 2e6);
}

static double for_erfc(uint64_t n)
{
    return n % 4 ? uniform(-6.5, 27.5) : signed_size(-60, 3);
}

static double for_gamma(uint64_t n)
{
    return n % 4 == 0   ? of_size(-1000, 1000)
           : n % 4 == 1 ? uniform(0, 30)
           : n % 4 == 2 ? 1 + (double)(next() % 2) + signed_size(-52, -1)
                        : of_size(-4, 8);
}

// ---- errors ------------------------------------------------------------------------------------

static double ulp_of(mpfr_t x)
{
    const mpfr_exp_t e = mpfr_zero_p(x) ? -1074 : mpfr_get_exp(x) - 53;
    return ldexp(1, e < -1074 ? -1074 : (int)e);
}

// |ours - exact| in ulp of exact; where exact is beyond all doubles, 0 if ours is infinite too.
static double error_of(double ours, mpfr_t exact)
{
    mpfr_t apart;
    mpfr_init2(apart, BITS);
    const double rounded = mpfr_get_d(exact, MPFR_RNDN);
    double error = isinf(rounded) || isnan(rounded) || isnan(ours) ? 0 : INFINITY;
    if (isinf(rounded) ? ours != rounded : isnan(rounded) != isnan(ours))
        error = INFINITY;
    else if (!isinf(rounded) && !isnan(rounded)) {
        mpfr_sub_d(apart, exact, ours, MPFR_RNDN);
        mpfr_div_d(apart, apart, ulp_of(exact), MPFR_RNDN);
        error = isinf(ours) ? INFINITY : fabs(mpfr_get_d(apart, MPFR_RNDN));
    }
    mpfr_clear(apart);
    return error;
}

typedef struct worst {
    double error, x, y;
} worst;

static void take(worst *so_far, double error, double x, double y)
{
    if (error > so_far->error)
        *so_far = (worst){error, x, y};
}

static bool report(const char *name, uint64_t points, worst it, double bound)
{
    const bool right = it.error <= bound;
    printf("%-8s %9" PRIu64 " points, largest error %.5f ulp at %a, %a%s\n", name, points, it.error,
           it.x, it.y, right ? "" : " TOO LARGE");
    return right;
}

// ---- functions of one number -------------------------------------------------------------------

static int log_gamma(mpfr_t to, mpfr_t x, mpfr_rnd_t round)
{
    int sign;
    return mpfr_lgamma(to, &sign, x, round);
}

typedef struct one {
    const char *name;
    double (*ours)(double);
    int (*exact)(mpfr_t, mpfr_t, mpfr_rnd_t);
    double (*point)(uint64_t);
    double bound;
    double hard[LINE]; // ends with 0
} one;

#define EXACT(name) ((int (*)(mpfr_t, mpfr_t, mpfr_rnd_t))mpfr_##name)

// The hard cases are those that are known to be hard to round, and doubles that are
// nearest to multiples of pi/2 (6381956970095103 2^797 is the nearest of all).
static const one ones[] = {
    {"exp",
     cfpci_exp,
     EXACT(exp),
     for_exp,
     0.51,
     {0x1.005ae04256babp-1, -0x1.2a1d9a4b8d0d2p-8, 0x1.accfbe46b4ef0p-1, 0x1.83d4bcdebb3f4p+2,
      709.782712893384, -745.13321910194110842, -708.3964185322641, 0x1.fffffffffffffp-53, -0x1p-53,
      0x1.62e42fefa39efp-1, -0x1.74910d52d3051p+9}},
    {"exp2",
     cfpci_exp2,
     EXACT(exp2),
     for_exp2,
     0.51,
     {0x1.12eac18a6e1bep-53, 0x1.bdc5b7bbd2fp-6, -1074.9999999999998, -1074, -1022,
      1023.9999999999999, 0.5, 0x1.71547652b82fep+0}},
    {"expm1",
     cfpci_expm1,
     EXACT(expm1),
     for_exp,
     0.51,
     {0x1.5p-20, -0x1.19e53fcd490d0p-23, 0x1.005ae04256babp-1, 709.782712893384, -37.42994775023704,
      0x1p-53, 0.0027, -0.0027, 0.00541}},
    {"log",
     cfpci_log,
     EXACT(log),
     for_log,
     0.51,
     {0x1.0ac710ae421e0p+0, 0x1.62a88613629b6p+678, 0x1.ab50b409c8ae9p+8, 0x1.fffffffffffffp-1,
      0x1.0000000000001p+0, 0x1p-1074, 0x0.fffffffffffffp-1022, 0x1.fffffffffffffp+1023,
      0x1.6000000000000p-1, 0x1.5ffffffffffffp+0, 0x1.01p+0, 0x1.fep-1}},
    {"log2",
     cfpci_log2,
     EXACT(log2),
     for_log,
     0.51,
     {0x1.b4ebe40c95a01p+0, 0x1.1ba39ff28e3eap+0, 8, 1024, 0x1p-1074, 0x1.0000000000001p+0,
      0x1.fffffffffffffp-1}},
    {"log10",
     cfpci_log10,
     EXACT(log10),
     for_log,
     0.51,
     {0x1.de02157073b31p-1, 0x1.e12d66744ff81p+429, 10, 100, 1e15, 1e22, 0x1.0000000000001p+0,
      0x1p-1074}},
    {"log1p",
     cfpci_log1p,
     EXACT(log1p),
     for_log1p,
     0.51,
     {0x1.5p-20, -0x1.fffffffffffffp-1, 0x1.fffffffffffffp-54, 1e-300, -0x1p-53, 0x1p52,
      0x1.fffffffffffffp+1023, 0.0078, -0.0039}},
    {"sin",
     cfpci_sin,
     EXACT(sin),
     for_circle,
     0.51,
     {0x1.6ac5b262ca1ffp+849, 0x1.921fb54442d18p+1, 0x1.921fb54442d18p+0, 0x1.e9b7e5f1c2f1ap-3,
      0x1.fffffffffffffp+1023, 0x1p120, 0x1.2b089ea8c57c7p+20, 22, 1e22, 0x1.921fb54442d18p-1,
      0x1p-30, 0x1.fffffffffffffp-31, 0x1.fffffffffffffp+19}},
    {"cos",
     cfpci_cos,
     EXACT(cos),
     for_circle,
     0.51,
     {0x1.6ac5b262ca1ffp+849, 0x1.921fb54442d18p+0, 0x1.34ec2f9fc9c00p+1, 0x1.fffffffffffffp+1023,
      0x1p120, 11, 1e22, 0x1.921fb54442d18p-1, 0x1p-27}},
    {"tan",
     cfpci_tan,
     EXACT(tan),
     for_circle,
     0.51,
     {0x1.6ac5b262ca1ffp+849, 0x1.921fb54442d18p+0, 0x1.50486b2f87014p-5, 0x1.fffffffffffffp+1023,
      1e22, 0x1.921fb54442d18p-1, 0x1p-30}},
    {"erfc",
     cfpci_erfc,
     EXACT(erfc),
     for_erfc,
     0.51,
     {2.5, 2.4999999999999996, 26.5, 27.226, 0x1p-60, -5.9, -6.1, 1, 0.5}},
    {"lgamma",
     cfpci_log_gamma,
     log_gamma,
     for_gamma,
     1,
     {1 + 0x1p-52, 1 - 0x1p-53, 2 + 0x1p-51, 2 - 0x1p-52, 0.25, 0.75, 1.25, 1.75, 2.25, 16,
      15.999999999999998, 1e-300, 1e305, 0x1p60, 3, 1.4616321449683623}},
};

static bool check_one(const one *it, uint64_t points)
{
    mpfr_t x, exact;
    mpfr_inits2(BITS, x, exact, (mpfr_ptr)0);
    worst found = {0, 0, 0};
    int hard = 0;
    while (it->hard[hard] != 0)
        hard++;
    for (uint64_t n = 0; n < points + 2 * (uint64_t)hard; n++) {
        const double at = n < (uint64_t)hard       ? it->hard[n]
                          : n < 2 * (uint64_t)hard ? near(it->hard[n - (uint64_t)hard])
                                                   : it->point(n);
        mpfr_set_d(x, at, MPFR_RNDN);
        it->exact(exact, x, MPFR_RNDN);
        take(&found, error_of(it->ours(at), exact), at, 0);
    }
    mpfr_clears(x, exact, (mpfr_ptr)0);
    return report(it->name, points + 2 * (uint64_t)hard, found, it->bound);
}

// ---- functions of two numbers ------------------------------------------------------------------

static void for_pow(uint64_t n, double *x, double *y)
{
    *x = n % 3 ? uniform(0.01, 10) : of_size(-1074, 1023);
    const double most = 744 / fabs(log(*x));
    *y = n % 5 == 0 ? (double)(int)uniform(-20, 20) : uniform(-most, most);
    if (n % 7 == 0) {
        *x = 1 + signed_size(-52, -2);
        *y = uniform(-740, 740) / log1p(*x - 1);
    }
}

static void for_plane(uint64_t n, double *x, double *y)
{
    *x = n % 3 ? uniform(-2, 2) : signed_size(-1070, 1022);
    *y = n % 3 == 1 ? uniform(-2, 2) : *x * signed_size(-70, 70);
    if (n % 11 == 0)
        *y = signed_size(-1070, 1022);
}

static double by_angle(double x, double y)
{
    return cfpci_atan2(y, x);
}

static int exact_angle(mpfr_t to, mpfr_t x, mpfr_t y, mpfr_rnd_t round)
{
    return mpfr_atan2(to, y, x, round);
}

typedef struct two {
    const char *name;
    double (*ours)(double, double);
    int (*exact)(mpfr_t, mpfr_t, mpfr_t, mpfr_rnd_t);
    void (*point)(uint64_t, double *, double *);
} two;

#define EXACT_TWO(name) ((int (*)(mpfr_t, mpfr_t, mpfr_t, mpfr_rnd_t))mpfr_##name)

static const two twos[] = {
    {"pow", cfpci_pow, EXACT_TWO(pow), for_pow},
    {"atan2", by_angle, exact_angle, for_plane},
    {"hypot", cfpci_hypot, EXACT_TWO(hypot), for_plane},
};

static bool check_two(const two *it, uint64_t points)
{
    mpfr_t x, y, exact;
    mpfr_inits2(BITS, x, y, exact, (mpfr_ptr)0);
    worst found = {0, 0, 0};
    for (uint64_t n = 0; n < points; n++) {
        double a, b;
        it->point(n, &a, &b);
        mpfr_set_d(x, a, MPFR_RNDN);
        mpfr_set_d(y, b, MPFR_RNDN);
        it->exact(exact, x, y, MPFR_RNDN);
        take(&found, error_of(it->ours(a, b), exact), a, b);
    }
    mpfr_clears(x, y, exact, (mpfr_ptr)0);
    return report(it->name, points, found, 0.51);
}

// ---- complex functions -------------------------------------------------------------------------

// The distance of ours from (re, im), in ulp of the modulus of that.
static double complex_error(double complex ours, mpfr_t re, mpfr_t im)
{
    mpfr_t size, apart_re, apart_im;
    mpfr_inits2(BITS, size, apart_re, apart_im, (mpfr_ptr)0);
    mpfr_hypot(size, re, im, MPFR_RNDN);
    const double ulp = ulp_of(size);
    mpfr_sub_d(apart_re, re, creal(ours), MPFR_RNDN);
    mpfr_sub_d(apart_im, im, cimag(ours), MPFR_RNDN);
    mpfr_hypot(size, apart_re, apart_im, MPFR_RNDN);
    mpfr_div_d(size, size, ulp, MPFR_RNDN);
    const double error = mpfr_get_d(size, MPFR_RNDN);
    mpfr_clears(size, apart_re, apart_im, (mpfr_ptr)0);
    return isnan(error) ? INFINITY : error;
}

static bool check_cexp(uint64_t points)
{
    mpfr_t x, y, re, im;
    mpfr_inits2(BITS, x, y, re, im, (mpfr_ptr)0);
    worst found = {0, 0, 0};
    for (uint64_t n = 0; n < points; n++) {
        const double a = n % 2 ? uniform(-740, 709) : signed_size(-60, 9), b = for_circle(n);
        mpfr_set_d(x, a, MPFR_RNDN);
        mpfr_set_d(y, b, MPFR_RNDN);
        mpfr_exp(x, x, MPFR_RNDN);
        mpfr_sin_cos(im, re, y, MPFR_RNDN);
        mpfr_mul(re, re, x, MPFR_RNDN);
        mpfr_mul(im, im, x, MPFR_RNDN);
        take(&found, complex_error(cfpci_cexp(cfpci_complex(a, b)), re, im), a, b);
    }
    mpfr_clears(x, y, re, im, (mpfr_ptr)0);
    return report("cexp", points, found, 0.75);
}

static void for_clog(uint64_t n, double *a, double *b)
{
    if (n % 3 == 0) { // near the unit circle
        const double angle = uniform(-3.2, 3.2), size = 1 + signed_size(-53, -1);
        *a = size * cos(angle);
        *b = size * sin(angle);
    } else if (n % 3 == 1) { // near 1
        *a = 1 + signed_size(-53, -1);
        *b = signed_size(-60, -1);
    } else
        for_plane(n, a, b);
}

static bool check_clog(uint64_t points)
{
    mpfr_t x, y, re, im;
    mpfr_inits2(3 * BITS, x, y, re, im, (mpfr_ptr)0);
    worst found = {0, 0, 0};
    for (uint64_t n = 0; n < points; n++) {
        double a, b;
        for_clog(n, &a, &b);
        mpfr_set_d(x, a, MPFR_RNDN);
        mpfr_set_d(y, b, MPFR_RNDN);
        mpfr_atan2(im, y, x, MPFR_RNDN);
        mpfr_hypot(re, x, y, MPFR_RNDN);
        mpfr_log(re, re, MPFR_RNDN);
        take(&found, complex_error(cfpci_clog(cfpci_complex(a, b)), re, im), a, b);
    }
    mpfr_clears(x, y, re, im, (mpfr_ptr)0);
    return report("clog", points, found, 0.75);
}

int main(int count, char **given)
{
    const uint64_t points = count > 1 ? strtoull(given[1], NULL, 10) : 1000000;
    state = count > 2 ? strtoull(given[2], NULL, 10) : 1;
    mpfr_set_emin(-100000);
    bool right = true;
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
        right &= check_one(&ones[i], points);
    for (size_t i = 0; i < sizeof twos / sizeof *twos; i++)
        right &= check_two(&twos[i], points);
    right &= check_cexp(points);
    right &= check_clog(points);
    mpfr_free_cache();
    return right ? 0 : 1;
}
