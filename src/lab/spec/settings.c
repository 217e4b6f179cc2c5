// SPDX-License-Identifier: Apache-2.0
#include "spec/settings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/text.h"
#include "spec/reader.h"

enum { LONGEST_PART = 128 }; // characters between two dots

void lab_settings_free(lab_settings *settings)
{
    for (int i = 0; i < settings->count; i++) {
        free(settings->items[i].path);
        lab_node_free(settings->items[i].value);
    }
    free(settings->items);
    *settings = (lab_settings){0};
}

lab_outcome lab_settings_add_node(lab_settings *settings, const char *path, const lab_node *value,
                                  lab_why *why)
{
    lab_setting *items =
        realloc(settings->items, ((size_t)settings->count + 1) * sizeof *settings->items);
    if (!items)
        return lab_no_memory(why, NULL);
    settings->items = items;
    lab_setting *item = &items[settings->count++];
    *item = (lab_setting){.path = strdup(path), .value = lab_node_copy(value)};
    return item->path && item->value ? LAB_DONE : lab_no_memory(why, NULL);
}

// ---- from the command line -------------------------------------------------------------------

bool lab_names_file(const char *path)
{
    const char *dot = strrchr(path, '.');
    return strcmp(dot ? dot + 1 : path, "file") == 0;
}

// Makes a name that is relative to the current folder absolute: a spec's own are relative to it.
static lab_outcome name_from_here(char **name, lab_why *why)
{
    char here[4096];
    if (!**name || **name == '/')
        return LAB_DONE;
    if (!getcwd(here, sizeof here))
        return lab_fail(why, "%.80s: the current folder has no path that could be read", *name);
    char *whole = lab_text_of("%s/%s", here, *name);
    if (!whole)
        return lab_no_memory(why, NULL);
    free(*name);
    *name = whole;
    return LAB_DONE;
}

// The same for every file that a value names, itself under this key.
static lab_outcome files_from_here(lab_node *value, const char *key, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    if (value->kind == LAB_SCALAR && lab_names_file(key))
        return name_from_here(&value->text, why);
    for (lab_node *child = value->child; outcome == LAB_DONE && child; child = child->next)
        outcome = files_from_here(child, child->key ? child->key : "", why);
    return outcome;
}

// Every node of a value knows the setting that it came from.
static bool mark(lab_node *value, const char *assignment)
{
    free(value->setting);
    value->setting = strdup(assignment);
    bool done = value->setting != NULL;
    for (lab_node *child = value->child; done && child; child = child->next)
        done = mark(child, assignment);
    return done;
}

lab_outcome lab_settings_add_given(lab_settings *settings, const char *path, lab_node *value,
                                   const char *assignment, lab_why *why)
{
    lab_outcome outcome = mark(value, assignment) ? LAB_DONE : lab_no_memory(why, NULL);
    if (outcome == LAB_DONE)
        outcome = files_from_here(value, path, why);
    return outcome == LAB_DONE ? lab_settings_add_node(settings, path, value, why) : outcome;
}

lab_outcome lab_settings_add(lab_settings *settings, const char *assignment, lab_why *why)
{
    const char *equals = strchr(assignment, '=');
    if (!equals || equals == assignment || !equals[1])
        return lab_refuse(why, "a setting is KEY=VALUE, as loop.delay_ms=80; this is '%.80s'",
                          assignment);
    char *path = strndup(assignment, (size_t)(equals - assignment));
    lab_node *value = NULL;
    lab_outcome outcome =
        path ? lab_parse_value(&value, path, equals + 1, why) : lab_no_memory(why, NULL);
    if (outcome == LAB_DONE)
        outcome = lab_settings_add_given(settings, path, value, assignment, why);
    lab_node_free(value);
    free(path);
    return outcome;
}

lab_outcome lab_settings_add_all(lab_settings *settings, const lab_settings *more, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < more->count; i++)
        outcome = lab_settings_add_node(settings, more->items[i].path, more->items[i].value, why);
    return outcome;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_node(const lab_node *a, const lab_node *b)
{
    for (; a && b; a = a->next, b = b->next)
        if (a->kind != b->kind || !same_text(a->key, b->key) || !same_text(a->text, b->text) ||
            !same_node(a->child, b->child))
            return false;
    return a == b;
}

bool lab_settings_same(const lab_settings *a, const lab_settings *b)
{
    bool same = a->count == b->count;
    for (int i = 0; same && i < a->count; i++)
        same = strcmp(a->items[i].path, b->items[i].path) == 0 &&
               same_node(a->items[i].value, b->items[i].value);
    return same;
}

// ---- finding the place -----------------------------------------------------------------------

// The entry of a list by its `name` or its number; the hint is given the names there are.
static lab_node *find_entry(const lab_node *list, const char *part, lab_hint *hint)
{
    char *end;
    const long number = strtol(part, &end, 10);
    const bool is_number = *end == '\0' && end != part;
    long at = 0;
    lab_node *found = NULL;
    for (lab_node *entry = list->child; entry; entry = entry->next, at++) {
        const char *name = lab_node_text(entry, "name");
        if (!found && ((name && strcmp(name, part) == 0) || (is_number && at == number)))
            found = entry;
        if (name)
            lab_hint_add(hint, name);
    }
    return found;
}

