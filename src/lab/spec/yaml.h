// SPDX-License-Identifier: Apache-2.0
// yaml: a YAML file as a small tree in which every node knows its place. It is read by
// libfyaml, which only yaml.c uses.
#ifndef CFPC_LAB_YAML_H
#define CFPC_LAB_YAML_H

#include <stddef.h>

#include "base/outcome.h"

typedef enum lab_node_kind { LAB_SCALAR, LAB_MAP, LAB_LIST } lab_node_kind;

typedef struct lab_node {
    lab_node_kind kind;
    int line, column;       // from 1; a map's or list's is that of its key, or of its first scalar
    int key_line;           // of the key, within a map
    int key_column;         //
    char *key;              // within a map, else NULL
    char *text;             // of a scalar, else NULL
    char *setting;          // KEY=VALUE, if it came from the command line, else NULL
    struct lab_node *child; // first of a map or list, in the file's order
    struct lab_node *next;  // next in the same map or list
} lab_node;

// Reads text (a file's content), which must be a map; `file` is only for messages.
lab_outcome lab_yaml_parse(lab_node **root, const char *file, const char *text, size_t length,
                           lab_why *why);

// The same in a process of its own, as libfyaml may crash where memory runs out.
lab_outcome lab_yaml_read(lab_node **root, const char *file, const char *text, size_t length,
                          lab_why *why);

// A value by itself, as on a command line; `name` is only for messages.
lab_outcome lab_yaml_value(lab_node **value, const char *name, const char *text, lab_why *why);
void lab_yaml_free(lab_node *root);

// A copy of a node and all below it, without its siblings; NULL without memory.
lab_node *lab_yaml_copy(const lab_node *node);

// The child of a map by its key, NULL if it has none.
lab_node *lab_yaml_find(const lab_node *map, const char *key);

#endif
