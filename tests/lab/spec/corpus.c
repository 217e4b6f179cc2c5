// SPDX-License-Identifier: Apache-2.0
// corpus: the specs of tests/specs/refused.json, each refused with exactly its line, at its place.
#include <unistd.h>

#include "base/text.h"
#include "harness.h"
#include "lab/read_and_run.h"
#include "lab/temporary.h"
#include "spec/reader.h"

#define CORPUS_FILE TEST_SOURCE_DIR "/specs/refused.json"
#define PURSUIT_FILE TEST_SOURCE_DIR "/../experiments/pursuit.yaml"

typedef struct corpus {
    lab_node *root; // JSON is YAML
    char *pursuit;
} corpus;

static char *content_of(const char *file)
{
    char *text;
    lab_why why;
    if (lab_read_text(&text, file, LAB_SPEC_BYTES, &why) != LAB_DONE)
        fail_msg("%s", why.text);
    return text;
}

static corpus read_corpus(void)
{
    corpus it = {.pursuit = content_of(PURSUIT_FILE)};
    char *text = content_of(CORPUS_FILE);
    lab_why why;
    if (lab_parse(&it.root, CORPUS_FILE, text, strlen(text), &why) != LAB_DONE)
        fail_msg("%s", why.text);
    free(text);
    return it;
}

static void free_corpus(corpus *it)
{
    lab_node_free(it->root);
    free(it->pursuit);
}

// NULL if the case does not say it.
static const char *text_of(const lab_node *in, const char *key)
{
    const lab_node *node = lab_node_find(in, key);
    return node ? node->text : NULL;
}

static int number_of(const lab_node *in, const char *key)
{
    const char *text = text_of(in, key);
    return text ? atoi(text) : 0;
}

static const lab_node *list_of(const corpus *it, const char *key)
{
    const lab_node *list = lab_node_find(it->root, key);
    assert_non_null(list);
    assert_non_null(list->child);
    return list->child;
}

// ---- files -----------------------------------------------------------------------------------

static void write_pieces(const char *file, size_t count, const char *const *pieces)
{
    FILE *to = fopen(file, "wb");
    assert_non_null(to);
    for (size_t i = 0; i < count; i++)
        fputs(pieces[i], to);
    assert_ok(fclose(to));
}

// Letters up to U+00FF as the bytes that they stand for.
static void write_bytes(const char *file, const char *letters)
{
    FILE *to = fopen(file, "wb");
    assert_non_null(to);
    for (const unsigned char *c = (const unsigned char *)letters; *c; c++)
        if (*c < 0x80)
            fputc(*c, to);
        else {
            fputc((c[0] & 0x03) << 6 | (c[1] & 0x3f), to);
            c++;
        }
    assert_ok(fclose(to));
}

static void write_changed(const char *base, const lab_node *of)
{
    const char *from = text_of(of, "from"), *to = text_of(of, "to");
    const char *at = from ? strstr(base, from) : base + strlen(base);
    if (!at || (from && strstr(at + 1, from)))
        fail_msg("'%s' stands %s in the spec", from, at ? "more than once" : "nowhere");
    char *before = strndup(base, (size_t)(at - base));
    assert_non_null(before);
    write_pieces("spec.yaml", 3,
                 (const char *const[]){before, to ? to : "", at + (from ? strlen(from) : 0)});
    free(before);
}

static void write_spec(const corpus *it, const lab_node *of)
{
    const char *text = text_of(of, "text"), *base = text_of(of, "base");
    if (text && lab_node_find(of, "latin1"))
        write_bytes("spec.yaml", text);
    else if (text)
        write_pieces("spec.yaml", 1, &text);
    else
        write_changed(strcmp(base, "small") == 0 ? text_of(it->root, "small") : it->pursuit, of);
    unlink("m.yaml");
    const char *model = text_of(of, "model");
    if (model)
        write_pieces("m.yaml", 1, &model);
}

// ---- the tests -------------------------------------------------------------------------------

// Whether what is said is what the case says, and where.
static bool is_refused_so(const lab_node *of)
{
    enum { MOST = 4 };
    char *set[MOST + 1] = {0};
    const lab_node *settings = lab_node_find(of, "set");
    int count = 0;
    for (const lab_node *at = settings ? settings->child : NULL; at; at = at->next) {
        assert_true(count < MOST);
        set[count++] = at->text;
    }
    lab_why why = {0};
    const lab_outcome outcome = read_and_run("spec.yaml", set, &why);
    const bool is = outcome == LAB_REFUSED && strcmp(why.text, text_of(of, "says")) == 0 &&
                    why.line == number_of(of, "line") && why.column == number_of(of, "column");
    if (!is)
        print_error("(%d at %d:%d) %s\n  not %s\n", (int)outcome, why.line, why.column, why.text,
                    text_of(of, "says"));
    return is;
}

static void every_spec_of_the_corpus_is_refused_as_it_says(void **state)
{
    (void)state;
    corpus it = read_corpus();
    temporary here;
    temporary_make(&here);
    assert_ok(chdir(here.path));
    int wrong = 0, count = 0;
    for (const lab_node *of = list_of(&it, "cases"); of; of = of->next, count++) {
        write_spec(&it, of);
        wrong += !is_refused_so(of);
    }
    assert_ok(chdir("/"));
    temporary_remove(&here);
    free_corpus(&it);
    assert_int_equal(wrong, 0);
    assert_in_range(count, 500, 5000);
}

// What is said of a text before the lab sees it: "ok" if it is a tree.
static lab_why reading_of(const char *text)
{
    lab_node *root = NULL;
    lab_why why = {0};
    if (lab_parse(&root, "spec.yaml", text, strlen(text), &why) == LAB_DONE)
        snprintf(why.text, sizeof why.text, "ok");
    lab_node_free(root);
    return why;
}

static void texts_with_a_tree_are_read(void **state)
{
    (void)state;
    corpus it = read_corpus();
    for (const lab_node *of = list_of(&it, "trees"); of; of = of->next)
        assert_string_equal(reading_of(of->text).text, "ok");
    free_corpus(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_spec_of_the_corpus_is_refused_as_it_says),
        cmocka_unit_test(texts_with_a_tree_are_read),
    };
    return cmocka_run_group_tests_name("lab.corpus", tests, NULL, NULL);
}
