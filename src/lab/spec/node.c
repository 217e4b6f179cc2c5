// SPDX-License-Identifier: Apache-2.0
#include "spec/node.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

lab_node *lab_node_create(lab_node_kind kind)
{
    lab_node *node = calloc(1, sizeof *node);
    if (node)
        node->kind = kind;
    return node;
}

lab_node *lab_node_under(lab_node_kind kind, const char *key, const lab_node *at)
{
    lab_node *node = lab_node_create(kind);
    char *copy = strdup(key);
    if (!node || !copy) {
        free(node);
        free(copy);
        return NULL;
    }
    node->key = copy;
    node->line = node->key_line = at->line;
    node->column = node->key_column = at->column;
    return node;
}

void lab_node_free(lab_node *node)
{
    while (node) {
        lab_node *next = node->next;
        lab_node_free(node->child);
        free(node->key);
        free(node->text);
        free(node->setting);
        free(node);
        node = next;
    }
}

void lab_node_drop(lab_node **node)
{
    lab_node *dropped = *node;
    *node = dropped->next;
    dropped->next = NULL;
    lab_node_free(dropped);
}

lab_node *lab_node_find(const lab_node *map, const char *key)
{
    for (lab_node *node = map->child; node; node = node->next)
        if (node->key && strcmp(node->key, key) == 0)
            return node;
    return NULL;
}

const char *lab_node_text(const lab_node *map, const char *key)
{
    const lab_node *node = map->kind == LAB_MAP ? lab_node_find(map, key) : NULL;
    return node ? node->text : NULL;
}

int lab_node_switch(const lab_node *node)
{
    static const char *const words[] = {"no", "yes", "false", "true", "off", "on"};
    for (int i = 0; node->kind == LAB_SCALAR && i < 6; i++)
        if (strcmp(words[i], node->text) == 0)
            return i % 2;
    return -1;
}

static bool node_copy_text(char **to, const char *from)
{
    *to = from ? strdup(from) : NULL;
    return *to || !from;
}

lab_node *lab_node_copy(const lab_node *node)
{
    lab_node *copy = lab_node_create(node->kind);
    if (!copy)
        return NULL;
    copy->line = node->line;
    copy->column = node->column;
    copy->key_line = node->key_line;
    copy->key_column = node->key_column;
    bool whole = node_copy_text(&copy->key, node->key) && node_copy_text(&copy->text, node->text) &&
                 node_copy_text(&copy->setting, node->setting);
    lab_node **end = &copy->child;
    for (const lab_node *child = node->child; whole && child; child = child->next) {
        *end = lab_node_copy(child);
        whole = *end != NULL;
        end = whole ? &(*end)->next : end;
    }
    if (whole)
        return copy;
    lab_node_free(copy);
    return NULL;
}
