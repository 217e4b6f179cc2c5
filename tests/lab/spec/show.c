// SPDX-License-Identifier: Apache-2.0
// show: a spec that is printed and read again is the same spec, and docs/spec.md is what the tables
// say.
#include "lab/random_spec.h"
#include "lab/temporary.h"

#include "spec/spec_print.h"

#define FOLDER TEST_SOURCE_DIR "/../experiments"
#define REFERENCE TEST_SOURCE_DIR "/../docs/spec.md"

// The spec as it is printed; the caller frees it.
static char *print_of(const lab_spec *spec)
{
    char *printed = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&printed, &size);
    assert_non_null(stream);
    lab_spec_print(stream, spec);
    assert_ok(fclose(stream));
    return printed;
}

// Fails with the first lines that differ.
static void expect_same_text(const char *first, const char *second)
{
    for (; *first || *second; first += strcspn(first, "\n"), second += strcspn(second, "\n")) {
        first += *first == '\n';
        second += *second == '\n';
        const size_t length = strcspn(first, "\n");
        if (length != strcspn(second, "\n") || strncmp(first, second, length) != 0)
            fail_msg("printed %.100s\nthen    %.100s", first, second);
    }
}

// Prints a spec, reads that, prints it again.
static void expect_rereads(const lab_spec *spec)
{
    lab_spec again;
    lab_why why;
    char *first = print_of(spec);
    must(parse_from(&again, spec->file, first, SET_NOTHING, &why), &why);
    char *second = print_of(&again);
    expect_same_text(first, second);
    assert_int_equal(again.rules.count, spec->rules.count);
    assert_int_equal(lab_spec_trials(&again), lab_spec_trials(spec));
    lab_spec_free(&again);
    free(first);
    free(second);
}

static void every_experiment_that_is_shown_rereads_to_the_same(void **state)
{
    (void)state;
    int count = 0;
    DIR *folder = opendir(FOLDER);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[1024];
        lab_spec spec;
        lab_why why;
        if (!strstr(entry->d_name, ".yaml"))
            continue;
        snprintf(path, sizeof path, FOLDER "/%s", entry->d_name);
        must(lab_spec_load(&spec, path, NULL, &why), &why);
        expect_rereads(&spec);
        lab_spec_free(&spec);
        count++;
    }
    closedir(folder);
    assert_in_range(count, 1, 1000);
}

// ---- random specs ----------------------------------------------------------------------------

static const char *const titles[] = {"plain",
                                     "\"two words: and # more\"",
                                     "'it''s quoted'",
                                     "\"a \\\"b\\\" \\\\ c\"",
                                     "'- dash'",
                                     "\"tab\\tand\\nline\"",
                                     "\"\\u00e9\\u2028\\u0085\"",
                                     "'null'",
                                     "~",
                                     "yes",
                                     "1.5",
                                     "-.5e3",
                                     "'{a: b}'",
                                     "\"\\x7f\"",
                                     "'&a *b !c'",
                                     "\"many\\nlines\"",
                                     "'%'",
                                     "' leading and trailing '",
                                     "\"'\"",
                                     "a, b",
                                     "'@ and `'",
                                     "\"\\x01\\x1b\"",
                                     "\"\\ufeff\\U0010ffff\"",
                                     "'key:'"};

enum { TITLES = sizeof titles / sizeof titles[0] };

static void add_rest_of_loop(draft *to, dice *d)
{
    if (chance(d, 0.4))
        add(to, "believed: {%s%s}\n",
            PICK(d, "delay_ms: 35", "controller: {kind: p, kp: 0.3}",
                 "plant: {kind: response, file: 'a b.csv', column: '2', tolerance: 1e-5}"),
            PICK(d, "", ", command_delay_ms: 10", ", measurement_delay_ms: 5"));
    if (chance(d, 0.4))
        add(to, "teach: {signal: %s, delay_ms: %d, sign: %s}\n", PICK(d, "error", "command"),
            5 * dice_integer(d, 0, 9), PICK(d, "signed", "rectified"));
    if (chance(d, 0.5))
        add(to,
            "cues:\n  - {name: go, at_s: %.17g, duration_ms: %.17g}\n  - {name: no, at_s: 0, "
            "on: no}\n",
            dice_between(d, 0, 0.9), dice_between(d, 1, 90));
}

