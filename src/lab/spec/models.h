// SPDX-License-Identifier: Apache-2.0
// models: the model files that a spec names. They are read before the run begins, as all text is.
#ifndef CFPC_LAB_MODELS_H
#define CFPC_LAB_MODELS_H

#include "spec/model_file.h"

// One that was read, or why it could not be.
typedef struct lab_known_model {
    char *path;
    lab_model_file model;
    lab_outcome outcome;
    lab_why why;
} lab_known_model;

// Starts as {0}.
typedef struct lab_models {
    int count;
    lab_known_model *items; // (count)
} lab_models;

// The model of this path, read if it is not among them; if it is among `known` (or NULL), it is
// copied from there. Whether it could be read is in its outcome; NULL without memory.
const lab_known_model *lab_models_add(lab_models *models, const char *path,
                                      const lab_models *known);

// Whether a file of this name can be a model: it ends in .yaml or .yml.
bool lab_is_model_name(const char *file);

// The one of this path; NULL if there is none.
const lab_known_model *lab_models_find(const lab_models *models, const char *path);
void lab_models_free(lab_models *models);

#endif
