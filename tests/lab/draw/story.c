// SPDX-License-Identifier: Apache-2.0
// The story of a spec: every kind of panel leaves a script and the numbers of the run; what it
// names and is not there is refused.
#include "draw/story.h"
#include "draw/figures.h"
#include "draw/gnuplot.h"
#include "draw/story_page.h"
#include "lab/small_lab.h"
#include "lab/temporary.h"
#include "run/gain.h"
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
    "  columns: 3\n"                                                                               \
    "  panels:\n"                                                                                  \
    "    - {kind: signals, title: \"it's\", phase: one, show: [r, reactive, y, e, o], from_s: "    \
    "0.1, to_s: 0.8}\n"                                                                            \
    "    - {kind: signals, title: two of them, rules: [wh, slow], show: [y], marks_s: [0.2, "      \
    "0.4]}\n"                                                                                      \
    "    - {kind: curves, title: by trial, names: [a, b, c]}\n"                                    \
    "    - {kind: traces, title: traces, rules: [wh, slow, fm], basis: 2, effect: yes}\n"          \
    "    - {kind: responses, title: responses, of: peak_ms, rules: [slow], from_trial: 2}\n"       \
    "    - {kind: gain, title: gain, rules: [fm], to_trial: 4, wide: yes}\n"                       \
    "    - {kind: bars, title: bars, measures: [rules.slow.rrmse_last, lambda_max], names: [s, "   \
    "l]}\n"

enum { STEPS = 100, MAX_COLUMNS = 16 };

// ---- what a run leaves -----------------------------------------------------------------------

typedef struct told {
    lab_spec spec;
    lab_plan plan;
    lab_record record;
    lab_measures measures;
    temporary here;
    lab_folder folder;
} told;

static void tell(told *it, const char *yaml, const char *const *set, int repeats, bool draw)
{
    lab_why why = {0};
    must_plan(&it->plan, &it->spec, yaml, set);
    must(lab_run(&it->record, &it->plan, repeats, NULL, &why), &why);
    must(lab_measures_make(&it->measures, &it->record, &it->spec, &why), &why);
    temporary_make(&it->here);
    must(lab_folder_begin(&it->folder, temporary_below(&it->here, "x").text, false, &why), &why);
    const lab_result result = {.spec = &it->spec, .record = &it->record, .measures = &it->measures};
    must(lab_write_curves(&it->folder, &result, &why), &why);
    must(lab_write_signals(&it->folder, &result, &why), &why);
    must(lab_write_responses(&it->folder, &result, &why), &why);
    must(lab_write_gain(&it->folder, &result, &why), &why);
    must(lab_draw_story(&it->folder, &result, draw && lab_has_gnuplot(), &why), &why);
}

static void told_free(told *it)
{
    lab_folder_abandon(&it->folder);
    temporary_remove(&it->here);
    lab_measures_free(&it->measures);
    lab_record_free(&it->record);
    lab_plan_free(&it->plan);
    lab_spec_free(&it->spec);
}

static char *text_of(const told *it, const char *name)
{
    char *path = lab_folder_path(&it->folder, name);
    char *text = file_text(path);
    free(path);
    assert_non_null(text);
    return text;
}

// A panel's data: its header and its numbers.
typedef struct sheet {
    char *text;
    int rows, columns;
    double at[STEPS + 1][MAX_COLUMNS];
} sheet;

static void read_sheet(sheet *to, const told *it, const char *name, const char *header)
{
    to->text = text_of(it, name);
    const size_t length = strlen(header);
    assert_memory_equal(to->text, header, length);
    assert_int_equal(to->text[length], '\n');
    to->columns = 1;
    for (const char *c = header; *c; c++)
        to->columns += *c == ',';
    to->rows = 0;
    for (char *c = to->text + length + 1; *c; to->rows++)
        for (int k = 0; k < to->columns; k++) {
            to->at[to->rows][k] = strtod(c, &c);
            assert_int_equal(*c++, k + 1 < to->columns ? ',' : '\n');
        }
}

static void sheet_free(sheet *it)
{
    free(it->text);
}

// A column of the sheet is these values, from the first that is shown on.
static void expect_column(const sheet *it, int column, const double *values, double scale)
{
    for (int n = 0; n < it->rows; n++)
        assert_near(it->at[n][column], values[n] * scale, 1e-12 + 1e-12 * fabs(values[n] * scale));
}

static double peak(const double *values)
{
    double most = 0;
    for (int n = 0; n < STEPS; n++)
        most = fmax(most, fabs(values[n]));
    return most;
}

// ---- the data --------------------------------------------------------------------------------

