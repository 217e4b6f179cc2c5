// SPDX-License-Identifier: Apache-2.0
// validate: tables that say what a spec file may hold, and the one reader that follows them. A
// table is also the reference: key, unit (in the key's ending), range, default and meaning.
#ifndef CFPC_LAB_VALIDATE_H
#define CFPC_LAB_VALIDATE_H

#include <stdbool.h>
#include <stddef.h>

#include "spec/settings.h"
#include "spec/values.h"
#include "spec/yaml.h"

typedef enum lab_field_kind {
    LAB_NUMBER,  // double
    LAB_COUNT,   // int
    LAB_TEXT,    // char *
    LAB_CHOICE,  // int: index into choices
    LAB_SWITCH,  // int: yes or no
    LAB_NUMBERS, // lab_numbers: a list of numbers
    LAB_ROWS,    // lab_numbers: a list of equally long lists of numbers
    LAB_TEXTS,   // lab_texts: a list of texts, or of names out of choices
    LAB_SECTION, // a struct: a map read by `table`
    LAB_LISTING, // lab_listing: a list of maps (or one map), each read by `table`
    LAB_SETTINGS // lab_settings: a map of paths to values
} lab_field_kind;

typedef struct lab_field {
    const char *key;
    lab_field_kind kind;
    size_t offset;                 // into the table's struct
    bool required;                 // or else it has a default
    bool optional;                 // a section that may be left out: its place is then line 0
    double low, high;              // range of a number or count; low == high: any
    bool above_low;                // low itself is out of range
    const char *standard;          // default, as text; NULL: NAN, 0, "" or empty
    const char *const *choices;    // names, NULL at the end
    const struct lab_table *table; // of a section or listing
    const char *only_for;          // kinds this key belongs to, as " a b "; NULL: all
    const char *meaning;           // one sentence
} lab_field;

typedef struct lab_table {
    const char *name;        // of what it describes
    size_t bytes;            // of the struct it fills; it must begin with a lab_place
    const char *selector;    // key of the choice that `only_for` speaks of; NULL if there is none
    const lab_field *fields; // key NULL at the end
    const char *shorthand;   // key that a single value stands for; NULL: it takes a map
} lab_table;

// Fills the zeroed struct `into` from a map. On refusal what it holds is still freed by
// lab_validated_free.
lab_outcome lab_validate(const lab_table *table, const char *file, const lab_node *map, void *into,
                         lab_why *why);
void lab_validated_free(const lab_table *table, void *from);

// Whether a key belongs to the kind that the table's selector names.
bool lab_field_belongs(const lab_field *field, const char *selection);

#endif
