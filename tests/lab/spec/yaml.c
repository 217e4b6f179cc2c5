// SPDX-License-Identifier: Apache-2.0
// YAML as a tree in which every node knows its place.
#include "base/json.h"
#include "harness.h"
#include "spec/reader.h"

static lab_node *parse(const char *text)
{
    lab_node *root;
    lab_why why;
    if (lab_parse(&root, "f.yaml", text, strlen(text), &why) != LAB_DONE)
        fail_msg("%s", why.text);
    return root;
}

// The child of this key, or, if the key is a digit, of this number.
static const lab_node *child(const lab_node *node, const char *key)
{
    int left = key[0] >= '0' && key[0] <= '9' ? atoi(key) : -1;
    for (const lab_node *at = node->child; at; at = at->next)
        if (left == 0 || (at->key && strcmp(at->key, key) == 0))
            return at;
        else
            left--;
    fail_msg("no child '%s'", key);
    return NULL;
}

// Follows a path as "a.0.b".
static const lab_node *follow(const lab_node *root, const char *path)
{
    char words[64];
    snprintf(words, sizeof words, "%s", path);
    for (char *word = strtok(words, "."); word; word = strtok(NULL, "."))
        root = child(root, word);
    return root;
}

static void assert_at(const lab_node *root, const char *path, int line, int column)
{
    const lab_node *node = follow(root, path);
    if (node->line != line || node->column != column)
        fail_msg("'%s' is at %d:%d, not %d:%d", path, node->line, node->column, line, column);
}

// ---- the tree --------------------------------------------------------------------------------

static void kinds_keys_texts_and_order_are_those_of_the_file(void **state)
{
    (void)state;
    lab_node *root = parse("b: 1\na: {x: [2, three]}\nlast: 'q u'\n");
    assert_int_equal(root->kind, LAB_MAP);
    assert_null(root->key);
    assert_string_equal(root->child->key, "b");
    assert_string_equal(root->child->next->key, "a");
    assert_string_equal(root->child->next->next->key, "last");
    assert_null(root->child->next->next->next);
    assert_string_equal(follow(root, "b")->text, "1");
    assert_int_equal(follow(root, "a")->kind, LAB_MAP);
    assert_int_equal(follow(root, "a.x")->kind, LAB_LIST);
    assert_null(follow(root, "a.x")->text);
    assert_string_equal(follow(root, "a.x.1")->text, "three");
    assert_string_equal(follow(root, "last")->text, "q u");
    lab_node_free(root);
}

static void an_empty_value_is_an_empty_text(void **state)
{
    (void)state;
    lab_node *root = parse("a:\nb: ''\nc: []\nd: {}\n");
    assert_string_equal(follow(root, "a")->text, "");
    assert_string_equal(follow(root, "b")->text, "");
    assert_int_equal(follow(root, "c")->kind, LAB_LIST);
    assert_null(follow(root, "c")->child);
    assert_int_equal(follow(root, "d")->kind, LAB_MAP);
    assert_null(follow(root, "d")->child);
    lab_node_free(root);
}

static void quotes_hold_any_letter(void **state)
{
    (void)state;
    lab_node *root = parse("a: 'it''s \\n # {x: \"y\"}'\n"
                           "b: \"\\\"\\\\\\/\\ \\a\\b\\e\\f\\n\\r\\t\\v\"\n"
                           "c: \"\\x41\\u00e9\\u20Ac\\U0001F600 \u00e9\u20ac\"\n"
                           "'d # e': \"\"\n");
    assert_string_equal(follow(root, "a")->text, "it's \\n # {x: \"y\"}");
    assert_string_equal(follow(root, "b")->text, "\"\\/ \a\b\033\f\n\r\t\v");
    assert_string_equal(follow(root, "c")->text, "A\u00e9\u20ac\U0001F600 \u00e9\u20ac");
    assert_string_equal(follow(root, "d # e")->text, "");
    lab_node_free(root);
}

