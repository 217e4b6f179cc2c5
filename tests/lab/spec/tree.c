// SPDX-License-Identifier: Apache-2.0
// A tree made by calls alone, without a parser; and calls that make none.
#include "spec/tree.h"

#include "api/experiment.h"
#include "harness.h"
#include "spec/load.h"

#define WRONG_CALLS "the calls that make this tree are wrong: "

static cfpc_tree *begin(void)
{
    cfpc_tree *tree = cfpc_tree_create("f.yaml");
    assert_non_null(tree);
    return tree;
}

static void assert_whole(const cfpc_tree *tree)
{
    cfpc_why why;
    if (cfpc_tree_check(tree, &why) != CFPC_DONE)
        fail_msg("%s", why.text);
}

// Ends the tree, too.
static void assert_refused(cfpc_tree *tree, const char *says)
{
    cfpc_why why = {0};
    assert_int_equal(cfpc_tree_check(tree, &why), CFPC_REFUSED);
    assert_string_equal(why.text, says);
    assert_null(lab_tree_root(tree));
    cfpc_tree_free(tree);
}

// ---- what calls make -------------------------------------------------------------------------

static void add_pair(cfpc_tree *tree, const char *key, const char *value, int line)
{
    cfpc_tree_key(tree, key, line, 1);
    cfpc_tree_scalar(tree, value, line, 10);
}

static void calls_make_nodes_in_their_order(void **state)
{
    (void)state;
    cfpc_tree *tree = begin();
    cfpc_tree_map(tree, 1, 1);
    add_pair(tree, "a", "1", 1);
    cfpc_tree_key(tree, "b", 2, 1);
    cfpc_tree_list(tree, 2, 4);
    cfpc_tree_scalar(tree, "x", 2, 5);
    cfpc_tree_map(tree, 3, 5);
    add_pair(tree, "c", "", 3);
    cfpc_tree_end(tree);
    cfpc_tree_end(tree);
    cfpc_tree_end(tree);
    assert_whole(tree);
    const lab_node *root = lab_tree_root(tree), *b = root->child->next;
    assert_string_equal(lab_tree_file(tree), "f.yaml");
    assert_int_equal(root->kind, LAB_MAP);
    assert_string_equal(root->child->text, "1");
    assert_int_equal(b->kind, LAB_LIST);
    assert_string_equal(b->child->text, "x");
    assert_int_equal(b->child->next->kind, LAB_MAP);
    assert_string_equal(b->child->next->child->key, "c");
    assert_null(b->child->next->next);
    cfpc_tree_free(tree);
}

static void assert_at(const lab_node *node, int line, int column)
{
    assert_int_equal(node->line, line);
    assert_int_equal(node->column, column);
}

// What has no place of its own is where the last word was; a map or list where its key is.
static void places_are_those_of_keys_and_words(void **state)
{
    (void)state;
    cfpc_tree *tree = begin();
    cfpc_tree_list(tree, 7, 7);
    cfpc_tree_list(tree, 8, 8);
    cfpc_tree_end(tree);
    cfpc_tree_map(tree, 9, 9);
    cfpc_tree_key(tree, "a", 2, 3);
    cfpc_tree_scalar(tree, "", 0, 0);
    cfpc_tree_key(tree, "b", 4, 5);
    cfpc_tree_list(tree, 4, 8);
    cfpc_tree_scalar(tree, "x", 6, 7);
    cfpc_tree_end(tree);
    cfpc_tree_end(tree);
    cfpc_tree_scalar(tree, "y", -1, 4);
    cfpc_tree_end(tree);
    assert_whole(tree);
    const lab_node *root = lab_tree_root(tree), *map = root->child->next;
    assert_at(root->child, 1, 1);
    assert_at(root, 1, 1);
    assert_at(map, 2, 3);
    assert_at(map->child, 2, 3);
    assert_at(map->child->next, 4, 5);
    assert_at(map->child->next->child, 6, 7);
    assert_at(map->next, 6, 7);
    cfpc_tree_free(tree);
}

static void a_single_value_is_a_tree(void **state)
{
    (void)state;
    cfpc_tree *tree = begin();
    cfpc_tree_scalar(tree, "40", 0, 0);
    assert_whole(tree);
    assert_string_equal(lab_tree_root(tree)->text, "40");
    cfpc_tree_free(tree);
}

// ---- what calls refuse -----------------------------------------------------------------------

