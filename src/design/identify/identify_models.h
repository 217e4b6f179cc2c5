// SPDX-License-Identifier: Apache-2.0
// identify_models: candidates of every order: realised from a FIR, directly and through the open
// path, and found from there by least squares.
#ifndef CFPC_DESIGN_IDENTIFY_MODELS_H
#define CFPC_DESIGN_IDENTIFY_MODELS_H

#include "identify/candidates.h"

typedef struct cfpci_models_from {
    const cfpci_split_log *log;
    const cfpc_identify_settings *settings;
    int32_t dead_time;      // leading zeros of the FIR
    int32_t taps;           // of the FIR, from lag 0
    const double *response; // the FIR                               (taps)
    const double *nearby;   // its output                            (steps)
} cfpci_models_from;

cfpc_status cfpci_identify_models(cfpci_candidates *candidates, const cfpci_models_from *from);

#endif
