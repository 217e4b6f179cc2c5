// SPDX-License-Identifier: Apache-2.0
// export: a cell, written to a folder that firmware can take as it is.
#ifndef CFPC_LAB_EXPORT_H
#define CFPC_LAB_EXPORT_H

#include "base/folder.h"
#include "export/target.h"

// As C source: NAME_model.h and .c, NAME_example.c, NAME_loop.h and .c, README.md, and copies of
// cfpc.h and cfpc.c from the folder `firmware`.
lab_outcome lab_export_c(lab_folder *folder, const lab_target *target, const char *firmware,
                         lab_why *why);

// A source file of that folder, set to the precision of the target.
lab_outcome lab_copy_source(lab_folder *folder, const lab_target *target, const char *firmware,
                            const char *name, lab_why *why);

// As files of cfpc_model_load and cfpc_data_load: NAME.model, with a table of the basis signals
// that are in time, and NAME.data, at rest or with trained weights.
lab_outcome lab_export_bin(lab_folder *folder, const lab_target *target, lab_why *why);

#endif
