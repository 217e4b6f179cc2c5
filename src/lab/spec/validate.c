// SPDX-License-Identifier: Apache-2.0
#include "spec/validate.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

// A choice is written as an int into an enum of any kind.
_Static_assert(sizeof(lab_field_kind) == sizeof(int), "enums are as large as int");

// What a reader carries down the tree.
typedef struct reading {
    const char *file;
    lab_why *why;
} reading;

#define REFUSE(in, node, ...) (say_at((in), (node), __VA_ARGS__), LAB_REFUSED)

__attribute__((format(printf, 3, 4))) static void say_at(const reading *in, const lab_node *node,
                                                         const char *format, ...)
{
    char sentence[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (node->setting)
        lab_say(in->why, "setting '%.200s': %s", node->setting, sentence);
    else
        lab_say_at(in->why, in->file, node->line, node->column, "%s", sentence);
}

// ---- single values ---------------------------------------------------------------------------

static const char *kind_name(const lab_node *node)
{
    return node->kind == LAB_MAP ? "a map" : node->kind == LAB_LIST ? "a list" : "a single value";
}

static lab_outcome need(const reading *in, const lab_node *node, lab_node_kind kind,
                        const char *key, const char *what)
{
    if (node->kind != kind)
        return REFUSE(in, node, "'%s' must be %s; this is %s", key, what, kind_name(node));
    return LAB_DONE;
}

static lab_outcome read_number(const reading *in, const lab_node *node, const lab_field *field,
                               double *to)
{
    lab_outcome outcome = need(in, node, LAB_SCALAR, field->key, "a number");
    if (outcome != LAB_DONE)
        return outcome;
    char *end;
    *to = strtod(node->text, &end);
    if (end == node->text || *end != '\0')
        return REFUSE(in, node, "'%s' must be a number; this is '%.60s'", field->key, node->text);
    if (!isfinite(*to))
        return REFUSE(in, node, "'%s' must be finite; this is '%.60s'", field->key, node->text);
    if (field->low == field->high)
        return LAB_DONE;
    if (field->above_low ? *to <= field->low : *to < field->low)
        return REFUSE(in, node, "'%s' must be %s %g; this is %g", field->key,
                      field->above_low ? "above" : "at least", field->low, *to);
    if (*to > field->high)
        return REFUSE(in, node, "'%s' must be at most %g; this is %g", field->key, field->high,
                      *to);
    return LAB_DONE;
}

static lab_outcome read_count(const reading *in, const lab_node *node, const lab_field *field,
                              int *to)
{
    double value = 0;
    lab_outcome outcome = read_number(in, node, field, &value);
    if (outcome != LAB_DONE)
        return outcome;
    if (value != floor(value) || fabs(value) > INT_MAX)
        return REFUSE(in, node, "'%s' must be a whole number; this is '%.60s'", field->key,
                      node->text);
    *to = (int)value;
    return LAB_DONE;
}

static lab_outcome validate_read_text(const reading *in, const lab_node *node,
                                      const lab_field *field, char **to)
{
    lab_outcome outcome = need(in, node, LAB_SCALAR, field->key, "text");
    if (outcome != LAB_DONE)
        return outcome;
    if (node->text[0] == '\0')
        return REFUSE(in, node, "'%s' is empty", field->key);
    *to = strdup(node->text);
    return *to ? LAB_DONE : lab_no_memory(in->why, in->file);
}

static lab_outcome read_choice(const reading *in, const lab_node *node, const lab_field *field,
                               int *to)
{
    lab_outcome outcome = need(in, node, LAB_SCALAR, field->key, "a name");
    if (outcome != LAB_DONE)
        return outcome;
    int count = 0;
    for (; field->choices[count]; count++)
        if (strcmp(field->choices[count], node->text) == 0) {
            *to = count;
            return LAB_DONE;
        }
    return REFUSE(in, node, "'%s' cannot be '%.60s'; %s", field->key, node->text,
                  lab_hint_among(node->text, field->choices, count).text);
}

static lab_outcome read_switch(const reading *in, const lab_node *node, const lab_field *field,
                               int *to)
{
    *to = lab_node_switch(node);
    if (*to >= 0)
        return LAB_DONE;
    return REFUSE(in, node, "'%s' must be yes or no; this is %s%.60s%s", field->key,
                  node->kind == LAB_SCALAR ? "'" : "", node->text ? node->text : kind_name(node),
                  node->kind == LAB_SCALAR ? "'" : "");
}

// ---- lists -----------------------------------------------------------------------------------

static int child_count(const lab_node *list)
{
    int count = 0;
    for (const lab_node *item = list->child; item; item = item->next)
        count++;
    return count;
}

static lab_outcome need_items(const reading *in, const lab_node *node, const lab_field *field,
                              const char *what)
{
    const lab_outcome outcome = need(in, node, LAB_LIST, field->key, what);
    return outcome == LAB_DONE && !node->child ? REFUSE(in, node, "'%s' is empty", field->key)
                                               : outcome;
}

// A list of numbers is one row; of a list of rows, each has as many numbers as the first.
static lab_outcome read_numbers(const reading *in, const lab_node *node, const lab_field *field,
                                lab_numbers *to)
{
    const bool has_rows = field->kind == LAB_ROWS;
    const char *what = has_rows ? "a list of lists of numbers" : "a list of numbers";
    lab_outcome outcome = need_items(in, node, field, what);
    if (outcome != LAB_DONE)
        return outcome;
    const lab_node *first = has_rows ? node->child : node;
    const int rows = has_rows ? child_count(node) : 1, columns = child_count(first);
    double *value = calloc((size_t)rows * (size_t)columns + 1, sizeof *value);
    if (!value)
        return lab_no_memory(in->why, in->file);
    *to = (lab_numbers){.rows = rows, .columns = columns, .values = value};
    for (const lab_node *row = first; outcome == LAB_DONE && row;
         row = has_rows ? row->next : NULL) {
        outcome = need(in, row, LAB_LIST, field->key, what);
        if (outcome == LAB_DONE && child_count(row) != columns)
            outcome = REFUSE(in, row, "'%s': this row has %d numbers, the first has %d", field->key,
                             child_count(row), columns);
        for (const lab_node *item = row->child; outcome == LAB_DONE && item; item = item->next)
            outcome = read_number(in, item, field, value++);
    }
    return outcome;
}

// Any texts, or some of the choices.
static lab_outcome read_texts(const reading *in, const lab_node *node, const lab_field *field,
                              lab_texts *to)
{
    lab_outcome outcome = need_items(in, node, field, "a list");
    if (outcome != LAB_DONE)
        return outcome;
    to->items = calloc((size_t)child_count(node), sizeof *to->items);
    if (!to->items)
        return lab_no_memory(in->why, in->file);
    for (const lab_node *item = node->child; outcome == LAB_DONE && item; item = item->next) {
        int chosen;
        if (field->choices)
            outcome = read_choice(in, item, field, &chosen);
        if (outcome == LAB_DONE)
            outcome = validate_read_text(in, item, field, &to->items[to->count++]);
    }
    return outcome;
}

// ---- maps ------------------------------------------------------------------------------------

static lab_outcome read_listing(const reading *in, const lab_node *node, const lab_field *field,
                                lab_listing *to)
{
    const bool single = node->kind == LAB_MAP;
    lab_outcome outcome = single ? LAB_DONE : need(in, node, LAB_LIST, field->key, "a list");
    if (outcome == LAB_DONE && field->required && !single && !node->child)
        outcome = REFUSE(in, node, "'%s' is empty; give at least one", field->key);
    if (outcome != LAB_DONE)
        return outcome;
    const int count = single ? 1 : child_count(node);
    to->items = calloc((size_t)count + 1, field->table->bytes);
    if (!to->items)
        return lab_no_memory(in->why, in->file);
    char *item = to->items;
    const lab_node *map = single ? node : node->child;
    for (; outcome == LAB_DONE && map; map = single ? NULL : map->next) {
        to->count++; // before it is read, so that a half-read one is freed
        outcome = lab_validate(field->table, in->file, map, item, in->why);
        item += field->table->bytes;
    }
    return outcome;
}

static lab_outcome read_settings(const reading *in, const lab_node *node, const lab_field *field,
                                 lab_settings *to)
{
    lab_outcome outcome = need(in, node, LAB_MAP, field->key, "a map of keys and values");
    for (const lab_node *child = node->child; outcome == LAB_DONE && child; child = child->next)
        outcome = lab_settings_add_node(to, child->key, child, in->why);
    return outcome;
}

// A map, or a single value for the one key that it stands for.
static lab_outcome read_section(const reading *in, const lab_node *node, const lab_field *field,
                                void *to)
{
    if (node->kind != LAB_SCALAR || !field->table->shorthand)
        return lab_validate(field->table, in->file, node, to, in->why);
    lab_node only = *node;
    only.key = (char *)field->table->shorthand;
    only.next = NULL;
    const lab_node map = {
        .kind = LAB_MAP, .line = node->line, .column = node->column, .child = &only};
    return lab_validate(field->table, in->file, &map, to, in->why);
}

static lab_outcome validate_read_value(const reading *in, const lab_node *node,
                                       const lab_field *field, void *to)
{
    switch (field->kind) {
    case LAB_NUMBER:
        return read_number(in, node, field, to);
    case LAB_COUNT:
        return read_count(in, node, field, to);
    case LAB_TEXT:
        return validate_read_text(in, node, field, to);
    case LAB_CHOICE:
        return read_choice(in, node, field, to);
    case LAB_SWITCH:
        return read_switch(in, node, field, to);
    case LAB_NUMBERS:
    case LAB_ROWS:
        return read_numbers(in, node, field, to);
    case LAB_TEXTS:
        return read_texts(in, node, field, to);
    case LAB_SECTION:
        return read_section(in, node, field, to);
    case LAB_LISTING:
        return read_listing(in, node, field, to);
    case LAB_SETTINGS:
        return read_settings(in, node, field, to);
    }
    return LAB_REFUSED;
}

const lab_field *lab_field_of(const lab_table *table, const char *key)
{
    for (const lab_field *field = table->fields; key && field->key; field++)
        if (strcmp(field->key, key) == 0)
            return field;
    return NULL;
}

const char *lab_selected(const lab_table *table, const void *from)
{
    const lab_field *selector = lab_selector_of(table);
    return selector ? selector->choices[*(const int *)((const char *)from + selector->offset)] : "";
}

// The name that the table's selector has in this map, or by default; "" if there is none.
static const char *selected(const lab_table *table, const lab_node *map)
{
    const lab_node *node = table->selector ? lab_node_find(map, table->selector) : NULL;
    const lab_field *selector = lab_selector_of(table);
    const char *standard = selector && selector->standard ? selector->standard : "";
    return node ? (node->text ? node->text : "") : standard;
}

bool lab_has_key(const char *keys, const char *key)
{
    const size_t length = strlen(key);
    for (; *keys; keys += strspn(keys, " ")) {
        const size_t word = strcspn(keys, " ");
        if (word == length && strncmp(keys, key, length) == 0)
            return true;
        keys += word;
    }
    return false;
}

bool lab_field_belongs(const lab_table *table, const lab_field *field, const char *kind)
{
    const lab_field *selector = lab_selector_of(table);
    bool is_common = true;
    for (int i = 0; selector && selector->keys && selector->choices[i]; i++) {
        const bool has = lab_has_key(selector->keys[i], field->key);
        if (has && strcmp(selector->choices[i], kind) == 0)
            return true;
        is_common &= !has;
    }
    return is_common;
}

// Whether a key of another kind says no more than its default. In a spec with every default written
// out, a setting that changes the kind leaves such keys behind.
static bool says_default(const lab_field *field, const lab_node *node)
{
    if (!field->standard || node->kind != LAB_SCALAR)
        return false;
    const bool number = field->kind == LAB_NUMBER || field->kind == LAB_COUNT;
    char *end;
    return number ? strtod(node->text, &end) == strtod(field->standard, NULL) && end > node->text &&
                        !*end
                  : strcmp(node->text, field->standard) == 0;
}

// Refuses keys that no field of the selected kind has.
static lab_outcome check_keys(const reading *in, const lab_table *table, const lab_node *map,
                              const char *selection)
{
    for (const lab_node *node = map->child; node; node = node->next) {
        const lab_field *field = table->fields;
        while (field->key &&
               !(strcmp(field->key, node->key) == 0 &&
                 (lab_field_belongs(table, field, selection) || says_default(field, node))))
            field++;
        if (field->key)
            continue;
        const lab_node at_key = {
            .line = node->key_line, .column = node->key_column, .setting = node->setting};
        const bool is_named = table->selector && lab_node_find(map, table->selector);
        lab_hint hint = lab_hint_for(node->key);
        for (field = table->fields; field->key; field++)
            if (lab_field_belongs(table, field, selection))
                lab_hint_add(&hint, field->key);
        return REFUSE(in, &at_key, "unknown key '%.60s' in %s%s%s; %s", node->key, table->name,
                      is_named ? " of kind " : "", is_named ? selection : "", hint.text);
    }
    return LAB_DONE;
}

// Whether a section or a list is left out: "key:" with nothing below it, or, where it may be, a
// word that says so, by which --set takes away what the spec has.
static bool validate_is_left_out(const lab_field *field, const lab_node *node)
{
    static const char *const words[] = {"none", "null", "~"};
    const bool is_section = field->kind == LAB_SECTION, is_list = field->kind == LAB_LISTING;
    if (node->kind != LAB_SCALAR || !(is_section || is_list || field->kind == LAB_SETTINGS))
        return false;
    bool is_out = !*node->text;
    if (!field->required && !(is_section && !field->optional))
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            is_out |= strcmp(node->text, words[i]) == 0;
    return is_out;
}

// What the map says of a field, or its default.
static lab_outcome fill_field(const reading *in, const lab_table *table, const lab_node *map,
                              const lab_field *field, void *to)
{
    const lab_node *node = lab_node_find(map, field->key);
    if (node && !validate_is_left_out(field, node))
        return validate_read_value(in, node, field, to);
    if (field->required)
        return REFUSE(in, map, "missing key '%s' in %s: %s", field->key, table->name,
                      field->meaning);
    if (field->standard) {
        const lab_node standard = {
            .line = map->line, .column = map->column, .text = (char *)field->standard};
        return validate_read_value(in, &standard, field, to);
    }
    if (field->kind == LAB_NUMBER)
        *(double *)to = NAN;
    if (field->kind == LAB_TEXT && !(*(char **)to = calloc(1, 1)))
        return lab_no_memory(in->why, in->file);
    if (field->kind == LAB_SECTION && !field->optional) { // all its fields at their defaults
        const lab_node empty = {.kind = LAB_MAP, .line = map->line, .column = map->column};
        return lab_validate(field->table, in->file, &empty, to, in->why);
    }
    return LAB_DONE;
}

lab_outcome lab_validate(const lab_table *table, const char *file, const lab_node *map, void *into,
                         lab_why *why)
{
    const reading in = {.file = file, .why = why};
    lab_outcome outcome = need(&in, map, LAB_MAP, table->name, "a map of keys");
    if (outcome != LAB_DONE)
        return outcome;
    lab_place *place = into; // every struct begins with it
    *place = (lab_place){.line = map->line, .column = map->column};
    if (map->setting)
        snprintf(place->setting, sizeof place->setting, "%.*s", (int)strcspn(map->setting, "="),
                 map->setting);

    // The selector first: it says which keys there are.
    const char *selection = selected(table, map);
    const lab_field *selector = lab_selector_of(table);
    if (selector)
        outcome = fill_field(&in, table, map, selector, (char *)into + selector->offset);
    if (outcome == LAB_DONE)
        outcome = check_keys(&in, table, map, selection);
    for (const lab_field *field = table->fields; outcome == LAB_DONE && field->key; field++)
        if (field != selector && lab_field_belongs(table, field, selection))
            outcome = fill_field(&in, table, map, field, (char *)into + field->offset);
    return outcome;
}

void lab_validated_free(const lab_table *table, void *from)
{
    for (const lab_field *field = table->fields; field->key; field++) {
        void *at = (char *)from + field->offset;
        if (field->kind == LAB_TEXT)
            free(*(char **)at);
        if (field->kind == LAB_NUMBERS || field->kind == LAB_ROWS)
            free(((lab_numbers *)at)->values);
        const lab_texts *texts = field->kind == LAB_TEXTS ? at : NULL;
        for (int i = 0; texts && i < texts->count; i++)
            free(texts->items[i]);
        if (texts)
            free(texts->items);
        if (field->kind == LAB_SETTINGS)
            lab_settings_free(at);
        if (field->kind == LAB_SECTION)
            lab_validated_free(field->table, at);
        if (field->kind == LAB_LISTING) {
            lab_listing *listing = at;
            for (int i = 0; i < listing->count; i++)
                lab_validated_free(field->table,
                                   (char *)listing->items + (size_t)i * field->table->bytes);
            free(listing->items);
        }
    }
}
