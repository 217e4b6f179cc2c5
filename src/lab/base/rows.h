// SPDX-License-Identifier: Apache-2.0
// rows: a sum of rows, each times a factor.
#ifndef CFPC_LAB_ROWS_H
#define CFPC_LAB_ROWS_H

#include <stddef.h>

// out += Σᵢ scale x[i stride] aᵢ with the rows aᵢ of a (rows x columns), in their order. out
// (columns) does not overlap the others.
void lab_add_rows(double *out, const double *a, size_t rows, size_t columns, const double *x,
                  size_t stride, double scale);

#endif
