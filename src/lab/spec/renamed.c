// SPDX-License-Identifier: Apache-2.0
#include "spec/renamed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What a renaming carries down the tree.
typedef struct renaming {
    const lab_table *spec; // the whole
    const char *file;      // of the tree; NULL: the keys are a setting's
    const char *path;      // of the setting
    lab_texts *notes;
    bool failed; // memory ran out
} renaming;

static void add_note(renaming *it, const lab_node *at, const char *from, const char *to)
{
    char place[512], note[768];
    if (it->file)
        snprintf(place, sizeof place, "%.400s:%d:%d", it->file, at->key_line, at->key_column);
    else
        snprintf(place, sizeof place, "setting '%.80s'", it->path);
    snprintf(note, sizeof note, "%s: '%s' is called '%s' now", place, from, to);
    char **items = realloc(it->notes->items, ((size_t)it->notes->count + 1) * sizeof *items);
    if (items)
        it->notes->items = items;
    char *copy = items ? strdup(note) : NULL;
    if (copy)
        items[it->notes->count++] = copy;
    it->failed |= !copy;
}

static bool is_former(const lab_field *field, const char *key, size_t length)
{
    return field->formerly && strlen(field->formerly) == length &&
           strncmp(field->formerly, key, length) == 0;
}

// The field that a key names, by its name or its former one; NULL if there is none.
static const lab_field *field_of(const lab_table *table, const char *key, size_t length)
{
    for (const lab_field *field = table->fields; field->key; field++)
        if ((strlen(field->key) == length && strncmp(field->key, key, length) == 0) ||
            is_former(field, key, length))
            return field;
    return NULL;
}

// ---- paths -----------------------------------------------------------------------------------

// The field at the end of a path; NULL if it leads nowhere. Where the path names a key by its
// former name, *former is that part. After a list a part that is no key names an entry; after a
// `set` the path starts again at the spec.
static const lab_field *follow(const lab_table *spec, const char *path, const char **former)
{
    const lab_table *table = spec;
    const lab_field *field = NULL;
    *former = NULL;
    for (const char *part = path; table && *part;) {
        const size_t length = strcspn(part, ".");
        const lab_field *found = field_of(table, part, length);
        if (!found && !(field && field->kind == LAB_LISTING))
            return NULL;
        if (found) {
            field = found;
            table = found->kind == LAB_SETTINGS ? spec : found->table;
            *former = is_former(found, part, length) ? part : *former;
        }
        part += length + (part[length] == '.');
    }
    return field;
}

// A path with the new name instead of the former one.
static bool rename_path(char **path, const char *former, const lab_field *field)
{
    const size_t length = strcspn(former, "."), size = strlen(*path) + strlen(field->key) + 1;
    char *text = malloc(size);
    if (!text)
        return false;
    snprintf(text, size, "%.*s%s%s", (int)(former - *path), *path, field->key, former + length);
    free(*path);
    *path = text;
    return true;
}

// ---- the tree --------------------------------------------------------------------------------

static void rename_map(renaming *it, const lab_table *table, lab_node *map);

// The value of a key, as its field says.
static void rename_value(renaming *it, const lab_field *field, lab_node *value);

// A path in the spec and the value that is set there.
static void rename_setting(renaming *it, char **path, lab_node *value)
{
    const char *former;
    const lab_field *field = follow(it->spec, *path, &former);
    if (!field)
        return;
    if (former && is_former(field, former, strlen(former))) {
        add_note(it, value, field->formerly, field->key);
        it->failed |= !rename_path(path, former, field);
        it->path = *path;
    }
    rename_value(it, field, value);
}

static void rename_value(renaming *it, const lab_field *field, lab_node *value)
{
    if (field->kind == LAB_SETTINGS)
        for (lab_node *entry = value->child; value->kind == LAB_MAP && entry; entry = entry->next)
            rename_setting(it, &entry->key, entry);
    if (field->table && value->kind == LAB_MAP)
        rename_map(it, field->table, value);
    if (field->kind == LAB_LISTING && value->kind == LAB_LIST)
        for (lab_node *entry = value->child; entry; entry = entry->next)
            rename_map(it, field->table, entry);
}

static void rename_map(renaming *it, const lab_table *table, lab_node *map)
{
    for (lab_node *node = map->child; map->kind == LAB_MAP && node; node = node->next) {
        const lab_field *field = field_of(table, node->key, strlen(node->key));
        if (!field)
            continue;
        if (strcmp(field->key, node->key) != 0 && !lab_node_find(map, field->key)) {
            char *key = strdup(field->key);
            it->failed |= !key;
            if (!key)
                return;
            add_note(it, node, field->formerly, field->key);
            free(node->key);
            node->key = key;
        }
        rename_value(it, field, node);
    }
}

lab_outcome lab_rename_keys(const lab_table *spec, const char *file, lab_node *root,
                            lab_texts *notes, lab_why *why)
{
    renaming it = {.spec = spec, .file = file, .notes = notes};
    rename_map(&it, spec, root);
    return it.failed ? lab_no_memory(why, NULL) : LAB_DONE;
}

lab_outcome lab_rename_settings(const lab_table *spec, lab_settings *settings, lab_texts *notes,
                                lab_why *why)
{
    renaming it = {.spec = spec, .notes = notes};
    for (int i = 0; i < settings->count; i++) {
        it.path = settings->items[i].path;
        rename_setting(&it, &settings->items[i].path, settings->items[i].value);
    }
    return it.failed ? lab_no_memory(why, NULL) : LAB_DONE;
}

lab_outcome lab_rename_path(const lab_table *spec, char **path, lab_texts *notes, lab_why *why)
{
    lab_node nothing = {.kind = LAB_SCALAR};
    renaming it = {.spec = spec, .path = *path, .notes = notes};
    rename_setting(&it, path, &nothing);
    return it.failed ? lab_no_memory(why, NULL) : LAB_DONE;
}
