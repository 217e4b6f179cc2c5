// SPDX-License-Identifier: Apache-2.0
// Dense algebra beside LAPACK's, operation by operation, at the sizes that experiments
// and identification have. Prints JSON: for each case the processor time of ours over
// LAPACK's, for each repeat, and the microseconds of a call of each.   bench_dense REPEATS
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "dense_twins.h"
#include "design/dense_matrices.h"

#define OURS(operation) .operation = cfpci_dense_##operation,
#define LAPACKS(operation) .operation = bench_lapack_##operation,
static const dense_twin twins[TWINS] = {{.name = "LAPACK", DENSE_OPERATIONS(LAPACKS)},
                                        {.name = "ours", DENSE_OPERATIONS(OURS)}};

enum { MAX_REPEATS = 1001, MOST = 1000 * 130, BATCH_NS = 2000000 };

typedef struct task task;
typedef cfpc_status operation(const dense_twin *twin, const task *of);

// What a case works on; a and b are copied anew for every call.
struct task {
    const char *name;
    operation *call;
    int32_t m, n, k;
    enum { RANDOM_MATRIX, HANKEL_MATRIX, BASES_MATRIX, DEFINITE_MATRIX } kind;
};

static double a[MOST], b[MOST], work_a[MOST], work_b[MOST], out_1[MOST], out_2[MOST], out_3[MOST];

static cfpc_status multiply(const dense_twin *twin, const task *of)
{
    twin->multiply(of->m < 0, of->m < 0 ? -of->m : of->m, of->n, of->k, work_a, work_b, 0, out_1);
    return CFPC_OK;
}

static cfpc_status gram(const dense_twin *twin, const task *of)
{
    twin->add_gram(of->n, of->m, work_a, out_1);
    return CFPC_OK;
}

static cfpc_status qr(const dense_twin *twin, const task *of)
{
    return twin->qr(of->m, of->n, work_a, out_1);
}

static cfpc_status svd(const dense_twin *twin, const task *of)
{
    return twin->svd(of->m, of->n, work_a, out_1, out_2, out_3);
}

static cfpc_status two_norm(const dense_twin *twin, const task *of)
{
    return twin->two_norm(of->n, work_a, out_1);
}

static cfpc_status symmetric(const dense_twin *twin, const task *of)
{
    return twin->symmetric(of->n, work_a, out_1);
}

static cfpc_status eigenvalues(const dense_twin *twin, const task *of)
{
    return twin->eigenvalues(of->n, work_a, out_1, out_2);
}

static cfpc_status modes(const dense_twin *twin, const task *of)
{
    return twin->modes(of->n, work_a, out_1, out_2, out_3);
}

static cfpc_status solve(const dense_twin *twin, const task *of)
{
    return twin->solve(of->n, of->k, work_a, work_b);
}

static cfpc_status cholesky(const dense_twin *twin, const task *of)
{
    return twin->cholesky(of->n, work_a);
}

static cfpc_status solve_lower(const dense_twin *twin, const task *of)
{
    return twin->solve_lower(false, of->n, of->k, work_a, work_b);
}

static const task tasks[] = {
    {"multiply_6", multiply, 6, 6, 6, RANDOM_MATRIX},
    {"multiply_26", multiply, 26, 26, 26, RANDOM_MATRIX},
    {"multiply_26_240", multiply, -26, 26, 240, RANDOM_MATRIX},
    {"multiply_128_1000", multiply, -128, 128, 1000, RANDOM_MATRIX},
    {"gram_250", gram, 250, 250, 0, RANDOM_MATRIX},
    {"qr_240_9", qr, 240, 9, 0, BASES_MATRIX},
    {"qr_240_26", qr, 240, 26, 0, BASES_MATRIX},
    {"qr_1000_129", qr, 1000, 129, 0, BASES_MATRIX},
    {"svd_9", svd, 9, 9, 0, RANDOM_MATRIX},
    {"svd_26", svd, 26, 26, 0, RANDOM_MATRIX},
    {"svd_128", svd, 128, 128, 0, RANDOM_MATRIX},
    {"svd_hankel_300", svd, 300, 300, 0, HANKEL_MATRIX},
    {"two_norm_26", two_norm, 26, 26, 0, RANDOM_MATRIX},
    {"symmetric_9", symmetric, 9, 9, 0, RANDOM_MATRIX},
    {"symmetric_26", symmetric, 26, 26, 0, RANDOM_MATRIX},
    {"symmetric_128", symmetric, 128, 128, 0, RANDOM_MATRIX},
    {"eigenvalues_9", eigenvalues, 9, 9, 0, RANDOM_MATRIX},
    {"eigenvalues_26", eigenvalues, 26, 26, 0, RANDOM_MATRIX},
    {"eigenvalues_128", eigenvalues, 128, 128, 0, RANDOM_MATRIX},
    {"modes_12", modes, 12, 12, 0, RANDOM_MATRIX},
    {"modes_40", modes, 40, 40, 0, RANDOM_MATRIX},
    {"solve_6", solve, 6, 6, 1, DEFINITE_MATRIX},
    {"solve_48", solve, 48, 48, 48, DEFINITE_MATRIX},
    {"cholesky_120", cholesky, 120, 120, 0, DEFINITE_MATRIX},
    {"solve_lower_120", solve_lower, 120, 120, 120, DEFINITE_MATRIX},
};

