// SPDX-License-Identifier: Apache-2.0
// saturation: stretches of a signal that a limit has cut off.
#ifndef CFPC_LAB_SATURATION_H
#define CFPC_LAB_SATURATION_H

#include <stdbool.h>

typedef struct lab_saturated {
    int first, length; // of the first stretch
    bool at_high;      // at the maximum, else at the minimum
    int stretches;     //
    int rows;          // of all of them
} lab_saturated;

// Whether a signal stays exactly at its maximum or minimum although it arrives there with speed. A
// signal that comes to rest slows down before; a square wave, stairs, a ramp that ends, and the
// rounded top of a coarse measurement are not cut off.
bool lab_find_saturation(lab_saturated *found, int count, const double *values);

#endif
