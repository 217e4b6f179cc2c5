// SPDX-License-Identifier: Apache-2.0
#include "spec/yaml.h"

#include <ctype.h>
#include <errno.h>
#include <libfyaml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/apart.h"

typedef struct reader {
    const char *file;
    int line, column; // of the last scalar or key that was read
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
        free(root->setting);
        free(root);
        root = next;
    }
}

lab_node *lab_yaml_find(const lab_node *map, const char *key)
{
    for (lab_node *node = map->child; node; node = node->next)
        if (node->key && strcmp(node->key, key) == 0)
            return node;
    return NULL;
}

static bool copy_text(char **to, const char *from)
{
    *to = from ? strdup(from) : NULL;
    return *to || !from;
}

lab_node *lab_yaml_copy(const lab_node *node)
{
    lab_node *copy = new_node(node->kind);
    if (!copy)
        return NULL;
    copy->line = node->line;
    copy->column = node->column;
    copy->key_line = node->key_line;
    copy->key_column = node->key_column;
    bool whole = copy_text(&copy->key, node->key) && copy_text(&copy->text, node->text) &&
                 copy_text(&copy->setting, node->setting);
    lab_node **end = &copy->child;
    for (const lab_node *child = node->child; whole && child; child = child->next) {
        *end = lab_yaml_copy(child);
        whole = *end != NULL;
        end = whole ? &(*end)->next : end;
    }
    if (whole)
        return copy;
    lab_yaml_free(copy);
    return NULL;
}

