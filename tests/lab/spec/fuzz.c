// SPDX-License-Identifier: Apache-2.0
// Hostile spec files: pursuit.yaml altered at random, always in the same way. Whatever comes out
// is built or refused on one line; nothing crashes, leaks or hangs.
#include "lab/experiment.h"
#include "spec/reader.h"

enum {
    COPIES = 600,
    MAX_CHANGES = 4,
    MAX_VALUES = 100000, // of X: what is larger may take long, and is not built here
    MAX_DELAY = 300      // steps
};

static const char *const words[] = {"nan",    "-inf",       "1e308", "-1e308", "1e-308", "0",
                                    "-1",     "2147483648", "0x7f",  "1e",     "true",   "~",
                                    "''",     "\"",         "[",     "]",      "{",      "}",
                                    ": ",     "- ",         "*a",    "&a ",    "!!map",  "? ",
                                    "|\n",    ">-\n",       "---\n", "...\n",  "#",      "\n",
                                    "\n    ", "\t",         ",",     "\\",     "\x01",   "\x7f",
                                    "\xff",   "\xc3\xa9",   "%",     "<<: ",   "kind: ", "lag",
                                    "p",      "pid",        "chain", "euler",  "online"};

// ---- changes ---------------------------------------------------------------------------------

// Replaces `count` bytes at `at` by this text.
static char *splice(char *text, size_t at, size_t count, const char *with, size_t length)
{
    const size_t size = strlen(text);
    char *changed = must_calloc(size + length + 1, 1);
    memcpy(changed, text, at);
    memcpy(changed + at, with, length);
    memcpy(changed + at + length, text + at + count, size - at - count);
    free(text);
    return changed;
}

static size_t any_place(dice *d, const char *text)
{
    return (size_t)dice_integer(d, 0, (int)strlen(text) - 1);
}

// From `at` up to 40 bytes, within the text.
static size_t any_length(dice *d, const char *text, size_t at)
{
    const int left = (int)(strlen(text) - at);
    return (size_t)dice_integer(d, 1, left < 40 ? left : 40);
}

static char *change_byte(dice *d, char *text)
{
    text[any_place(d, text)] = (char)dice_integer(d, 1, 255);
    return text;
}

static char *insert_word(dice *d, char *text)
{
    const char *word = words[dice_integer(d, 0, (int)(sizeof words / sizeof words[0]) - 1)];
    return splice(text, any_place(d, text), 0, word, strlen(word));
}

static char *drop_part(dice *d, char *text)
{
    const size_t at = any_place(d, text);
    return splice(text, at, any_length(d, text, at), "", 0);
}

static char *repeat_part(dice *d, char *text)
{
    char part[41] = {0};
    const size_t at = any_place(d, text), count = any_length(d, text, at);
    memcpy(part, text + at, count);
    return splice(text, any_place(d, text), 0, part, count);
}

// Puts a word in place of a number: the change that goes deepest.
static char *change_number(dice *d, char *text)
{
    size_t at = any_place(d, text);
    at += strcspn(text + at, "0123456789");
    const size_t count = strspn(text + at, "0123456789.");
    const char *word = words[dice_integer(d, 0, 9)];
    char number[32];
    snprintf(number, sizeof number, "%.3g", exp(dice_between(d, -7, 7)));
    const char *with = dice_integer(d, 0, 1) ? word : number;
    return count == 0 ? text : splice(text, at, count, with, strlen(with));
}

static char *change(dice *d, char *text)
{
    if (strlen(text) == 0)
        return text;
    switch (dice_integer(d, 0, 5)) {
    case 0:
        return change_byte(d, text);
    case 1:
        return insert_word(d, text);
    case 2:
        return drop_part(d, text);
    case 3:
        return repeat_part(d, text);
    default:
        return change_number(d, text);
    }
}

// ---- what must hold --------------------------------------------------------------------------

// Small enough to be built here.
static bool is_small(const lab_spec *spec)
{
    const double steps = spec->task.trial_s * 1e3 / spec->step_ms;
    const double delay =
        spec->loop.delay_ms + spec->loop.command_delay_ms + spec->loop.measurement_delay_ms;
    return steps * spec->basis.count <= MAX_VALUES && delay / spec->step_ms <= MAX_DELAY;
}

// Parses and, if that went well, builds; counts the built and the refused.
static void try_text(const char *text, int *built, int *refused)
{
    experiment it = {0};
    lab_outcome outcome = lab_plan_parse(&it.plan, &it.spec, "spec.yaml", text, NULL, &it.why);
    if (outcome == LAB_DONE && is_small(&it.spec))
        outcome = lab_setup_make(&it.setup, &it.plan, 0, 0, &it.why);
    if (outcome != LAB_DONE) {
        assert_true(outcome == LAB_REFUSED || outcome == LAB_FAILED);
        assert_memory_equal(it.why.text, "spec.yaml:", 10);
        assert_true(strlen(it.why.text) > 12 && strlen(it.why.text) < sizeof it.why.text - 1);
    }
    *built += outcome == LAB_DONE;
    *refused += outcome != LAB_DONE;
    experiment_free(&it);
}

static void altered_specs_are_built_or_refused(void **state)
{
    (void)state;
    dice d = {20160101};
    int built = 0, refused = 0;
    for (int i = 0; i < COPIES; i++) {
        char *text = pursuit_text();
        for (int k = dice_integer(&d, 1, MAX_CHANGES); k > 0; k--)
            text = change(&d, text);
        try_text(text, &built, &refused);
        free(text);
    }
    assert_true(built > COPIES / 20); // the changes are neither all fatal nor all harmless
    assert_true(refused > COPIES / 4);
}

static void specs_cut_short_are_built_or_refused(void **state)
{
    (void)state;
    char *whole = pursuit_text();
    int built = 0, refused = 0;
    for (size_t length = 0; length < strlen(whole); length += 7) {
        char *text = strdup(whole);
        text[length] = '\0';
        try_text(text, &built, &refused);
        free(text);
    }
    assert_true(built > 0);
    assert_true(refused > 0);
    free(whole);
}

// Any bytes at all.
static void noise_is_refused(void **state)
{
    (void)state;
    dice d = {7};
    for (int i = 0; i < 200; i++) {
        char noise[200];
        const int length = dice_integer(&d, 0, sizeof noise);
        for (int k = 0; k < length; k++)
            noise[k] = (char)dice_integer(&d, 0, 255);
        lab_node *root;
        lab_why why;
        if (lab_parse(&root, "noise", noise, (size_t)length, &why) == LAB_DONE)
            lab_node_free(root);
        else
            assert_null(root);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(altered_specs_are_built_or_refused),
        cmocka_unit_test(specs_cut_short_are_built_or_refused),
        cmocka_unit_test(noise_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
