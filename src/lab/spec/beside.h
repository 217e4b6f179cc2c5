// SPDX-License-Identifier: Apache-2.0
// beside: the files that a spec names: in the folder of the spec or below it, or by an absolute
// path.
#ifndef CFPC_LAB_BESIDE_H
#define CFPC_LAB_BESIDE_H

#include "base/csv.h"
#include "spec/spec.h"

// The path of a file that the spec names, the caller's to free; one that may lie outside of the
// spec's folder must be absolute.
lab_outcome lab_path_beside(char **path, const lab_spec *spec, const char *file, lab_why *why);

// Reads a CSV file that the spec names at this place, and finds the column of this name (NULL: no
// column is needed). Free csv in either case.
lab_outcome lab_read_beside(lab_csv *csv, const lab_spec *spec, lab_place place, const char *file,
                            const char *column, int *index, lab_why *why);

#endif
