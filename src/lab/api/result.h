// SPDX-License-Identifier: Apache-2.0
// result: what a cfpc_result is: all that a run leaves. It borrows nothing of its experiment.
#ifndef CFPC_LAB_API_RESULT_H
#define CFPC_LAB_API_RESULT_H

#include "api/experiment.h"
#include "write/about.h"
#include "write/hash.h"

struct cfpc_result {
    lab_spec spec; // as it was run, with the constants that were found
    lab_origin origin;
    lab_record record;
    lab_measures measures;
    lab_datasets sets;
    lab_about about;
    lab_hash_text hash;
    lab_result parts; // all of these, as the writers see them
};

#endif
