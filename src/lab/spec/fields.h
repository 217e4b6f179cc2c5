// SPDX-License-Identifier: Apache-2.0
// fields: how a table of keys is written. A row names the struct and the member that it fills,
// whose name is the key; then whether the key is needed, the range of a number, and the meaning.
#ifndef CFPC_LAB_FIELDS_H
#define CFPC_LAB_FIELDS_H

#include "spec/validate.h"

#define AT(type, member) .key = #member, .offset = offsetof(type, member)
#define IN(type, part, member) .key = #member, .offset = offsetof(type, part.member)

// What holds without the key.
#define REQUIRED .required = true
#define OPTIONAL .optional = true   // a section that may be left out
#define OR(text) .standard = (text) // the default
#define NONE .required = false      // NAN, 0, "" or empty; of a section, the defaults of its keys

#define FROM(min, max) .low = (min), .high = (max)
#define ABOVE(min, max) .low = (min), .high = (max), .above_low = true
#define ANY .low = 0, .high = 0

// The names of a list of kinds.h, and the keys that each has.
#define NAMES_OF(LIST)                                                                             \
    .choices = (const char *const[])                                                               \
    {                                                                                              \
        LIST(LAB_NAME) NULL                                                                        \
    }
#define KEYS_OF(LIST)                                                                              \
    .keys = (const char *const[])                                                                  \
    {                                                                                              \
        LIST(LAB_KEYS) NULL                                                                        \
    }

// A row, and one of each kind; a selector is a choice that says which keys there are.
#define ROW(is, place, says, ...)                                                                  \
    {                                                                                              \
        place, .kind = (is), .meaning = (says), __VA_ARGS__                                        \
    }
#define NUMBER(type, key, need, range, says) ROW(LAB_NUMBER, AT(type, key), says, need, range)
#define COUNT(type, key, need, range, says) ROW(LAB_COUNT, AT(type, key), says, need, range)
#define NUMBERS(type, key, need, range, says) ROW(LAB_NUMBERS, AT(type, key), says, need, range)
#define ROWS(type, key, need, says) ROW(LAB_ROWS, AT(type, key), says, need)
#define TEXT(type, key, need, says) ROW(LAB_TEXT, AT(type, key), says, need)
#define TEXTS(type, key, need, names, says)                                                        \
    ROW(LAB_TEXTS, AT(type, key), says, need, .choices = names)
#define SWITCH(type, key, need, says) ROW(LAB_SWITCH, AT(type, key), says, need)
#define CHOICE(type, key, LIST, need, says)                                                        \
    ROW(LAB_CHOICE, AT(type, key), says, need, NAMES_OF(LIST))
#define SELECTOR(type, key, LIST, need, says)                                                      \
    ROW(LAB_CHOICE, AT(type, key), says, need, NAMES_OF(LIST), KEYS_OF(LIST))
#define SECTION(type, key, of, need, says)                                                         \
    ROW(LAB_SECTION, AT(type, key), says, need, .table = &(of))
#define LISTING(type, key, of, need, says)                                                         \
    ROW(LAB_LISTING, AT(type, key), says, need, .table = &(of))
#define SETTINGS(type, key, says) ROW(LAB_SETTINGS, AT(type, key), says, NONE)

// A table of the rows x_fields; `selector` is NULL or the key that says which keys there are.
#define TABLE(x, describes, type, by)                                                              \
    static const lab_table x##_table = {describes, sizeof(type), by, .fields = x##_fields}

#define LONG_MS 1e9 // longest time in ms
#define LONG_S 1e6  // longest time in s
#define HUGE_NUMBER 1e300

#endif
