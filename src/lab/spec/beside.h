// SPDX-License-Identifier: Apache-2.0
// beside: the tables that a spec names, which lie in its folder, or below it, or where an absolute
// path says.
#ifndef CFPC_LAB_BESIDE_H
#define CFPC_LAB_BESIDE_H

#include "base/csv.h"
#include "spec/spec.h"

// Reads a table that the spec names at this place, and finds the column of this name; NULL for
// none. Free csv in either case.
lab_outcome lab_read_beside(lab_csv *csv, const lab_spec *spec, lab_place place, const char *file,
                            const char *column, int *index, lab_why *why);

#endif