static void what_no_spec_may_hold_is_refused_at_its_place(void **state)
{
    (void)state;
    cfpc_why why;
    cfpc_tree *tree = begin();
    cfpc_tree_map(tree, 1, 1);
    add_pair(tree, "a", "1", 1);
    cfpc_tree_key(tree, "a", 2, 5);
    lab_tree_refuse(tree, 3, 4, "later");
    assert_int_equal(cfpc_tree_check(tree, &why), CFPC_REFUSED);
    assert_string_equal(why.file, "f.yaml");
    assert_int_equal(why.line, 2);
    assert_int_equal(why.column, 5);
    assert_refused(tree, "f.yaml:2:5: this map has this key already");
    tree = begin();
    lab_tree_refuse(tree, 3, 4, "no colon");
    assert_refused(tree, "f.yaml:3:4: no colon");
}

static void texts_without_keys_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
        const char *says;
    } texts[] = {
        {"a\0b", 3, "f.yaml:1:1: this is not a text file: it holds a NUL"},
        {NULL, 0, "f.yaml:1:1: this is not a text file: it holds a NUL"},
        {" # x\n", 5, "f.yaml:1:1: a spec or model file is a map of keys; this holds none"},
        {"a: 1\nb: \xff\n", 10, "f.yaml:2:1: this is not UTF-8 text"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cfpc_tree *tree = begin();
        cfpc_tree_read(tree, texts[i].text, texts[i].length);
        assert_refused(tree, texts[i].says);
    }
}

static void depth_has_an_end(void **state)
{
    (void)state;
    cfpc_tree *tree = begin();
    for (int i = 1; i < LAB_MAX_DEPTH; i++)
        cfpc_tree_list(tree, 1, i);
    for (int i = 1; i < LAB_MAX_DEPTH; i++)
        cfpc_tree_end(tree);
    assert_whole(tree);
    cfpc_tree_free(tree);
    tree = begin();
    for (int i = 1; i <= 100000; i++)
        cfpc_tree_list(tree, 1, i);
    assert_refused(tree, "f.yaml:1:64: maps and lists are nested more than 63 deep");
}

static void keys_have_an_end(void **state)
{
    (void)state;
    cfpc_tree *tree = begin();
    cfpc_tree_map(tree, 1, 1);
    for (int i = 1; i <= LAB_MAX_KEYS; i++) {
        char key[16];
        snprintf(key, sizeof key, "k%d", i);
        add_pair(tree, key, "1", i);
    }
    cfpc_why why;
    assert_true(lab_tree_is_good(tree));
    cfpc_tree_key(tree, "one-more", LAB_MAX_KEYS + 1, 1);
    assert_int_equal(cfpc_tree_check(tree, &why), CFPC_REFUSED);
    assert_string_equal(why.text, "f.yaml:4097:1: this map has more than 4096 keys");
    cfpc_tree_free(tree);
}

// ---- misuse ----------------------------------------------------------------------------------

// Each letter is a call: { a map, [ a list, k a key, s a scalar, ] an end; K and S of no text, U
// and V of no UTF-8.
static cfpc_tree *made_by(const char *calls)
{
    cfpc_tree *tree = begin();
    for (int i = 0; calls[i]; i++) {
        const char name[2] = {(char)('a' + i), '\0'};
        const char *text = strchr("KS", calls[i]) ? NULL : strchr("UV", calls[i]) ? "\xff" : name;
        if (calls[i] == '{')
            cfpc_tree_map(tree, 1, i + 1);
        else if (calls[i] == '[')
            cfpc_tree_list(tree, 1, i + 1);
        else if (calls[i] == ']')
            cfpc_tree_end(tree);
        else if (strchr("kKU", calls[i]))
            cfpc_tree_key(tree, text, 1, i + 1);
        else
            cfpc_tree_scalar(tree, text, 1, i + 1);
    }
    return tree;
}

