// SPDX-License-Identifier: Apache-2.0
// numbers_kernel: the functions of numbers.h for one precision. numbers.c includes it twice, with
// REAL the type of a number and NAMED(name) the name of a function.

static void NAMED(act)(const cfpc_zone_products *by, const cfpci_panel *of, const void *x,
                       const void *w, void *out)
{
    by->NAMED(act)(of, x, w, out);
}

static void NAMED(learn)(const cfpc_zone_products *by, const cfpci_panel *of, double keep,
                         const void *x, const void *d, void *w)
{
    by->NAMED(learn)(of, (REAL)keep, x, d, w);
}

// ---- numbers in and out ----------------------------------------------------------------------

static bool NAMED(are_finite)(const void *of, uint64_t count)
{
    const REAL *v = of;
    for (uint64_t k = 0; k < count; k++)
        if (v[k] - v[k] != 0)
            return false;
    return true;
}

static bool NAMED(from_doubles)(void *to, ptrdiff_t stride, const double *from, ptrdiff_t by,
                                int32_t count)
{
    bool finite = true;
    for (int32_t k = 0; k < count; k++) {
        const REAL v = (REAL)from[k * by];
        finite &= v - v == 0;
        if (to)
            ((REAL *)to)[k * stride] = v;
    }
    return finite;
}

static void NAMED(column_in)(void *to, ptrdiff_t stride, const cfpc_real *from, int32_t count)
{
    for (int32_t j = 0; j < count; j++)
        ((REAL *)to)[j * stride] = (REAL)from[j];
}

static void NAMED(column_out)(cfpc_real *to, const void *from, ptrdiff_t stride, int32_t count)
{
    for (int32_t j = 0; j < count; j++)
        to[j] = (cfpc_real)((const REAL *)from)[j * stride];
}

// ---- inputs ----------------------------------------------------------------------------------

static void NAMED(rows_in)(const cfpci_rows *of, void *to, const cfpc_real *from)
{
    for (int32_t n = 0; n < of->steps; n++) {
        const cfpc_real *x = from + n * of->stride;
        REAL *row = (REAL *)to + n * of->to_stride;
        for (int32_t j = 0; j < of->count; j++)
            row[j] = (REAL)x[j];
    }
}

static bool NAMED(rows_kept)(const cfpci_rows *of, void *to, const void *from)
{
    bool any = false;
    for (int32_t n = 0; n < of->steps; n++) {
        const REAL *x = (const REAL *)from + n * of->stride;
        REAL *row = (REAL *)to + n * of->to_stride;
        int32_t some = 0;
        for (int32_t j = 0; j < of->count; j++) {
            row[j] = x[j] - x[j] == 0 ? x[j] : 0;
            some |= row[j] != 0;
        }
        any |= some != 0;
    }
    return any;
}

// ---- filtered errors -------------------------------------------------------------------------

static bool NAMED(take_error)(void *to, cfpc_real error, bool *any)
{
    const REAL t = (REAL)error;
    const bool finite = t - t == 0;
    *(REAL *)to = finite ? t : 0;
    *any |= finite && t != 0;
    return finite;
}

#define add_layer NAMED(add_layer)
#define filter_some NAMED(filter_some)

// Adds a layer's part of the δ of some neighbouring cells. A constant count keeps the sums in
// registers.
static void add_layer(REAL *restrict sum, const REAL *restrict tap, const REAL *restrict t,
                      int32_t taps, int32_t cells, int32_t count)
{
    if (count == CELLS_AT_ONCE) {
        for (int32_t s = 0; s < taps; s++, tap += cells, t -= cells)
            for (int32_t p = 0; p < CELLS_AT_ONCE; p++)
                sum[p] += tap[p] * t[p];
        return;
    }
    for (int32_t s = 0; s < taps; s++, tap += cells, t -= cells)
        for (int32_t p = 0; p < count; p++)
            sum[p] += tap[p] * t[p];
}

// δ of some cells at step n of the block, times their rates and this factor.
static void filter_some(const cfpc_zone_model *model, const REAL *history, int32_t n, int32_t first,
                        REAL factor, REAL *d)
{
    const size_t cells = (size_t)model->cells, taps = (size_t)model->taps;
    const int32_t left = model->cells - first, count = left < CELLS_AT_ONCE ? left : CELLS_AT_ONCE;
    const REAL *rate = (const REAL *)cfpci_zone_array(model, model->rate_at) + first;
    const REAL *tap = (const REAL *)cfpci_zone_array(model, model->taps_at) + first;
    const REAL *t = history + (taps - 1 + (size_t)n) * cells + first;
    REAL sum[CELLS_AT_ONCE] = {0};
    for (int32_t l = 0; l < model->layers; l++) {
        add_layer(sum, tap, t, model->taps, model->cells, count);
        tap += taps * cells;
        t += cfpci_zone_history_rows(model) * cells;
    }
    for (int32_t p = 0; p < count; p++)
        d[(size_t)n * cells + (size_t)(first + p)] = factor * (rate[p] * sum[p]);
}

static void NAMED(filter)(const cfpc_zone_model *model, const void *history, int32_t steps,
                          double keep, void *d)
{
    double left = 1; // what the leak of the later steps leaves of the step's part
    for (int32_t n = steps - 1; n >= 0; n--, left *= keep)
        for (int32_t first = 0; first < model->cells; first += CELLS_AT_ONCE)
            filter_some(model, history, n, first, (REAL)left, d);
}

#undef add_layer
#undef filter_some

// ---- weights ---------------------------------------------------------------------------------

static void NAMED(scale)(void *w, int32_t rows, int32_t cells, double keep, const uint32_t *flags)
{
    const REAL factor = (REAL)keep;
    REAL *row = w;
    for (int32_t j = 0; j < rows; j++, row += cells)
        for (int32_t p = 0; p < cells; p++)
            row[p] *= flags[p] & CFPC_FLAG_FROZEN ? 1 : factor;
}

static void NAMED(hold_within)(void *w, int32_t rows, int32_t cells, double low, double high,
                               const uint32_t *flags)
{
    const REAL least = (REAL)low, most = (REAL)high;
    REAL *row = w;
    for (int32_t j = 0; j < rows; j++, row += cells)
        for (int32_t p = 0; p < cells; p++) {
            const REAL held = row[p] < least ? least : row[p] > most ? most : row[p];
            row[p] = flags[p] & CFPC_FLAG_FROZEN ? row[p] : held;
        }
}

// ---- outputs ---------------------------------------------------------------------------------

static double NAMED(total)(const void *part, int32_t chunks, size_t stride)
{
    double sum = 0;
    for (int32_t c = 0; c < chunks; c++)
        sum += ((const REAL *)part)[(size_t)c * stride];
    return sum;
}