// Whatever a text holds, it is written so that it can be read again.
static void what_is_written_in_json_is_read_as_it_was(void **state)
{
    (void)state;
    for (unsigned letter = 1; letter < 0x11000; letter++) {
        char *written, text[8] = {0};
        size_t size;
        FILE *file = open_memstream(&written, &size);
        assert_non_null(file);
        if (letter < 0x80)
            snprintf(text, sizeof text, "%c", (int)letter);
        else if (letter < 0x800)
            snprintf(text, sizeof text, "%c%c", (int)(0xc0 | letter >> 6),
                     (int)(0x80 | (letter & 0x3f)));
        else if (letter < 0x10000)
            snprintf(text, sizeof text, "%c%c%c", (int)(0xe0 | letter >> 12),
                     (int)(0x80 | (letter >> 6 & 0x3f)), (int)(0x80 | (letter & 0x3f)));
        else
            snprintf(text, sizeof text, "%c%c%c%c", (int)(0xf0 | letter >> 18),
                     (int)(0x80 | (letter >> 12 & 0x3f)), (int)(0x80 | (letter >> 6 & 0x3f)),
                     (int)(0x80 | (letter & 0x3f)));
        if (letter >= 0xd800 && letter < 0xe000)
            text[0] = '\0'; // half a letter
        fputs("a: ", file);
        const int width = lab_json_text(file, text);
        assert_int_equal(ftell(file), 3 + width);
        assert_ok(fclose(file));
        lab_node *root = parse(written);
        assert_string_equal(root->child->text, text);
        lab_node_free(root);
        free(written);
    }
}

// ---- places ----------------------------------------------------------------------------------

static void a_scalar_is_where_its_text_begins(void **state)
{
    (void)state;
    lab_node *root = parse("a: 1\nlonger:    two words\n\n# a comment\nc:\n   3\n");
    assert_at(root, "a", 1, 4);
    assert_at(root, "longer", 2, 12);
    assert_at(root, "c", 6, 4);
    lab_node_free(root);
}

static void a_map_and_a_list_are_where_their_key_is(void **state)
{
    (void)state;
    lab_node *root = parse("top:\n  inner:\n    deep: {x: 1}\n  list:\n    - 1\n    - 2\n");
    assert_at(root, "top", 1, 1);
    assert_at(root, "top.inner", 2, 3);
    assert_at(root, "top.inner.deep", 3, 5);
    assert_at(root, "top.inner.deep.x", 3, 15);
    assert_at(root, "top.list", 4, 3);
    assert_at(root, "top.list.0", 5, 7);
    assert_at(root, "top.list.1", 6, 7);
    lab_node_free(root);
}

static void flow_style_over_several_lines_keeps_its_places(void **state)
{
    (void)state;
    lab_node *root = parse("m: {a: 1,\n  b: [10, 20,\n  30], c: {d: 4}}\n");
    assert_at(root, "m", 1, 1);
    assert_at(root, "m.a", 1, 8);
    assert_at(root, "m.b", 2, 3);
    assert_at(root, "m.b.1", 2, 11);
    assert_at(root, "m.b.2", 3, 3);
    assert_at(root, "m.c.d", 3, 15);
    lab_node_free(root);
}

static void what_has_no_key_is_where_its_first_word_is(void **state)
{
    (void)state;
    lab_node *root = parse("rows: [[1, 2], [3, 4]]\nmaps:\n  - {a: 5, b: 6}\n  - c: 7\n");
    assert_at(root, "rows.0", 1, 9);
    assert_at(root, "rows.1", 1, 17);
    assert_at(root, "maps.0", 3, 6);
    assert_at(root, "maps.1", 4, 5);
    lab_node_free(root);
}

static void an_empty_value_is_where_its_key_is(void **state)
{
    (void)state;
    lab_node *root = parse("a: 1\nempty:\nlist: []\nmap: {}\n");
    assert_at(root, "empty", 2, 1);
    assert_at(root, "list", 3, 1);
    assert_at(root, "map", 4, 1);
    lab_node_free(root);
}

static void columns_count_characters_not_bytes(void **state)
{
    (void)state;
    lab_node *root = parse("τ: 1\nname: \"τ\"\nm: {τ: 2, x: 3}\n");
    assert_at(root, "τ", 1, 4);
    assert_at(root, "m.x", 3, 14);
    lab_node_free(root);
}

static void line_ends_of_other_systems_count_as_one_line(void **state)
{
    (void)state;
    lab_node *root = parse("a: 1\r\nb: 2\r\nc: 3\r\n");
    assert_at(root, "c", 3, 4);
    assert_string_equal(follow(root, "a")->text, "1");
    lab_node_free(root);
}

// ---- refusals --------------------------------------------------------------------------------

