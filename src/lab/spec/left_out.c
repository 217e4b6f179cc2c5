// SPDX-License-Identifier: Apache-2.0
#include "spec/left_out.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "spec/cases.h"

static bool has(const lab_node *map, const char *key, const char *text)
{
    const lab_node *node = map && map->kind == LAB_MAP ? lab_yaml_find(map, key) : NULL;
    return node && node->kind == LAB_SCALAR && strcmp(node->text, text) == 0;
}

static int remove_batch_rules(lab_node *rules, const char *rule)
{
    int removed = 0;
    for (lab_node **at = &rules->child; *at;) {
        lab_node *entry = *at;
        if (!has(entry, "update", "preconditioned") || has(entry, "name", rule)) {
            at = &entry->next;
            continue;
        }
        *at = entry->next;
        entry->next = NULL;
        lab_yaml_free(entry);
        removed++;
    }
    return removed;
}

lab_outcome lab_leave_out(lab_settings *settings, const char *file, const char *rule, lab_why *why)
{
    char *text = NULL;
    lab_node *root = NULL;
    lab_outcome outcome = lab_read_text(&text, file, LAB_SPEC_BYTES, why);
    if (outcome == LAB_DONE)
        outcome = lab_yaml_parse(&root, file, text, strlen(text), why);
    if (outcome == LAB_DONE)
        outcome = lab_cases_expand(root, why);
    if (outcome == LAB_DONE)
        outcome = lab_settings_apply(settings, root, why);
    lab_node *rules = outcome == LAB_DONE ? lab_yaml_find(root, "rules") : NULL;
    if (rules && rules->kind == LAB_LIST &&
        has(lab_yaml_find(root, "learning"), "mode", "online") &&
        remove_batch_rules(rules, rule) > 0)
        outcome = lab_settings_add_node(settings, "rules", rules, why);
    lab_yaml_free(root);
    free(text);
    return outcome;
}
