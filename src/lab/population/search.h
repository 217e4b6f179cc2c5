// SPDX-License-Identifier: Apache-2.0
// search: the lowest value of a function on the unit square, or on the unit interval, with a given
// number of evaluations: half of them spread evenly (Halton's sequence), half around the best so
// far, in steps that become smaller. Without chance: the same every time.
#ifndef CFPC_LAB_SEARCH_H
#define CFPC_LAB_SEARCH_H

enum { LAB_SEARCH_MAX = 2 }; // dimensions

typedef struct lab_searched {
    double at[LAB_SEARCH_MAX]; // in [0, 1]
    double value;              // INFINITY: none was finite
} lab_searched;

lab_searched lab_search(int dimensions, int evaluations,
                        double (*value)(void *context, const double at[LAB_SEARCH_MAX]),
                        void *context);

#endif
