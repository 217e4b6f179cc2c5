// SPDX-License-Identifier: Apache-2.0
// zone_spec: many cells on one granular layer, each in a loop of its own, or two in coupled loops.
#ifndef CFPC_LAB_ZONE_SPEC_H
#define CFPC_LAB_ZONE_SPEC_H

#include "spec/values.h"

typedef struct lab_zone_spec {
    lab_place place;
    int cells;                    // P
    int synapses;                 // G, of every cell; 0: as many as the basis has
    lab_numbers delay_ms;         // of the loops: lowest and highest
    lab_numbers time_constant_ms; // of the plant's first stage: lowest and highest
    int trials;                   //
    double rate_fraction;         // η of each cell as a fraction of 1/‖ZᵀH‖ of its loop
    lab_numbers rates;            // further fractions that are tried; may be empty
    int block;                    // steps; 0: the shortest dead time
    double teacher_noise;         // rms of the noise on what teaches, over that of the reactive
                                  // error; 0: none
    lab_numbers other_cells;      // further numbers of cells, likewise
    lab_numbers other_synapses;   // and of synapses
    lab_numbers couplings;        // of two loops; empty: no loop acts on another
    int threads;                  // that share the synapses
    int seed;                     // of the noise
} lab_zone_spec;

// Whether the cells are those of two coupled joints.
static inline int lab_zone_has_joints(const lab_zone_spec *zone)
{
    return zone->couplings.columns > 0;
}

#endif