static void assert_refused(const char *text, size_t length, const char *message)
{
    lab_node *root = (lab_node *)text; // anything but NULL
    lab_why why = {0};
    assert_int_equal(lab_parse(&root, "f.yaml", text, length, &why), LAB_REFUSED);
    assert_string_equal(why.text, message);
    assert_null(root);
}

static void what_is_no_map_is_refused(void **state)
{
    (void)state;
    static const char message[] =
        "f.yaml:1:1: a spec or model file is a map of keys; this holds none";
    static const char *const texts[] = {"word", "- a\n- b\n", "[1, 2]", "---\n", ""};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_refused(texts[i], strlen(texts[i]), message);
}

static void broken_yaml_is_refused_with_the_place_and_the_first_complaint(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } broken[] = {
        {"a: 1\nb: [1, 2\nc: 3\n", "f.yaml:3:1: brackets are still open here: close them, or "
                                   "indent this line further than their key"},
        {"a: 1\nb: {c: 1\n  d: 2}\n", "f.yaml:3:3: a comma or the map's closing } is missing here"},
        {"a: \"b\n", "f.yaml:1:4: this quote is not closed; where a text goes on in the next "
                     "line, that is indented and not empty"},
        {"a: b: c\n",
         "f.yaml:1:4: a key cannot follow another in the same line; write it in a line of its "
         "own, or a text with a colon in quotes"},
        {"a: 1\na: 2\n", "f.yaml:2:1: this map has this key already"},
        {"a:\n\tb: 1\n", "f.yaml:2:1: a tab: indent and separate with spaces"},
        {"a: 1\nb: *c\n", "f.yaml:2:4: aliases (*name) are not supported in a spec file; write "
                          "the value again, or the text in quotes"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++)
        assert_refused(broken[i].text, strlen(broken[i].text), broken[i].message);
}

static void a_nul_byte_is_refused(void **state)
{
    (void)state;
    assert_refused("a: \0b\n", 6, "f.yaml:1:1: this is not a text file: it holds a NUL");
}

static void depth_without_end_is_refused(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    char *text = must_calloc(DEPTH + 1, 1);
    memset(text, '[', DEPTH);
    lab_node *root;
    lab_why why;
    assert_int_equal(lab_parse(&root, "f.yaml", text, DEPTH, &why), LAB_REFUSED);
    assert_null(root);
    free(text);
}

static void a_value_by_itself_is_what_a_map_would_hold(void **state)
{
    (void)state;
    static const char *const values[] = {"80",    "-1.5e-3", "+2",          "controller-input",
                                         "a/b.c", "wh+50ms", "[1, {a: b}]", "'80'",
                                         "-",     ".5",      "~",           "a b",
                                         "a#b",   "a #b",    "---",         "{}"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char text[64];
        snprintf(text, sizeof text, "value: %s\n", values[i]);
        lab_node *root, *value;
        lab_why here, why;
        const lab_outcome outcome = lab_parse(&root, "key", text, strlen(text), &here);
        assert_int_equal(lab_parse_value(&value, "key", values[i], &why), outcome);
        if (outcome == LAB_DONE) {
            assert_int_equal(value->kind, root->child->kind);
            assert_string_equal(value->text ? value->text : "none",
                                root->child->text ? root->child->text : "none");
        } else
            assert_string_equal(why.text, here.text);
        lab_node_free(value);
        lab_node_free(root);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_keys_texts_and_order_are_those_of_the_file),
        cmocka_unit_test(an_empty_value_is_an_empty_text),
        cmocka_unit_test(quotes_hold_any_letter),
        cmocka_unit_test(what_is_written_in_json_is_read_as_it_was),
        cmocka_unit_test(a_scalar_is_where_its_text_begins),
        cmocka_unit_test(a_map_and_a_list_are_where_their_key_is),
        cmocka_unit_test(flow_style_over_several_lines_keeps_its_places),
        cmocka_unit_test(what_has_no_key_is_where_its_first_word_is),
        cmocka_unit_test(an_empty_value_is_where_its_key_is),
        cmocka_unit_test(columns_count_characters_not_bytes),
        cmocka_unit_test(line_ends_of_other_systems_count_as_one_line),
        cmocka_unit_test(what_is_no_map_is_refused),
        cmocka_unit_test(broken_yaml_is_refused_with_the_place_and_the_first_complaint),
        cmocka_unit_test(a_nul_byte_is_refused),
        cmocka_unit_test(depth_without_end_is_refused),
        cmocka_unit_test(a_value_by_itself_is_what_a_map_would_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
