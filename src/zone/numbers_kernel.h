// SPDX-License-Identifier: Apache-2.0
// numbers_kernel: the functions of numbers.h for one precision. numbers.c includes it twice, with
// REAL the type of a number, BITS the whole number of its size, EXPONENT the lowest bit of its
// exponent and NAMED(name) the name of a function.

static void NAMED(act)(const cfpc_zone_products *by, const cfpci_panel *panel, const void *x,
                       const void *w, void *out)
{
    by->NAMED(act)(panel, x, w, out);
}

static void NAMED(learn)(const cfpc_zone_products *by, const cfpci_panel *panel, double keep,
                         const void *x, const void *d, void *w)
{
    by->NAMED(learn)(panel, (REAL)keep, x, d, w);
}

// ---- numbers in and out ----------------------------------------------------------------------

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

static void NAMED(rows_in)(const cfpci_rows *rows, void *to, const cfpc_real *from)
{
    for (int32_t n = 0; n < rows->steps; n++) {
        const cfpc_real *x = from + n * rows->stride;
        REAL *row = (REAL *)to + n * rows->to_stride;
        for (int32_t j = 0; j < rows->count; j++)
            row[j] = (REAL)x[j];
    }
}

// Without its sign, a number that is not finite has all bits of the exponent: one more, and it
// carries into the sign. Bits are or'ed, which a compiler does for many numbers at once.
static bool NAMED(rows_look)(const cfpci_rows *rows, const void *from, bool *any)
{
    const BITS sign = (BITS)1 << (8 * sizeof(BITS) - 1);
    BITS carried = 0, seen = 0;
    for (int32_t n = 0; n < rows->steps; n++) {
        const REAL *x = (const REAL *)from + n * rows->stride;
        for (int32_t j = 0; j < rows->count; j++) {
            BITS bits;
            memcpy(&bits, x + j, sizeof bits);
            bits &= ~sign;
            seen |= bits;
            carried |= bits + EXPONENT;
        }
    }
    *any = seen != 0;
    return !(carried & sign);
}

static bool NAMED(rows_kept)(const cfpci_rows *rows, void *to, const void *from)
{
    bool any = false;
    for (int32_t n = 0; n < rows->steps; n++) {
        const REAL *x = (const REAL *)from + n * rows->stride;
        REAL *row = (REAL *)to + n * rows->to_stride;
        int32_t some = 0;
        for (int32_t j = 0; j < rows->count; j++) {
            row[j] = x[j] - x[j] == 0 ? x[j] : 0;
            some |= row[j] != 0;
        }
        any |= some != 0;
    }
    return any;
}

// ---- errors -------------------------------------------------------------------------

static bool NAMED(take_error)(void *to, cfpc_real error, bool *any)
{
    const REAL t = cfpci_settled((REAL)error);
    const bool finite = t - t == 0;
    *(REAL *)to = finite ? t : 0;
    *any |= finite && t != 0;
    return finite;
}

// ---- weights ---------------------------------------------------------------------------------

static void NAMED(scale)(void *w, int32_t rows, int32_t cells, double keep, const uint32_t *flags)
{
    const REAL factor = (REAL)keep;
    REAL *row = w;
    for (int32_t j = 0; j < rows; j++, row += cells)
        for (int32_t p = 0; p < cells; p++)
            row[p] *= flags[p] & CFPC_ZONE_STILL ? 1 : factor;
}

static void NAMED(settle)(void *w, int32_t rows, int32_t cells, const uint32_t *flags)
{
    REAL *row = w;
    for (int32_t j = 0; j < rows; j++, row += cells)
        for (int32_t p = 0; p < cells; p++)
            row[p] = flags[p] & CFPC_ZONE_STILL ? row[p] : cfpci_settled(row[p]);
}

static void NAMED(scale_column)(void *of, ptrdiff_t stride, int32_t count, double by)
{
    REAL *number = of;
    for (int32_t n = 0; n < count; n++, number += stride)
        *number *= (REAL)by;
}

static void NAMED(hold_within)(void *w, int32_t rows, int32_t cells, double low, double high,
                               const uint32_t *flags)
{
    const REAL least = (REAL)low, most = (REAL)high;
    REAL *row = w;
    for (int32_t j = 0; j < rows; j++, row += cells)
        for (int32_t p = 0; p < cells; p++) {
            const REAL held = row[p] < least ? least : row[p] > most ? most : row[p];
            row[p] = flags[p] & CFPC_ZONE_STILL ? row[p] : held;
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
