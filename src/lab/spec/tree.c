// SPDX-License-Identifier: Apache-2.0
#include "spec/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

// A map or list that is not ended yet.
typedef struct level {
    lab_node *node;
    lab_node **end; // where its next child goes
    int keys;       // of a map
} level;

struct cfpc_tree {
    char *file;
    bool is_map; // it must be
    lab_node *root;
    int depth;                 // of open maps and lists
    level open[LAB_MAX_DEPTH]; //
    char *key;                 // of the value that follows, or NULL
    int key_line, key_column;  //
    int line, column;          // of the last scalar or key that was told
    lab_outcome outcome;       // not LAB_DONE: what comes is passed over
    lab_why why;               //
};

static const char holds_none[] = "a spec or model file is a map of keys; this holds none";

cfpc_tree *cfpc_tree_create(const char *file)
{
    cfpc_tree *tree = calloc(1, sizeof *tree);
    char *copy = strdup(file ? file : "");
    if (!tree || !copy) {
        free(tree);
        free(copy);
        return NULL;
    }
    tree->file = copy;
    tree->line = tree->column = 1;
    return tree;
}

void lab_tree_expect_map(cfpc_tree *tree)
{
    tree->is_map = true;
}

void cfpc_tree_free(cfpc_tree *tree)
{
    if (!tree)
        return;
    lab_node_free(tree->root);
    free(tree->key);
    free(tree->file);
    free(tree);
}

// ---- what is wrong ---------------------------------------------------------------------------

bool lab_tree_is_good(const cfpc_tree *tree)
{
    return tree->outcome == LAB_DONE;
}

static void stop(cfpc_tree *tree, lab_outcome outcome, const lab_why *why)
{
    if (!lab_tree_is_good(tree))
        return;
    tree->outcome = outcome;
    tree->why = *why;
}

void lab_tree_stop_memory(cfpc_tree *tree)
{
    lab_why why;
    stop(tree, lab_no_memory(&why, tree->file), &why);
}

void lab_tree_refuse(cfpc_tree *tree, int line, int column, const char *sentence)
{
    lab_why why;
    const bool has = line > 0 && column > 0;
    stop(tree,
         lab_refuse_at(&why, tree->file, has ? line : tree->line, has ? column : tree->column, "%s",
                       sentence),
         &why);
}

// The calls themselves make no tree.
static void refuse_calls(cfpc_tree *tree, const char *what)
{
    lab_why why;
    stop(tree,
         lab_refuse_at(&why, tree->file, tree->line, tree->column,
                       "the calls that make this tree are wrong: %s", what),
         &why);
}

// ---- nodes -----------------------------------------------------------------------------------

// The next part has this place, if the call gives one.
static void move_to(cfpc_tree *tree, int line, int column)
{
    if (line < 1 || column < 1)
        return;
    tree->line = line;
    tree->column = column;
}

// A copy of what a call tells; NULL if it is no text.
static char *copy_told(cfpc_tree *tree, const char *text)
{
    char *copy = NULL;
    if (!text)
        refuse_calls(tree, "a text is missing");
    else if (lab_line_not_utf8(text, strlen(text)) > 0)
        refuse_calls(tree, "a text is not UTF-8");
    else if (!(copy = strdup(text)))
        lab_tree_stop_memory(tree);
    return copy;
}

static level *top(cfpc_tree *tree)
{
    return tree->depth > 0 ? &tree->open[tree->depth - 1] : NULL;
}

// Whether a value may come now.
static bool takes_value(cfpc_tree *tree, lab_node_kind kind)
{
    const level *in = top(tree);
    if (!lab_tree_is_good(tree))
        return false;
    if (!in && tree->root)
        refuse_calls(tree, "a second value follows the first");
    else if (in && in->node->kind == LAB_MAP && !tree->key)
        refuse_calls(tree, "a value in a map has no key");
    else if (!in && tree->is_map && kind != LAB_MAP)
        lab_tree_refuse(tree, 1, 1, holds_none);
    return lab_tree_is_good(tree);
}

// Adds a value; NULL if it cannot be.
static lab_node *tree_add(cfpc_tree *tree, lab_node_kind kind)
{
    level *in = top(tree);
    lab_node *node = takes_value(tree, kind) ? lab_node_create(kind) : NULL;
    if (!node) {
        if (lab_tree_is_good(tree))
            lab_tree_stop_memory(tree);
        return NULL;
    }
    node->line = tree->line;
    node->column = tree->column;
    if (tree->key) {
        node->key_line = tree->key_line;
        node->key_column = tree->key_column;
    }
    node->key = tree->key; // it changes hands
    tree->key = NULL;
    *(in ? in->end : &tree->root) = node;
    if (in)
        in->end = &node->next;
    return node;
}

