// SPDX-License-Identifier: Apache-2.0
// identity: what identifies a sweep, as text: the version, the spec and the files it reads, the
// settings and the grid.
#ifndef CFPC_LAB_IDENTITY_H
#define CFPC_LAB_IDENTITY_H

#include "sweep/sweep.h"

// The caller frees it.
lab_outcome lab_identity_make(char **text, const lab_sweep *sweep, lab_why *why);

// What differs first between the identities of two sweeps: "another grid", "other settings", ...
const char *lab_identity_difference(const char *one, const char *other);

#endif
