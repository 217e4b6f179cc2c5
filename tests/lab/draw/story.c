// SPDX-License-Identifier: Apache-2.0
// The story of a spec: every kind of panel leaves a script and the numbers of the run; what it
// names and is not there is refused.
#include "draw/figures.h"
#include "draw/gnuplot.h"
#include "draw/story_panel.h"
#include "lab/small_lab.h"
#include "lab/written.h"
#include "spec/spec_story.h"

// Two phases, a push, a cue, and two loops: those of "slow" and of the others.
#define STORY_SPEC                                                                                 \
    SMALL_HEAD SMALL_LOOP SMALL_TASK                                                               \
        "disturbances: [{name: arms, kind: piecewise-linear, points: "                             \
        "[[0, 0], [0.5, 0], [0.52, 1], [0.6, 0]]}]\n"                                              \
        "cues: [{name: go, at_s: 0.3}]\n" SMALL_BASIS "guard: off\n"                               \
        "response: {}\n"                                                                           \
        "gain: {input: reference}\n"                                                               \
        "phases: [{name: one, trials: 3}, {name: two, trials: 2}]\n"                               \
        "rules:\n"                                                                                 \
        "  - {name: fm, trace: forward-model}\n"                                                   \
        "  - {name: wh, trace: none}\n"                                                            \
        "  - {name: slow, trace: forward-model, set: {loop.delay_ms: 60, cues.go.at_s: 0.4}}\n"
#define STORY                                                                                      \
    "story:\n"                                                                                     \
    "  panels:\n"                                                                                  \
    "    - {kind: signals, title: \"it's\", phase: one, show: [r, reactive, y, e, o], from_s: "    \
    "0.1, to_s: 0.8}\n"                                                                            \
    "    - {kind: signals, title: two of them, rules: [wh, slow], show: [r, y], marks_s: [0.2, "   \
    "0.4]}\n"                                                                                      \
    "    - {kind: curves, title: by trial, names: [a, b, c]}\n"                                    \
    "    - {kind: traces, title: traces, rules: [wh, slow, fm], effect: yes}\n"                    \
    "    - {kind: responses, title: responses, rules: [slow], from_trial: 2}\n"                    \
    "    - {kind: gain, title: gain, rules: [fm], to_trial: 4, wide: yes}\n"                       \
    "    - {kind: bars, title: bars, measures: [rules.slow.rrmse_last, lambda_max], names: [s, "   \
    "l]}\n"                                                                                        \
    "    - {kind: traces, title: pulse, pulse: yes, rules: [fm], from_s: 0, to_s: 0.5}\n"

enum { STEPS = 100 };

// ---- what a run leaves -----------------------------------------------------------------------

typedef struct told {
    ran run;
    lab_measures measures;
    written out;
} told;

static void tell(told *it, const char *yaml, const char *const *set)
{
    lab_why why = {0};
    must_run(&it->run, yaml, set, 1);
    must(lab_measures_make(&it->measures, &it->run.record, &it->run.spec, &why), &why);
    written_make(&it->out);
    const lab_result result = {
        .spec = &it->run.spec, .record = &it->run.record, .measures = &it->measures};
    must(lab_draw_story(&it->out.folder, &result, lab_has_gnuplot(), &why), &why);
}

static void told_free(told *it)
{
    written_free(&it->out);
    lab_measures_free(&it->measures);
    ran_free(&it->run);
}

// The data of panel `letter`, and whether it begins at `first` and has this number of rows.
static sheet panel_of(const told *it, char letter, const char *header, double first, int rows)
{
    char name[] = "fig-story-?.csv";
    name[10] = letter;
    const sheet panel = read_sheet(&it->out.folder, name, header);
    assert_near(cell_of(&panel, 0, 0), first, 1e-12);
    assert_int_equal(panel.rows, rows);
    return panel;
}

// A column of the sheet is these values, from the first that is shown on.
static void expect_column(const sheet *it, int column, const double *values, double scale)
{
    for (int n = 0; n < it->rows; n++)
        assert_near(cell_of(it, n, column), values[n] * scale,
                    1e-12 + 1e-12 * fabs(values[n] * scale));
}

// The step of the largest value of every `stride`-th.
static int peak_at(const double *values, int count, int stride)
{
    int at = 0;
    for (int n = 0; n < count; n++)
        at = fabs(values[n * stride]) > fabs(values[at * stride]) ? n : at;
    return at;
}

// ---- the data --------------------------------------------------------------------------------

