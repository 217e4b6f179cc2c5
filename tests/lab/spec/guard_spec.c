// SPDX-License-Identifier: Apache-2.0
// guard_spec: what a spec says of the guard, by a word or by its keys, and what is refused.
#include "lab/small_lab.h"

static lab_guard_spec guard_of(const char *yaml, const char *const *set)
{
    lab_spec spec;
    must_parse(&spec, yaml, set);
    const lab_guard_spec guard = spec.guard;
    lab_spec_free(&spec);
    return guard;
}

static void without_a_word_the_guard_is_on_with_its_defaults(void **state)
{
    (void)state;
    static const char *const same[] = {SMALL_SPEC, SMALL_SPEC "guard: on\n",
                                       SMALL_SPEC "guard: yes\n", SMALL_SPEC "guard: {}\n",
                                       SMALL_SPEC "guard: {on: yes}\n"};
    for (int i = 0; i < 5; i++) {
        const lab_guard_spec guard = guard_of(same[i], SET_NOTHING);
        assert_true(guard.on);
        assert_true(guard.factor == 1.5);
        assert_true(guard.resume == 0.3);
        assert_int_equal(guard.tries, 3);
        assert_true(isnan(guard.saturated_ms));
        assert_true(isnan(guard.window_s));
    }
}

static void it_is_switched_off_by_a_word_or_by_its_key(void **state)
{
    (void)state;
    static const char *const off[] = {"guard: off\n", "guard: no\n", "guard: {on: no}\n",
                                      "guard: {on: off, factor: 3}\n"};
    for (int i = 0; i < 4; i++) {
        draft yaml = {0};
        add(&yaml, "%s%s", SMALL_SPEC, off[i]);
        assert_false(guard_of(yaml.at, SET_NOTHING).on);
        assert_true(guard_of(yaml.at, SET("guard=on")).on);
    }
    assert_false(guard_of(SMALL_SPEC, SET("guard=off")).on);
    assert_false(guard_of(SMALL_SPEC, SET("guard.on=no")).on);
}

static void a_part_of_it_can_be_set(void **state)
{
    (void)state;
    const char *const settings[] = {"guard.factor=2",   "guard.tries=5",    "guard.saturated_ms=50",
                                    "guard.resume=0.5", "guard.window_s=2", NULL};
    const char *yaml =
        SMALL_SPEC "guard: {factor: 2, tries: 5, saturated_ms: 50, resume: 0.5, window_s: 2}\n";
    for (int i = 0; i < 2; i++) {
        const lab_guard_spec guard = guard_of(i ? yaml : SMALL_SPEC, i ? SET_NOTHING : settings);
        assert_true(guard.on);
        assert_true(guard.factor == 2);
        assert_int_equal(guard.tries, 5);
        assert_true(guard.saturated_ms == 50);
        assert_true(guard.resume == 0.5);
        assert_true(guard.window_s == 2);
    }
    assert_true(guard_of(yaml, SET("guard.factor=4")).factor == 4);
    assert_true(guard_of(yaml, SET("guard.factor=4")).resume == 0.5);
}

static void what_is_wrong_is_refused_in_one_line(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"guard=maybe", "'on'"},
        {"guard=2", "'on'"},
        {"guard=[on]", "the guard"},
        {"guard.factor=0.99", "'factor' must be at least 1; this is 0.99"},
        {"guard.factor=much", "'factor'"},
        {"guard.tries=0", "'tries' must be at least 1; this is 0"},
        {"guard.tries=2.5", "'tries'"},
        {"guard.trials=5", "unknown key 'trials' in the guard; did you mean 'tries'?"},
        {"guard.saturated_ms=0", "'saturated_ms' must be above 0"},
        {"guard.resume=1", "'resume' must be at most 0.999999; this is 1"},
        {"guard.resume=-0.1", "'resume' must be at least 0; this is -0.1"},
        {"guard.window_s=-1", "'window_s' must be above 0"},
        {"guard.facter=2", "unknown key 'facter' in the guard; did you mean 'factor'?"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const lab_why why = refusal_of("spec.yaml", SMALL_SPEC, SET(wrong[i][0]));
        if (!strstr(why.text, wrong[i][1]))
            fail_msg("'%s' is refused with: %s", wrong[i][0], why.text);
        assert_null(strchr(why.text, '\n'));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_word_the_guard_is_on_with_its_defaults),
        cmocka_unit_test(it_is_switched_off_by_a_word_or_by_its_key),
        cmocka_unit_test(a_part_of_it_can_be_set),
        cmocka_unit_test(what_is_wrong_is_refused_in_one_line),
    };
    return cmocka_run_group_tests_name("lab.guard_spec", tests, NULL, NULL);
}
