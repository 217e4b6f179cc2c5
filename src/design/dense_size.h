// SPDX-License-Identifier: Apache-2.0
// dense_size: matrices of any size of numbers, brought to one at which squares neither overflow nor
// vanish, exactly: by a power of 2.
#ifndef CFPC_DESIGN_DENSE_SIZE_H
#define CFPC_DESIGN_DENSE_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool cfpci_are_finite(size_t count, const double *a);

// The largest magnitude; NaN if any is NaN, infinite if any is.
double cfpci_dense_largest(int64_t count, const double *a);

// Divides a by a power of 2 where its largest magnitude needs it, and returns that power.
double cfpci_dense_shrink(int64_t count, double *a, double largest);

void cfpci_dense_scale(int64_t count, double *a, double by);

void cfpci_dense_fill(int64_t count, double *a, double value);

#endif
