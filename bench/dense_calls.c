// SPDX-License-Identifier: Apache-2.0
// Every call of dense algebra that a command makes, done by both twins on the same numbers. Linked
// into the command (--wrap), it goes on with LAPACK's results and adds what each call took to the
// file named by CFPC_DENSE_CALLS when the command ends: operation, calls, seconds by LAPACK,
// seconds by the plain twin.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "design/dense_twins.h"

enum operation {
#define NUMBER(operation) DENSE_##operation,
    DENSE_OPERATIONS(NUMBER) OPERATIONS
};

#define NAME(operation) #operation,
static const char *const names[] = {DENSE_OPERATIONS(NAME)};

#define REAL(operation) __typeof__(cfpci_dense_##operation) __real_cfpci_dense_##operation;
DENSE_OPERATIONS(REAL)
#define WRAP(operation) __typeof__(cfpci_dense_##operation) __wrap_cfpci_dense_##operation;
DENSE_OPERATIONS(WRAP)

static struct {
    long calls;
    double s[TWINS];
} taken[OPERATIONS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void report(void)
{
    const char *path = getenv("CFPC_DENSE_CALLS");
    FILE *file = path ? fopen(path, "a") : NULL;
    for (int i = 0; file && i < OPERATIONS; i++)
        fprintf(file, "%s,%ld,%.9g,%.9g\n", names[i], taken[i].calls, taken[i].s[0], taken[i].s[1]);
    if (file && fclose(file) != 0)
        perror(path);
}

// What asking for the time takes itself.
static double clock_s = 1;

static void begin(void)
{
    for (int i = 0; i < 1000; i++) {
        const double start = thread_s(), apart = thread_s() - start;
        clock_s = apart < clock_s ? apart : clock_s;
    }
    atexit(report);
}

static void add(enum operation what, const double *s)
{
    pthread_mutex_lock(&lock);
    taken[what].calls++;
    for (int t = 0; t < TWINS; t++)
        taken[what].s[t] += s[t] - clock_s;
    pthread_mutex_unlock(&lock);
}

static double *room(size_t count)
{
    double *to = malloc((count + 1) * sizeof *to);
    if (!to)
        abort();
    return to;
}

static double *square(int32_t n)
{
    return room((size_t)n * (size_t)n);
}

static double *copy(size_t count, const double *a)
{
    double *to = room(count);
    if (count > 0)
        memcpy(to, a, count * sizeof *to);
    return to;
}

// Which twin is first changes from call to call: the second one finds the caches as the first left
// them.
static int first_twin(void)
{
    static atomic_uint count;
    pthread_once(&once, begin);
    return (int)(atomic_fetch_add(&count, 1) % TWINS);
}

#define TIMED(what, lapack, plain)                                                                 \
    double s[TWINS];                                                                               \
    for (int i = 0, t = first_twin(); i < TWINS; i++, t = (t + 1) % TWINS) {                       \
        const double start = thread_s();                                                           \
        if (t == 0)                                                                                \
            lapack;                                                                                \
        else                                                                                       \
            plain;                                                                                 \
        s[t] = thread_s() - start;                                                                 \
    }                                                                                              \
    add(what, s)

void __wrap_cfpci_dense_multiply(bool transpose_a, int32_t m, int32_t n, int32_t k, const double *a,
                                 const double *b, double beta, double *out)
{
    double *other = copy((size_t)m * (size_t)n, out);
    TIMED(DENSE_multiply, __real_cfpci_dense_multiply(transpose_a, m, n, k, a, b, beta, out),
          cfpci_plain_multiply(transpose_a, m, n, k, a, b, beta, other));
    free(other);
}

void __wrap_cfpci_dense_add_gram(int32_t n, int32_t k, const double *a, double *out)
{
    double *other = copy((size_t)n * (size_t)n, out);
    TIMED(DENSE_add_gram, __real_cfpci_dense_add_gram(n, k, a, out),
          cfpci_plain_add_gram(n, k, a, other));
    free(other);
}

cfpc_status __wrap_cfpci_dense_qr(int32_t m, int32_t n, double *a, double *r)
{
    cfpc_status status = CFPC_OK;
    double *other = copy((size_t)m * (size_t)n, a), *out = square(n);
    TIMED(DENSE_qr, status = __real_cfpci_dense_qr(m, n, a, r), cfpci_plain_qr(m, n, other, out));
    free(other);
    free(out);
    return status;
}

cfpc_status __wrap_cfpci_dense_svd(int32_t m, int32_t n, double *a, double *u, double *s_out,
                                   double *vt)
{
    cfpc_status status = CFPC_OK;
    const size_t k = (size_t)(m < n ? m : n);
    double *other = copy((size_t)m * (size_t)n, a), *other_u = room((size_t)m * k);
    double *other_s = room(k), *other_vt = room(k * (size_t)n);
    TIMED(DENSE_svd, status = __real_cfpci_dense_svd(m, n, a, u, s_out, vt),
          cfpci_plain_svd(m, n, other, other_u, other_s, other_vt));
    free(other);
    free(other_u);
    free(other_s);
    free(other_vt);
    return status;
}

cfpc_status __wrap_cfpci_dense_two_norm(int32_t n, double *a, double *norm)
{
    cfpc_status status = CFPC_OK;
    double *other = copy((size_t)n * (size_t)n, a), other_norm;
    TIMED(DENSE_two_norm, status = __real_cfpci_dense_two_norm(n, a, norm),
          cfpci_plain_two_norm(n, other, &other_norm));
    free(other);
    return status;
}

cfpc_status __wrap_cfpci_dense_symmetric(int32_t n, double *a, double *values)
{
    cfpc_status status = CFPC_OK;
    double *other = copy((size_t)n * (size_t)n, a), *out = room((size_t)n);
    TIMED(DENSE_symmetric, status = __real_cfpci_dense_symmetric(n, a, values),
          cfpci_plain_symmetric(n, other, out));
    free(other);
    free(out);
    return status;
}

cfpc_status __wrap_cfpci_dense_eigenvalues(int32_t n, double *a, double *re, double *im)
{
    cfpc_status status = CFPC_OK;
    double *other = copy((size_t)n * (size_t)n, a), *out = room(2 * (size_t)n);
    TIMED(DENSE_eigenvalues, status = __real_cfpci_dense_eigenvalues(n, a, re, im),
          cfpci_plain_eigenvalues(n, other, out, out + n));
    free(other);
    free(out);
    return status;
}

cfpc_status __wrap_cfpci_dense_modes(int32_t n, double *a, double *re, double *im, double *v)
{
    cfpc_status status = CFPC_OK;
    double *other = copy((size_t)n * (size_t)n, a), *out = room(2 * (size_t)n),
           *other_v = square(n);
    TIMED(DENSE_modes, status = __real_cfpci_dense_modes(n, a, re, im, v),
          cfpci_plain_modes(n, other, out, out + n, other_v));
    free(other);
    free(out);
    free(other_v);
    return status;
}

cfpc_status __wrap_cfpci_dense_solve(int32_t n, int32_t columns, double *a, double *b)
{
    cfpc_status status = CFPC_OK;
    double *other = copy((size_t)n * (size_t)n, a), *right = copy((size_t)n * (size_t)columns, b);
    TIMED(DENSE_solve, status = __real_cfpci_dense_solve(n, columns, a, b),
          cfpci_plain_solve(n, columns, other, right));
    free(other);
    free(right);
    return status;
}

cfpc_status __wrap_cfpci_dense_cholesky(int32_t n, double *a)
{
    cfpc_status status = CFPC_OK;
    double *other = copy((size_t)n * (size_t)n, a);
    TIMED(DENSE_cholesky, status = __real_cfpci_dense_cholesky(n, a),
          cfpci_plain_cholesky(n, other));
    free(other);
    return status;
}

cfpc_status __wrap_cfpci_dense_solve_lower(bool transpose_l, int32_t n, int32_t columns,
                                           const double *l, double *b)
{
    cfpc_status status = CFPC_OK;
    double *right = copy((size_t)n * (size_t)columns, b);
    TIMED(DENSE_solve_lower, status = __real_cfpci_dense_solve_lower(transpose_l, n, columns, l, b),
          cfpci_plain_solve_lower(transpose_l, n, columns, l, right));
    free(right);
    return status;
}
