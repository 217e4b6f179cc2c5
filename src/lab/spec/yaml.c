// SPDX-License-Identifier: Apache-2.0
#include "spec/yaml.h"

#ifdef CFPC_HAS_YAML

#include <errno.h>
#include <libfyaml.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/apart.h"
#include "spec/tree.h"

// ---- what is told ----------------------------------------------------------------------------

// What libfyaml found, in the order of the text: bytes that can come from another process.
typedef enum telling { MAP, LIST, KEY, SCALAR, END, ALIAS, OTHER_KEY, NUL, SECOND, ERROR } telling;

typedef struct told {
    telling what;
    int line, column;
    size_t length; // of the text that follows, with its end; 0: none
} told;

static void tell(lab_bytes *to, telling what, struct fy_mark mark, const char *text, size_t length)
{
    const told it = {.what = what,
                     .line = mark.line + 1,
                     .column = mark.column + 1,
                     .length = text ? length + 1 : 0};
    lab_bytes_add(to, &it, sizeof it);
    if (!text)
        return;
    lab_bytes_add(to, text, length);
    lab_bytes_add(to, "", 1);
}

static void retell_one(cfpc_tree *tree, const told *it, const char *text)
{
    switch (it->what) {
    case MAP:
        cfpc_tree_map(tree, it->line, it->column);
        break;
    case LIST:
        cfpc_tree_list(tree, it->line, it->column);
        break;
    case KEY:
        cfpc_tree_key(tree, text, it->line, it->column);
        break;
    case SCALAR:
        cfpc_tree_scalar(tree, text, it->line, it->column);
        break;
    case END:
        cfpc_tree_end(tree);
        break;
    case ALIAS:
        cfpc_tree_alias(tree, it->line, it->column);
        break;
    case OTHER_KEY:
        cfpc_tree_other_key(tree, it->line, it->column);
        break;
    case NUL:
        cfpc_tree_nul(tree, it->line, it->column);
        break;
    case SECOND:
        cfpc_tree_second(tree);
        break;
    case ERROR:
        cfpc_tree_error(tree, text, it->line, it->column);
        break;
    }
}

static void retell(cfpc_tree *tree, const lab_bytes *bytes)
{
    told it;
    for (size_t at = 0; at < bytes->count; at += sizeof it + it.length) {
        memcpy(&it, bytes->at + at, sizeof it);
        retell_one(tree, &it, it.length > 0 ? bytes->at + at + sizeof it : NULL);
    }
}

// ---- libfyaml's nodes ------------------------------------------------------------------------

static const struct fy_mark nowhere = {.line = -1, .column = -1};

static void tell_node(lab_bytes *to, struct fy_node *node);

// Where a scalar's text begins, or that of the first in a list; a map has no such place.
static struct fy_mark mark_of(struct fy_node *node)
{
    while (node && fy_node_is_sequence(node)) {
        void *at = NULL;
        node = fy_node_sequence_iterate(node, &at);
    }
    struct fy_token *token = node ? fy_node_get_scalar_token(node) : NULL;
    const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;
    return mark ? *mark : nowhere;
}

// Only an escape in quotes is one: the text of the file has none, and libfyaml puts one at the end
// of a block that is empty.
static bool has_nul(struct fy_node *scalar, const char *text, size_t length)
{
    return text && fy_node_get_style(scalar) == FYNS_DOUBLE_QUOTED && memchr(text, '\0', length);
}

static void tell_text(lab_bytes *to, telling what, struct fy_node *scalar)
{
    size_t length = 0;
    const char *text = scalar ? fy_node_get_scalar(scalar, &length) : NULL;
    if (has_nul(scalar, text, length))
        tell(to, NUL, mark_of(scalar), NULL, 0);
    else
        tell(to, what, scalar ? mark_of(scalar) : nowhere, text ? text : "", text ? length : 0);
}

static void tell_pair(lab_bytes *to, struct fy_node_pair *pair)
{
    struct fy_node *key = fy_node_pair_key(pair);
    if (!key || !fy_node_is_scalar(key))
        tell(to, OTHER_KEY, mark_of(key), NULL, 0);
    else if (fy_node_is_alias(key))
        tell(to, ALIAS, mark_of(key), NULL, 0);
    else
        tell_text(to, KEY, key);
    tell_node(to, fy_node_pair_value(pair));
}

static void tell_map(lab_bytes *to, struct fy_node *map)
{
    void *at = NULL;
    tell(to, MAP, nowhere, NULL, 0);
    for (struct fy_node_pair *pair; (pair = fy_node_mapping_iterate(map, &at));)
        tell_pair(to, pair);
    tell(to, END, nowhere, NULL, 0);
}

