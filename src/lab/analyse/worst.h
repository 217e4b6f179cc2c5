// SPDX-License-Identifier: Apache-2.0
// worst: how batch learning goes in several models of the loop, and the worst of it. The trace and
// the rate are the same in all; each model has its own error and its own effect of o.
#ifndef CFPC_LAB_WORST_H
#define CFPC_LAB_WORST_H

#include "analyse/analysis.h"
#include "analyse/models.h"

// M and b of a trace, and of a preconditioner if there is one, in every model.
typedef struct lab_matrices {
    const lab_models *models;
    double *m; // (models x G x G)
    double *b; // (models x G)
} lab_matrices;

// From the traces z (N x G), with the lateness and the penalty on o of a lesson.
lab_outcome lab_matrices_make(lab_matrices *matrices, const lab_models *models,
                              const cfpc_lesson *lesson, const double *z, lab_why *why);
// P times those of another: p (G x G).
lab_outcome lab_matrices_times(lab_matrices *matrices, const lab_matrices *from, const double *p,
                               lab_why *why);
void lab_matrices_free(lab_matrices *matrices);

typedef struct lab_pace_of_learning {
    double rate, leak, momentum;
} lab_pace_of_learning;

// Takes in what one model does.
void lab_worst_add(lab_worst *worst, int model, double compared, double last, bool falls);

// Whether an error falls from the trial before to this one (from 1): beyond the trials of the spec,
// whether it stays below that at LAB_COMPARED_TRIAL.
bool lab_falls(int trial, int trials, double before, double now, double compared);

// Over this many trials, from w = 0; returns whether it falls in all models. With a finite `most`
// it stops where a model does not fall, or is above that at LAB_COMPARED_TRIAL; the rest is then
// not known. work: (3 G)
bool lab_find_worst(lab_worst *worst, const lab_matrices *matrices, lab_pace_of_learning pace,
                    int trials, double most, double *work);

#endif
