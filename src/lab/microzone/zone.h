// SPDX-License-Identifier: Apache-2.0
// zone: many cells on one layer of granule cells, each with its own loop: how well every cell
// learns with its own forward model, with one model for all, and with noise on what teaches; and
// how that depends on the numbers of cells and synapses.
#ifndef CFPC_LAB_ZONE_H
#define CFPC_LAB_ZONE_H

#include "base/arena.h"
#include "base/pace.h"
#include "microzone/joints.h"
#include "microzone/zone_loops.h"

// Ways to teach a zone: enumerator, name.
#define LAB_ZONE_WAYS(X)                                                                           \
    X(LAB_ZONE_OWN, "own")         /* every cell by the forward model of its own loop */           \
    X(LAB_ZONE_SHARED, "shared")   /* the same, with the same noise on all errors */               \
    X(LAB_ZONE_PRIVATE, "private") /* the same, with noise of its own on each error */             \
    X(LAB_ZONE_TUNED, "tuned")     /* by its own model, each cell at its best rate */              \
    X(LAB_ZONE_COMMON, "common")   /* all by the model of one loop, each cell at its best rate */

typedef enum lab_zone_way { LAB_ZONE_WAYS(LAB_ENUMERATOR) LAB_ZONE_WAY_COUNT } lab_zone_way;

const char *lab_zone_way_name(lab_zone_way way);

// Of all cells.
typedef struct lab_spread {
    double best, median, worst;
} lab_spread;

typedef struct lab_zone_result {
    bool is_run;
    double *last;          // rRMSE of the last trial                               (P)
    double *rate_fraction; // with which: its best where several were tried         (P)
    lab_spread *trial;     // rRMSE of each trial                                   (trials)
    lab_spread end;        // of the last
    double failed;         // fraction of the cells that end worse than without a cell
    double averaged;       // with noise: rms of what it adds to the mean output of all cells, over
                           // the rms of what it adds to each; NAN: without
} lab_zone_result;

// The zone with another number of cells or synapses.
typedef struct lab_zone_size {
    int cells, synapses;
    lab_spread end; // rRMSE of the last trial
    double first;   // that of the first cell, which has the same loop in a zone of any size
} lab_zone_size;

// A cell fails with the common model if it ends with more than this many times the error that its
// own model leaves. It should where more of what is learned is turned round than this.
#define LAB_ZONE_FAILS 3.0
#define LAB_ZONE_CLASHES 0.01

// What a zone leaves, as plain data.
typedef struct lab_zone {
    int cells;           // P; 0: none was asked for
    int synapses;        // G
    int trials;          //
    int block_steps;     // B
    lab_zone_loop *loop; // (P)
    double *reactive;    // rms of the error without a cell                         (P)
    double *optimum;     // rRMSE of the least-squares optimum; NAN: not computed   (P)
    int common;          // the cell whose model is the common one
    double *clash;       // how much of that model each loop turns round: zone_clash.h (P)
    lab_zone_result way[LAB_ZONE_WAY_COUNT];
    double stepwise;            // largest relative change of a cell's last rRMSE if weights change
                                // at every step
    double common_failed;       // fraction of the cells that fail with the common model
    double common_mistaken;     // fraction of which `clash` predicts the wrong end
    int cell_sizes;             // how many
    int synapse_sizes;          //
    lab_zone_size *by_cells;    // (cell_sizes)
    lab_zone_size *by_synapses; // (synapse_sizes)
    lab_joints joints;          // coupled loops, instead of all that is above but the sizes
} lab_zone;

// Whether there are cells with loops of their own; else there is no zone, or coupled joints.
static inline bool lab_has_cells(const lab_zone *zone)
{
    return zone->cells > 0 && zone->joints.count == 0;
}

// Whether a cell fails with the common model.
bool lab_zone_fails(const lab_zone *zone, int cell);

// Number of ticks for progress.
int lab_zone_work(const lab_spec *spec);

// The zone before it runs: its measures can then be named. Refuses one that does not fit into the
// memory. The arena owns the arrays.
lab_outcome lab_zone_begin(lab_zone *zone, lab_arena *arena, const lab_spec *spec, lab_why *why);

// What a zone will be, before it runs.
typedef struct lab_zone_plan {
    int cells;    // P
    int synapses; // G
    int block;    // steps; 0 for coupled joints, whose blocks depend on the coupling
    int horizon;  // steps of the longest teaching filter; likewise
} lab_zone_plan;

// Refuses what a run would refuse: a zone that does not fit, an unstable loop, a block longer than
// the dead time, a teaching filter longer than a trial.
lab_outcome lab_zone_prepare(lab_zone_plan *plan, const lab_spec *spec, lab_why *why);

// Runs everything; the arena owns the result.
lab_outcome lab_zone_run(lab_zone *zone, lab_arena *arena, const lab_spec *spec, lab_pace *pace,
                         lab_why *why);

#endif
