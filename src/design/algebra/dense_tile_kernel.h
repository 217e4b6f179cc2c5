// SPDX-License-Identifier: Apache-2.0
// dense_tile_kernel: a tile of a product, of one or two vectors per row, whose sums stay in
// registers. dense_product.c includes it once per width: CFPC_VECTOR is the vector, CFPC_ADD_ROWS
// and CFPC_ADD_TILE are the names. GCC keeps arrays of vectors in registers if all loops over them
// have constant bounds, so these are compiled again for the constants they are called with.

CFPCI_INLINE void CFPC_ADD_ROWS(bool minus, int rows, bool is_double, const strips *strips,
                                double *out, size_t out_down)
{
    enum { LANES = sizeof(CFPC_VECTOR) / sizeof(double) };
    CFPC_VECTOR left[ROWS], right[ROWS], x, y;
#pragma GCC unroll 6
    for (int r = 0; r < rows; r++) {
        memcpy(&left[r], out + (size_t)r * out_down, sizeof x);
        if (is_double)
            memcpy(&right[r], out + (size_t)r * out_down + LANES, sizeof y);
    }
    const double *a = strips->a.at, *b = strips->b;
    for (int32_t l = 0; l < strips->k; l++, a += strips->a.across, b += strips->b_down) {
        memcpy(&x, b, sizeof x);
        if (is_double)
            memcpy(&y, b + LANES, sizeof y);
#pragma GCC unroll 6
        for (int r = 0; r < rows; r++) {
            const double by = a[(size_t)r * strips->a.down];
            left[r] = minus ? left[r] - by * x : left[r] + by * x;
            if (is_double)
                right[r] = minus ? right[r] - by * y : right[r] + by * y;
        }
    }
#pragma GCC unroll 6
    for (int r = 0; r < rows; r++) {
        memcpy(out + (size_t)r * out_down, &left[r], sizeof x);
        if (is_double)
            memcpy(out + (size_t)r * out_down + LANES, &right[r], sizeof y);
    }
}

CFPCI_INLINE void CFPC_ADD_TILE(bool minus, int32_t rows, bool is_double, const strips *strips,
                                double *out, size_t out_down)
{
    switch (rows) {
    case 1:
        CFPC_ADD_ROWS(minus, 1, is_double, strips, out, out_down);
        break;
    case 2:
        CFPC_ADD_ROWS(minus, 2, is_double, strips, out, out_down);
        break;
    case 3:
        CFPC_ADD_ROWS(minus, 3, is_double, strips, out, out_down);
        break;
    case 4:
        CFPC_ADD_ROWS(minus, 4, is_double, strips, out, out_down);
        break;
    case 5:
        CFPC_ADD_ROWS(minus, 5, is_double, strips, out, out_down);
        break;
    default:
        CFPC_ADD_ROWS(minus, ROWS, is_double, strips, out, out_down);
    }
}

#undef CFPC_VECTOR
#undef CFPC_ADD_ROWS
#undef CFPC_ADD_TILE