static void add_rest_of_learning(draft *to, dice *d)
{
    add(to, "rules:\n");
    const int count = dice_integer(d, 1, 5);
    for (int i = 0; i < count; i++) {
        add(to, "  - {name: r+%d, trace: %s, update: %s", i,
            PICK(d, "none", "forward-model", "response", "delay, delay_ms: 25",
                 "exponential, time_constant_ms: 33.3", "alpha, time_constant_ms: 0.1",
                 "whitened, whitening_rho: 0.02", "response, file: 'x y.csv', column: time"),
            PICK(d, "plain", "normalised", "preconditioned"));
        add(to, ", leak: %.17g, momentum: %.17g, rate: %.17g, weight_low: %.17g}\n",
            dice_between(d, 0, 1), dice_between(d, 0, 0.9), dice_between(d, 1e-9, 1e9),
            dice_between(d, -1e5, 1e5));
    }
    if (chance(d, 0.5))
        add(to,
            "phases:\n  - {name: one, trials: 3}\n  - {name: two, trials: 4, set: {%s, "
            "loop.delay_ms: 10}}\n",
            PICK(d, "rules.r+0.leak: 0.5", "task.points: [[0, 1], [2, 3.5]]",
                 "basis: {kind: identity}", "title: 'a: b # c'", "\"odd: key # x\": [a, {b: c}]",
                 "cues: []", "title: ''"));
    if (chance(d, 0.3))
        add(to, "delay_scan: {from_ms: 10, to_ms: %d, step_ms: 5, trial: 3}\n",
            5 * dice_integer(d, 3, 90));
    if (chance(d, 0.3))
        add(to, "claims: [{name: c, says: \"%s\", measure: lag_ms, low: %.17g, high: 1e9}]\n",
            PICK(d, "so it is", "a \\\"claim\\\": yes", "100 % of it"), dice_between(d, -9, 9));
}

static void random_specs_that_are_shown_reread_to_the_same(void **state)
{
    (void)state;
    static draft yaml;
    dice d = {681};
    for (int k = 0; k < 400; k++) {
        lab_spec spec;
        yaml = (draft){0};
        add_random_spec(&yaml, &d, "");
        add_rest_of_loop(&yaml, &d);
        add(&yaml, "learning: {trials: %d, frozen: %s, rate_fraction: %.17g}\n",
            dice_integer(&d, 1, 99), PICK(&d, "yes", "no"), dice_between(&d, 0.01, 1));
        add_rest_of_learning(&yaml, &d);
        must_parse(&spec, yaml.at, SET_NOTHING);
        expect_rereads(&spec);
        lab_spec_free(&spec);
    }
}

static void text_of_every_kind_is_shown_so_that_it_reads_back(void **state)
{
    (void)state;
    for (int i = 0; i < TITLES; i++) {
        draft yaml = {0};
        lab_spec spec, again;
        add(&yaml,
            "name: small\ntitle: %s\nstep_ms: 10\n" SMALL_LOOP SMALL_TASK SMALL_BASIS SMALL_RULES,
            titles[i]);
        must_parse(&spec, yaml.at, SET_NOTHING);
        char *printed = print_of(&spec);
        must_parse(&again, printed, SET_NOTHING);
        assert_string_equal(again.title, spec.title);
        expect_rereads(&spec);
        lab_spec_free(&again);
        lab_spec_free(&spec);
        free(printed);
    }
}

