// SPDX-License-Identifier: Apache-2.0
// encircle: how many poles of a system with lines lie outside a circle, by the argument principle:
// as ζ goes round it, f turns backward round 0 once for each of them.
#ifndef CFPC_DESIGN_ENCIRCLE_H
#define CFPC_DESIGN_ENCIRCLE_H

#include "characteristic.h"

enum {
    CFPC_MOST_KNOWN = 8 // poles that are left out of a walk
};

// A part of the way.
typedef struct cfpci_stretch {
    double angle; // where it begins
    double rate;  // of the angle of f: what is steeply below 0 has a pole near, outside
} cfpci_stretch;

typedef struct cfpci_walk {
    const cfpci_characteristic *of;
    double growth; // the circle's radius is e^growth
    int32_t known; // poles found before; f is divided by them, so that they are not counted
    double complex pole[CFPC_MOST_KNOWN];

    // what is found
    int64_t outside;          // poles outside the circle, without those known
    double near_angle;        // where a pole was too near; NAN if none was
    cfpci_stretch *stretches; // if they are wanted                      (count)
    int64_t count, room;
    bool keep;

    double turned; // angle of f from 0 on
    int64_t looks;
} cfpci_walk;

// Goes half round, the rest being its mirror image. CFPC_NO_CONVERGENCE with near_angle set: a pole
// lies on the circle, or too near to it. Free the stretches.
cfpc_status cfpci_walk_round(cfpci_walk *it);

#endif
