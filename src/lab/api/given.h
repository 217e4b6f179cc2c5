// SPDX-License-Identifier: Apache-2.0
// given: what a program left out of a call is refused, where it would be a crash.
#ifndef CFPC_LAB_API_GIVEN_H
#define CFPC_LAB_API_GIVEN_H

#include "base/outcome.h"

// What, as "folder": refused if it is NULL.
lab_outcome lab_check_given(const void *it, const char *what, lab_why *why);

// Two at once, the first being said first.
lab_outcome lab_check_both(const void *it, const char *what, const void *other,
                           const char *other_what, lab_why *why);

// A reader must parse; NULL is none, which is fine.
lab_outcome lab_check_reader(const cfpc_reader *reader, lab_why *why);

#endif
