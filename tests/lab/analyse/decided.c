// SPDX-License-Identifier: Apache-2.0
// decided: near-singular problems, where what counts as learned decides, and others.
#include "lab/analysed.h"
#include "lab/experiment.h"

#include "write/certificate_json.h"

#define COARSE "step_ms=10", "delay_scan.step_ms=10" // pursuit in a tenth of the time

static void analyse_coarse(analysed *it, const char *const *set)
{
    char *text = pursuit_text();
    must_analyse(it, text, set);
    free(text);
}

// With the loop's own forward model as its trace, learning ends at the least-squares optimum, which
// is known to ten digits up to a condition of 1e6. An end that is told must be that.
static void an_end_that_is_told_is_the_optimum(void **state)
{
    (void)state;
    int told = 0, not_told = 0;
    for (int width_ms = 60; width_ms <= 220; width_ms += 40) {
        studied it;
        draft basis = {0};
        char *text = pursuit_text();
        add(&basis, "basis={kind: gaussian, count: 20, width_ms: %d, spacing_ms: 100}", width_ms);
        must_study(&it, text, SET(COARSE, basis.at));
        const cfpc_certificate *c = &it.learning.certificate;
        assert_string_equal(lab_verdict(&it.learning), "monotone");
        if (c->asymptote_decided)
            assert_near(c->asymptote, it.learning.optimum, 0.05 * it.learning.optimum);
        *(c->asymptote_decided ? &told : &not_told) += 1;
        studied_free(&it);
        free(text);
    }
    assert_in_range(told, 3, 5);
    assert_in_range(not_told, 1, 5); // the widest, at a condition of 7e6
}

#define CASCADE "basis={kind: leaky-cascade, count: 12, time_constant_ms: 50, input: reference}"

// A trace that is not quite right, and a condition of 4e7.
static void where_the_numbers_do_not_decide_the_analysis_says_so(void **state)
{
    (void)state;
    analysed it;
    FILE *file = tmpfile();
    static char json[1 << 18];
    assert_non_null(file);
    analyse_coarse(&it, SET(COARSE, "rules=[{name: a, trace: delay, delay_ms: 50}]", CASCADE));
    assert_false(it.found.learning.certificate.asymptote_decided);
    assert_non_null(strstr(it.found.advice.text, "The asymptote depends on directions"));
    int open = 0;
    for (int i = 0; i < it.found.tolerance.count; i++) {
        const lab_tolerated *item = &it.found.tolerance.items[i];
        open += !item->low_decided + !item->high_decided;
        assert_true(item->low_decided || isnan(item->low));
        assert_true(item->high_decided || isnan(item->high));
    }
    assert_true(open > 0);
    lab_certificate_json(file, &it.found);
    rewind(file);
    json[fread(json, 1, sizeof json - 1, file)] = '\0';
    assert_non_null(strstr(json, "\"asymptote_rrmse\": null,\n    \"asymptote_decided\": false"));
    assert_non_null(strstr(json, "_decided\": false}"));
    fclose(file);
    analysed_free(&it);
}

// Well-conditioned problems lose nothing.
static void where_they_decide_nothing_is_left_open(void **state)
{
    (void)state;
    analysed it;
    analyse_coarse(&it, SET(COARSE));
    assert_true(it.found.learning.certificate.verdict_decided);
    assert_true(it.found.learning.certificate.asymptote_decided);
    for (int i = 0; i < it.found.tolerance.count; i++) {
        assert_true(it.found.tolerance.items[i].low_decided);
        assert_true(it.found.tolerance.items[i].high_decided);
    }
    analysed_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_end_that_is_told_is_the_optimum),
        cmocka_unit_test(where_the_numbers_do_not_decide_the_analysis_says_so),
        cmocka_unit_test(where_they_decide_nothing_is_left_open),
    };
    return cmocka_run_group_tests_name("lab.decided", tests, NULL, NULL);
}