static void signals_are_those_of_the_phase(void **state)
{
    told *it = *state;
    sheet a;
    read_sheet(&a, it, "fig-story-a.csv", "time_s,fm.r,fm.reactive,fm.y,fm.e,fm.o");
    const lab_phase_signals *one = &it->record.rule[0].last[0];
    assert_int_equal(a.rows, 71);
    assert_near(a.at[0][0], 0.1, 1e-12);
    assert_near(a.at[70][0], 0.8, 1e-12);
    expect_column(&a, 1, one->r + 10, 1);
    expect_column(&a, 2, it->record.rule[0].signals.y_first + 10, 1); // the loop alone
    expect_column(&a, 3, one->y + 10, 1);
    expect_column(&a, 4, one->e + 10, 1);
    expect_column(&a, 5, one->o + 10, 1);
    sheet_free(&a);
    sheet b;
    read_sheet(&b, it, "fig-story-b.csv", "time_s,wh.y,slow.y"); // of the last phase
    assert_int_equal(b.rows, STEPS);
    expect_column(&b, 1, it->record.rule[1].last[1].y, 1);
    expect_column(&b, 2, it->record.rule[2].last[1].y, 1);
    sheet_free(&b);
}

static void what_is_told_by_trial_is_that_of_the_trials(void **state)
{
    told *it = *state;
    sheet c, e, f;
    read_sheet(&c, it, "fig-story-c.csv", "trial,fm,wh,slow");
    assert_int_equal(c.rows, 5);
    for (int i = 0; i < 3; i++)
        expect_column(&c, i + 1, it->record.rule[i].rrmse, 1);
    read_sheet(&e, it, "fig-story-e.csv", "trial,slow");
    assert_int_equal(e.rows, 4);
    assert_near(e.at[0][0], 2, 0);
    expect_column(&e, 1, it->record.rule[2].responses.peak_ms + 1, 1);
    read_sheet(&f, it, "fig-story-f.csv", "trial,fm");
    assert_int_equal(f.rows, 4);
    expect_column(&f, 1, it->record.rule[0].gain, 1);
    sheet_free(&c);
    sheet_free(&e);
    sheet_free(&f);
}

// The trace without a trace is the basis signal; that of a right forward model is the effect.
static void traces_are_those_of_each_rule(void **state)
{
    told *it = *state;
    sheet d;
    read_sheet(&d, it, "fig-story-d.csv", "time_s,effect_2,wh.x_2,wh.h_2,slow.h_2,fm.h_2");
    const lab_record *record = &it->record;
    const int from = (int)lround(d.at[0][0] / 0.01);
    double x[STEPS], h[STEPS];
    for (int n = 0; n < STEPS; n++) { // of the main rule, fm
        x[n] = record->x[n * record->bases + 1];
        h[n] = record->traces[n * record->bases + 1];
    }
    expect_column(&d, 2, x + from, 1 / peak(x));
    expect_column(&d, 3, x + from, 1 / peak(x));
    expect_column(&d, 5, h + from, 1 / peak(h));
    int slow = 0, fm = 0;
    for (int n = 0; n < d.rows; n++) {
        assert_near(d.at[n][1], d.at[n][5], 1e-5);
        slow = d.at[n][4] > d.at[slow][4] ? n : slow;
        fm = d.at[n][5] > d.at[fm][5] ? n : fm;
    }
    assert_true(slow > fm + 2); // 40 ms more of delay
    sheet_free(&d);
}

static void bars_are_figures_of_the_summary(void **state)
{
    told *it = *state;
    char *text = text_of(it, "fig-story-g.csv");
    char expected[256];
    snprintf(expected, sizeof expected, "bar,value,measure\n1,%.15g", it->record.rule[2].rrmse[4]);
    assert_memory_equal(text, expected, strlen(expected) - 2);
    assert_non_null(strstr(text, ",rules.slow.rrmse_last\n2,"));
    assert_non_null(strstr(text, ",lambda_max\n"));
    free(text);
}

// ---- the script ------------------------------------------------------------------------------

static void the_script_names_what_is_marked(void **state)
{
    told *it = *state;
    char *script = text_of(it, "fig-story.gp");
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
    char *png = lab_folder_path(&it->folder, "fig-story.png");
    char *svg = text_of(it, "fig-story.svg");
    assert_ok(access(png, R_OK));
    assert_non_null(strstr(svg, "</svg>"));
    free(svg);
    free(png);
}

static void eighteen_lines_are_told_apart(void **state)
{
    (void)state;
    for (int i = 0; i < 18; i++)
        for (int k = 0; k < i; k++)
            assert_int_not_equal(lab_gnuplot_linetype(i), lab_gnuplot_linetype(k));
    assert_int_not_equal(lab_gnuplot_linetype(6), 8);
    assert_int_not_equal(lab_gnuplot_linetype(6), 9);
}