static void tell_list(lab_bytes *to, struct fy_node *list)
{
    void *at = NULL;
    tell(to, LIST, nowhere, NULL, 0);
    for (struct fy_node *item; (item = fy_node_sequence_iterate(list, &at));)
        tell_node(to, item);
    tell(to, END, nowhere, NULL, 0);
}

static void tell_node(lab_bytes *to, struct fy_node *node)
{
    if (node && fy_node_is_mapping(node))
        tell_map(to, node);
    else if (node && fy_node_is_sequence(node))
        tell_list(to, node);
    else if (node && fy_node_is_alias(node))
        tell(to, ALIAS, mark_of(node), NULL, 0);
    else
        tell_text(to, SCALAR, node);
}

// ---- documents -------------------------------------------------------------------------------

// The parser's first complaint.
static void tell_error(lab_bytes *to, struct fy_diag *diag)
{
    void *at = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(diag, &at);
    const struct fy_mark mark = {.line = error ? error->line - 1 : -1,
                                 .column = error ? error->column - 1 : -1};
    tell(to, ERROR, mark, error ? error->msg : "", error ? strlen(error->msg) : 0);
}

// A document is told when all of it has been parsed, so an error in it comes first.
static void tell_documents(lab_bytes *to, struct fy_parser *parser, struct fy_diag *diag)
{
    struct fy_document *document = fy_parse_load_document(parser);
    struct fy_node *top = document ? fy_document_root(document) : NULL;
    if (fy_diag_got_error(diag))
        tell_error(to, diag);
    else if (top)
        tell_node(to, top);
    fy_parse_document_destroy(parser, document);
    if (fy_diag_got_error(diag))
        return;
    struct fy_document *second = fy_parse_load_document(parser);
    if (second)
        tell(to, SECOND, nowhere, NULL, 0);
    else if (fy_diag_got_error(diag))
        tell_error(to, diag);
    fy_parse_document_destroy(parser, second);
}

static struct fy_diag *make_diag(void)
{
    struct fy_diag_cfg cfg;
    fy_diag_cfg_default(&cfg);
    cfg.fp = NULL;
    struct fy_diag *diag = fy_diag_create(&cfg);
    if (diag)
        fy_diag_set_collect_errors(diag, true);
    return diag;
}

typedef struct source {
    const char *text;
    size_t length;
} source;

// That no key is there twice is for the tree to see.
static lab_outcome parse(const void *context, lab_bytes *to, lab_why *why)
{
    const source *from = context;
    errno = 0;
    struct fy_diag *diag = make_diag();
    const struct fy_parse_cfg cfg = {.flags = FYPCF_COLLECT_DIAG | FYPCF_ALLOW_DUPLICATE_KEYS,
                                     .diag = diag};
    struct fy_parser *parser = diag ? fy_parser_create(&cfg) : NULL;
    bool whole = parser && fy_parser_set_string(parser, from->text, from->length) == 0;
    if (whole)
        tell_documents(to, parser, diag);
    // libfyaml does not tell an allocation that failed from bad text, or even from good: malloc
    // does.
    whole = whole && errno != ENOMEM && !to->failed;
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
    return whole ? LAB_DONE : lab_no_memory(why, NULL);
}

// ---- the readers -----------------------------------------------------------------------------

static void take(cfpc_tree *tree, lab_outcome outcome, const lab_bytes *bytes)
{
    lab_why why;
    if (outcome == LAB_DONE)
        retell(tree, bytes);
    else
        lab_tree_stop(tree, lab_no_memory(&why, lab_tree_file(tree)), &why);
    free(bytes->at);
}

static void parse_apart(void *context, cfpc_tree *tree, const char *text, size_t length)
{
    (void)context;
    const source from = {.text = text, .length = length};
    lab_bytes bytes;
    lab_why why;
    const lab_outcome outcome = lab_apart(parse, &from, &bytes, &why);
    take(tree, outcome, &bytes);
}

static void parse_here(void *context, cfpc_tree *tree, const char *text, size_t length)
{
    (void)context;
    const source from = {.text = text, .length = length};
    lab_bytes bytes = {0};
    lab_why why;
    const lab_outcome outcome = parse(&from, &bytes, &why);
    take(tree, outcome, &bytes);
}

static const cfpc_reader apart = {.parse = parse_apart}, here = {.parse = parse_here};

const cfpc_reader *cfpc_yaml_reader(void)
{
    return &apart;
}

const cfpc_reader *lab_yaml_here(void)
{
    return &here;
}

#else

#include <stddef.h>

const cfpc_reader *cfpc_yaml_reader(void)
{
    return NULL;
}

const cfpc_reader *lab_yaml_here(void)
{
    return NULL;
}

#endif
