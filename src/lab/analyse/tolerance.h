// SPDX-License-Identifier: Apache-2.0
// tolerance: how far the loop may be from what the cell believes before the verdict is lost.
#ifndef CFPC_LAB_TOLERANCE_H
#define CFPC_LAB_TOLERANCE_H

#include "analyse/lesson.h"

// How learning goes in a loop that is a little different.
typedef enum lab_fate { LAB_MONOTONE, LAB_EVENTUAL, LAB_DIVERGES, LAB_UNSTABLE } lab_fate;

// One thing about the loop, and how far it may go either way with all else as it is.
typedef struct lab_tolerated {
    char name[64];                      // its key in the spec
    const char *unit;                   // "ms" or "1"
    double believed;                    // what the cell believes; a gain is a factor
    double actual;                      // what it is
    double low, high;                   // within which the verdict stays; NAN: as far as was looked
    bool low_decided, high_decided;     // false, and NAN: it is faint directions that decide
    double phase_low, phase_high;       // within which the phase error stays below 90°; likewise,
                                        // and NAN if it is above already
    double searched_low, searched_high; // how far was looked
} lab_tolerated;

typedef struct lab_tolerance {
    lab_fate fate;          // with the loop as it is: what must stay
    bool is_skipped;        // for the work it would take
    int count;              //
    lab_tolerated *items;   // (count)
    double phase_error_deg; // between trace and loop as it is, at worst where the bases have power
    double phase_error_hz;  // there
    int delays, gains;      // of the region
    double *delay_error_ms; // actual less believed                                  (delays)
    double *gain;           // factors on the plant                                  (gains)
    lab_fate *region;     //                                                       (gains x delays)
    double *region_phase; // phase error in degrees, NAN where unstable            (gains x delays)
} lab_tolerance;

// Nothing of it is found where the verdict is "diverges" already, except the phase error. With
// `region` the plane of delay and gain is filled, too. Free it in either case.
lab_outcome lab_tolerate(lab_tolerance *tolerance, const lab_lesson *lesson, bool region,
                         lab_why *why);
void lab_tolerance_free(lab_tolerance *tolerance);

// "monotone", "eventual", "diverges" or "loop unstable".
const char *lab_fate_name(lab_fate fate);

#endif