static double entry(const task *of, int32_t i, int32_t j, uint64_t *state)
{
    const double x = drawn(state);
    switch (of->kind) {
    case RANDOM_MATRIX:
        return x;
    case HANKEL_MATRIX:
        return matrix_entry(HANKEL, of->m, of->n, i, j, state);
    case BASES_MATRIX: // Gaussians in time
        return exp(-0.5 * pow((i - (j + 0.5) * of->m / of->n) / (2.0 * of->m / of->n), 2));
    default:
        return i == j ? of->n : x;
    }
}

static size_t entries_a, entries_b;

static void prepare(const task *of)
{
    uint64_t state = 1;
    const int32_t rows = of->call == multiply ? (of->m < 0 ? -of->m : of->m) : of->m;
    const int32_t columns = of->call == multiply ? of->k : of->n;
    const bool by_columns = of->call == qr;
    entries_a = (size_t)rows * (size_t)columns;
    entries_b = (size_t)(of->call == multiply ? of->k : of->n) *
                (size_t)(of->call == multiply ? of->n : of->k);
    for (int32_t i = 0; i < rows; i++)
        for (int32_t j = 0; j < columns; j++)
            a[by_columns ? j * rows + i : i * columns + j] = entry(of, i, j, &state);
    for (size_t i = 0; i < entries_b; i++)
        b[i] = drawn(&state);
}

// What asking for the time takes itself.
static double clock_s(void)
{
    double times[101];
    for (int i = 0; i < 101; i++) {
        const double start = thread_s();
        times[i] = thread_s() - start;
    }
    return median(101, times);
}

// Seconds of a call, the copies of what it destroys not counted.
static double call_s(const dense_twin *twin, const task *of, int calls)
{
    const double clock = clock_s();
    double sum = 0;
    for (int i = 0; i < calls; i++) {
        memcpy(work_a, a, entries_a * sizeof *a);
        memcpy(work_b, b, entries_b * sizeof *b);
        const double start = thread_s();
        if (of->call(twin, of) != CFPC_OK)
            exit(1);
        sum += fmax(thread_s() - start - clock, 1e-9);
    }
    return sum / calls;
}

static void measure(const task *of, int repeats, double *ratios, double *us)
{
    double times[TWINS][MAX_REPEATS];
    prepare(of);
    const double once = call_s(&twins[1], of, 2);
    const int calls = once > 1e-9 * BATCH_NS ? 1 : (int)fmin(200, 1 + 1e-9 * BATCH_NS / once);
    for (int r = 0; r < repeats; r++) {
        for (int t = 0; t < TWINS; t++)
            times[t][r] = call_s(&twins[t], of, calls);
        ratios[r] = times[1][r] / times[0][r];
    }
    for (int t = 0; t < TWINS; t++)
        us[t] = 1e6 * median(repeats, times[t]);
}

int main(int count, char **words)
{
    const int repeats = count > 1 ? atoi(words[1]) : 15;
    double ratios[MAX_REPEATS], us[TWINS];
    if (repeats < 1 || repeats > MAX_REPEATS) {
        fprintf(stderr, "bench_dense: REPEATS is 1 to %d\n", MAX_REPEATS);
        return 1;
    }
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
        measure(&tasks[i], repeats, ratios, us);
        printf("%s\"%s\": {\"ratio\": %.4g, \"lapack_us\": %.4g, \"ours_us\": %.4g}",
               i == 0 ? "{" : ",\n ", tasks[i].name, median(repeats, ratios), us[0], us[1]);
    }
    puts("}");
    return 0;
}