// Whether a value came from a file: then its place there is known.
static bool is_of_file(const lab_node *value)
{
    return !value->setting && value->line > 0;
}

// A map for a value that is to be put below it.
static lab_node *append_map(lab_node *map, const char *key, const lab_node *value)
{
    lab_node *added = lab_node_under(LAB_MAP, key, is_of_file(value) ? value : map);
    lab_node **end = &map->child;
    while (*end)
        end = &(*end)->next;
    *end = added;
    if (!added || !value->setting)
        return added;
    added->setting = strdup(value->setting);
    return added->setting ? added : NULL;
}

// A single switch stands for the `on` of a section: as `guard: off`.
static bool open_switch(lab_node *node)
{
    lab_node *on = lab_node_under(LAB_SCALAR, "on", node);
    if (!on)
        return false;
    on->text = node->text;
    node->kind = LAB_MAP;
    node->text = NULL;
    node->child = on;
    return true;
}

static bool is_list_of_one(const lab_node *node)
{
    return node->kind == LAB_LIST && node->child && !node->child->next &&
           node->child->kind == LAB_MAP;
}

// The keys of a `set` are paths themselves. Of one that is written so, or is to be: its entry,
// which is added if it is not there; NULL if the set has the path's first part as a map, or there
// is none.
static lab_node *entry_of_set(lab_node *set, const char *path, const char *first,
                              const lab_node *value)
{
    lab_node *entry = lab_node_find(set, path);
    return entry || lab_node_find(set, first) ? entry : append_map(set, path, value);
}

// The node at a path; a key that a map lacks is added, for the validator to judge.
static lab_outcome find_place(lab_node *root, const char *path, const lab_node *value,
                              lab_node **place, lab_why *why)
{
    lab_node *node = root;
    const char *part = path;
    for (;; part++) {
        const size_t length = strcspn(part, ".");
        char key[LONGEST_PART];
        if (length == 0 || length >= sizeof key)
            return lab_refuse(why, "'%.80s' is not a path of keys joined by dots", path);
        memcpy(key, part, length);
        key[length] = '\0';
        const bool in_set = node->kind == LAB_MAP && node->key && strcmp(node->key, "set") == 0;
        lab_node *entry = in_set ? entry_of_set(node, part, key, value) : NULL;
        if (entry) {
            *place = entry;
            return LAB_DONE;
        }
        lab_hint hint = lab_hint_for(key);
        lab_node *next = node->kind == LAB_MAP    ? lab_node_find(node, key)
                         : node->kind == LAB_LIST ? find_entry(node, key, &hint)
                                                  : NULL;
        if (!next && node->kind == LAB_MAP && strcmp(key, "0") == 0)
            next = node;                   // a list of one may be written as that one
        if (!next && is_list_of_one(node)) // and that one as a list
            next = lab_node_find(node->child, key);
        if (!next && lab_node_switch(node) >= 0)
            next = open_switch(node) ? append_map(node, key, value) : NULL;
        if (!next && node->kind == LAB_SCALAR)
            return lab_refuse(why, "setting '%.80s': '%.*s' is a single value, with no '%s' to set",
                              path, (int)(part - path) - 1, path, key);
        if (!next && node->kind != LAB_MAP)
            return lab_refuse(why, "setting '%.80s': there is no '%s' to set%s%s", path, key,
                              hint.is_near ? "; " : "", hint.is_near ? hint.text : "");
        if (!next && !(next = append_map(node, key, value)))
            return lab_no_memory(why, NULL);
        node = next;
        part += length;
        if (!*part)
            break;
    }
    *place = node;
    return LAB_DONE;
}

// The place keeps its key and its neighbours; all else is the value's.
static lab_outcome settings_replace(lab_node *place, const lab_node *value, lab_why *why)
{
    lab_node *copy = lab_node_copy(value);
    if (!copy)
        return lab_no_memory(why, NULL);
    lab_node_free(place->child);
    free(place->text);
    free(place->setting);
    if (is_of_file(value)) {
        place->line = copy->line;
        place->column = copy->column;
    }
    place->setting = copy->setting;
    place->kind = copy->kind;
    place->text = copy->text;
    place->child = copy->child;
    copy->text = copy->setting = NULL;
    copy->child = NULL;
    lab_node_free(copy);
    return LAB_DONE;
}

lab_outcome lab_settings_apply(const lab_settings *settings, lab_node *root, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < settings->count; i++) {
        lab_node *place = NULL;
        outcome = find_place(root, settings->items[i].path, settings->items[i].value, &place, why);
        if (outcome == LAB_DONE)
            outcome = settings_replace(place, settings->items[i].value, why);
    }
    return outcome;
}