static void signals_are_those_of_the_phase(void **state)
{
    const told *it = *state;
    const lab_rule_record *rule = it->run.record.rule;
    const lab_phase_signals *one = &rule[0].last[0];
    sheet a = panel_of(it, 'a', "time_s,fm.r,fm.reactive,fm.y,fm.e,fm.o", 0.1, 71);
    const double *const shown[] = {one->r, rule[0].signals.y_first, one->y, one->e, one->o};
    for (int i = 0; i < 5; i++)
        expect_column(&a, i + 1, shown[i] + 10, 1);
    sheet b = panel_of(it, 'b', "time_s,wh.r,wh.y,slow.y", 0, STEPS); // of the last phase
    expect_column(&b, 1, rule[1].last[1].r, 1);
    expect_column(&b, 2, rule[1].last[1].y, 1);
    expect_column(&b, 3, rule[2].last[1].y, 1);
    sheet_free(&a);
    sheet_free(&b);
}

static void what_is_told_by_trial_is_that_of_the_trials(void **state)
{
    const told *it = *state;
    const lab_rule_record *rule = it->run.record.rule;
    sheet c = panel_of(it, 'c', "trial,fm,wh,slow", 1, 5);
    sheet e = panel_of(it, 'e', "trial,slow", 2, 4), f = panel_of(it, 'f', "trial,fm", 1, 4);
    for (int i = 0; i < 3; i++)
        expect_column(&c, i + 1, rule[i].rrmse, 1);
    expect_column(&e, 1, rule[2].responses.amplitude + 1, 1);
    expect_column(&f, 1, rule[0].gain, 1);
    sheet_free(&c);
    sheet_free(&e);
    sheet_free(&f);
}

// The trace without a trace is the basis signal; that of a right forward model is the effect.
static void traces_are_those_of_each_rule(void **state)
{
    const told *it = *state;
    const char *const header = "time_s,effect_3,wh.x_3,wh.h_3,slow.h_3,fm.h_3";
    const lab_record *record = &it->run.record;
    sheet d = read_sheet(&it->out.folder, "fig-story-d.csv", header);
    const int from = (int)lround(cell_of(&d, 0, 0) / 0.01);
    double x[STEPS], h[STEPS];
    for (int n = 0; n < STEPS; n++) { // of the main rule, fm
        x[n] = record->x[n * record->bases + 2];
        h[n] = record->traces[n * record->bases + 2];
    }
    expect_column(&d, 2, x + from, 1 / fabs(x[peak_at(x, STEPS, 1)]));
    expect_column(&d, 3, x + from, 1 / fabs(x[peak_at(x, STEPS, 1)]));
    expect_column(&d, 5, h + from, 1 / fabs(h[peak_at(h, STEPS, 1)]));
    for (int n = 0; n < d.rows; n++)
        assert_near(cell_of(&d, n, 1), cell_of(&d, n, 5), 1e-5);
    // 40 ms more of delay
    assert_true(peak_at(d.at + 4, d.rows, d.columns) > peak_at(d.at + 5, d.rows, d.columns) + 2);
    sheet_free(&d);
}

static void a_pulse_leaves_the_kernel(void **state)
{
    const told *it = *state;
    const double *kernel = it->run.record.rule[0].kernel;
    sheet h = panel_of(it, 'h', "time_s,fm.h_0", 0, 51);
    expect_column(&h, 1, kernel, 1 / fabs(kernel[peak_at(kernel, STEPS, 1)]));
    sheet_free(&h);
}

static void bars_are_figures_of_the_summary(void **state)
{
    const told *it = *state;
    sheet g = panel_of(it, 'g', "bar,value,measure", 1, 2);
    assert_near(cell_of(&g, 0, 1), it->run.record.rule[2].rrmse[4], 0);
    assert_near(cell_of(&g, 1, 1), it->run.record.lambda_max, 0);
    sheet_free(&g);
}

// ---- the script ------------------------------------------------------------------------------

