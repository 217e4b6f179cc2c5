// SPDX-License-Identifier: Apache-2.0
#include "spec/reader.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/tree.h"

lab_outcome lab_parse(lab_node **root, const char *file, const char *text, size_t length,
                      lab_why *why)
{
    *root = NULL;
    cfpc_tree *tree = cfpc_tree_create(file);
    if (!tree)
        return lab_no_memory(why, file);
    cfpc_tree_read(tree, text, length);
    const lab_outcome outcome = lab_tree_take(tree, root, why);
    cfpc_tree_free(tree);
    return outcome;
}

// ---- a value by itself -----------------------------------------------------------------------

// A number or a name, which needs no parser.
static bool is_word(const char *text)
{
    if (*text == '-' || *text == '+')
        text++;
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && (c == text || !strchr("+-._/", *c)))
            return false;
    return *text;
}

static lab_outcome reader_take_word(lab_node **value, const char *text, lab_why *why)
{
    *value = lab_node_create(LAB_SCALAR);
    if (*value && ((*value)->text = strdup(text)))
        return LAB_DONE;
    lab_node_free(*value);
    *value = NULL;
    return lab_no_memory(why, NULL);
}

lab_outcome lab_parse_value(lab_node **value, const char *name, const char *text, lab_why *why)
{
    *value = NULL;
    if (is_word(text))
        return reader_take_word(value, text, why);
    // In a map of its own, as a parser wants it.
    const size_t size = strlen(text) + 16;
    char *map = malloc(size);
    if (!map)
        return lab_no_memory(why, NULL);
    snprintf(map, size, "value: %s\n", text);
    lab_node *root = NULL;
    lab_outcome outcome = lab_parse(&root, name, map, strlen(map), why);
    free(map);
    if (outcome == LAB_DONE) {
        *value = root->child;
        root->child = NULL; // it changes hands
    }
    lab_node_free(root);
    return outcome;
}
