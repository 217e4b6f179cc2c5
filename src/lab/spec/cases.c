// SPDX-License-Identifier: Apache-2.0
#include "spec/cases.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *cases_text_of(const lab_node *map, const char *key)
{
    const lab_node *node = map->kind == LAB_MAP ? lab_node_find(map, key) : NULL;
    return node ? node->text : NULL;
}

// A new entry of a map, a scalar, with its place.
static lab_node *cases_add_text(lab_node *map, const char *key, const char *text)
{
    lab_node *node = calloc(1, sizeof *node);
    if (!node)
        return NULL;
    *node = (lab_node){.kind = LAB_SCALAR,
                       .line = map->line,
                       .column = map->column,
                       .key_line = map->line,
                       .key_column = map->column,
                       .key = strdup(key),
                       .text = strdup(text),
                       .next = map->child};
    map->child = node;
    return node->key && node->text ? node : NULL;
}

// A rule that is written out already keeps its name.
static bool rename_rule(lab_node *rule, const char *in_case)
{
    lab_node *name = lab_node_find(rule, "name");
    const size_t prefix = strlen(in_case);
    if (lab_node_find(rule, "in_case") && strncmp(name->text, in_case, prefix) == 0 &&
        name->text[prefix] == '-')
        return true;
    const size_t size = prefix + strlen(name->text) + 2;
    char *text = malloc(size);
    if (!text)
        return false;
    snprintf(text, size, "%s-%s", in_case, name->text);
    free(name->text);
    name->text = text;
    return lab_node_find(rule, "in_case") || cases_add_text(rule, "in_case", in_case);
}

// Copies of the entries of a map that another has not, put before what it has.
static bool put_before(lab_node *into, const lab_node *from)
{
    lab_node **end = &into->child;
    for (const lab_node *entry = from->child; entry; entry = entry->next) {
        if (lab_node_find(into, entry->key))
            continue;
        lab_node *copy = lab_node_copy(entry);
        if (!copy)
            return false;
        copy->next = *end;
        *end = copy;
        end = &copy->next;
    }
    return true;
}

// The case's settings come first: what the rule says itself is said last.
static bool take_settings(lab_node *rule, const lab_node *set)
{
    if (!set || set->kind != LAB_MAP)
        return true;
    lab_node *own = lab_node_find(rule, "set");
    if (own)
        return own->kind != LAB_MAP || put_before(own, set);
    lab_node *copy = lab_node_copy(set);
    if (!copy)
        return false;
    copy->next = rule->child;
    rule->child = copy;
    return true;
}

static bool is_in(const lab_node *rule, const char *in_case)
{
    const char *only = cases_text_of(rule, "in_case");
    return !only || strcmp(only, in_case) == 0;
}

// One rule in one case; NULL without memory.
static lab_node *cases_rule_in(const lab_node *rule, const lab_node *in_case)
{
    lab_node *copy = lab_node_copy(rule);
    if (copy && rename_rule(copy, cases_text_of(in_case, "name")) &&
        take_settings(copy, lab_node_find(in_case, "set")))
        return copy;
    lab_node_free(copy);
    return NULL;
}

static bool has_case(const lab_node *cases, const char *name)
{
    for (const lab_node *c = cases->child; c; c = c->next)
        if (strcmp(cases_text_of(c, "name"), name) == 0)
            return true;
    return false;
}

// A rule of a case that does not exist is not changed.
static bool is_stray(const lab_node *rule, const lab_node *cases)
{
    const char *only = cases_text_of(rule, "in_case");
    return only && !has_case(cases, only);
}

// Lists of maps with names.
static bool can_expand(const lab_node *cases, const lab_node *rules)
{
    if (!cases || !rules || cases->kind != LAB_LIST || rules->kind != LAB_LIST)
        return false;
    for (const lab_node *c = cases->child; c; c = c->next)
        if (!cases_text_of(c, "name"))
            return false;
    for (const lab_node *rule = rules->child; rule; rule = rule->next)
        if (!cases_text_of(rule, "name"))
            return false;
    return cases->child && rules->child;
}

// The settings of a case are its rules' now: what is written out is not written out again.
static void drop_settings(lab_node *in_case)
{
    for (lab_node **entry = &in_case->child; *entry; entry = &(*entry)->next)
        if (strcmp((*entry)->key, "set") == 0 && (*entry)->kind == LAB_MAP) {
            lab_node *set = *entry;
            *entry = set->next;
            set->next = NULL;
            lab_node_free(set);
            return;
        }
}

lab_outcome lab_cases_expand(lab_node *root, lab_why *why)
{
    lab_node *cases = lab_node_find(root, "cases");
    lab_node *rules = lab_node_find(root, "rules");
    if (!can_expand(cases, rules))
        return LAB_DONE;
    lab_node *expanded = NULL, **end = &expanded;
    bool whole = true;
    for (const lab_node *c = cases->child; whole && c; c = c->next)
        for (const lab_node *rule = rules->child; whole && rule; rule = rule->next) {
            const bool stray = c == cases->child && is_stray(rule, cases);
            if (!stray && !is_in(rule, cases_text_of(c, "name")))
                continue;
            *end = stray ? lab_node_copy(rule) : cases_rule_in(rule, c);
            whole = *end != NULL;
            end = whole ? &(*end)->next : end;
        }
    lab_node_free(whole ? rules->child : expanded);
    if (!whole)
        return lab_no_memory(why, NULL);
    rules->child = expanded;
    for (lab_node *c = cases->child; c; c = c->next)
        drop_settings(c);
    return LAB_DONE;
}
