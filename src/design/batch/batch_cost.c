// SPDX-License-Identifier: Apache-2.0
// The cost of the forms of batch learning: multiply-adds and bytes are counted and converted to
// seconds with constants measured on one machine (x86-64 Xeon at 2.1 GHz, one thread, with OpenBLAS
// at that time). Only the order of the costs matters: bench_batch, which prints them beside the
// measured ones, found 1.2 to 2 times as much of each on a Xeon at 2.5 GHz with the algebra of now,
// and the cheapest form chosen at all sizes.
#include <float.h>
#include <math.h>

#include "batch/table_pass.h"
#include "cfpc/batch.h"
#include "math/order.h"
#include "system/given.h"

#define PASS_S 0.14e-9   // a multiply-add with an entry of X
#define SQUARE_S 0.25e-9 // a multiply-add of a matrix and a vector
#define HEAVY_S 0.065e-9 // a multiply-add of two matrices
#define QR_S 0.15e-9     // a multiply-add of a factorisation
#define BYTE_S 0.07e-9   // a byte from memory
#define FRESH_S 1.5e-9   // a byte of memory that is touched for the first time
#define COPY_S 3e-9      // an entry of a table that is transposed
#define WRITE_S 5e-9     // an entry of X that cfpc_write_bases writes: an exponential
#define STEP_S 14e-9     // a step of a filter over one signal
#define ENTRY_S 0.8e-9   // an entry of its matrix in that step
#define WIDE_S 0.5e-9    // an entry of its matrix in a step, for one of many signals
#define CACHE 2e6        // maximum size in bytes of a table that stays in a cache between trials

// Sizes as doubles: the counts outgrow integers.
typedef struct sizes {
    double n, g, k;     // steps, bases, the smaller of the two
    double entries;     // N G
    double entry_bytes; // of one entry of X
    double reads;       // of X in a pass
    double trials;      // after the first
    double path;        // entries of the path's matrix that are not zero
    double trace;       // of the trace's
    bool is_h;          // Z = H
    bool is_run;        // Z must be run
    bool is_written;    // X is not held
    bool is_copied;     // X is not a table of doubles by steps
} sizes;

static double entries_of(const cfpc_system *sys)
{
    double count = 0;
    for (int32_t k = 0; k < cfpc_system_rows(sys) * cfpc_system_columns(sys); k++)
        count += sys->matrix[k] != 0;
    return count;
}

static sizes batch_cost_sizes_of(const cfpc_batch_def *def)
{
    const cfpc_bases *x = &def->bases;
    const bool by_bases = x->write || x->order == CFPC_BY_BASES;
    const bool is_h = cfpci_same_system(def->path, def->trace);
    return (sizes){.n = x->steps,
                   .g = x->count,
                   .k = cfpci_min(x->steps, x->count),
                   .entries = (double)x->steps * x->count,
                   .entry_bytes = x->floats ? sizeof(float) : sizeof(double),
                   .reads = x->write   ? 0
                            : by_bases ? 1
                                       : 2,
                   .trials = def->trials - 1.0,
                   .path = entries_of(def->path),
                   .trace = entries_of(def->trace),
                   .is_h = is_h,
                   .is_run = !is_h && cfpci_pure_delay(def->trace) < 0,
                   .is_written = x->write != NULL,
                   .is_copied = !x->doubles || by_bases};
}

// Time in seconds for multiply-adds that read a table: the larger of computing and reading.
static double seconds(double multiply_adds, double each_s, double table, double reads)
{
    return cfpci_max(multiply_adds * each_s, table > CACHE ? reads * table * BYTE_S : 0);
}

// ---- parts that forms share ------------------------------------------------------------------

static double pass_seconds(const sizes *sizes)
{
    return seconds(2 * sizes->entries, PASS_S, sizes->entries * sizes->entry_bytes, sizes->reads) +
           (sizes->is_written ? sizes->entries * WRITE_S : 0);
}

// The filter over o and that over the error.
static double filter_seconds(const sizes *sizes)
{
    return sizes->n * (2 * STEP_S + (sizes->path + sizes->trace) * ENTRY_S);
}

static double filter_multiply_adds(const sizes *sizes)
{
    return sizes->n * ((sizes->trials + 1) * sizes->path + sizes->trials * sizes->trace);
}

// ---- the forms -------------------------------------------------------------------------------

// Reflection j of a QR of (N x G + 1) passes twice over the G - j later columns, of length N - j.
static double qr_multiply_adds(const sizes *sizes)
{
    const double k = sizes->k, sum_j = k * (k - 1) / 2, sum_jj = sum_j * (2 * k - 1) / 3;
    return 2 * (k * sizes->entries - (sizes->n + sizes->g) * sum_j + sum_jj);
}

