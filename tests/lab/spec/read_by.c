// SPDX-License-Identifier: Apache-2.0
// read_by: a spec read by a parser in another process, which is asked through a pipe: the reader of
// any language without a binding. The spec is run, and the answer is what the lab says of it.
//
//   read_by [--tree] [--libfyaml] FILE [SETTING]...
//
// On its output: "parse LENGTH", then that many bytes of text, for each text that is to be parsed;
// at the end "outcome CODE LINE COLUMN", then one line that says why. With --tree, the tree instead
// of what the lab says of it; with --libfyaml nothing is asked. On its input, after each text: one
// call of cfpc_tree_* in a line, as "key LINE COLUMN LENGTH", then that many bytes of text; "done"
// after the last.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lab/read_and_run.h"
#include "spec/reader.h"

typedef struct call {
    char name[16];
    int line, column, length;
    char *text; // or NULL
} call;

static void stop(const char *why)
{
    fprintf(stderr, "read_by: %s\n", why);
    exit(1);
}

static char *read_bytes(int length)
{
    char *text = calloc((size_t)length + 1, 1);
    if (!text || fread(text, 1, (size_t)length, stdin) != (size_t)length || getchar() != '\n')
        stop("a text is cut off");
    return text;
}

// False after the last.
static bool next_call(call *it)
{
    char line[128];
    *it = (call){.length = -1};
    if (!fgets(line, sizeof line, stdin))
        stop("the calls are cut off");
    if (sscanf(line, "%15s %d %d %d", it->name, &it->line, &it->column, &it->length) < 1)
        stop("a line is no call");
    it->text = it->length >= 0 ? read_bytes(it->length) : NULL;
    return strcmp(it->name, "done") != 0;
}

static void make_call(cfpc_tree *tree, const call *it)
{
    if (strcmp(it->name, "map") == 0)
        cfpc_tree_map(tree, it->line, it->column);
    else if (strcmp(it->name, "list") == 0)
        cfpc_tree_list(tree, it->line, it->column);
    else if (strcmp(it->name, "key") == 0)
        cfpc_tree_key(tree, it->text, it->line, it->column);
    else if (strcmp(it->name, "scalar") == 0)
        cfpc_tree_scalar(tree, it->text, it->line, it->column);
    else if (strcmp(it->name, "end") == 0)
        cfpc_tree_end(tree);
    else if (strcmp(it->name, "alias") == 0)
        cfpc_tree_alias(tree, it->line, it->column);
    else if (strcmp(it->name, "other_key") == 0)
        cfpc_tree_other_key(tree, it->line, it->column);
    else if (strcmp(it->name, "nul") == 0)
        cfpc_tree_nul(tree, it->line, it->column);
    else if (strcmp(it->name, "second") == 0)
        cfpc_tree_second(tree);
    else if (strcmp(it->name, "error") == 0)
        cfpc_tree_error(tree, it->text, it->line, it->column);
    else
        stop("a call of that name is not known");
}

static void ask(void *context, cfpc_tree *tree, const char *text, size_t length)
{
    (void)context;
    printf("parse %zu\n%s\n", length, text);
    fflush(stdout);
    call it;
    while (next_call(&it)) {
        make_call(tree, &it);
        free(it.text);
    }
}

static const cfpc_reader other = {.parse = ask};

static void put_text(const char *name, const char *text)
{
    printf(" %s %zu:", name, strlen(text));
    for (const char *c = text; *c; c++) // in one line
        printf(*c == '\n' ? "\\n" : "%c", *c);
}

static void put_tree(const lab_node *node, int depth)
{
    static const char *const kinds[] = {"scalar", "map", "list"};
    for (; node; node = node->next) {
        printf("%*s%s %d:%d", 2 * depth, "", kinds[node->kind], node->line, node->column);
        if (node->key)
            printf(" at %d:%d", node->key_line, node->key_column);
        if (node->key)
            put_text("key", node->key);
        if (node->text)
            put_text("text", node->text);
        putchar('\n');
        put_tree(node->child, depth + 1);
    }
}

static lab_outcome print_tree(const cfpc_reader *reader, const char *file, lab_why *why)
{
    char *text = NULL;
    lab_node *root = NULL;
    lab_outcome outcome = lab_read_text(&text, file, LAB_SPEC_BYTES, why);
    if (outcome == LAB_DONE)
        outcome = lab_parse(&root, reader, file, text, strlen(text), why);
    put_tree(root, 0);
    lab_node_free(root);
    free(text);
    return outcome;
}

int main(int count, char **words)
{
    lab_why why = {0};
    const cfpc_reader *reader = &other;
    bool tree = false;
    (void)count;
    for (words++; *words && strncmp(*words, "--", 2) == 0; words++) {
        tree |= strcmp(*words, "--tree") == 0;
        reader = strcmp(*words, "--libfyaml") == 0 ? NULL : reader;
    }
    if (!*words)
        stop("which file?");
    const lab_outcome outcome =
        tree ? print_tree(reader, *words, &why) : read_and_run(reader, *words, words + 1, &why);
    printf("outcome %d %d %d\n%s\n", outcome, why.line, why.column, why.text);
    return 0;
}
