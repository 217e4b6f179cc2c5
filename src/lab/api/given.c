// SPDX-License-Identifier: Apache-2.0
#include "api/given.h"

lab_outcome lab_check_given(const void *it, const char *what, lab_why *why)
{
    return it ? LAB_DONE : lab_refuse(why, "no %s was given", what);
}

lab_outcome lab_check_both(const void *it, const char *what, const void *other,
                           const char *other_what, lab_why *why)
{
    const lab_outcome outcome = lab_check_given(it, what, why);
    return outcome == LAB_DONE ? lab_check_given(other, other_what, why) : outcome;
}

lab_outcome lab_check_reader(const cfpc_reader *reader, lab_why *why)
{
    return !reader || reader->parse ? LAB_DONE
                                    : lab_refuse(why, "the reader has no function that parses");
}
