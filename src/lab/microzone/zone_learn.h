// SPDX-License-Identifier: Apache-2.0
// zone_learn: a zone learns on line, trial after trial: the loops run block by block beside
// cfpc_zone_step_block_by. The cells' outputs in a block cannot reach an error of the same
// block, so that the errors of a block are known before its outputs.
#ifndef CFPC_LAB_ZONE_LEARN_H
#define CFPC_LAB_ZONE_LEARN_H

#include "base/pace.h"
#include "cfpc/trace.h"
#include "microzone/zone_loops.h"
#include "plant/granules.h"

// How it learns.
typedef struct lab_zone_lesson {
    const char *name;                   // for progress
    const cfpc_teaching_filter *filter; // of each cell and each error of its group, without taps
                                        // where that does not teach it         (P x coupled)
    const double *rate;                 // η of each cell                       (P)
    int trials;                         //
    int block;                          // steps; at most the loops' dead_steps
    double noise;   // rms on the error that teaches, over that of the reactive error; 0: none
    bool is_shared; // the noise is the same for all cells but for its size
    int seed;       // of it
    int threads;    // that share the synapses
} lab_zone_lesson;

// What is learned.
typedef struct lab_zone_learned {
    double *rrmse;   // of each trial and cell, INFINITY where it overflowed; of coupled loops
                     // each error over that of all loops of its group     (trials x P)
    double *outputs; // of the last trial; NULL: not asked for                (N x P)
    double *weights; // after the last trial; NULL: not asked for             (P x G)
} lab_zone_learned;

// Runs all trials. Ticks once per trial.
lab_outcome lab_zone_learn(const lab_zone_learned *learned, const lab_zone_lesson *lesson,
                           const lab_zone_loops *loops, lab_granules *granules, lab_pace *pace,
                           lab_why *why);

#endif
