// SPDX-License-Identifier: Apache-2.0
// zone_spec: many cells on one granular layer, each in a loop of its own, or two in coupled loops.
#ifndef CFPC_LAB_ZONE_SPEC_H
#define CFPC_LAB_ZONE_SPEC_H

#include "spec/kinds.h"

// A joint of a two-joint arm, M q'' + V q' + K q = u.
typedef struct lab_joint_spec {
    lab_place place;
    double inertia;   // m, in kg m²
    double viscosity; // V, in N m s/rad
    double stiffness; // K, in N m/rad
    double follows;   // its reference is that of the spec times this
} lab_joint_spec;

typedef struct lab_zone_spec {
    lab_place place;
    int cells;                    // P
    int synapses;                 // G, of every cell; 0: as many as the basis has
    lab_numbers delay_ms;         // of the loops: lowest and highest; empty: the spec's
    lab_numbers time_constant_ms; // of the plant's first stage, likewise
    int trials;                   //
    double rate_fraction;         // η of each cell as a fraction of 1/‖ZᵀH‖ of its loop
    lab_numbers rate_fractions;   // further fractions that are tried; may be empty
    int block;                    // steps; 0: the shortest dead time
    double teacher_noise;         // rms of the noise on what teaches, over that of the reactive
                                  // error; 0: none
    lab_numbers other_cells;      // further numbers of cells, likewise
    lab_numbers other_synapses;   // and of synapses
    lab_listing joints;           // lab_joint_spec: two, or none
    lab_numbers couplings;        // κ of their inertias: off the diagonal M has κ √(m1 m2)
    int threads;                  // that share the synapses
    int seed;                     // of the noise
} lab_zone_spec;

// Whether the cells are those of two coupled joints.
static inline int lab_zone_has_joints(const lab_zone_spec *zone)
{
    return zone->joints.count > 0;
}

static inline lab_joint_spec *lab_zone_joints(const lab_zone_spec *zone)
{
    return zone->joints.items;
}

#endif
