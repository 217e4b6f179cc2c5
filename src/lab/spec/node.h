// SPDX-License-Identifier: Apache-2.0
// node: what a spec file holds, as a small tree in which every node knows its place.
#ifndef CFPC_LAB_NODE_H
#define CFPC_LAB_NODE_H

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

// An empty one, without a place; NULL without memory.
lab_node *lab_node_create(lab_node_kind kind);

// Frees a node, all below it, and all that follow it.
void lab_node_free(lab_node *node);

// A copy of a node and all below it, without its siblings; NULL without memory.
lab_node *lab_node_copy(const lab_node *node);

// The child of a map by its key, NULL if it has none.
lab_node *lab_node_find(const lab_node *map, const char *key);

#endif
