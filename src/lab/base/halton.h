// SPDX-License-Identifier: Apache-2.0
// halton: Halton's sequence, points that fill a box evenly, without chance.
#ifndef CFPC_LAB_HALTON_H
#define CFPC_LAB_HALTON_H

enum { LAB_HALTON_MAX = 8 }; // dimensions

// Coordinate in (0, 1) of point k, from 1, in a dimension, from 0.
double lab_halton(int k, int dimension);

#endif
