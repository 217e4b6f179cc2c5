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

// An empty one under a key, at the place of another node; NULL without memory.
lab_node *lab_node_under(lab_node_kind kind, const char *key, const lab_node *at);

// Frees a node, all below it, and all that follow it.
void lab_node_free(lab_node *node);

// Takes a node out of its map or list, and frees it.
void lab_node_drop(lab_node **node);

// A copy of a node and all below it, without its siblings; NULL without memory.
lab_node *lab_node_copy(const lab_node *node);

// The child of a map by its key, NULL if it has none.
lab_node *lab_node_find(const lab_node *map, const char *key);

// The text under a key; NULL if this is no map, or has no scalar there.
const char *lab_node_text(const lab_node *map, const char *key);

// 1 of a scalar that says yes, 0 of one that says no; -1 of all else.
int lab_node_switch(const lab_node *node);

#endif