// ---- repeats, and runs that diverge ----------------------------------------------------------

static void curves_of_repeats_have_their_interval(void **state)
{
    (void)state;
    told it;
    tell(&it, STORY_SPEC "story: {panels: [{kind: curves, title: t, rules: [wh]}]}\n",
         SET("loop.noise={measurement: 0.1, seed: 2}"), 2, false);
    sheet a;
    read_sheet(&a, &it, "fig-story-a.csv", "trial,wh.low,wh.high,wh");
    const lab_rule_record *wh = &it.record.rule[1];
    assert_true(wh->half_width[4] > 1e-3);
    for (int k = 0; k < 5; k++) {
        assert_near(a.at[k][1], wh->rrmse[k] - wh->half_width[k], 1e-12);
        assert_near(a.at[k][2], wh->rrmse[k] + wh->half_width[k], 1e-12);
    }
    sheet_free(&a);
    told_free(&it);
}

static void every_figure_of_a_response_can_be_shown(void **state)
{
    (void)state;
    told it;
    tell(&it,
         STORY_SPEC "story:\n  panels:\n"
                    "    - {kind: responses, title: t, of: onset_ms, rules: [fm], from_trial: 2}\n"
                    "    - {kind: responses, title: t, rules: [fm]}\n",
         SET_NOTHING, 1, false);
    sheet a, b;
    read_sheet(&a, &it, "fig-story-a.csv", "trial,fm");
    read_sheet(&b, &it, "fig-story-b.csv", "trial,fm");
    const lab_responses *fm = &it.record.rule[0].responses;
    assert_true(fm->onset_ms[4] < fm->peak_ms[4]);
    expect_column(&a, 1, fm->onset_ms + 1, 1);
    expect_column(&b, 1, fm->amplitude, 1);
    sheet_free(&a);
    sheet_free(&b);
    told_free(&it);
}

static void a_run_that_diverges_has_a_story(void **state)
{
    (void)state;
    told it;
    tell(&it, STORY_SPEC "learning: {rate: 1e30}\n" STORY, SET_NOTHING, 1, true);
    told_free(&it);
}

// ---- the loop alone, where trials do not repeat ----------------------------------------------

// The reactive output of the last trial, by a run in which nothing is learned.
static void the_loop_alone_is_that_of_the_same_trial(void **state)
{
    (void)state;
    ran learns, rests;
    const char *const task = "task={kind: noise, low_hz: 0.5, high_hz: 5, rms: 1, seed: 3, "
                             "trial_s: 1, repeats: no, reset: no}";
    must_run(&learns, SMALL_SPEC, SET(task, "learning.mode=online"), 1);
    must_run(&rests, SMALL_SPEC, SET(task, "learning.mode=online", "learning.frozen=yes"), 1);
    const lab_phase_signals *last = &learns.record.rule[0].last[0];
    const lab_phase_signals *alone = &rests.record.rule[0].last[0];
    assert_same(STEPS, last->r, alone->r, 0);
    assert_same(STEPS, last->e0, alone->e, LAB_TOLERANCE);
    double off = 0;
    for (int n = 0; n < STEPS; n++)
        off = fmax(off, fabs(last->e0[n] - last->e[n]));
    assert_true(off > 1e-3); // what is learned makes a difference
    assert_false(lab_shows_behaviour(&learns.record));
    ran_free(&learns);
    ran_free(&rests);
    must_run(&learns, SMALL_SPEC, SET_NOTHING, 1);
    assert_true(lab_shows_behaviour(&learns.record));
    ran_free(&learns);
}

// ---- the gain --------------------------------------------------------------------------------

// Of y = 0.7 s + something that is at right angles to s, the gain is 0.7.
static void the_gain_is_a_regression(void **state)
{
    (void)state;
    built it;
    must_build(&it, SMALL_SPEC,
               SET("task={kind: sinusoids, components: [[2, 1, 0]], trial_s: 1}",
                   "gain={input: reference}"));
    double y[STEPS];
    for (int n = 0; n < STEPS; n++)
        y[n] = 0.7 * it.setup.r[n] + 3 * cos(4 * acos(-1) * n * 0.01);
    assert_near(lab_measure_gain(&it.setup.rig.world, 0, y), 0.7, 1e-9);
    built_free(&it);
    must_build(&it, SMALL_SPEC,
               SET("task.to=0", "disturbances=[{name: a, kind: step, at_s: 0.5, to: 2}]",
                   "gain={input: disturbance, source: a}"));
    for (int n = 0; n < STEPS; n++)
        y[n] = n < 50 ? 5 : -1;
    assert_near(lab_measure_gain(&it.setup.rig.world, 0, y), -0.5, 1e-12);
    built_free(&it);
    must_build(&it, SMALL_SPEC,
               SET("gain={input: disturbance}", "disturbances=[{name: a, kind: "
                                                "step, at_s: 0.5, to: 2, on: no}]"));
    assert_true(isnan(lab_measure_gain(&it.setup.rig.world, 0, y))); // a silent input
    built_free(&it);
}

