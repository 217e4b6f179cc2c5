// SPDX-License-Identifier: Apache-2.0
// model_file: a system that was identified from a log, as a YAML file: what it is, how good it is
// and where it comes from. Whether it is a plant or a closed loop is for the spec that names it.
#ifndef CFPC_LAB_MODEL_FILE_H
#define CFPC_LAB_MODEL_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/outcome.h"
#include "cfpc/identify.h"
#include "spec/kinds.h"

// How it was found, in the order of cfpc_identify_method.
#define LAB_IDENTIFY_METHODS(X)                                                                    \
    X(CFPC_IDENTIFY_DIRECT, "direct")                                                              \
    X(CFPC_IDENTIFY_OPEN_PATH, "open-path")                                                        \
    X(CFPC_IDENTIFY_LEAST_SQUARES, "least-squares")                                                \
    X(CFPC_IDENTIFY_LEAST_SQUARES_OPEN_PATH, "least-squares-open-path")

const char *lab_identify_method_name(cfpc_identify_method method);

// Whether the matrices are those of the open path T/(1 - T).
bool lab_is_open_path(cfpc_identify_method method);

enum { LAB_MODEL_VERSION = 1 }; // of the file's format

typedef struct lab_model_file {
    lab_place place;
    int version;                 // LAB_MODEL_VERSION
    char *made_by;               // the program
    char *log;                   // file
    char *input;                 // column of the log
    char *output;                // likewise
    int rows;                    // of the log
    double step_ms;              // sampling step
    cfpc_identify_method method; //
    double dead_time_ms;         // delay at the input
    lab_numbers a;               // (states x states); empty: no states
    lab_numbers b;               // (states)
    lab_numbers c;               // (states)
    double d;                    //
    double fit;                  // in % on held-back data; this and what follows: NAN if left out
    double fit_estimation;       // likewise on the data that it was estimated from
    double noise;                // standard deviation
    double low_hz, high_hz;      // frequencies that the input excites
    double confidence;           // of the band
    lab_numbers band;            // rows of a frequency in Hz and a radius
    double whiteness;            // p value
    double unexplained;          // p value
    double feedback;             // p value
    int feedback_allowed;        // the log is of a closed loop's command, and was used nevertheless
} lab_model_file;

// As a file, each key with its meaning beside it. Reading it gives the same numbers.
void lab_model_file_print(FILE *file, const lab_model_file *model);

// Reads a file, or text that stands for one. Free the model in either case.
lab_outcome lab_model_file_read(lab_model_file *model, const char *file, lab_why *why);
lab_outcome lab_model_file_parse(lab_model_file *model, const char *file, const char *text,
                                 lab_why *why);
void lab_model_file_free(lab_model_file *model);

// A copy that owns what it holds; false without memory. Free it in either case.
bool lab_model_file_copy(lab_model_file *copy, const lab_model_file *model);

// What the first line of such a file is.
extern const char lab_model_file_title[];

// ---- those that a spec names, read before the run begins, as all text is ----------------------

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
