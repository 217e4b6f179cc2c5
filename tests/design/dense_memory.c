// SPDX-License-Identifier: Apache-2.0
// BLAS without memory: it is told once by who can, and what cannot tell it is computed all the
// same. And BLAS without threads.
#define _GNU_SOURCE // RTLD_DEFAULT
#include <dirent.h>
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <math.h>

#include "design/dense.h"
#include "design/dense_product.h"
#include "harness.h"

// ---- memory that runs out --------------------------------------------------------------------

static bool out_of_memory;

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return out_of_memory ? NULL : __real_malloc(size);
}

static void no_buffer_is_told_once(void **state)
{
    (void)state;
    double a[] = {4}, re[1], im[1], out[1];
    if (!dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))
        skip(); // another BLAS has no such buffer
    out_of_memory = true;
    cfpci_dense_multiply(false, 1, 1, 1, a, a, 0, out); // cannot tell
    out_of_memory = false;
    assert_near(out[0], 16, 0);
    assert_int_equal(cfpci_dense_eigenvalues(1, a, re, im), CFPC_NO_MEMORY);
    assert_int_equal(cfpci_dense_eigenvalues(1, a, re, im), CFPC_OK);
    assert_near(re[0], 4, 0);
}

// ---- threads ---------------------------------------------------------------------------------

static int threads(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks)
        return 0; // not Linux
    for (const struct dirent *it = readdir(tasks); it; it = readdir(tasks))
        count += it->d_name[0] != '.';
    closedir(tasks);
    return count;
}

// They would only wait, and a thread of OpenBLAS waits busily.
static void threads_that_a_fork_ended_are_not_started_again(void **state)
{
    (void)state;
    const double a[] = {4};
    double out[1];
    cfpci_dense_multiply(false, 1, 1, 1, a, a, 0, out);
    const pid_t child = fork(); // OpenBLAS ends its threads before it
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    const int before = threads();
    cfpci_dense_multiply(false, 1, 1, 1, a, a, 0, out);
    assert_int_equal(threads(), before);
}

// ---- the plain twins -------------------------------------------------------------------------

enum { M = 5, N = 7, K = 4 };

static void fill(int count, double *values, int seed)
{
    for (int i = 0; i < count; i++)
        values[i] = (double)((i * 37 + seed * 11) % 23 - 11); // whole numbers: every sum is exact
}

static void plain_products_are_those_of_blas(void **state)
{
    (void)state;
    double a[M * K], b[K * N], plain[M * N], blas[M * N];
    fill(M * K, a, 1);
    fill(K * N, b, 2);
    for (int transpose = 0; transpose < 2; transpose++)
        for (int beta = 0; beta < 3; beta++) {
            fill(M * N, plain, 3);
            fill(M * N, blas, 3);
            cfpci_dense_plain_multiply(transpose, M, N, K, a, b, beta, plain);
            cfpci_dense_multiply(transpose, M, N, K, a, b, beta, blas);
            assert_memory_equal(plain, blas, sizeof plain);
        }
}

static void plain_gram_is_that_of_blas(void **state)
{
    (void)state;
    double a[K * N], plain[N * N], blas[N * N];
    fill(K * N, a, 1);
    fill(N * N, plain, 2);
    fill(N * N, blas, 2);
    cfpci_dense_plain_gram(N, K, a, plain);
    cfpci_dense_add_gram(N, K, a, blas);
    assert_memory_equal(plain, blas, sizeof plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_buffer_is_told_once), // the first: before any call
        cmocka_unit_test(threads_that_a_fork_ended_are_not_started_again),
        cmocka_unit_test(plain_products_are_those_of_blas),
        cmocka_unit_test(plain_gram_is_that_of_blas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