// Sections that are there but say nothing are still there, or still not.
static void sections_that_say_nothing_reread_to_the_same(void **state)
{
    (void)state;
    static const char *const sections[] = {
        "believed: {}\n",   "believed:\n",        "believed: {plant: {kind: p, kp: 1}}\n",
        "delay_scan: {}\n", "delay_scan:\n",      "cues: []\n",
        "cues:\n",          "disturbances: []\n", "phases: []\n",
        "teach: {}\n",      "claims: []\n"};
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        draft yaml = {0};
        lab_spec spec;
        add(&yaml, SMALL_SPEC "%s", sections[i]);
        must_parse(&spec, yaml.at, SET("step_ms=5"));
        expect_rereads(&spec);
        lab_spec_free(&spec);
    }
}

// Numbers come back bit for bit.
static void numbers_that_are_shown_read_back_exactly(void **state)
{
    (void)state;
    dice d = {682};
    for (int k = 0; k < 300; k++) {
        const double kp = dice_between(&d, -1, 1) * exp(dice_between(&d, -600, 600));
        draft set = {0};
        lab_spec spec, again;
        add(&set, "loop.controller.kp=%.17g", kp);
        must_parse(&spec, SMALL_SPEC, SET(set.at));
        char *printed = print_of(&spec);
        must_parse(&again, printed, SET_NOTHING);
        assert_memory_equal(&again.loop.controller.kp, &kp, sizeof kp);
        lab_spec_free(&again);
        lab_spec_free(&spec);
        free(printed);
    }
}

// What is shown is what was set: a printed spec holds the settings.
static void settings_are_part_of_what_is_shown(void **state)
{
    (void)state;
    lab_spec spec, again;
    must_parse(&spec, SMALL_SPEC, SET("loop.delay_ms=70", "rules.wh.leak=0.25"));
    char *printed = print_of(&spec);
    must_parse(&again, printed, SET_NOTHING);
    assert_true(again.loop.delay_ms == 70 && lab_rules(&again)[1].leak == 0.25);
    lab_spec_free(&again);
    lab_spec_free(&spec);
    free(printed);
}

// ---- the reference ---------------------------------------------------------------------------

static void the_reference_in_docs_is_what_the_tables_say(void **state)
{
    (void)state;
    char *expected = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&expected, &size);
    assert_non_null(stream);
    lab_spec_reference(stream);
    assert_ok(fclose(stream));
    char *found = file_text(REFERENCE);
    if (!found || strcmp(found, expected) != 0)
        fail_msg("docs/spec.md is out of date; renew it: cfpc help spec > docs/spec.md");
    free(found);
    free(expected);
}

static void keys_that_are_found_in_several_places_are_listed_once(void **state)
{
    (void)state;
    char *text = file_text(REFERENCE);
    assert_non_null(text);
    static const char *const keys[] = {"\n| `ki_per_s` |", "\n| `max_states` |", "\n| `stages` |"};
    static const int times[] = {1, 2, 1}; // a rule has max_states as well
    for (int i = 0; i < 3; i++) {
        int count = 0;
        for (const char *at = text; (at = strstr(at, keys[i])); at++)
            count++;
        assert_int_equal(count, times[i]);
    }
    assert_non_null(strstr(text,
                           "\n## loop.plant, loop.controller, loop.feedforward, believed.plant, "
                           "believed.controller\n"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_experiment_that_is_shown_rereads_to_the_same),
        cmocka_unit_test(random_specs_that_are_shown_reread_to_the_same),
        cmocka_unit_test(text_of_every_kind_is_shown_so_that_it_reads_back),
        cmocka_unit_test(sections_that_say_nothing_reread_to_the_same),
        cmocka_unit_test(numbers_that_are_shown_read_back_exactly),
        cmocka_unit_test(settings_are_part_of_what_is_shown),
        cmocka_unit_test(the_reference_in_docs_is_what_the_tables_say),
        cmocka_unit_test(keys_that_are_found_in_several_places_are_listed_once),
    };
    return cmocka_run_group_tests_name("lab.show", tests, NULL, NULL);
}
