// SPDX-License-Identifier: Apache-2.0
// tree: what a parser tells, call by call, becomes nodes. The calls are those of cfpc/lab.h.
#ifndef CFPC_LAB_TREE_H
#define CFPC_LAB_TREE_H

#include <stdbool.h>

#include "base/outcome.h"
#include "spec/node.h"

enum {
    LAB_MAX_DEPTH = 64, // of maps and lists within each other, that of the file included
    LAB_MAX_KEYS = 4096 // of a map: each is compared with all before it
};

// From here on, the tree is that of a file, which must be a map of keys.
void lab_tree_expect_map(cfpc_tree *tree);

// The text is wrong at this place, or memory ran out; noted if nothing was before. A place that is
// not told is the last one.
void lab_tree_refuse(cfpc_tree *tree, int line, int column, const char *sentence);
void lab_tree_stop_memory(cfpc_tree *tree);

// Whether nothing is wrong so far.
bool lab_tree_is_good(const cfpc_tree *tree);

// Whether nothing was told.
bool lab_tree_is_empty(const cfpc_tree *tree);

// What was told: NULL if it is not whole.
const lab_node *lab_tree_root(const cfpc_tree *tree);

// The file that its messages name.
const char *lab_tree_file(const cfpc_tree *tree);

// The same for the caller to free, if the tree is whole.
lab_outcome lab_tree_take(cfpc_tree *tree, lab_node **root, lab_why *why);

// Refuses a tree that is not a map of keys, as a spec must be.
lab_outcome lab_tree_check_map(const cfpc_tree *tree, lab_why *why);

#endif