static void the_script_names_what_is_marked(void **state)
{
    told *it = *state;
    char *script = written_text(&it->out.folder, "fig-story.gp");
    static const char *const parts[] = {
        "set label 'A' at screen",
        "set label 'G' at screen",
        "set label 'it''s' at screen",
        "set label 'reactive' at screen", // a signal of one rule has its own name
        "set label 'slow' at screen",
        "set label 'b' at screen",
        "set label 'arms' at screen",
        "set object rectangle from 0.51, graph 0 to 0.6, graph 1 behind", // the push
        "set arrow from 0.3, graph 0 to 0.3, graph 1",                    // the cue
        "set label 'go' at screen",
        "set arrow from 3.5, graph 0 to 3.5, graph 1", // the second phase
        "set label 'one' at screen",
        "('s' 1, 'l' 2)",
        "set logscale y"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!strstr(script, parts[i]))
            fail_msg("the script has no \"%s\"", parts[i]);
    // In panel B the cue and the mark of each rule have its colour: linetypes 2 and 3.
    const char *b = strstr(script, "# ---- panel B"), *c = strstr(script, "# ---- panel C");
    assert_true(b && c && b < c);
    static const char *const marks[] = {
        "set arrow from 0.4, graph 0 to 0.4, graph 1 nohead back linetype 3",
        "set arrow from 0.3, graph 0 to 0.3, graph 1 nohead back linetype 2",
        "set arrow from 0.2, graph 0 to 0.2, graph 1 nohead back linetype 2"};
    for (int i = 0; i < 3; i++) {
        const char *found = strstr(b, marks[i]);
        assert_true(found && found < c);
    }
    free(script);
}

static void the_pictures_are_drawn(void **state)
{
    told *it = *state;
    if (!lab_has_gnuplot())
        skip();
    assert_true(is_written(&it->out.folder, "fig-story.png"));
    assert_int_equal(count_written(&it->out.folder, "fig-story.svg", "</svg>"), 1);
}

// ---- runs that diverge -----------------------------------------------------------------------

static void a_run_that_diverges_has_a_story(void **state)
{
    (void)state;
    told it;
    tell(&it, STORY_SPEC "learning: {rate: 1e30}\n" STORY, SET_NOTHING);
    told_free(&it);
}

// ---- the page --------------------------------------------------------------------------------

// No frame overlaps another, and in a row all axes are level.
static void panels_do_not_overlap(void **state)
{
    (void)state;
    lab_line many[12] = {0};
    for (int i = 0; i < 12; i++)
        snprintf(many[i].title, sizeof many[i].title, "a long name of a rule, number %d", i);
    const lab_panel_spec narrow = {0}, wide = {.wide = true};
    lab_panel panels[] = {{.spec = &narrow, .keys = 12, .line = many},
                          {.spec = &narrow, .names = 1},
                          {.spec = &wide, .keys = 1, .line = many},
                          {.spec = &narrow, .margin = 150}};
    const lab_page page = lab_page_make(panels, 4);
    lab_frame frame[4];
    for (int i = 0; i < 4; i++)
        frame[i] = panels[i].frame;
    assert_near(frame[0].top, frame[1].top, 0);
    assert_near(frame[0].roof, frame[1].roof, 0);
    assert_true(frame[0].end <= frame[1].edge && frame[1].end <= page.width);
    assert_near(frame[2].end, page.width, 0);
    assert_true(frame[2].roof < frame[0].top - 190 && frame[3].roof < frame[2].top - 190);
    assert_true(frame[3].top > 190 && frame[0].roof <= page.height);
    assert_true(frame[3].left >= frame[3].edge + 150);
    assert_true(frame[0].roof - frame[0].top > 30 + 6 * 18); // two names a row at most
}

// ---- refusals --------------------------------------------------------------------------------

static void a_panel_that_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *base, *panel, *says;
    } cases[] = {
        {STORY_SPEC, "kind: signals, show: [reactve]", "did you mean 'reactive'?"},
        {STORY_SPEC, "kind: curves, rules: [fm, slwo]",
         "the panel names a rule 'slwo' that does not exist; did you mean 'slow'?"},
        {STORY_SPEC, "kind: signals, show: [y], phase: tow",
         "the panel names a phase 'tow' that does not exist; did you mean 'two'?"},
        {SMALL_SPEC, "kind: signals, show: [y], phase: a", "exist; there are no phases"},
        {STORY_SPEC, "kind: curves, names: [a]", "'names' has 1 names for 3 rules or bars"},
        {STORY_SPEC, "kind: bars, measures: [lag_ms], names: [a, b]", "has 2 names for 1 rules"},
        {STORY_SPEC, "kind: signals, show: [y, e], signal_names: [a]",
         "'signal_names' has 1 names for 2 signals; it needs one each"},
        {STORY_SPEC, "kind: signals, rules: [fm, wh], show: [r, y, e]",
         "the panel shows 2 signals of 2 rules"},
        {STORY_SPEC, "kind: signals, show: [y], from_s: 0.5, to_s: 0.4",
         "'from_s' of 0.5 to 'to_s' of 0.4 is not within a trial of 1 s"},
        {STORY_SPEC, "kind: traces, to_s: 2", "'to_s' of 2 is not within a trial of 1 s"},
        {STORY_SPEC, "kind: curves, low: 2, high: 1", "'low' of 2 is not below 'high' of 1"},
        {STORY_SPEC, "kind: curves, low: 0", "the axis of curves is logarithmic"},
        {STORY_SPEC, "kind: curves, to_trial: 6", "trials 1 to 6 are not within the 5"},
        {STORY_SPEC, "kind: gain, from_trial: 3, to_trial: 2", "trials 3 to 2 are not within"},
        {SMALL_SPEC, "kind: responses", "needs a 'response' to be measured"},
        {SMALL_SPEC, "kind: gain", "needs a 'gain' to be measured"},
        {SMALL_SPEC, "kind: windows", "needs 'windows' to be measured"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char yaml[4096];
        snprintf(yaml, sizeof yaml, "%sstory: {panels: [{title: t, %s}]}\n", cases[i].base,
                 cases[i].panel);
        const lab_why why = refusal_of("spec.yaml", yaml, SET_NOTHING);
        if (strncmp(why.text, "spec.yaml:", 10) != 0 || !strstr(why.text, cases[i].says))
            fail_msg("%s\n  does not say: %s", why.text, cases[i].says);
    }
}

