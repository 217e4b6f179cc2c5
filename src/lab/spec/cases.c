// SPDX-License-Identifier: Apache-2.0
#include "spec/cases.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

// A rule that is written out already keeps its name.
static bool rename_rule(lab_node *rule, const char *in_case)
{
    lab_node *name = lab_node_find(rule, "name");
    const size_t prefix = strlen(in_case);
    const bool is_told = lab_node_find(rule, "in_case");
    if (is_told && strncmp(name->text, in_case, prefix) == 0 && name->text[prefix] == '-')
        return true;
    char *text = lab_text_of("%s-%s", in_case, name->text);
    if (!text)
        return false;
    free(name->text);
    name->text = text;
    if (is_told)
        return true;
    lab_node *told = lab_node_under(LAB_SCALAR, "in_case", rule);
    if (!told)
        return false;
    told->text = strdup(in_case);
    told->next = rule->child;
    rule->child = told;
    return told->text;
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

// One rule in one case; NULL without memory.
static lab_node *cases_rule_in(const lab_node *rule, const lab_node *in_case)
{
    lab_node *copy = lab_node_copy(rule);
    if (copy && rename_rule(copy, lab_node_text(in_case, "name")) &&
        take_settings(copy, lab_node_find(in_case, "set")))
        return copy;
    lab_node_free(copy);
    return NULL;
}

static bool has_case(const lab_node *cases, const char *name)
{
    for (const lab_node *c = cases->child; c; c = c->next)
        if (strcmp(lab_node_text(c, "name"), name) == 0)
            return true;
    return false;
}

static bool is_list_of_named(const lab_node *list)
{
    for (const lab_node *entry = list ? list->child : NULL; entry; entry = entry->next)
        if (!lab_node_text(entry, "name"))
            return false;
    return list && list->kind == LAB_LIST && list->child;
}

lab_outcome lab_cases_expand(lab_node *root, lab_why *why)
{
    lab_node *cases = lab_node_find(root, "cases");
    lab_node *rules = lab_node_find(root, "rules");
    if (!is_list_of_named(cases) || !is_list_of_named(rules))
        return LAB_DONE;
    lab_node *expanded = NULL, **end = &expanded;
    bool whole = true;
    for (const lab_node *c = cases->child; whole && c; c = c->next)
        for (const lab_node *rule = rules->child; whole && rule; rule = rule->next) {
            const char *only = lab_node_text(rule, "in_case");
            // A rule of a case that does not exist is not changed.
            const bool stray = c == cases->child && only && !has_case(cases, only);
            if (!stray && only && strcmp(only, lab_node_text(c, "name")) != 0)
                continue;
            *end = stray ? lab_node_copy(rule) : cases_rule_in(rule, c);
            whole = *end != NULL;
            end = whole ? &(*end)->next : end;
        }
    lab_node_free(whole ? rules->child : expanded);
    if (!whole)
        return lab_no_memory(why, NULL);
    rules->child = expanded;
    // The settings of a case are its rules' now: what is written out is not written out again.
    for (lab_node *c = cases->child; c; c = c->next)
        for (lab_node **entry = &c->child; *entry; entry = &(*entry)->next)
            if (strcmp((*entry)->key, "set") == 0 && (*entry)->kind == LAB_MAP) {
                lab_node_drop(entry);
                break;
            }
    return LAB_DONE;
}