static void the_gain_stands_by_trial_and_in_the_summary(void **state)
{
    told *it = *state;
    const double *gain = it->record.rule[2].gain;
    double product = 0, square = 0;
    const lab_phase_signals *last = &it->record.rule[2].last[1];
    for (int n = 0; n < STEPS; n++) {
        product += last->r[n] * last->y[n];
        square += last->r[n] * last->r[n];
    }
    assert_near(gain[4], product / square, 1e-9);
    assert_near(lab_measure_of(&it->measures, "rules.slow.gain_last")->value, gain[4], 0);
    assert_near(lab_measure_of(&it->measures, "rules.slow.gain_first")->value, gain[0], 0);
    assert_near(lab_measure_of(&it->measures, "rules.slow.one.gain_last")->value, gain[2], 0);
    assert_near(lab_measure_of(&it->measures, "rules.slow.two.gain_first")->value, gain[3], 0);
    sheet csv;
    read_sheet(&csv, it, "gain.csv", "trial,fm,wh,slow");
    expect_column(&csv, 3, gain, 1);
    sheet_free(&csv);
}

// ---- the page --------------------------------------------------------------------------------

// No frame overlaps another, and in a row all axes are level.
static void panels_do_not_overlap(void **state)
{
    (void)state;
    lab_key_entry many[12] = {0};
    for (int i = 0; i < 12; i++)
        snprintf(many[i].title, sizeof many[i].title, "a long name of a rule, number %d", i);
    const lab_asks asks[] = {{.entries = 12, .entry = many},
                             {.above = true},
                             {.wide = true, .entries = 1, .entry = many},
                             {.left = 150}};
    lab_frame frame[4];
    const lab_page page = lab_page_make(frame, asks, 4, 2);
    assert_near(frame[0].top, frame[1].top, 0);
    assert_near(frame[0].bottom, frame[1].bottom, 0);
    assert_true(frame[0].end <= frame[1].edge && frame[1].end <= page.width);
    assert_near(frame[2].end, page.width, 0);
    assert_true(frame[2].title < frame[0].bottom && frame[3].title < frame[2].bottom);
    assert_true(frame[3].bottom > 0 && frame[0].title < page.height);
    assert_true(frame[3].left >= frame[3].edge + 150);
    assert_true(frame[0].key - frame[0].top > 5 * 18); // two names a row at most
}

// ---- refusals --------------------------------------------------------------------------------

static void expect_panel(const char *panel, const char *says)
{
    char yaml[4096];
    snprintf(yaml, sizeof yaml, STORY_SPEC "story:\n  panels:\n    - {%s}\n", panel);
    lab_spec spec;
    lab_plan plan;
    lab_record record = {0};
    lab_measures measures = {0};
    lab_why why;
    lab_outcome outcome = plan_from(&plan, &spec, "spec.yaml", yaml, SET_NOTHING, &why);
    if (outcome == LAB_DONE)
        outcome = lab_run(&record, &plan, 1, NULL, &why);
    if (outcome == LAB_DONE)
        outcome = lab_measures_make(&measures, &record, &spec, &why);
    if (outcome != LAB_REFUSED)
        fail_msg("not refused: %s", panel);
    assert_memory_equal(why.text, "spec.yaml:22:", 13);
    if (!strstr(why.text, says))
        fail_msg("%s\n  does not say: %s", why.text, says);
    lab_measures_free(&measures);
    lab_record_free(&record);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
}