static void calls_that_make_no_tree_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *calls, *says;
    } wrong[] = {
        {"", "f.yaml:1:1: a spec or model file is a map of keys; this holds none"},
        {"]", "f.yaml:1:1: " WRONG_CALLS "an end has no beginning"},
        {"{]]", "f.yaml:1:1: " WRONG_CALLS "an end has no beginning"},
        {"{ks]s", "f.yaml:1:3: " WRONG_CALLS "a second value follows the first"},
        {"ss", "f.yaml:1:1: " WRONG_CALLS "a second value follows the first"},
        {"{]{]", "f.yaml:1:1: " WRONG_CALLS "a second value follows the first"},
        {"k", "f.yaml:1:1: " WRONG_CALLS "a key is outside a map"},
        {"[k", "f.yaml:1:2: " WRONG_CALLS "a key is outside a map"},
        {"{kk", "f.yaml:1:3: " WRONG_CALLS "a key follows a key without a value"},
        {"{s", "f.yaml:1:1: " WRONG_CALLS "a value in a map has no key"},
        {"{{", "f.yaml:1:1: " WRONG_CALLS "a value in a map has no key"},
        {"{ks[", "f.yaml:1:3: " WRONG_CALLS "a value in a map has no key"},
        {"{k]", "f.yaml:1:2: " WRONG_CALLS "the last key of a map has no value"},
        {"{", "f.yaml:1:1: " WRONG_CALLS "1 of its maps and lists is not ended"},
        {"{k[s", "f.yaml:1:4: " WRONG_CALLS "2 of its maps and lists are not ended"},
        {"S", "f.yaml:1:1: " WRONG_CALLS "a text is missing"},
        {"{K", "f.yaml:1:2: " WRONG_CALLS "a text is missing"},
        {"V", "f.yaml:1:1: " WRONG_CALLS "a text is not UTF-8"},
        {"{U", "f.yaml:1:2: " WRONG_CALLS "a text is not UTF-8"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        cfpc_tree *tree = made_by(wrong[i].calls);
        assert_int_equal(cfpc_tree_check(tree, NULL), CFPC_REFUSED); // who does not want to know
        assert_refused(tree, wrong[i].says);
    }
}

// All sequences of six calls: each is a tree or has a reason, and none crashes.
static void whatever_is_called_ends_well(void **state)
{
    (void)state;
    static const char letters[] = "{[ksS]";
    enum { KINDS = sizeof letters - 1, LENGTH = 6 };
    int whole = 0;
    for (int number = 0; number < 46656; number++) { // KINDS to the power of LENGTH
        char calls[LENGTH + 1] = {0};
        for (int i = 0, left = number; i < LENGTH; i++, left /= KINDS)
            calls[i] = letters[left % KINDS];
        cfpc_tree *tree = made_by(calls);
        cfpc_why why = {0};
        const cfpc_outcome outcome = cfpc_tree_check(tree, &why);
        assert_int_equal(outcome == CFPC_DONE, lab_tree_root(tree) != NULL);
        assert_int_equal(outcome == CFPC_DONE, *why.text == '\0');
        whole += outcome == CFPC_DONE;
        cfpc_tree_free(tree);
    }
    // Values of n calls: V(1) = 1, V(n) = L(n - 2) + M(n - 2); what lists and maps hold:
    // L(n) = sum of V(i) L(n - i), M(n) = sum of V(i) M(n - i - 1), L(0) = M(0) = 1.
    // So L(4) = 17 and M(4) = 2.
    assert_int_equal(whole, 17 + 2);
}

static void no_tree_is_no_crash(void **state)
{
    (void)state;
    cfpc_why why;
    cfpc_tree_map(NULL, 1, 1);
    cfpc_tree_list(NULL, 1, 1);
    cfpc_tree_key(NULL, "a", 1, 1);
    cfpc_tree_scalar(NULL, "a", 1, 1);
    cfpc_tree_end(NULL);
    cfpc_tree_read(NULL, "a", 1);
    cfpc_tree_free(NULL);
    assert_int_equal(cfpc_tree_check(NULL, &why), CFPC_REFUSED);
    assert_string_equal(why.text, "no tree was given");
}

// ---- where trees go --------------------------------------------------------------------------

static void a_spec_must_be_a_map(void **state)
{
    (void)state;
    lab_source source;
    lab_why why;
    cfpc_tree *tree = made_by("[s]");
    assert_int_equal(lab_source_of_tree(&source, tree, &why), LAB_REFUSED);
    assert_string_equal(why.text,
                        "f.yaml:1:1: a spec or model file is a map of keys; this holds none");
    lab_source_free(&source);
    cfpc_tree_free(tree);
}

