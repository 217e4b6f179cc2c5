// SPDX-License-Identifier: Apache-2.0
#include "yaml.h"

#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const char *file;
    lab_why *why;
} reader;

static lab_outcome read_node(reader *in, struct fy_node *from, lab_node **to);

static lab_node *new_node(lab_node_kind kind)
{
    lab_node *node = calloc(1, sizeof *node);
    if (node)
        node->kind = kind;
    return node;
}

void lab_yaml_free(lab_node *root)
{
    while (root) {
        lab_node *next = root->next;
        lab_yaml_free(root->child);
        free(root->key);
        free(root->text);
        free(root);
        root = next;
    }
}

// Takes the place of a scalar of the file.
static void place(lab_node *node, struct fy_node *scalar)
{
    const struct fy_mark *mark = fy_token_start_mark(fy_node_get_scalar_token(scalar));
    node->line = mark ? mark->line + 1 : 0;
    node->column = mark ? mark->column + 1 : 0;
}

static char *copy_scalar(struct fy_node *scalar)
{
    size_t length = 0;
    const char *text = fy_node_get_scalar(scalar, &length);
    char *copy = malloc(length + 1);
    if (!copy)
        return NULL;
    if (length > 0)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static lab_outcome read_pair(reader *in, struct fy_node_pair *pair, lab_node **to)
{
    struct fy_node *key = fy_node_pair_key(pair);
    if (!key || !fy_node_is_scalar(key))
        return lab_refuse(in->why, "%s: a key that is not plain text", in->file);
    lab_outcome outcome = read_node(in, fy_node_pair_value(pair), to);
    if (outcome != LAB_DONE)
        return outcome;
    (*to)->key = copy_scalar(key);
    if (!(*to)->key)
        return lab_fail(in->why, "%s: memory ran out", in->file);
    if ((*to)->kind != LAB_SCALAR || (*to)->line == 0)
        place(*to, key);
    return LAB_DONE;
}

static lab_outcome read_map(reader *in, struct fy_node *from, lab_node *map)
{
    void *at = NULL;
    lab_node **end = &map->child;
    for (struct fy_node_pair *pair; (pair = fy_node_mapping_iterate(from, &at));) {
        lab_outcome outcome = read_pair(in, pair, end);
        if (outcome != LAB_DONE)
            return outcome;
        end = &(*end)->next;
    }
    return LAB_DONE;
}

static lab_outcome read_list(reader *in, struct fy_node *from, lab_node *list)
{
    void *at = NULL;
    lab_node **end = &list->child;
    for (struct fy_node *item; (item = fy_node_sequence_iterate(from, &at));) {
        lab_outcome outcome = read_node(in, item, end);
        if (outcome != LAB_DONE)
            return outcome;
        end = &(*end)->next;
    }
    return LAB_DONE;
}

static lab_outcome read_node(reader *in, struct fy_node *from, lab_node **to)
{
    if (from && fy_node_is_alias(from))
        return lab_refuse(in->why, "%s: aliases (*name) are not part of a spec file", in->file);
    const bool is_map = from && fy_node_is_mapping(from);
    const bool is_list = from && fy_node_is_sequence(from);
    *to = new_node(is_map ? LAB_MAP : is_list ? LAB_LIST : LAB_SCALAR);
    if (!*to)
        return lab_fail(in->why, "%s: memory ran out", in->file);
    if (!is_map && !is_list) {
        (*to)->text = from ? copy_scalar(from) : calloc(1, 1);
        if (from)
            place(*to, from);
        return (*to)->text ? LAB_DONE : lab_fail(in->why, "%s: memory ran out", in->file);
    }
    lab_outcome outcome = is_map ? read_map(in, from, *to) : read_list(in, from, *to);
    if (outcome == LAB_DONE && (*to)->child) {
        (*to)->line = (*to)->child->line;
        (*to)->column = (*to)->child->column;
    }
    return outcome;
}

// The first complaint of the parser, as one line.
static lab_outcome syntax_error(const char *file, struct fy_diag *diag, lab_why *why)
{
    void *at = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(diag, &at);
    if (!error)
        return lab_refuse(why, "%s: this is not YAML", file);
    return lab_refuse(why, "%s:%d:%d: this is not YAML: %s", file, error->line, error->column,
                      error->msg);
}

static lab_outcome read_document(reader *in, struct fy_document *document, lab_node **root)
{
    struct fy_node *top = document ? fy_document_root(document) : NULL;
    if (!top || !fy_node_is_mapping(top))
        return lab_refuse(in->why, "%s:1:1: a spec file is a map of keys; this holds none",
                          in->file);
    return read_node(in, top, root);
}

lab_outcome lab_yaml_parse(lab_node **root, const char *file, const char *text, size_t length,
                           lab_why *why)
{
    *root = NULL;
    reader in = {.file = file, .why = why};
    if (memchr(text, '\0', length))
        return lab_refuse(why, "%s: this is not a text file", file);
    struct fy_diag_cfg diag_cfg;
    fy_diag_cfg_default(&diag_cfg);
    diag_cfg.fp = NULL;
    struct fy_diag *diag = fy_diag_create(&diag_cfg);
    if (!diag)
        return lab_fail(why, "%s: memory ran out", file);
    fy_diag_set_collect_errors(diag, true);
    const struct fy_parse_cfg cfg = {.flags = FYPCF_COLLECT_DIAG, .diag = diag};
    struct fy_document *document = fy_document_build_from_string(&cfg, text, length);
    lab_outcome outcome = fy_diag_got_error(diag) ? syntax_error(file, diag, why)
                                                  : read_document(&in, document, root);
    fy_document_destroy(document);
    fy_diag_destroy(diag);
    if (outcome != LAB_DONE) {
        lab_yaml_free(*root);
        *root = NULL;
    }
    return outcome;
}