static void what_is_not_there_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *panel, *says;
    } cases[] = {
        {"kind: signal, title: t", "'kind' cannot be 'signal'; did you mean 'signals'?"},
        {"kind: curves", "missing key 'title' in a panel"},
        {"kind: signals, title: t", "missing key 'show' in a panel"},
        {"kind: bars, title: t", "missing key 'measures' in a panel"},
        {"kind: curves, title: t, show: [y]", "unknown key 'show' in a panel of kind curves"},
        {"kind: signals, title: t, show: []", "'show' is empty"},
        {"kind: signals, title: t, show: y", "'show' must be a list"},
        {"kind: signals, title: t, show: [reactve]",
         "'show' cannot be 'reactve'; did you mean 'reactive'?"},
        {"kind: curves, title: t, rules: [fm, slwo]",
         "the panel names a rule 'slwo' that does not exist; did you mean 'slow'?"},
        {"kind: signals, title: t, show: [y], phase: tow",
         "the panel names a phase 'tow' that does not exist; did you mean 'two'?"},
        {"kind: curves, title: t, names: [a]", "'names' has 1 names for 3 rules"},
        {"kind: signals, title: t, show: [y], names: [a, b]", "'names' has 2 names for 1 rules"},
        {"kind: bars, title: t, measures: [lambda_max], names: [a, b]",
         "'names' has 2 names for 1 measures"},
        {"kind: signals, title: t, show: [y, e], signal_names: [a]",
         "'signal_names' has 1 names for 2 signals"},
        {"kind: signals, title: t, show: [y], from_s: 0.5, to_s: 0.4", "is not within a trial"},
        {"kind: traces, title: t, to_s: 2", "is not within a trial of 1 s"},
        {"kind: curves, title: t, low: 2, high: 1", "'low' of 2 is not below 'high' of 1"},
        {"kind: curves, title: t, low: 0", "the axis of curves is logarithmic"},
        {"kind: curves, title: t, to_trial: 6", "trials 1 to 6 are not within the 5"},
        {"kind: gain, title: t, from_trial: 3, to_trial: 2", "trials 3 to 2 are not within"},
        {"kind: traces, title: t, basis: 6", "the panel shows basis signal 6; rule 'fm' has 5"},
        {"kind: bars, title: t, measures: [rules.slow.rmse_last]",
         "the panel names a measure 'rules.slow.rmse_last' that the run does not have; did you "
         "mean 'rules.slow.rrmse_last'?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_panel(cases[i].panel, cases[i].says);
}

static void what_is_not_measured_is_refused(void **state)
{
    (void)state;
    expect_refusal(SMALL_SPEC "story: {panels: [{kind: responses, title: t}]}\n", SET_NOTHING,
                   "spec.yaml:14:19: a panel of responses needs a 'response' to be measured");
    expect_refusal(SMALL_SPEC "story: {panels: [{kind: gain, title: t}]}\n", SET_NOTHING,
                   "spec.yaml:14:19: a panel of the gain needs a 'gain' to be measured");
    expect_refusal(SMALL_SPEC "gain: {input: disturbance, source: heads}\n", SET_NOTHING,
                   "spec.yaml:14:1: there is no disturbance 'heads' among 'disturbances' to "
                   "measure the gain of");
    expect_refusal(
        SMALL_SPEC "story: {panels: [{kind: signals, title: t, show: [y], phase: "
                   "a}]}\n",
        SET_NOTHING,
        "spec.yaml:14:19: the panel names a phase 'a' that does not exist; there are no phases");
}

// --set phases=[] is no fault of the story: it is left out. A story that is set must be right.
static void settings_that_take_from_a_story_leave_it_out(void **state)
{
    (void)state;
    ran it;
    must_run(&it, STORY_SPEC STORY, SET("phases=[]", "learning.trials=2"), 1);
    assert_false(lab_has_story(&it.spec));
    assert_int_equal(it.record.panels, 0);
    ran_free(&it);
    must_run(&it, STORY_SPEC STORY, SET("loop.delay_ms=30"), 1);
    assert_true(lab_has_story(&it.spec));
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
    tell(it, STORY_SPEC STORY, SET_NOTHING, 1, true);
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
        cmocka_unit_test(bars_are_figures_of_the_summary),
        cmocka_unit_test(the_script_names_what_is_marked),
        cmocka_unit_test(the_pictures_are_drawn),
        cmocka_unit_test(eighteen_lines_are_told_apart),
        cmocka_unit_test(curves_of_repeats_have_their_interval),
        cmocka_unit_test(every_figure_of_a_response_can_be_shown),
        cmocka_unit_test(a_run_that_diverges_has_a_story),
        cmocka_unit_test(the_loop_alone_is_that_of_the_same_trial),
        cmocka_unit_test(the_gain_is_a_regression),
        cmocka_unit_test(the_gain_stands_by_trial_and_in_the_summary),
        cmocka_unit_test(panels_do_not_overlap),
        cmocka_unit_test(what_is_not_there_is_refused),
        cmocka_unit_test(what_is_not_measured_is_refused),
        cmocka_unit_test(settings_that_take_from_a_story_leave_it_out),
        cmocka_unit_test(a_rule_with_phases_of_its_own_is_shown_under_the_first_ones),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
