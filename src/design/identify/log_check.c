// SPDX-License-Identifier: Apache-2.0
// log_check: what a log must have before anything can be identified from it.
#include <math.h>
#include <stdlib.h>

#include "cfpc/identify.h"
#include "math/order.h"

enum { EARLIER = 4 }; // values: two for each sinusoid

static const double largest = 1e120;          // numbers whose powers can be computed with
static const double left_of_sinusoids = 1e-3; // of the power that may be left
static const double determined = 1e-9;        // of a column that those before it leave: nothing

// ---- more than two sinusoids -----------------------------------------------------------------

static double log_check_product(int32_t count, const double *a, const double *b)
{
    double sum = 0;
    for (int32_t n = 0; n < count; n++)
        sum += a[n] * b[n];
    return sum;
}

// The fraction of x's power that four earlier values, `apart` steps apart, do not explain; room is
// for five columns.
static double left_of(int32_t count, const double *x, int32_t apart, double *room)
{
    const int32_t rows = count - EARLIER * apart;
    double *columns[EARLIER + 1];
    for (int j = 0; j <= EARLIER; j++) {
        double *column = columns[j] = room + (size_t)j * (size_t)rows;
        for (int32_t n = 0; n < rows; n++)
            column[n] = x[n + j * apart];
        const double before = log_check_product(rows, column, column);
        for (int k = 0; k < j; k++) { // less what is along those before it, of length 1
            const double along = log_check_product(rows, columns[k], column);
            for (int32_t n = 0; n < rows; n++)
                column[n] -= along * columns[k][n];
        }
        const double after = log_check_product(rows, column, column);
        if (j == EARLIER)
            return before > 0 ? after / before : 0;
        const double scale = after > determined * before ? 1 / sqrt(after) : 0;
        for (int32_t n = 0; n < rows; n++)
            column[n] *= scale;
    }
    return 0;
}

// Two sinusoids follow exactly from four earlier values a quarter of a period apart, and nothing
// that excites more does.
static cfpc_status excites(bool *does, int32_t count, const double *input)
{
    double *x = calloc((size_t)(EARLIER + 2) * (size_t)count + 1, sizeof *x), mean = 0;
    *does = false;
    if (!x)
        return CFPC_NO_MEMORY;
    for (int32_t n = 0; n < count; n++)
        mean += input[n] / count;
    for (int32_t n = 0; n < count; n++)
        x[n] = input[n] - mean;
    // Where the autocorrelation first falls below 0, a quarter of a period for a sinusoid; less for
    // a slow one, so that most of the log has four earlier values.
    int32_t lag = 1;
    while (lag < count / (10 * EARLIER) && log_check_product(count - lag, x, x + lag) > 0)
        lag++;
    *does = left_of(count, x, lag, x + count) > left_of_sinusoids;
    free(x);
    return CFPC_OK;
}

// ---- the log ---------------------------------------------------------------------------------

static bool moves(const double *x, int32_t from, int32_t to)
{
    for (int32_t n = from + 1; n < to; n++)
        if (x[n] != x[from])
            return true;
    return false;
}

cfpc_status cfpc_log_check(const cfpc_log *log, double estimation, cfpc_log_flaw *flaw)
{
    *flaw = (cfpc_log_flaw){.kind = CFPC_LOG_SOUND};
    if (!log || !log->input || !log->output)
        return CFPC_MISSING;
    if (!(estimation >= 0) || !(estimation <= 1))
        return CFPC_BAD_VALUE;
    const double *signals[] = {log->input, log->output};
    const int32_t middle = (int32_t)(estimation * log->steps);
    if (log->steps < CFPC_LOG_STEPS) {
        flaw->kind = CFPC_LOG_SHORT;
        return CFPC_OK;
    }
    for (int i = 0; i < 2; i++) {
        flaw->value = 0;
        for (int32_t n = 0; n < log->steps; n++)
            flaw->value = cfpci_max(flaw->value, fabs(signals[i][n]));
        if (flaw->value == 0 || (flaw->value <= largest && flaw->value >= 1 / largest))
            continue;
        flaw->kind = CFPC_LOG_MAGNITUDE;
        flaw->is_output = i == 1;
        return CFPC_OK;
    }
    for (int part = 0; part < 2; part++)
        for (int i = 0; i < 2; i++) {
            const int32_t from = part == 0 ? 0 : middle, to = part == 0 ? middle : log->steps;
            if (to - from < 2 || moves(signals[i], from, to))
                continue;
            *flaw = (cfpc_log_flaw){.kind = CFPC_LOG_CONSTANT,
                                    .is_output = i == 1,
                                    .is_held_back = part == 1,
                                    .step = from,
                                    .value = signals[i][from]};
            return CFPC_OK;
        }
    bool does;
    const cfpc_status status = excites(&does, log->steps, log->input);
    if (status == CFPC_OK && !does)
        flaw->kind = CFPC_LOG_FREQUENCIES;
    return status;
}
