// SPDX-License-Identifier: Apache-2.0
// validate: tables that say what a spec file may hold, and the one reader that follows them. A
// table is also the reference: key, unit (in the key's ending), range, default and meaning.
#ifndef CFPC_LAB_VALIDATE_H
#define CFPC_LAB_VALIDATE_H

#include <stdbool.h>
#include <stddef.h>

#include "spec/kinds.h"
#include "spec/node.h"
#include "spec/settings.h"

// What a field holds: enumerator and name; the comment gives the type of the struct's member.
#define LAB_FIELD_KINDS(X)                                                                         \
    X(LAB_NUMBER, "number")           /* double */                                                 \
    X(LAB_COUNT, "whole number")      /* int */                                                    \
    X(LAB_TEXT, "text")               /* char * */                                                 \
    X(LAB_CHOICE, "name")             /* an enum: index into choices */                            \
    X(LAB_SWITCH, "yes or no")        /* int */                                                    \
    X(LAB_NUMBERS, "list of numbers") /* lab_numbers */                                            \
    X(LAB_ROWS, "list of rows")       /* lab_numbers: rows of equal length */                      \
    X(LAB_TEXTS, "list of texts")     /* lab_texts; of names, if there are choices */              \
    X(LAB_SECTION, "map")             /* a struct, read by `table` */                              \
    X(LAB_LISTING, "list of maps")    /* lab_listing: maps (or one map), each read by `table` */   \
    X(LAB_SETTINGS, "map of paths")   /* lab_settings */

typedef enum lab_field_kind { LAB_FIELD_KINDS(LAB_ENUMERATOR) } lab_field_kind;

typedef struct lab_field {
    const char *key;
    lab_field_kind kind;
    size_t offset;              // into the table's struct
    bool required;              // or else it has a default
    bool optional;              // a section that may be left out: its place is then line 0
    double low, high;           // range of a number or count; low == high: any
    bool above_low;             // low itself is out of range
    const char *standard;       // default, as text; NULL: NAN, 0, "" or empty
    const char *const *choices; // names, NULL at the end
    const char *const *keys;    // of a selector: those that not all kinds have, one text per choice
    const struct lab_table *table; // of a section or listing
    const char *meaning;           // one sentence
} lab_field;

typedef struct lab_table {
    const char *name;        // of what it describes
    size_t bytes;            // of the struct it fills; it must begin with a lab_place
    const char *selector;    // key of the choice that says which keys there are; NULL: none does
    const lab_field *fields; // key NULL at the end
    const char *shorthand;   // key that a single value stands for; NULL: it takes a map
} lab_table;

// Fills the zeroed struct `into` from a map. On refusal what it holds is still freed by
// lab_validated_free.
lab_outcome lab_validate(const lab_table *table, const char *file, const lab_node *map, void *into,
                         lab_why *why);
void lab_validated_free(const lab_table *table, void *from);

// The field of a key; NULL if there is none, or no key.
const lab_field *lab_field_of(const lab_table *table, const char *key);

// The field that says of which kind a map is; NULL if none does.
static inline const lab_field *lab_selector_of(const lab_table *table)
{
    return lab_field_of(table, table->selector);
}

// The name of the kind that a struct has by its table's selector; "" if it has none.
const char *lab_selected(const lab_table *table, const void *from);

// Whether a text of keys, as "count width_ms", holds this one.
bool lab_has_key(const char *keys, const char *key);

// Whether a field belongs to the kind of this name: the kind has its key, or no kind has.
bool lab_field_belongs(const lab_table *table, const lab_field *field, const char *kind);

// What a spec file may hold (spec_tables.c).
extern const lab_table lab_spec_table;

#endif
