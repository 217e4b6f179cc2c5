// SPDX-License-Identifier: Apache-2.0
// kinds: a kind of a spec is one row, and its row is whole: its keys are those of its table, a spec
// can be written with it, and what is written is read again as the same kind.
#include "lab/small_lab.h"

#include "spec/spec_print.h"
#include "spec/validate.h"

static bool has_field(const lab_table *table, const char *key)
{
    for (const lab_field *field = table->fields; field->key; field++)
        if (strcmp(field->key, key) == 0)
            return true;
    return false;
}

// Every table with a selector, and those below it; returns how many there are.
static int for_each_selector(const lab_table *table,
                             void (*check)(const lab_table *table, const lab_field *selector))
{
    const lab_field *selector = lab_selector_of(table);
    int count = selector != NULL;
    if (selector)
        check(table, selector);
    for (const lab_field *field = table->fields; field->key; field++)
        count += field->table ? for_each_selector(field->table, check) : 0;
    return count;
}

static void expect_keys_of_the_table(const lab_table *table, const lab_field *selector)
{
    assert_non_null(selector->keys);
    for (int i = 0; selector->choices[i]; i++)
        for (const char *key = selector->keys[i]; *key; key += strspn(key, " ")) {
            char word[64];
            snprintf(word, sizeof word, "%.*s", (int)strcspn(key, " "), key);
            if (!has_field(table, word))
                fail_msg("%s of kind %s has a key '%s' that its table lacks", table->name,
                         selector->choices[i], word);
            key += strcspn(key, " ");
        }
}

static void the_keys_of_every_kind_are_those_of_its_table(void **state)
{
    (void)state;
    // plant and controller of loop and believed, feed-forward path, loop, believed, task,
    // disturbances, basis, prediction.basis, rules, panels
    assert_int_equal(for_each_selector(&lab_spec_table, expect_keys_of_the_table), 13);
}

static const lab_field fields[] = {{.key = "kind",
                                    .kind = LAB_CHOICE,
                                    .choices = (const char *const[]){"one", "two", NULL},
                                    .keys = (const char *const[]){"width_ms count", "", NULL}},
                                   {.key = "count"},
                                   {.key = "width_ms"},
                                   {.key = "width"},
                                   {0}};

static void a_key_belongs_to_the_kinds_that_have_it_and_one_of_no_kind_to_all(void **state)
{
    (void)state;
    const lab_table table = {.selector = "kind", .fields = fields};
    assert_true(lab_field_belongs(&table, &fields[1], "one"));
    assert_false(lab_field_belongs(&table, &fields[1], "two"));
    assert_true(lab_field_belongs(&table, &fields[2], "one"));
    assert_true(lab_field_belongs(&table, &fields[3], "two")); // not the beginning of width_ms
    const lab_table plain = {.fields = fields};
    assert_true(lab_field_belongs(&plain, &fields[1], "two"));
}

// What a key of a bank of this kind may be set to.
static const char *sample(const char *kind, const char *key)
{
    static const char *const samples[][2] = {{"count", "3"},
                                             {"width_ms", "100"},
                                             {"spacing_ms", "100"},
                                             {"width_turns", "0.25"},
                                             {"first_ms", "10"},
                                             {"last_ms", "100"},
                                             {"time_constant_ms", "50"},
                                             {"input", "reference"},
                                             {"file", "signals.csv"},
                                             {"seed", "3"}};
    if (strcmp(kind, "periodic") == 0 && strcmp(key, "input") == 0)
        return "angle";
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        if (strcmp(samples[i][0], key) == 0)
            return samples[i][1];
    return NULL;
}

// A bank of this kind, with a value for every key that has one here.
static void add_bank(draft *to, const char *kind, const char *keys)
{
    add(to, SMALL_HEAD SMALL_LOOP SMALL_TASK SMALL_RULES "angle: {}\nbasis: {kind: %s", kind);
    for (; *keys; keys += strspn(keys, " ")) {
        char key[64];
        snprintf(key, sizeof key, "%.*s", (int)strcspn(keys, " "), keys);
        if (sample(kind, key))
            add(to, ", %s: %s", key, sample(kind, key));
        keys += strlen(key);
    }
    add(to, "}\n");
}

static void expect_read_again(lab_basis_kind kind, const char *name, const char *keys)
{
    lab_spec spec, again;
    draft text = {0};
    char *printed = NULL;
    size_t size = 0;
    add_bank(&text, name, keys);
    must_parse(&spec, text.at, SET_NOTHING);
    assert_int_equal(lab_banks(&spec)[0].kind, kind);
    FILE *file = open_memstream(&printed, &size);
    assert_non_null(file);
    lab_spec_print(file, &spec);
    assert_int_equal(fclose(file), 0);
    must_parse(&again, printed, SET_NOTHING);
    assert_int_equal(lab_banks(&again)[0].kind, kind);
    free(printed);
    lab_spec_free(&again);
    lab_spec_free(&spec);
}

static void every_kind_of_basis_is_written_and_read_again(void **state)
{
    (void)state;
#define EXPECT(kind, name, keys, family) expect_read_again(kind, name, keys);
    LAB_BASIS_KINDS(EXPECT)
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_keys_of_every_kind_are_those_of_its_table),
        cmocka_unit_test(a_key_belongs_to_the_kinds_that_have_it_and_one_of_no_kind_to_all),
        cmocka_unit_test(every_kind_of_basis_is_written_and_read_again),
    };
    return cmocka_run_group_tests_name("lab.kinds", tests, NULL, NULL);
}
