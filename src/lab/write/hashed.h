// SPDX-License-Identifier: Apache-2.0
// hashed: what the hash of a finished result is of, read from its folder.
#ifndef CFPC_LAB_HASHED_H
#define CFPC_LAB_HASHED_H

#include "base/outcome.h"
#include "write/hash.h"

typedef struct lab_hashed_row {
    char *shape;        // "": one number; 50, 2500x20
    char *name;         // of the dataset
    lab_hash_text hash; // "": it is not counted
} lab_hashed_row;

typedef struct lab_hashed {
    char *name;          // of the experiment
    char *version;       // of cfpc
    char *real;          // double or float
    lab_hash_text hash;  //
    int count;           // of datasets
    lab_hashed_row *row; // (count)
} lab_hashed;

// Reads summary.json and hashes.csv of a result folder of `cfpc run`. They must belong together:
// the hash is made again from those of the datasets. Free it even if this fails.
lab_outcome lab_hashed_read(lab_hashed *hashed, const char *folder, lab_why *why);
void lab_hashed_free(lab_hashed *hashed);

#endif
