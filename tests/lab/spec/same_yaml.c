// SPDX-License-Identifier: Apache-2.0
// same_yaml: texts through our reader of YAML and through libfyaml: what ours accepts, libfyaml
// reads as the same tree, with the same places.   same_yaml COUNT SEED ACCEPTED FILE...
// Reads the files, and COUNT texts that are made of them by random changes. What ours accepts goes
// to the file ACCEPTED, for same_yaml.py: the lengths of both as two 32-bit numbers, the text, and
// its tree as text.
#include <libfyaml.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "spec/reader.h"
#include "spec/tree.h"

enum { LONGEST = 1 << 22, MOST_SHOWN = 10 };

static void fail(const char *what)
{
    fprintf(stderr, "same_yaml: %s\n", what);
    exit(2);
}

// ---- libfyaml's tree -------------------------------------------------------------------------

static void tell(cfpc_tree *tree, struct fy_node *node);

// A scalar is where its text begins, within quotes if it has some. Nothing is nowhere.
static void place_of(struct fy_node *scalar, int *line, int *column)
{
    struct fy_token *token = scalar ? fy_node_get_scalar_token(scalar) : NULL;
    const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;
    *line = mark ? mark->line + 1 : 0;
    *column = mark ? mark->column + 1 : 0;
}

static void tell_text(cfpc_tree *tree, struct fy_node *node,
                      void (*as)(cfpc_tree *, const char *, int, int))
{
    size_t length = 0;
    int line, column;
    const char *text = node ? fy_node_get_scalar(node, &length) : NULL;
    char *copy = strndup(text ? text : "", length);
    place_of(node, &line, &column);
    as(tree, copy, line, column);
    free(copy);
}

static void tell_map(cfpc_tree *tree, struct fy_node *map)
{
    void *at = NULL;
    cfpc_tree_map(tree, 0, 0);
    for (struct fy_node_pair *pair; (pair = fy_node_mapping_iterate(map, &at));) {
        struct fy_node *key = fy_node_pair_key(pair);
        if (!key || !fy_node_is_scalar(key) || fy_node_is_alias(key))
            lab_tree_refuse(tree, 1, 1, "a key that is no text");
        tell_text(tree, key, cfpc_tree_key);
        tell(tree, fy_node_pair_value(pair));
    }
    cfpc_tree_end(tree);
}

static void tell_list(cfpc_tree *tree, struct fy_node *list)
{
    void *at = NULL;
    cfpc_tree_list(tree, 0, 0);
    for (struct fy_node *item; (item = fy_node_sequence_iterate(list, &at));)
        tell(tree, item);
    cfpc_tree_end(tree);
}

static void tell(cfpc_tree *tree, struct fy_node *node)
{
    if (node && fy_node_is_mapping(node))
        tell_map(tree, node);
    else if (node && fy_node_is_sequence(node))
        tell_list(tree, node);
    else if (node && fy_node_is_alias(node))
        lab_tree_refuse(tree, 1, 1, "an alias");
    else
        tell_text(tree, node, cfpc_tree_scalar);
}

static void read_by_libfyaml(cfpc_tree *tree, const char *text, size_t length)
{
    struct fy_diag_cfg quiet;
    fy_diag_cfg_default(&quiet);
    quiet.fp = NULL;
    struct fy_diag *diag = fy_diag_create(&quiet);
    const struct fy_parse_cfg cfg = {.flags = FYPCF_COLLECT_DIAG | FYPCF_ALLOW_DUPLICATE_KEYS,
                                     .diag = diag};
    struct fy_parser *parser = fy_parser_create(&cfg);
    if (!parser || fy_parser_set_string(parser, text, length) != 0)
        fail("libfyaml has no memory");
    struct fy_document *document = fy_parse_load_document(parser);
    if (document && fy_document_root(document))
        tell(tree, fy_document_root(document));
    struct fy_document *second = fy_parse_load_document(parser);
    if (second || fy_diag_got_error(diag))
        lab_tree_refuse(tree, 1, 1, second ? "a second document" : "an error");
    fy_parse_document_destroy(parser, second);
    fy_parse_document_destroy(parser, document);
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
}

// ---- both ------------------------------------------------------------------------------------

static void print(FILE *to, const lab_node *node, int depth, bool places)
{
    for (; node; node = node->next) {
        fprintf(to, "%*s%d [%s] [%s]", depth, "", (int)node->kind, node->key ? node->key : "-",
                node->text ? node->text : "-");
        if (places)
            fprintf(to, " %d:%d %d:%d", node->line, node->column, node->key_line, node->key_column);
        fputc('\n', to);
        print(to, node->child, depth + 1, places);
    }
}

// The tree as text, with places or without; or NULL.
static char *tree_of(const char *text, size_t length, bool by_libfyaml, bool places)
{
    char *printed;
    size_t size;
    cfpc_tree *tree = cfpc_tree_create("text");
    FILE *to = open_memstream(&printed, &size);
    if (!tree || !to)
        fail("no memory");
    (by_libfyaml ? read_by_libfyaml : cfpc_tree_read)(tree, text, length);
    const lab_node *root = lab_tree_root(tree);
    if (root)
        print(to, root, 0, places);
    fclose(to);
    cfpc_tree_free(tree);
    if (root)
        return printed;
    free(printed);
    return NULL;
}

static void keep(FILE *accepted, const char *text, size_t length)
{
    char *tree = tree_of(text, length, false, false);
    const uint32_t lengths[] = {(uint32_t)length, (uint32_t)strlen(tree)};
    fwrite(lengths, sizeof lengths, 1, accepted);
    fwrite(text, 1, length, accepted);
    fwrite(tree, 1, lengths[1], accepted);
    free(tree);
}

