// SPDX-License-Identifier: Apache-2.0
// given: what a program left out of a call is refused, where it would be a crash. Inline, so that a
// static analyser sees that what is left out is not LAB_DONE.
#ifndef CFPC_LAB_API_GIVEN_H
#define CFPC_LAB_API_GIVEN_H

#include "base/outcome.h"

// What, as "folder": refused if it is NULL.
static inline lab_outcome lab_check_given(const void *it, const char *what, lab_why *why)
{
    return it ? LAB_DONE : lab_refuse(why, "no %s was given", what);
}

// Two at once, the first being said first.
static inline lab_outcome lab_check_both(const void *it, const char *what, const void *other,
                                         const char *other_what, lab_why *why)
{
    const lab_outcome outcome = lab_check_given(it, what, why);
    return outcome == LAB_DONE ? lab_check_given(other, other_what, why) : outcome;
}

#endif