static void factored(cfpc_batch_cost *cost, const sizes *sizes)
{
    const double run = sizes->entries * (sizes->path + (sizes->is_run ? sizes->trace : 0));
    const double qr = qr_multiply_adds(sizes),
                 squared = sizes->is_h ? 0 : sizes->entries * sizes->g;
    const double seen = sizes->is_h ? 0 : sizes->entries; // Zᵀe0
    const double error = sizes->k * sizes->g, update = sizes->is_h ? error : sizes->g * sizes->g;
    cost->multiply_adds =
        run + qr + squared + seen + (sizes->trials + 1) * error + sizes->trials * update;
    cost->bytes_read = sizeof(double) * ((sizes->trials + 1) * error + sizes->trials * update);
    cost->bytes_held = sizeof(double) * (sizes->entries * (sizes->is_copied + 1 + 1) + error +
                                         (sizes->is_h ? 0 : update) + 3 * sizes->g + 2 * sizes->k);
    cost->set_up_s = run * WIDE_S + qr * QR_S + squared * HEAVY_S + seen * SQUARE_S +
                     sizes->entries * COPY_S + (sizes->is_written ? sizes->entries * WRITE_S : 0);
    cost->trial_s = seconds(error + update, SQUARE_S, sizeof(double) * (error + update), 1);
}

static void dual(cfpc_batch_cost *cost, const sizes *sizes)
{
    const double half = sizes->n * (sizes->n + 1) / 2;
    cost->multiply_adds = filter_multiply_adds(sizes) + half * sizes->g +
                          sizes->trials * sizes->n * sizes->n + 2 * sizes->entries;
    cost->bytes_read =
        sizes->trials * half * sizeof(double) + sizes->reads * sizes->entries * sizes->entry_bytes;
    cost->bytes_held += sizeof(double) * (sizes->n * sizes->n + 2 * sizes->n);
    cost->set_up_s = half * (sizes->g * HEAVY_S + sizeof(double) * FRESH_S) +
                     sizes->entries * SQUARE_S + (sizes->is_written ? sizes->entries * WRITE_S : 0);
    cost->trial_s =
        filter_seconds(sizes) + seconds(sizes->n * sizes->n, SQUARE_S, half * sizeof(double), 1);
    cost->weights_s = pass_seconds(sizes);
}

// ---- asking ----------------------------------------------------------------------------------

static bool is_siso(const cfpc_system *sys)
{
    return sys->inputs == 1 && sys->outputs == 1 && sys->step_s != 0;
}

cfpc_status cfpc_batch_predict(cfpc_batch_cost *cost, const cfpc_batch_def *def,
                               cfpc_batch_form form)
{
    *cost = (cfpc_batch_cost){0};
    if (!def)
        return CFPC_MISSING;
    if (def->bases.steps < 1 || def->bases.count < 1 || def->trials < 1 || def->threads < 1)
        return CFPC_BAD_SIZE;
    if (!cfpci_given(def->path) || !cfpci_given(def->trace))
        return CFPC_MISSING;
    const double path_s = def->path->step_s, trace_s = def->trace->step_s;
    if (!is_siso(def->path) || !is_siso(def->trace) ||
        (path_s > 0 && trace_s > 0 && path_s != trace_s))
        return CFPC_BAD_SHAPE;
    if ((def->bases.order != CFPC_BY_STEPS && def->bases.order != CFPC_BY_BASES) ||
        !(def->max_bytes >= 0))
        return CFPC_BAD_VALUE;
    const sizes sizes = batch_cost_sizes_of(def);
    cost->bytes_held = cfpci_pass_bytes(&def->bases, def->threads) +
                       sizeof(double) * (4 * sizes.n + (form == CFPC_BATCH_PRIMAL ? sizes.g : 0));
    if (form == CFPC_BATCH_PRIMAL) {
        cost->multiply_adds = filter_multiply_adds(&sizes) + sizes.trials * 2 * sizes.entries;
        cost->bytes_read = sizes.trials * sizes.reads * sizes.entries * sizes.entry_bytes;
        cost->trial_s = filter_seconds(&sizes) + pass_seconds(&sizes);
    } else if (form == CFPC_BATCH_FACTORED)
        factored(cost, &sizes);
    else if (form == CFPC_BATCH_DUAL)
        dual(cost, &sizes);
    else
        return CFPC_BAD_VALUE;
    cost->total_s = cost->set_up_s + sizes.trials * cost->trial_s + cost->weights_s;
    return CFPC_OK;
}

cfpc_status cfpc_batch_choose(cfpc_batch_form *form, const cfpc_batch_def *def)
{
    static const cfpc_batch_form forms[] = {CFPC_BATCH_PRIMAL, CFPC_BATCH_FACTORED,
                                            CFPC_BATCH_DUAL};
    double least = DBL_MAX;
    *form = CFPC_BATCH_PRIMAL;
    for (int k = 0; k < 3; k++) {
        cfpc_batch_cost cost;
        const cfpc_status status = cfpc_batch_predict(&cost, def, forms[k]);
        if (status != CFPC_OK)
            return status;
        const bool fits = def->max_bytes == 0 || cost.bytes_held <= def->max_bytes;
        if (cost.total_s < least && (fits || forms[k] == CFPC_BATCH_PRIMAL)) {
            least = cost.total_s;
            *form = forms[k];
        }
    }
    return CFPC_OK;
}
