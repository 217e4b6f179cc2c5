// SPDX-License-Identifier: Apache-2.0
// zone_setup: what a zone learns on: its loops, its granule cells, the teaching filter of each
// cell, and the unit of its rate; and whether it fits into memory.
#ifndef CFPC_LAB_ZONE_SETUP_H
#define CFPC_LAB_ZONE_SETUP_H

#include "cfpc/trace.h"
#include "microzone/zone_learn.h"
#include "microzone/zone_loops.h"
#include "plant/granules.h"

typedef struct lab_zone_setup {
    lab_arena arena;
    const lab_spec *spec;
    lab_zone_loops loops;
    lab_granules granules;
    cfpc_teaching_filter *filter; // of each cell's own loop                     (P x coupled)
    double *unit;                 // 1/‖ZᵀH‖ with it                             (P)
    double *rate;                 // for the lesson                              (P)
    int block;                    // steps
} lab_zone_setup;

// The setup of cells whose loops do not act on each other. r: (steps). Free it in either case.
lab_outcome lab_zone_setup_make(lab_zone_setup *zone_setup, const lab_spec *spec, int cells,
                                int synapses, const double *r, int steps, lab_why *why);
void lab_zone_setup_free(lab_zone_setup *zone_setup);

// Refuses numbers of cells and synapses that do not fit into the memory of the machine, with what
// would; and an arm with more synapses per cell than can be analysed.
lab_outcome lab_zone_check_memory(const lab_spec *spec, int synapses, lab_why *why);

// Sets the block to that of the spec, or to the shortest dead time of the loops.
lab_outcome lab_zone_setup_block(lab_zone_setup *zone_setup, lab_why *why);

// The filter of a cell that has this path, as the main rule has it.
lab_outcome lab_zone_filter(cfpc_teaching_filter *filter, const lab_spec *spec,
                            const cfpc_system *path, int cell, int steps, lab_why *why);

// The units of rates with these filters (P x coupled), unit: (P). Cells of a group have the same.
lab_outcome lab_zone_units(double *unit, const lab_zone_setup *zone_setup,
                           const cfpc_teaching_filter *filter, lab_why *why);

// Learns with these filters at a fraction of these units; the rest of the lesson is the spec's.
lab_outcome lab_zone_setup_learn(const lab_zone_learned *learned, lab_zone_setup *zone_setup,
                                 const lab_zone_lesson *lesson, const double *unit,
                                 double rate_fraction, lab_pace *pace, lab_why *why);

#endif