static void a_bar_of_a_measure_that_is_not_there_is_refused(void **state)
{
    (void)state;
    ran it;
    lab_measures measures;
    lab_why why = {0};
    must_run(&it, SMALL_SPEC "story: {panels: [{kind: bars, title: t, measures: [lamda_max]}]}\n",
             SET_NOTHING, 1);
    assert_int_equal(lab_measures_make(&measures, &it.record, &it.spec, &why), LAB_REFUSED);
    assert_string_equal(why.text, "spec.yaml:14:19: the panel names a measure 'lamda_max' that the "
                                  "run does not have; did you mean 'lambda_max'?");
    lab_measures_free(&measures);
    ran_free(&it);
}

// --set phases=[] is no fault of the story: it is left out. A story that is set must be right.
static void settings_that_take_from_a_story_leave_it_out(void **state)
{
    (void)state;
    ran it;
    must_run(&it, STORY_SPEC STORY, SET("phases=[]", "learning.trials=2"), 1);
    assert_false(lab_panel_count(&it.spec) > 0);
    assert_int_equal(it.record.panels, 0);
    ran_free(&it);
    must_run(&it, STORY_SPEC STORY, SET("loop.delay_ms=30"), 1);
    assert_true(lab_panel_count(&it.spec) > 0);
    ran_free(&it);
    const lab_why why = refusal_of("spec.yaml", STORY_SPEC STORY, SET("story.panels.0.phase=no"));
    assert_non_null(strstr(why.text, "the panel names a phase 'no' that does not exist"));
}

// The first rule's names of the phases stand, even for a rule with phases of its own.
static void a_rule_with_phases_of_its_own_is_shown_under_the_first_ones(void **state)
{
    (void)state;
    ran it;
    must_run(&it,
             STORY_SPEC "  - {name: own, trace: none, set: {phases: [{name: x, trials: 3}, "
                        "{name: y, trials: 2}]}}\n"
                        "story: {panels: [{kind: signals, title: t, rules: [own], phase: two, "
                        "show: [y]}]}\n",
             SET_NOTHING, 1);
    assert_int_equal(lab_panel_rule(&it.spec, lab_panels(&it.spec), 0), 3);
    assert_int_equal(lab_panel_phase(&it.spec, lab_panels(&it.spec)), 1);
    ran_free(&it);
}

// ----------------------------------------------------------------------------------------------

static int set_up(void **state)
{
    told *it = must_calloc(1, sizeof *it);
    tell(it, STORY_SPEC STORY, SET_NOTHING);
    *state = it;
    return 0;
}

static int tear_down(void **state)
{
    told_free(*state);
    free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_are_those_of_the_phase),
        cmocka_unit_test(what_is_told_by_trial_is_that_of_the_trials),
        cmocka_unit_test(traces_are_those_of_each_rule),
        cmocka_unit_test(a_pulse_leaves_the_kernel),
        cmocka_unit_test(bars_are_figures_of_the_summary),
        cmocka_unit_test(the_script_names_what_is_marked),
        cmocka_unit_test(the_pictures_are_drawn),
        cmocka_unit_test(a_run_that_diverges_has_a_story),
        cmocka_unit_test(panels_do_not_overlap),
        cmocka_unit_test(a_panel_that_does_not_fit_is_refused),
        cmocka_unit_test(a_bar_of_a_measure_that_is_not_there_is_refused),
        cmocka_unit_test(settings_that_take_from_a_story_leave_it_out),
        cmocka_unit_test(a_rule_with_phases_of_its_own_is_shown_under_the_first_ones),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
