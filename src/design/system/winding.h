// SPDX-License-Identifier: Apache-2.0
// winding: the number of poles of a system with lines outside a circle, by the argument principle:
// as ζ goes around the circle, f winds backward around 0 once for each of them.
#ifndef CFPC_DESIGN_WINDING_H
#define CFPC_DESIGN_WINDING_H

#include "system/characteristic.h"

enum {
    CFPC_MAX_KNOWN = 8 // maximum number of known poles to divide out
};

// A part of the circle.
typedef struct cfpci_stretch {
    double angle; // its start
    double rate;  // of change of the angle of f: strongly negative near a pole outside
} cfpci_stretch;

typedef struct cfpci_walk {
    const cfpci_characteristic *of;
    double growth; // the circle's radius is e^growth
    int32_t known; // poles already found; f is divided by them, so that they are not counted
    double complex pole[CFPC_MAX_KNOWN];

    // results
    int64_t outside;          // poles outside the circle, without the known ones
    double near_angle;        // where a pole was too close; NAN if none was
    cfpci_stretch *stretches; // if requested                            (count)
    int64_t count, room;
    bool keep;

    double turned; // angle of f from 0 on
    int64_t looks;
} cfpci_walk;

// Follows the upper half circle; the lower half is its mirror image. CFPC_NO_CONVERGENCE with
// near_angle set: a pole lies on the circle, or too close to it. Free the stretches.
cfpc_status cfpci_walk_round(cfpci_walk *walk);

#endif