static void a_tree_is_refused_like_a_file(void **state)
{
    (void)state;
    lab_source source;
    lab_spec spec;
    lab_why why;
    cfpc_tree *tree = begin();
    cfpc_tree_map(tree, 1, 1);
    add_pair(tree, "name", "a b", 1);
    add_pair(tree, "stepp_ms", "1", 2);
    cfpc_tree_end(tree);
    assert_int_equal(lab_source_of_tree(&source, tree, &why), LAB_DONE);
    cfpc_tree_free(tree);
    assert_int_equal(lab_spec_make(&spec, &source, NULL, &why), LAB_REFUSED);
    assert_string_equal(why.text,
                        "f.yaml:2:1: unknown key 'stepp_ms' in the spec; did you mean 'step_ms'?");
    assert_int_equal(why.line, 2);
    lab_spec_free(&spec);
    lab_source_free(&source);
}

static void settings_take_trees(void **state)
{
    (void)state;
    cfpc_why why = {0};
    cfpc_settings *settings = cfpc_settings_create();
    assert_non_null(settings);
    cfpc_tree *tree = made_by("[s]");
    memset(&why, 'x', sizeof why);
    assert_int_equal(cfpc_settings_add_tree(settings, "loop.delay_ms", tree, &why), CFPC_DONE);
    assert_string_equal(why.text, "");
    memset(&why, 'x', sizeof why);
    assert_int_equal(cfpc_settings_add(settings, "loop.delay_ms=40", &why), CFPC_DONE);
    assert_string_equal(why.text, "");
    const lab_settings *all = lab_settings_of(settings);
    assert_int_equal(all->count, 2);
    assert_string_equal(all->items[0].path, "loop.delay_ms");
    assert_string_equal(all->items[0].value->setting, "loop.delay_ms=[b]");
    assert_string_equal(all->items[1].value->text, "40");
    cfpc_tree_free(tree);
    cfpc_settings_free(settings);
}

static void what_is_no_setting_is_refused(void **state)
{
    (void)state;
    cfpc_why why = {0};
    cfpc_settings *settings = cfpc_settings_create();
    cfpc_tree *whole = made_by("s"), *open = made_by("["), *empty = begin(), *broken = made_by("]");
    assert_int_equal(cfpc_settings_add(settings, NULL, &why), CFPC_REFUSED);
    assert_string_equal(why.text, "a setting needs a path, as loop.delay_ms");
    assert_int_equal(cfpc_settings_add_tree(settings, "", whole, &why), CFPC_REFUSED);
    assert_string_equal(why.text, "a setting needs a path, as loop.delay_ms");
    assert_int_equal(cfpc_settings_add_tree(settings, "a", open, &why), CFPC_REFUSED);
    assert_string_equal(why.text,
                        "f.yaml:1:1: " WRONG_CALLS "1 of its maps and lists is not ended");
    assert_int_equal(cfpc_settings_add_tree(settings, "a", NULL, &why), CFPC_REFUSED);
    assert_string_equal(why.text, "no tree was given");
    assert_int_equal(cfpc_settings_add_tree(settings, "loop.delay_ms", empty, &why), CFPC_REFUSED);
    assert_string_equal(why.text, "setting 'loop.delay_ms' has no value");
    assert_int_equal(cfpc_settings_add_tree(settings, "a", broken, NULL), CFPC_REFUSED);
    assert_int_equal(cfpc_settings_add(settings, "a=[1,2", NULL), CFPC_REFUSED);
    cfpc_tree_free(empty);
    cfpc_tree_free(broken);
    assert_int_equal(cfpc_settings_add_tree(NULL, "a", whole, &why), CFPC_FAILED);
    assert_int_equal(lab_settings_of(settings)->count, 0);
    assert_null(lab_settings_of(NULL));
    cfpc_settings_free(NULL);
    cfpc_settings_free(settings);
    cfpc_tree_free(whole);
    cfpc_tree_free(open);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_make_nodes_in_their_order),
        cmocka_unit_test(places_are_those_of_keys_and_words),
        cmocka_unit_test(a_single_value_is_a_tree),
        cmocka_unit_test(what_no_spec_may_hold_is_refused_at_its_place),
        cmocka_unit_test(texts_without_keys_are_refused),
        cmocka_unit_test(depth_has_an_end),
        cmocka_unit_test(keys_have_an_end),
        cmocka_unit_test(calls_that_make_no_tree_are_refused),
        cmocka_unit_test(whatever_is_called_ends_well),
        cmocka_unit_test(no_tree_is_no_crash),
        cmocka_unit_test(a_spec_must_be_a_map),
        cmocka_unit_test(a_tree_is_refused_like_a_file),
        cmocka_unit_test(settings_take_trees),
        cmocka_unit_test(what_is_no_setting_is_refused),
    };
    return cmocka_run_group_tests_name("lab.tree", tests, NULL, NULL);
}