static void tree_begin(cfpc_tree *tree, lab_node_kind kind, int line, int column)
{
    if (!tree || !takes_value(tree, kind))
        return;
    if (tree->depth + 1 >= LAB_MAX_DEPTH) {
        lab_tree_refuse(tree, line, column, "maps and lists are nested more than 63 deep");
        return;
    }
    lab_node *node = tree_add(tree, kind);
    if (node)
        tree->open[tree->depth++] = (level){.node = node, .end = &node->child};
}

void cfpc_tree_map(cfpc_tree *tree, int line, int column)
{
    tree_begin(tree, LAB_MAP, line, column);
}

void cfpc_tree_list(cfpc_tree *tree, int line, int column)
{
    tree_begin(tree, LAB_LIST, line, column);
}

void cfpc_tree_key(cfpc_tree *tree, const char *text, int line, int column)
{
    if (!tree || !lab_tree_is_good(tree))
        return;
    level *in = top(tree);
    move_to(tree, line, column);
    if (!in || in->node->kind != LAB_MAP)
        refuse_calls(tree, "a key is outside a map");
    else if (tree->key)
        refuse_calls(tree, "a key follows a key without a value");
    else if (++in->keys > LAB_MAX_KEYS)
        lab_tree_refuse(tree, line, column, "this map has more than 4096 keys");
    else if (text && lab_node_find(in->node, text))
        lab_tree_refuse(tree, line, column, "this map has this key already");
    else
        tree->key = copy_told(tree, text);
    tree->key_line = tree->line;
    tree->key_column = tree->column;
}

void cfpc_tree_scalar(cfpc_tree *tree, const char *text, int line, int column)
{
    if (!tree || !takes_value(tree, LAB_SCALAR))
        return;
    move_to(tree, line, column);
    lab_node *node = tree_add(tree, LAB_SCALAR);
    if (node)
        node->text = copy_told(tree, text);
}

void cfpc_tree_end(cfpc_tree *tree)
{
    if (!tree || !lab_tree_is_good(tree))
        return;
    if (tree->depth == 0 || tree->key) {
        refuse_calls(tree, tree->depth == 0 ? "an end has no beginning"
                                            : "the last key of a map has no value");
        return;
    }
    lab_node *node = tree->open[--tree->depth].node;
    const lab_node *first = node->child;
    if (node->key || !first)
        return;
    // A map or list without a key is where its first key or scalar is.
    node->line = node->kind == LAB_MAP ? first->key_line : first->line;
    node->column = node->kind == LAB_MAP ? first->key_column : first->column;
}

// ---- the whole -------------------------------------------------------------------------------

cfpc_outcome cfpc_tree_check(const cfpc_tree *tree, cfpc_why *why)
{
    if (!tree)
        return lab_refuse(why, "no tree was given");
    if (!lab_tree_is_good(tree)) {
        if (why) // a program may not want to know
            *why = tree->why;
        return tree->outcome;
    }
    if (tree->depth > 0)
        return lab_refuse_at(why, tree->file, tree->line, tree->column,
                             "the calls that make this tree are wrong: %d of its maps and lists "
                             "%s not ended",
                             tree->depth, tree->depth == 1 ? "is" : "are");
    if (!tree->root)
        return lab_refuse_at(why, tree->file, 1, 1, "%s", holds_none);
    return LAB_DONE;
}

lab_outcome lab_tree_check_map(const cfpc_tree *tree, lab_why *why)
{
    const lab_outcome outcome = cfpc_tree_check(tree, why);
    if (outcome == LAB_DONE && tree->root->kind != LAB_MAP)
        return lab_refuse_at(why, tree->file, 1, 1, "%s", holds_none);
    return outcome;
}

bool lab_tree_is_empty(const cfpc_tree *tree)
{
    return lab_tree_is_good(tree) && !tree->root;
}

const lab_node *lab_tree_root(const cfpc_tree *tree)
{
    lab_why why;
    return cfpc_tree_check(tree, &why) == LAB_DONE ? tree->root : NULL;
}

const char *lab_tree_file(const cfpc_tree *tree)
{
    return tree->file;
}

lab_outcome lab_tree_take(cfpc_tree *tree, lab_node **root, lab_why *why)
{
    const lab_outcome outcome = cfpc_tree_check(tree, why);
    *root = outcome == LAB_DONE ? tree->root : NULL;
    if (outcome == LAB_DONE)
        tree->root = NULL; // it changes hands
    return outcome;
}
