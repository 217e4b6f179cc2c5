// SPDX-License-Identifier: Apache-2.0
// inspect: what is in a model or data file, of either precision.
#ifndef CFPC_LAB_INSPECT_H
#define CFPC_LAB_INSPECT_H

#include "base/outcome.h"
#include "export/precision.h"

typedef struct lab_inspected {
    bool is_model; // or data
    uint32_t version;
    const lab_precision *real;
    uint64_t bytes;
    uint64_t checksum;
    lab_model_facts model; // of a model
    lab_data_facts data;   // of data
} lab_inspected;

// Reads a file. One that is not a whole, unaltered image of this version is refused.
lab_outcome lab_inspect(lab_inspected *inspected, const char *path, lab_why *why);

#endif
