// SPDX-License-Identifier: Apache-2.0
// siblings: the other parts beside a part, which must be of the same sweep.
#ifndef CFPC_LAB_SIBLINGS_H
#define CFPC_LAB_SIBLINGS_H

#include "sweep/part.h"

// Refuses a part where there are parts of another number of parts, or of a sweep with another
// identity.
lab_outcome lab_siblings_check(const char *result, lab_part part, const char *identity,
                               lab_why *why);

// The sentence about a part of another sweep, by what differs (lab_identity_difference).
lab_outcome lab_refuse_other_part(const char *folder, const char *difference, lab_why *why);

#endif
