// SPDX-License-Identifier: Apache-2.0
// sweep_results: everything a sweep writes into its folder, except its figure.
#ifndef CFPC_LAB_SWEEP_RESULTS_H
#define CFPC_LAB_SWEEP_RESULTS_H

#include "base/folder.h"
#include "sweep/swept.h"

// sweep.csv and, if built with HDF5, sweep.h5.
lab_outcome lab_write_sweep_table(lab_folder *folder, const lab_swept *swept, lab_why *why);
lab_outcome lab_write_sweep_hdf5(lab_folder *folder, const lab_swept *swept, lab_why *why);

#endif
