// SPDX-License-Identifier: Apache-2.0
// The plain dense algebra without memory for what it works in: it says so, and frees what it has.
#include "dense_matrices.h"
#include "dense_twins.h"
#include "failing_memory.h"

enum { N = 9 };

static const dense_twin *plain = &twins[TWINS - 1];

static double a[N * N], b[N * N], c[N * N], d[N * N];

typedef cfpc_status operation(void);

static cfpc_status qr(void)
{
    return plain->qr(N, N, a, b);
}

static cfpc_status svd(void)
{
    return plain->svd(N, N, a, b, c, d);
}

static cfpc_status two_norm(void)
{
    return plain->two_norm(N, a, b);
}

static cfpc_status symmetric(void)
{
    return plain->symmetric(N, a, b);
}

static cfpc_status eigenvalues(void)
{
    return plain->eigenvalues(N, a, b, c);
}

static cfpc_status modes(void)
{
    return plain->modes(N, a, b, c, d);
}

static cfpc_status cholesky(void)
{
    for (int i = 0; i < N; i++)
        a[i * N + i] = N;
    return plain->cholesky(N, a);
}

static operation *const operations[] = {qr, svd, two_norm, symmetric, eigenvalues, modes, cholesky};

static int call(const void *context)
{
    uint64_t state = 1;
    for (int i = 0; i < N * N; i++)
        a[i] = drawn(&state);
    return (*(operation *const *)context)();
}

static void without_memory_it_says_so(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        assert_true(fail_every_allocation(call, &operations[i], CFPC_NO_MEMORY) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(without_memory_it_says_so)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