typedef struct counts {
    long texts, accepted, different;
} counts;

static void compare(counts *all, FILE *accepted, const char *text, size_t length)
{
    all->texts++;
    char *ours = tree_of(text, length, false, true);
    if (!ours)
        return;
    all->accepted++;
    keep(accepted, text, length);
    char *theirs = tree_of(text, length, true, true);
    if (!theirs || strcmp(ours, theirs) != 0) {
        if (all->different++ < MOST_SHOWN)
            printf("DIFFERENT:\n%s\nours:\n%slibfyaml:\n%s\n", text, ours,
                   theirs ? theirs : "refused\n");
    }
    free(ours);
    free(theirs);
}

// ---- random texts ----------------------------------------------------------------------------

static const char *const pieces[] = {
    ": ",   "- ",     "\n",       "  ",     " ",          "#",          " #",
    "[",    "]",      "{",        "}",      ",",          ", ",         "\"",
    "'",    "\\",     "&a ",      "*a",     "!t ",        "|",          "|\n",
    ">\n",  "%",      "@",        "`",      "?",          "? ",         ":",
    "-",    "---\n",  "...\n",    "\t",     "\r\n",       "\r",         "~",
    "null", "<<: ",   "\xc2\x85", "\u2028", "\ufeff",     "\\x41",      "\\u00e9",
    "\\0",  "''",     "a: b",     "- - a",  "[a, b]",     "{a: b}",     "{a: , b}",
    "\n\n", "\n  ",   "\n    ",   "--- ",   "=",          "0x1",        "1e5",
    ".",    "\\n",    "\\\"",     "\u00e9", "\U0001d11e", "[]",         "{}",
    "{ }",  "[a: b]", "\"a\":1",  ": \n",   "- \n",       "k: \"v\"\n", "'x': [1,\n 2]\n",
    "# c\n"};

static size_t below(lab_random *random, size_t limit)
{
    return (size_t)(lab_uniform(random) * (double)limit);
}

static void insert(char *text, size_t *length, size_t at, const char *piece, size_t size)
{
    memmove(text + at + size, text + at, *length - at);
    memcpy(text + at, piece, size);
    *length += size;
}

static void change(lab_random *random, char *text, size_t *length)
{
    const char *piece = pieces[below(random, sizeof pieces / sizeof *pieces)];
    size_t at = below(random, *length + 1), size = strlen(piece);
    char copy[32];
    switch (below(random, 5)) {
    case 0: // a piece, anywhere
        insert(text, length, at, piece, size);
        break;
    case 1: // some letters less
        size = below(random, 5);
        size = size < *length - at ? size : *length - at;
        memmove(text + at, text + at + size, *length - at - size);
        *length -= size;
        break;
    case 2: // a piece in place of others
        if (at + size < *length)
            memcpy(text + at, piece, size);
        break;
    case 3: // something again
        size = below(random, sizeof copy);
        size = size < *length - at ? size : *length - at;
        memcpy(copy, text + at, size);
        insert(text, length, below(random, *length + 1), copy, size);
        break;
    default: // a piece where a line begins
        while (at > 0 && text[at - 1] != '\n')
            at--;
        insert(text, length, at, piece, size);
    }
}

// All of a file or some of its lines, changed at up to eight places.
static void change_some(lab_random *random, char *text, size_t *length, const char *file)
{
    size_t from = 0, to = strlen(file);
    if (below(random, 4) > 0 && to > 0) {
        from = below(random, to);
        while (from > 0 && file[from - 1] != '\n')
            from--;
        const size_t end = from + 20 + below(random, 400);
        to = end < to ? end : to;
    }
    *length = to > from ? to - from : 0;
    memcpy(text, file + from, *length);
    size_t changes = below(random, 4) + (below(random, 8) == 0 ? 4 : 0);
    while (changes-- > 0)
        change(random, text, length);
    text[*length] = '\0';
}

static char *content_of(const char *file)
{
    FILE *from = fopen(file, "rb");
    char *text = calloc(LONGEST + 1, 1);
    if (!from || !text || fread(text, 1, LONGEST, from) == LONGEST)
        fail(file);
    fclose(from);
    return text;
}

int main(int count, char **words)
{
    if (count < 5)
        fail("COUNT SEED ACCEPTED FILE... are needed");
    const long texts = strtol(words[1], NULL, 10);
    lab_random random = lab_random_seed(atoi(words[2]), 0);
    FILE *accepted = fopen(words[3], "wb");
    const int files = count - 4;
    char **content = calloc((size_t)files, sizeof *content), *text = malloc(LONGEST + 1024);
    counts all = {0};
    if (!accepted || !content || !text)
        fail(words[3]);
    for (int i = 0; i < files; i++) {
        content[i] = content_of(words[4 + i]);
        compare(&all, accepted, content[i], strlen(content[i]));
        if (all.accepted != i + 1)
            fail(words[4 + i]);
    }
    for (long i = 0; i < texts; i++) {
        size_t length;
        change_some(&random, text, &length, content[below(&random, (size_t)files)]);
        compare(&all, accepted, text, length);
    }
    printf("libfyaml: %ld texts, %ld accepted, %ld of them different\n", all.texts, all.accepted,
           all.different);
    for (int i = 0; i < files; i++)
        free(content[i]);
    free(content);
    free(text);
    return fclose(accepted) != 0 || all.different > 0;
}
