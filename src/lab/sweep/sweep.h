// SPDX-License-Identifier: Apache-2.0
// sweep: one spec at all points of a grid. A point is a run of the spec with the point's settings,
// or several with other seeds, the same at every point; one that is refused or fails is a result
// like any other.
#ifndef CFPC_LAB_SWEEP_H
#define CFPC_LAB_SWEEP_H

#include <stdatomic.h>

#include "run/measures.h"
#include "spec/load.h"
#include "sweep/grid.h"
#include "sweep/part.h"

// With several runs per point a measure is their mean, and NAME_half_width a measure beside it:
// half the width of its 95 % interval.
#define LAB_HALF_WIDTH "_half_width"

// What became of a point.
typedef struct lab_point {
    bool finished;        // what follows is known
    lab_outcome outcome;  //
    char *why;            // one line; "" for a point that is done and did not diverge
    int count;            // of its measures; 0 unless it is done
    lab_measure *measure; // (count)
} lab_point;

typedef struct lab_sweep {
    const lab_spec *spec;         // what every point begins with
    const lab_source *source;     // what it was made of
    const lab_settings *settings; // and the settings that are in it
    const lab_grid *grid;         //
    int points;                   //
    lab_point *point;             // (points)
    lab_part part;                // which of them are run here: all, unless it is set
} lab_sweep;

// Borrows all that it is made of.
lab_outcome lab_sweep_make(lab_sweep *sweep, const lab_spec *spec, const lab_source *source,
                           const lab_settings *settings, const lab_grid *grid, lab_why *why);
void lab_sweep_free(lab_sweep *sweep);

// Runs one point; several threads may each run another. Fails only if the point's end cannot be
// kept or `stop` became true: the point then stays unfinished.
lab_outcome lab_sweep_point(lab_sweep *sweep, int index, const atomic_bool *stop, lab_why *why);

// Refuses a measure that no point will have, before any is run. Where this cannot be known, as no
// point can be set up, it is done.
lab_outcome lab_sweep_check_measure(const lab_sweep *sweep, const char *measure, lab_why *why);

// The same, and refuses a sweep of which no point can be set up, with the reason of the first.
lab_outcome lab_sweep_check_any(const lab_sweep *sweep, const char *measure, lab_why *why);

// How many points ended so.
int lab_sweep_count(const lab_sweep *sweep, lab_outcome outcome);

// The first point of the sweep's part that ended so; NULL if there is none.
const lab_point *lab_sweep_first(const lab_sweep *sweep, lab_outcome outcome);

// Whether a rule diverged at a point that is done; its why says which, and at which trial.
static inline bool lab_point_diverged(const lab_point *point)
{
    return point->finished && point->outcome == LAB_DONE && *point->why;
}

// How many points diverged; they are among those that are done.
int lab_sweep_count_diverged(const lab_sweep *sweep);

// "done", "refused" or "failed".
const char *lab_outcome_name(lab_outcome outcome);

// The same, or "diverged" for a point that is done and did.
const char *lab_point_status(const lab_point *point);

#endif
