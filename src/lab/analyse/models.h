// SPDX-License-Identifier: Apache-2.0
// models: the loops that may be, where the believed model has a band: the believed one, the spec's
// variants, and some on the edge of the rest of the band. Each with its own error and its own
// effect of o.
#ifndef CFPC_LAB_MODELS_H
#define CFPC_LAB_MODELS_H

#include "analyse/learner.h"
#include "cfpc/certificate.h"

typedef struct lab_model {
    const char *name;   // of the variant, "believed" or "edge"
    double *effect;     // of the weights on the output: H                     (N x G)
    double *taught;     // on the teaching signal; often the same array        (N x G)
    double *e0;         // the error of a reactive trial                       (N)
    double *teaching;   // what teaches in it                                  (N)
    double *gram;       // HᵀH                                                 (G x G)
    double *along;      // Hᵀe0                                                (G)
    double energy;      // ‖e0‖²
    cfpc_system output; // path from o to the output; empty on the edge
    cfpc_system lesson; // path from o to the teaching signal; likewise
} lab_model;

typedef struct lab_models {
    lab_arena arena;
    const lab_setup *setup;
    cfpc_band band;    // around the believed path from o to the teaching signal
    cfpc_band edge;    // the part of it that is no envelope of variants; empty: none
    double unsafe_hz;  // where a plant of the band may make the loop unstable; NAN: nowhere
    double *magnitude; // of that path at the frequencies of the band           (band.count)
    double *response;  // of the believed path to the teaching signal         (N)
    int variants;      // how many
    int members;       // on the edge
    int count;         // 1 + variants + members
    lab_model *models; // the believed one first, then the variants           (count)
} lab_models;

// Why the band of a setup cannot be carried on, NULL if it can.
const char *lab_no_band(const lab_setup *setup, const lab_rule *rule);

// variants: the spec with each variant's loop (count). Free the models in either case.
lab_outcome lab_models_make(lab_models *models, const lab_setup *setup, const lab_spec *variants,
                            int count, int members, lab_why *why);
void lab_models_free(lab_models *models);

#endif
