// SPDX-License-Identifier: Apache-2.0
// target: signals whose names become one identifier are told apart, as many of them as there are
// are listed, and a number that float cannot hold is refused.
#include "export/make_target.h"

#include "base/text.h"
#include "export/files.h"
#include "lab/small_lab.h"
#include "lab/temporary.h"

// Makes the target, and gives what was said if it is refused.
static lab_outcome make(lab_target *target, lab_plan *plan, lab_spec *spec, size_t real_bytes,
                        const char *const *set, lab_why *why)
{
    const lab_target_options how = {.real_bytes = real_bytes};
    must_plan(plan, spec, SMALL_SPEC, set);
    return lab_target_make(target, plan, &how, why);
}

static void release(lab_target *target, lab_plan *plan, lab_spec *spec)
{
    lab_target_free(target);
    lab_plan_free(plan);
    lab_spec_free(spec);
}

static void names_that_become_one_are_told_apart(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"a-b", "a+b"},
        {"Push", "push"},
        {"a_name_of_thirty_one_letters_and_1", "a_name_of_thirty_one_letters_and_2"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        lab_target target;
        lab_plan plan;
        lab_spec spec;
        lab_why why;
        char disturbances[300], basis[300];
        snprintf(disturbances, sizeof disturbances,
                 "disturbances=[{name: %s, kind: step, at_s: 0.2, at: plant-input}, "
                 "{name: %s, kind: step, at_s: 0.2, at: plant-input}]",
                 names[i][0], names[i][1]);
        snprintf(basis, sizeof basis,
                 "basis=[{kind: tapped-delay, count: 2, spacing_ms: 50, input: disturbance, "
                 "source: %s}, {kind: tapped-delay, count: 2, spacing_ms: 50, input: disturbance, "
                 "source: %s}]",
                 names[i][0], names[i][1]);
        must(make(&target, &plan, &spec, 8, SET(disturbances, basis), &why), &why);
        assert_int_equal(target.signals, 2);
        const char *first = target.signal[0].name, *second = target.signal[1].name;
        assert_memory_equal(first, second, strlen(first));
        assert_string_equal(second + strlen(first), "_2");
        release(&target, &plan, &spec);
    }
}

// Lists of banks that as many disturbances drive, each with a name of 40 letters.
enum { MANY = 200 };

static void name_many(char *disturbances, char *basis, size_t size)
{
    size_t named = (size_t)snprintf(disturbances, size, "disturbances=["),
           driven = (size_t)snprintf(basis, size, "basis=[");
    for (int i = 0; i < MANY; i++) {
        char name[41];
        snprintf(name, sizeof name, "push_%03d_%031d", i, 0);
        named += (size_t)snprintf(disturbances + named, size - named,
                                  "{name: %s, kind: step, at_s: 0.2, at: plant-input}%s", name,
                                  i + 1 < MANY ? ", " : "]");
        driven += (size_t)snprintf(basis + driven, size - driven,
                                   "{kind: tapped-delay, count: 1, spacing_ms: 50, input: "
                                   "disturbance, source: %s}%s",
                                   name, i + 1 < MANY ? ", " : "]");
    }
    assert_true(named < size && driven < size);
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

static int count_in_file(const lab_folder *folder, const char *name, const char *part)
{
    char *path = lab_folder_path(folder, name), *text = NULL;
    lab_why why;
    must(lab_read_text(&text, path, 1 << 20, &why), &why);
    const int count = count_of(text, part);
    free(text);
    free(path);
    return count;
}

static void any_number_of_signals_is_listed(void **state)
{
    (void)state;
    static char disturbances[MANY * 160], basis[MANY * 160];
    lab_target target;
    lab_plan plan;
    lab_spec spec;
    lab_folder folder;
    temporary here;
    lab_why why;
    temporary_make(&here);
    name_many(disturbances, basis, sizeof disturbances);
    must(make(&target, &plan, &spec, 8, SET(disturbances, basis), &why), &why);
    must(lab_folder_begin(&folder, temporary_below(&here, "cell").text, false, &why), &why);
    must(lab_write_model_header(&folder, &target, &why), &why);
    must(lab_write_fmu_texts(&folder, &target, &why), &why);
    assert_int_equal(target.signals, MANY);
    assert_int_equal(count_of(target.parameters, "cfpc_real push_"), MANY);
    assert_int_equal(count_of(target.arguments, "_disturbance"), MANY);
    assert_int_equal(count_in_file(&folder, "fm_model.h", "cfpc_real push_"), MANY);
    assert_int_equal(count_in_file(&folder, "modelDescription.xml", " 215\"/>"), 10); // outputs
    assert_int_equal(count_in_file(&folder, "modelDescription.xml", "valueReference=\"219\""), 3);
    assert_int_equal(count_in_file(&folder, "modelDescription.xml", "valueReference=\"220\""), 0);
    lab_folder_abandon(&folder);
    release(&target, &plan, &spec);
    temporary_remove(&here);
}

static void a_name_becomes_one_that_c_allows(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"fm-et", "fm_et"},
        {"WH+50 ms", "wh_50_ms"},
        {"2nd", "cell_2nd"},
        {"cfpc-like", "cell_cfpc_like"},
        {"\u00e9", "cell"},
        {"r\u00e9gime", "r_gime"},
        {"\u03a9mega", "mega"},
        {"__x", "x"},
        {"a name of thirty-two letters or so", "a_name_of_thirty_two_letters_or"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char made[LAB_IDENTIFIER_BYTES];
        lab_identifier(made, names[i][0]);
        assert_string_equal(made, names[i][1]);
        assert_true(lab_is_identifier(made));
    }
}

static void what_float_cannot_hold_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *set, *said; // NULL: float holds it
    } cases[] = {
        {"learning.rate=1e-50", "its rate, 1e-50, is too small for float; use --real double"},
        {"learning.rate=1e-40", "its rate, 1e-40, is too small for float"}, // subnormal
        {"learning.rate=1e-30", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t real_bytes = 4; real_bytes <= 8; real_bytes += 4) {
            lab_target target;
            lab_plan plan;
            lab_spec spec;
            lab_why why;
            const bool is_refused = cases[i].said && real_bytes == 4;
            assert_int_equal(make(&target, &plan, &spec, real_bytes, SET(cases[i].set), &why),
                             is_refused ? LAB_REFUSED : LAB_DONE);
            if (is_refused)
                assert_non_null(strstr(why.text, cases[i].said));
            release(&target, &plan, &spec);
        }
}

static void a_bank_too_large_for_a_target_is_refused(void **state)
{
    (void)state;
    lab_target target;
    lab_plan plan;
    lab_spec spec;
    lab_why why;
    assert_int_equal(make(&target, &plan, &spec, 4,
                          SET("basis={kind: laguerre, count: 1100, time_constant_ms: 100, input: "
                              "reference}",
                              "rules=[{name: plain, trace: none, rate: 1e-6}]",
                              "learning={mode: online, trials: 1}", "task.trial_s=0.3"),
                          &why),
                     LAB_REFUSED);
    assert_non_null(strstr(why.text, "a bank of 1100 basis signals has 2422200 coefficients"));
    release(&target, &plan, &spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_become_one_are_told_apart),
        cmocka_unit_test(any_number_of_signals_is_listed),
        cmocka_unit_test(a_name_becomes_one_that_c_allows),
        cmocka_unit_test(what_float_cannot_hold_is_refused),
        cmocka_unit_test(a_bank_too_large_for_a_target_is_refused),
    };
    return cmocka_run_group_tests_name("lab.target", tests, NULL, NULL);
}
