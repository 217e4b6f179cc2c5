// SPDX-License-Identifier: Apache-2.0
// identification: a log, and what was identified from it.
#ifndef CFPC_LAB_IDENTIFICATION_H
#define CFPC_LAB_IDENTIFICATION_H

#include "cfpc/identify.h"
#include "identify/log.h"
#include "spec/model_file.h"

typedef struct lab_identify_options {
    lab_log_choice log;
    double dead_time_ms; // NAN: found
    int order;           // 0: found
    bool allow_feedback; // a log of a closed loop's command is not refused
} lab_identify_options;

typedef struct lab_identification {
    lab_log log;
    cfpc_identify_settings settings;
    cfpc_identified found;
    bool feedback;     // the input reacts to the output, which was allowed
    double *response;  // impulse response of the model                 (found.taps)
    double *magnitude; // |T| of the model at the band's frequencies    (band.count)
    double *fir;       // |T| of the FIR there                          (band.count)
} lab_identification;

// Reads the log, checks it and identifies. Free it in either case.
lab_outcome lab_identify(lab_identification *identification, const char *file,
                         const lab_identify_options *options, lab_why *why);
void lab_identification_free(lab_identification *identification);

// What goes into a model file; free it in either case.
lab_outcome lab_model_of(lab_model_file *model, const lab_identification *identification,
                         lab_why *why);

// What to do next: one or a few sentences.
void lab_identify_advice(const lab_identification *identification, const char *model_file,
                         lab_why *advice);

#endif
