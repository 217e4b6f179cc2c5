// SPDX-License-Identifier: Apache-2.0
// fields: how the rows of a table of keys are written.
#ifndef CFPC_LAB_FIELDS_H
#define CFPC_LAB_FIELDS_H

#include "spec/validate.h"

// A field by the member it fills: the key is the name of the member.
#define AT(type, member) .key = #member, .offset = offsetof(type, member)
#define IN(type, part, member) .key = #member, .offset = offsetof(type, part.member)
#define FROM(min, max) .low = (min), .high = (max)
#define ABOVE(min, max) .low = (min), .high = (max), .above_low = true

// A choice out of a list of kinds.h, and one that says which keys there are.
#define ONE_OF(LIST)                                                                               \
    .kind = LAB_CHOICE, .choices = (const char *const[])                                           \
    {                                                                                              \
        LIST(LAB_NAME) NULL                                                                        \
    }
#define KIND_OF(LIST)                                                                              \
    ONE_OF(LIST), .keys = (const char *const[])                                                    \
    {                                                                                              \
        LIST(LAB_KEYS) NULL                                                                        \
    }

#define LONG_MS 1e9 // longest time in ms
#define LONG_S 1e6  // longest time in s
#define HUGE_NUMBER 1e300

#endif
