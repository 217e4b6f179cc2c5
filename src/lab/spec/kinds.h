// SPDX-License-Identifier: Apache-2.0
// kinds: what the structs of a spec are made of, besides numbers and texts.
//
// A kind of a spec is one row of a list: its enumerator, its name in a spec file, the keys
// that it has beside those of every kind and, where kinds fall into families, its family:
//
//   #define LAB_SIGNAL_KINDS(X) X(LAB_STEP, "step", "at_s from to", LAB_PASSING) ...
//   typedef enum lab_signal_kind { LAB_SIGNAL_KINDS(LAB_ENUMERATOR) } lab_signal_kind;
//
// The enum, the names and the keys are made from the list. A `switch` over the enum lists every
// kind and has no default, so that the compiler names the places where a new kind is missing.
#ifndef CFPC_LAB_KINDS_H
#define CFPC_LAB_KINDS_H

#include <stddef.h>

#define LAB_ENUMERATOR(kind, ...) kind,
#define LAB_NAME(kind, ...) [kind] = LAB_FIRST_OF(__VA_ARGS__, ),
#define LAB_KEYS(kind, ...) [kind] = LAB_SECOND_OF(__VA_ARGS__, ),
#define LAB_FAMILY(kind, name, ...) [kind] = LAB_SECOND_OF(__VA_ARGS__, ),

// The family of a kind of a list; that of what is no kind is `other`.
#define LAB_FAMILY_OF(name, kind_type, family_type, LIST, other)                                   \
    static inline family_type name(kind_type kind)                                                 \
    {                                                                                              \
        static const family_type families[] = {LIST(LAB_FAMILY)};                                  \
        return (size_t)kind < sizeof families / sizeof families[0] ? families[kind] : (other);     \
    }

#define LAB_FIRST_OF(first, ...) first
#define LAB_SECOND_OF(first, second, ...) second

// Where a struct was read from: the first member of every struct that a table fills.
typedef struct lab_place {
    int line, column;
    char setting[64]; // key of the setting that it came from instead, as in --set; "": none
} lab_place;

typedef struct lab_numbers {
    int rows, columns; // a plain list is one row
    double *values;    // (rows x columns)
} lab_numbers;

typedef struct lab_texts {
    int count;
    char **items; // (count)
} lab_texts;

typedef struct lab_listing {
    int count;
    void *items; // structs of the table's bytes
} lab_listing;

#endif
