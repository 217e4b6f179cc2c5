// SPDX-License-Identifier: Apache-2.0
// trial_map: batch learning on a linear problem as one map of the weights, without the steps of a
// trial. With traces Z, a lesson l = t0 - L X w and the error e = e0 - H w, H = Q R,
//
//     [Zᵀl; Qᵀe] = start - map w,   ‖e‖² = rest² + ‖Qᵀe‖².
//
// Column j of the map, [ZᵀLX; R], is a row here, so that the sums over all weights go side by side.
#ifndef CFPC_LAB_TRIAL_MAP_H
#define CFPC_LAB_TRIAL_MAP_H

#include "cfpc/batch.h"

typedef struct lab_trial_map {
    int steps, bases;            // N, G
    const cfpc_problem *problem; // with Qᵀe0, R and the rest
    double *map;                 // (G x 2G)
    double *start;               // (2G)
} lab_trial_map;

// Fills it, given Z, L X (both N x G) and t0 (N).
void lab_trial_map_fill(const lab_trial_map *trial_map, const double *z, const double *effect,
                        const double *t0);

// Adds scale aᵀb, both (N x G), to the part of the map that is ZᵀLX.
void lab_trial_map_add(const lab_trial_map *trial_map, double scale, const double *a,
                       const double *b);

// A trial with weights w (G): Zᵀl is the first half of `change` (2G). Returns ‖e‖.
double lab_trial_map_step(const lab_trial_map *trial_map, const double *w, double *change);

// ‖e‖ after 2^doublings trials of w += η Zᵀl from w = 0, by squaring the map of one trial, w ↦
// (1 - η ZᵀLX) w + η Zᵀt0. INFINITY: it overflowed. work: (2 G² + 4 G)
double lab_trial_map_late(const lab_trial_map *trial_map, double rate, int doublings, double *work);

#endif
