// SPDX-License-Identifier: Apache-2.0
// model_files: the model files that a spec names. They are read before the run begins, as all text
// is.
#ifndef CFPC_LAB_MODEL_FILES_H
#define CFPC_LAB_MODEL_FILES_H

#include "spec/model_file.h"

// One that was read, or why it could not be.
typedef struct lab_known_model {
    char *path;
    lab_model_file model;
    lab_outcome outcome;
    lab_why why;
} lab_known_model;

// Starts as {0}.
typedef struct lab_model_files {
    int count;
    lab_known_model *items; // (count)
} lab_model_files;

// The model of this path, read if it is not among them; if it is among `known` (or NULL), it is
// copied from there. Whether it could be read is in its outcome;
// NULL without memory.
const lab_known_model *lab_model_files_add(lab_model_files *models, const char *path,
                                           const lab_model_files *known);

// Whether a file of this name can be a model: it ends in .yaml.
bool lab_is_model_name(const char *file);

// The one of this path; NULL if there is none.
const lab_known_model *lab_model_files_find(const lab_model_files *models, const char *path);
void lab_model_files_free(lab_model_files *models);

#endif
