// SPDX-License-Identifier: Apache-2.0
// Dense algebra without memory for what it works in: it says so, and frees what it has.
#include "dense_matrices.h"
#include "design/algebra/dense.h"
#include "failing_memory.h"

enum { N = 9 };

static double a[N * N], b[N * N], c[N * N], d[N * N];

typedef cfpc_status operation(void);

static cfpc_status qr(void)
{
    return cfpci_dense_qr(N, N, a, b);
}

static cfpc_status svd(void)
{
    return cfpci_dense_svd(N, N, a, b, c, d);
}

static cfpc_status two_norm(void)
{
    return cfpci_dense_two_norm(N, a, b);
}

static cfpc_status symmetric(void)
{
    return cfpci_dense_symmetric(N, a, b);
}

static cfpc_status eigenvalues(void)
{
    return cfpci_dense_eigenvalues(N, a, b, c);
}

static cfpc_status modes(void)
{
    return cfpci_dense_modes(N, a, b, c, d);
}

static cfpc_status cholesky(void)
{
    for (int i = 0; i < N; i++)
        a[i * N + i] = N;
    return cfpci_dense_cholesky(N, a);
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