// Moves the reader to a scalar of the file, or to the first within a map or list.
static void move_to(reader *in, struct fy_node *node)
{
    void *at = NULL;
    while (node && fy_node_is_sequence(node)) {
        node = fy_node_sequence_iterate(node, &at);
        at = NULL;
    }
    struct fy_token *token = node ? fy_node_get_scalar_token(node) : NULL;
    const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;
    if (mark) {
        in->line = mark->line + 1;
        in->column = mark->column + 1;
    }
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
    move_to(in, key);
    if (!key || !fy_node_is_scalar(key))
        return lab_refuse(in->why, "%s:%d:%d: a key must be plain text", in->file, in->line,
                          in->column);
    const int line = in->line, column = in->column;
    lab_outcome outcome = read_node(in, fy_node_pair_value(pair), to);
    if (outcome != LAB_DONE)
        return outcome;
    (*to)->key = copy_scalar(key);
    if (!(*to)->key)
        return lab_no_memory(in->why, in->file);
    (*to)->key_line = line;
    (*to)->key_column = column;
    if ((*to)->kind != LAB_SCALAR) {
        (*to)->line = line;
        (*to)->column = column;
    }
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
    const bool is_map = from && fy_node_is_mapping(from);
    const bool is_list = from && fy_node_is_sequence(from);
    if (from && !is_map && !is_list)
        move_to(in, from);
    if (from && fy_node_is_alias(from))
        return lab_refuse(in->why, "%s:%d:%d: aliases (*name) are not supported in a spec file",
                          in->file, in->line, in->column);
    *to = new_node(is_map ? LAB_MAP : is_list ? LAB_LIST : LAB_SCALAR);
    if (!*to)
        return lab_no_memory(in->why, in->file);
    (*to)->line = in->line;
    (*to)->column = in->column;
    if (!is_map && !is_list) {
        (*to)->text = from ? copy_scalar(from) : calloc(1, 1);
        return (*to)->text ? LAB_DONE : lab_no_memory(in->why, in->file);
    }
    lab_outcome outcome = is_map ? read_map(in, from, *to) : read_list(in, from, *to);
    if (outcome == LAB_DONE && (*to)->child) {
        const lab_node *first = (*to)->child;
        (*to)->line = is_map ? first->key_line : first->line;
        (*to)->column = is_map ? first->key_column : first->column;
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

// Whether there is nothing but blanks and comments.
static bool is_blank(const char *text, size_t length)
{
    bool in_comment = false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n')
            in_comment = false;
        else if (text[i] == '#')
            in_comment = true;
        else if (!in_comment && !strchr(" \t\r", text[i]))
            return false;
    }
    return true;
}

// Bytes of the UTF-8 character at `text`, 0 if there is none: 2 to 4 bytes that a shorter form
// could have said, surrogates and what lies beyond U+10FFFF are no characters. libfyaml waits
// for ever at one of those.
static size_t utf8_length(const unsigned char *text, size_t left)
{
    const unsigned char first = text[0];
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    const size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (length > left)
        return 0;
    const unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (text[1] < least || text[1] > most)
        return 0;
    for (size_t k = 2; k < length; k++)
        if ((text[k] & 0xc0) != 0x80)
            return 0;
    return length;
}

// The line on which the text is not UTF-8, 0 if it is.
static int line_not_utf8(const char *text, size_t length)
{
    int line = 1;
    for (size_t i = 0; i < length;) {
        const size_t bytes = utf8_length((const unsigned char *)text + i, length - i);
        if (bytes == 0)
            return line;
        line += text[i] == '\n';
        i += bytes;
    }
    return 0;
}

static lab_outcome read_documents(reader *in, struct fy_parser *parser, struct fy_diag *diag,
                                  lab_node **root)
{
    struct fy_document *document = fy_parse_load_document(parser);
    struct fy_node *top = document ? fy_document_root(document) : NULL;
    lab_outcome outcome = LAB_DONE;
    if (fy_diag_got_error(diag))
        outcome = syntax_error(in->file, diag, in->why);
    else if (!top || !fy_node_is_mapping(top))
        outcome = lab_refuse(
            in->why, "%s:1:1: a spec or model file is a map of keys; this holds none", in->file);
    else
        outcome = read_node(in, top, root);
    fy_parse_document_destroy(parser, document);
    if (outcome != LAB_DONE)
        return outcome;
    struct fy_document *second = fy_parse_load_document(parser);
    if (second || fy_diag_got_error(diag))
        outcome = second ? lab_refuse(in->why, "%s: holds more than one document (---)", in->file)
                         : syntax_error(in->file, diag, in->why);
    fy_parse_document_destroy(parser, second);
    return outcome;
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

lab_outcome lab_yaml_parse(lab_node **root, const char *file, const char *text, size_t length,
                           lab_why *why)
{
    *root = NULL;
    reader in = {.file = file, .line = 1, .column = 1, .why = why};
    if (memchr(text, '\0', length))
        return lab_refuse(why, "%s: this is not a text file", file);
    if (is_blank(text, length))
        return lab_refuse(why, "%s:1:1: a spec or model file is a map of keys; this holds none",
                          file);
    const int line = line_not_utf8(text, length);
    if (line > 0)
        return lab_refuse(why, "%s:%d:1: this is not UTF-8 text", file, line);
    errno = 0;
    struct fy_diag *diag = make_diag();
    const struct fy_parse_cfg cfg = {.flags = FYPCF_COLLECT_DIAG, .diag = diag};
    struct fy_parser *parser = diag ? fy_parser_create(&cfg) : NULL;
    lab_outcome outcome = LAB_DONE;
    if (!parser || fy_parser_set_string(parser, text, length) != 0)
        outcome = lab_no_memory(why, file);
    else
        outcome = read_documents(&in, parser, diag, root);
    // libfyaml does not tell an allocation that failed from bad text, or even from good: malloc
    // does.
    if (errno == ENOMEM)
        outcome = lab_no_memory(why, file);
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
    if (outcome != LAB_DONE) {
        lab_yaml_free(*root);
        *root = NULL;
    }
    return outcome;
}

// ---- in a process of its own -----------------------------------------------------------------

// What comes back of a node: this, its key and its text, and its children.
typedef struct node_head {
    lab_node_kind kind;
    int line, column, key_line, key_column;
    int key, text; // how long they are, -1 for none
    int children;
} node_head;

static int length_of(const char *text)
{
    return text ? (int)strlen(text) : -1;
}

static void pack(lab_bytes *bytes, const lab_node *node)
{
    node_head head = {.kind = node->kind,
                      .line = node->line,
                      .column = node->column,
                      .key_line = node->key_line,
                      .key_column = node->key_column,
                      .key = length_of(node->key),
                      .text = length_of(node->text)};
    for (const lab_node *child = node->child; child; child = child->next)
        head.children++;
    lab_bytes_add(bytes, &head, sizeof head);
    lab_bytes_add(bytes, node->key, node->key ? strlen(node->key) : 0);
    lab_bytes_add(bytes, node->text, node->text ? strlen(node->text) : 0);
    for (const lab_node *child = node->child; child; child = child->next)
        pack(bytes, child);
}

static bool unpack_text(char **to, const char **at, int length)
{
    *to = length >= 0 ? strndup(*at, (size_t)length) : NULL;
    *at += length >= 0 ? length : 0;
    return *to || length < 0;
}

// NULL without memory.
static lab_node *unpack(const char **at)
{
    node_head head;
    memcpy(&head, *at, sizeof head);
    *at += sizeof head;
    lab_node *node = new_node(head.kind);
    if (!node)
        return NULL;
    node->line = head.line;
    node->column = head.column;
    node->key_line = head.key_line;
    node->key_column = head.key_column;
    bool whole = unpack_text(&node->key, at, head.key) && unpack_text(&node->text, at, head.text);
    lab_node **end = &node->child;
    for (int i = 0; whole && i < head.children; i++) {
        *end = unpack(at);
        whole = *end != NULL;
        end = whole ? &(*end)->next : end;
    }
    if (whole)
        return node;
    lab_yaml_free(node);
    return NULL;
}

typedef struct source {
    const char *file, *text;
    size_t length;
} source;

static lab_outcome parse_apart(const void *context, lab_bytes *bytes, lab_why *why)
{
    const source *from = context;
    lab_node *root;
    lab_outcome outcome = lab_yaml_parse(&root, from->file, from->text, from->length, why);
    if (outcome == LAB_DONE)
        pack(bytes, root);
    lab_yaml_free(root);
    return outcome;
}

lab_outcome lab_yaml_read(lab_node **root, const char *file, const char *text, size_t length,
                          lab_why *why)
{
    const source from = {.file = file, .text = text, .length = length};
    lab_bytes bytes;
    lab_outcome outcome = lab_apart(parse_apart, &from, &bytes, why);
    const char *at = bytes.at;
    *root = outcome == LAB_DONE ? unpack(&at) : NULL;
    if (outcome == LAB_DONE && !*root)
        outcome = lab_no_memory(why, file);
    free(bytes.at);
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

lab_outcome lab_yaml_value(lab_node **value, const char *name, const char *text, lab_why *why)
{
    *value = NULL;
    if (is_word(text)) {
        *value = new_node(LAB_SCALAR);
        if (*value && copy_text(&(*value)->text, text))
            return LAB_DONE;
        lab_yaml_free(*value);
        *value = NULL;
        return lab_no_memory(why, NULL);
    }
    // In a map of its own, as the parser wants it.
    const size_t size = strlen(text) + 16;
    char *map = malloc(size);
    if (!map)
        return lab_no_memory(why, NULL);
    snprintf(map, size, "value: %s\n", text);
    lab_node *root = NULL;
    lab_outcome outcome = lab_yaml_read(&root, name, map, strlen(map), why);
    free(map);
    if (outcome == LAB_DONE) {
        *value = root->child;
        root->child = NULL; // it changes hands
    }
    lab_yaml_free(root);
    return outcome;
}
