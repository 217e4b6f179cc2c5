// SPDX-License-Identifier: Apache-2.0
// results: everything a run writes into its folder, and a sweep, except its figure.
#ifndef CFPC_LAB_RESULTS_H
#define CFPC_LAB_RESULTS_H

#include "base/folder.h"
#include "run/measures.h"
#include "spec/origin.h"
#include "sweep/swept.h"

// A finished run, as the writers see it.
typedef struct lab_result {
    const lab_spec *spec;
    const lab_origin *origin; // needed by lab_write_hdf5 alone
    const lab_record *record;
    const lab_measures *measures;
} lab_result;

// Each writes its file or files into the folder.
lab_outcome lab_write_curves(lab_folder *folder, const lab_result *result, lab_why *why);
lab_outcome lab_write_signals(lab_folder *folder, const lab_result *result, lab_why *why);
lab_outcome lab_write_phases(lab_folder *folder, const lab_result *result, lab_why *why);
lab_outcome lab_write_traces(lab_folder *folder, const lab_result *result, lab_why *why);
lab_outcome lab_write_weights(lab_folder *folder, const lab_result *result, lab_why *why);
lab_outcome lab_write_responses(lab_folder *folder, const lab_result *result, lab_why *why);
lab_outcome lab_write_gain(lab_folder *folder, const lab_result *result, lab_why *why);
lab_outcome lab_write_windows(lab_folder *folder, const lab_result *result, lab_why *why);
lab_outcome lab_write_models(lab_folder *folder, const lab_result *result, lab_why *why);
lab_outcome lab_write_summary(lab_folder *folder, const lab_result *result, lab_why *why);
lab_outcome lab_write_hdf5(lab_folder *folder, const lab_result *result, lab_why *why);

// sweep.csv and, if built with HDF5, sweep.h5.
lab_outcome lab_write_sweep_table(lab_folder *folder, const lab_swept *swept, lab_why *why);
lab_outcome lab_write_sweep_hdf5(lab_folder *folder, const lab_swept *swept, lab_why *why);

// Whether this build writes result.h5.
bool lab_has_hdf5(void);

#endif
