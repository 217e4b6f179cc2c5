// SPDX-License-Identifier: Apache-2.0
// Broken spec files: each is refused with one line that says where, which key, and what instead.
#include "lab/experiment.h"
#include "lab/temporary.h"

// The sections of pursuit.yaml that are replaced as a whole.
#define STAGES                                                                                     \
    "    stages:\n"                                                                                \
    "      - {kind: leaky-integrator, time_constant_ms: 100}\n"                                    \
    "      - {kind: lag, time_constant_ms: 3}\n"
#define PLANT "    kind: chain\n" STAGES
#define CONTROLLER "{kind: pi, kp: 20, ki_per_s: 100}"
#define POINTS "[[0, 0], [0.5, 0], [1, 1], [1.5, 1], [2, 0], [2.5, 0]]"
#define BASIS "{kind: gaussian, count: 20, width_ms: 50, spacing_ms: 100}"
#define RULES                                                                                      \
    "  - {name: fm-et, trace: forward-model}\n"                                                    \
    "  - {name: wh, trace: none}\n"                                                                \
    "  - {name: wh+50ms, trace: delay, delay_ms: 50}\n"                                            \
    "  - {name: wh+70ms, trace: delay, delay_ms: 70}\n"
#define TOP_KEYS                                                                                   \
    "name, title, applied, step_ms, loop, believed, enters, teach, olive, task, angle, "           \
    "disturbances, cues, basis, prediction, learning, guard, rules, rule, runs, seed, cases, "     \
    "tune, table, phases, delay_scan, scale, population, response, gain, windows, "                \
    "claims, story"

// pursuit.yaml with `from` replaced by `to` must be refused with this line after "spec.yaml:".
typedef struct broken {
    const char *from, *to, *message;
} broken;

static const broken unknown_keys[] = {
    {"basis: {", "colour: {a: 1}\nbasis: {",
     "23:1: unknown key 'colour' in the spec; it may be " TOP_KEYS},
    {"basis: {", "bassis: {", "23:1: unknown key 'bassis' in the spec; did you mean 'basis'?"},
    {"  plant:", "  plnt:", "10:3: unknown key 'plnt' in the loop; did you mean 'plant'?"},
    {"  points: [", "  pionts: [",
     "21:3: unknown key 'pionts' in the task of kind piecewise-linear; did you mean 'points'?"},
    {"    stages:", "    stage:",
     "12:5: unknown key 'stage' in the plant of kind chain; did you mean 'stages'?"},
    {CONTROLLER, "{kind: p, kp: 20, num: [1]}",
     "15:33: unknown key 'num' in the controller of kind p; it may be kind, discretise, kp"},
    {"delay_scan: {", "delay-scan: {",
     "33:1: unknown key 'delay-scan' in the spec; did you mean 'delay_scan'?"},
};

static const broken unknown_choices[] = {
    {"kind: chain", "kind: chian", "11:11: 'kind' cannot be 'chian'; did you mean 'chain'?"},
    {"kind: chain", "kind: xyzzy",
     "11:11: 'kind' cannot be 'xyzzy'; it may be chain, transfer-function, state-space, response, "
     "identified, p, pi, pid, lead-lag"},
    {"kind: lag,", "kind: lagg,", "14:16: 'kind' cannot be 'lagg'; did you mean 'lag'?"},
    {"kind: gaussian", "kind: guassian",
     "23:15: 'kind' cannot be 'guassian'; did you mean 'gaussian'?"},
    {"mode: batch", "mode: bach", "25:18: 'mode' cannot be 'bach'; did you mean 'batch'?"},
    {"trace: none", "trace: non", "29:23: 'trace' cannot be 'non'; did you mean 'none'?"},
    {"trace: forward-model", "trace: forward",
     "28:26: 'trace' cannot be 'forward'; did you mean 'forward-model'?"},
};

static const broken missing_keys[] = {
    {"title: Smooth", "# title: Smooth", "5:1: missing key 'title' in the spec: one line about it"},
    {"basis: " BASIS, "",
     "5:1: missing key 'basis' in the spec: the signals that reach the cell: one bank, or a list "
     "of banks"},
    {"  controller: " CONTROLLER "\n", "",
     "9:1: missing key 'controller' in the loop: the feedback controller"},
    {"kp: 20, ", "", "15:3: missing key 'kp' in the controller: proportional gain"},
    {"{kind: lag, time_constant_ms: 3}", "{kind: lag}",
     "14:10: missing key 'time_constant_ms' in a stage: τ, the time constant"},
    {"{name: wh, trace: none}", "{name: wh}",
     "29:6: missing key 'trace' in a rule: what a basis signal passes through to become its "
     "eligibility trace"},
    {"{name: wh, trace: none}", "{name: wh, trace: delay}",
     "29:6: missing key 'delay_ms' in a rule: delay of the trace"},
    {"    low: 85\n    high: 115\n", "", "38:5: claim 'lag' needs 'low', 'high' or both"},
};

static const broken wrong_types[] = {
    {"step_ms: 1\n", "step_ms: fast\n", "7:10: 'step_ms' must be a number; this is 'fast'"},
    {"step_ms: 1\n", "step_ms:\n", "7:1: 'step_ms' must be a number; this is ''"},
    {"kp: 20", "kp: [20]", "15:26: 'kp' must be a number; this is a list"},
    {"kp: 20", "kp: {a: 20}", "15:26: 'kp' must be a number; this is a map"},
    {"title: Smooth", "title: [a] # Smooth", "6:1: 'title' must be text; this is a list"},
    {"name: pursuit", "name: ''", "5:8: 'name' is empty"},
    {"kind: chain", "kind: {a: chain}", "11:5: 'kind' must be a name; this is a map"},
    {"basis: " BASIS, "basis: [1, 2]",
     "23:9: 'the basis' must be a map of keys; this is a single value"},
    {"basis: " BASIS, "basis: 20", "23:8: 'basis' must be a list; this is a single value"},
    {STAGES, "    stages: {kind: lag, time_constant_ms: 3}\n",
     "9:1: the loop is unstable: its largest pole has magnitude 1.0584; lower the gains or shorten "
     "the delays"},
    {"- {name: wh, trace: none}", "- wh",
     "29:5: 'a rule' must be a map of keys; this is a single value"},
    {POINTS, "up", "21:11: 'points' must be a list of lists of numbers; this is a single value"},
    {"[0.5, 0],", "0.5,",
     "21:20: 'points' must be a list of lists of numbers; this is a single value"},
    {"[0.5, 0],", "[0.5, up],", "21:26: 'points' must be a number; this is 'up'"},
};

static const broken wrong_numbers[] = {
    {"time_constant_ms: 3}", "time_constant_ms: -3}",
     "14:39: 'time_constant_ms' must be above 0; this is -3"},
    {"time_constant_ms: 3}", "time_constant_ms: 0}",
     "14:39: 'time_constant_ms' must be above 0; this is 0"},
    {"step_ms: 1\n", "step_ms: 0\n", "7:10: 'step_ms' must be above 0; this is 0"},
    {"step_ms: 1\n", "step_ms: 2e6\n", "7:10: 'step_ms' must be at most 1e+06; this is 2e+06"},
    {"delay_ms: 50 #", "delay_ms: -50 #", "16:13: 'delay_ms' must be at least 0; this is -50"},
    {"count: 20", "count: 0", "23:32: 'count' must be at least 1; this is 0"},
    {"count: 20", "count: 100001", "23:32: 'count' must be at most 100000; this is 100001"},
    {"count: 20", "count: 2.5", "23:32: 'count' must be a whole number; this is '2.5'"},
    {"trials: 50", "trials: 1e300", "25:33: 'trials' must be at most 1e+06; this is 1e+300"},
    {"rate_fraction: 0.5", "rate: 0", "25:43: 'rate' must be above 0; this is 0"},
    {"kp: 20", "kp: nan", "15:30: 'kp' must be finite; this is 'nan'"},
    {"kp: 20", "kp: inf", "15:30: 'kp' must be finite; this is 'inf'"},
    {"kp: 20", "kp: 1e999", "15:30: 'kp' must be finite; this is '1e999'"},
    {"kp: 20", "kp: 20ms", "15:30: 'kp' must be a number; this is '20ms'"},
    {"kp: 20", "kp: 20 30", "15:30: 'kp' must be a number; this is '20 30'"},
};

// What no single field can tell.
static const broken wrong_together[] = {
    {"basis: {", "believed: {band: {}}\nbasis: {",
     "23:12: a band needs 'relative', e.g. 0.2, or 'variants'"},
    {"basis: {", "believed: {model: learned, band: {relative: 0.1}}\nbasis: {",
     "23:1: a learned model starts without knowledge: remove 'band', or use 'model: given'"},
    {"basis: {", "believed: {band: {variants: [{name: a, set: {task.trial_s: 3}}]}}\nbasis: {",
     "23:31: 'set' of variant 'a' cannot change 'task.trial_s': a variant is another loop "
     "(loop.plant and so on)"},
    {"basis: {", "believed: {band: {variants: [{name: a}, {name: a}]}}\nbasis: {",
     "23:42: two variants have the name 'a'"},
    {"basis: {", "believed: {band: {variants: [{name: a, set: {loop.delay_ms: 0.5}}]}}\nbasis: {",
     "9:1: 'delay_ms' of 0.5 ms is not a whole number of steps of 1 ms"},
    {"delay_ms: 50 #", "delay_ms: 50.5 #",
     "9:1: 'delay_ms' of 50.5 ms is not a whole number of steps of 1 ms"},
    {"delay_ms: 50 #", "command_delay_ms: 0.25 #",
     "9:1: 'command_delay_ms' of 0.25 ms is not a whole number of steps of 1 ms"},
    {"delay_ms: 50 #", "measurement_delay_ms: 0.25 #",
     "9:1: 'measurement_delay_ms' of 0.25 ms is not a whole number of steps of 1 ms"},
    {"delay_ms: 70", "delay_ms: 70.5",
     "31:6: 'delay_ms' of 70.5 ms is not a whole number of steps of 1 ms"},
    {"trial_s: 2.5", "trial_s: 2.50055",
     "18:1: 'trial_s' of 2.50055 s is not a whole number of steps of 1 ms"},
    {"trial_s: 2.5", "trial_s: 1e-12", "18:1: 'trial_s' must be at least one step"},
    {"trial_s: 2.5", "trial_s: 1e6",
     "18:1: a trial of 1e+09 steps is too long; the maximum is 10000000"},
    {"[0.5, 0], [1, 1]", "[1, 1], [0.5, 0]",
     "18:1: 'points' must go forward in time; 0.5 s comes after 1 s"},
    {"[0.5, 0]", "[0.5, 0, 1]", "21:21: 'points': this row has 3 numbers, the first has 2"},
    {POINTS, "[[0, 0, 0]]", "18:1: 'points' must be rows of 2 numbers, as [0.5, 1]"},
    {POINTS, "[]", "21:3: 'points' is empty"},
    {STAGES, "    stages: []\n", "10:3: 'stages' is empty; a chain needs at least one stage"},
    {PLANT, "    {kind: state-space, a: [[-1, 0], [0, -2]], b: [1, 1], c: [1]}\n",
     "10:3: 'a' is 2 x 2, 'b' has 2 and 'c' 1 numbers; 'a' must be square, and 'b' and 'c' need "
     "one number per state"},
    {PLANT, "    {kind: state-space, a: [[-1, 0]], b: [1], c: [1]}\n",
     "10:3: 'a' is 1 x 2, 'b' has 1 and 'c' 1 numbers; 'a' must be square, and 'b' and 'c' need "
     "one number per state"},
    {"{name: wh+70ms,", "{name: wh+50ms,", "31:6: two rules have the name 'wh+50ms'"},
    {"{name: wh+70ms,", "{name: wh 70 ms,",
     "31:6: rule name 'wh 70 ms' may hold only letters, digits, '+', '-' and '_'"},
    {"rules: # the first is the experiment's own; all have the same rate\n" RULES, "rules: []\n",
     "5:1: 'rules' has 0 entries; it needs 1 to 64"},
    {"name: pursuit", "name: ../pursuit",
     "5:1: name '../pursuit' may hold only letters, digits, '+', '-' and '_'"},
    {"from_ms: 0", "from_ms: 151", "33:1: 'to_ms' of 150 is below 'from_ms' of 151"},
    {"step_ms: 5,", "step_ms: 0.5,", "33:1: the delays are not whole numbers of steps of 1 ms"},
    {"to_ms: 150", "to_ms: 1e8", "33:1: more than 10000 delays; use a larger 'step_ms'"},
    {"low: 85", "low: 120", "38:5: 'low' of 120 is above 'high' of 115"},
    {"- name: settling", "- name: lag", "43:5: two claims have the name 'lag'"},
    {"- name: settling", "- name: set tling",
     "43:5: claim name 'set tling' may hold only letters, digits, '+', '-' and '_'"},
    {"measure: lag_ms", "measure: leg_ms",
     "38:5: claim 'lag' names a measure 'leg_ms' that the run does not have; did you mean "
     "'lag_ms'?"},
};

// What only shows when the loop is built. An @ stands for the sentence of the status.
static const struct {
    broken it;
    cfpc_status status;
} wrong_loops[] = {
    {{"kind: leaky-integrator", "kind: lag", // unit gain on the slow stage
      "9:1: the loop is unstable: its largest pole has magnitude 1.0256; lower the gains or "
      "shorten the "
      "delays"},
     CFPC_UNSTABLE},
    {{PLANT "  controller: " CONTROLLER "\n  delay_ms: 50 #",
      "    {kind: transfer-function, num: [2], den: [1]}\n  controller: {kind: p, kp: 1} #",
      "9:1: the loop: @"},
     CFPC_ALGEBRAIC_LOOP},
    {{PLANT, "    {kind: transfer-function, num: [1, 0, 0], den: [1, 1]}\n", "10:3: the plant: @"},
     CFPC_IMPROPER},
    {{PLANT, "    {kind: transfer-function, num: [1], den: [0]}\n", "10:3: the plant: @"},
     CFPC_BAD_VALUE},
    {{"delay_ms: 50 #", "delay_ms: 1e9 #",
      "9:1: 'delay_ms' of 1e+09 ms is 1000000000 steps of 1 ms; the maximum is 10000000"},
     CFPC_OK},
    {{"delay_ms: 50 #", "delay_ms: 1e6 #",
      "9:1: the loop: with delays of 1000000 steps, most of them 'delay_ms', its stability cannot "
      "be computed; shorten the delays or take a longer 'step_ms'"},
     CFPC_OK},
};

static const broken wrong_tasks[] = {
    {"[1, 1], [1.5, 1]", "[1, 0], [1.5, 0]",
     "18:1: the loop makes no error on the task, so there is nothing to learn"},
    {"width_ms: 50", "first_ms: 1e6, width_ms: 50",
     "23:1: no basis signal reaches the output within a trial"},
    {"count: 20", "count: 100000",
     "23:1: 2500 steps times 100000 bases are more than the maximum of 50000000 values"},
};

static const broken broken_lines[] = {
    {"step_ms: 1\n", "step_ms: 1\nstep_ms: 2\n", "8:1: this is not YAML: duplicate key"},
    {"kp: 20, ", "kp: 20, kp: 30, ", "15:34: this is not YAML: duplicate key"},
    {"\n  plant:", "\n\tplant:",
     "10:1: this is not YAML: tab character may not be used as indentation"},
    {CONTROLLER, "{kind: pi, kp: 20, ki_per_s: 100",
     "16:11: this is not YAML: missing comma in flow mapping"},
};

// ---- the tests -------------------------------------------------------------------------------

static void assert_line(const char *expected, lab_outcome outcome, const char *found)
{
    if (outcome == LAB_REFUSED && strcmp(expected, found) == 0)
        return;
    fail_msg("outcome %d\nexpected: %s\n   found: %s", outcome, expected, found);
}

static void assert_refused(const broken *it, const char *sentence)
{
    char expected[1024];
    const char *at = strchr(it->message, '@');
    const int before = at ? (int)(at - it->message) : (int)strlen(it->message);
    snprintf(expected, sizeof expected, "spec.yaml:%.*s%s%s", before, it->message,
             at ? sentence : "", at ? at + 1 : "");
    char *text = substitute(pursuit_text(), it->from, it->to);
    experiment got;
    lab_outcome outcome = experiment_prepare(&got, text);
    if (outcome == LAB_DONE)
        outcome = experiment_run(&got);
    assert_line(expected, outcome, outcome == LAB_DONE ? "" : got.why.text);
    experiment_free(&got);
    free(text);
}

static void assert_all_refused(size_t count, const broken *all)
{
    for (size_t i = 0; i < count; i++)
        assert_refused(&all[i], "");
}

static void unknown_keys_are_refused(void **state)
{
    (void)state;
    assert_all_refused(sizeof unknown_keys / sizeof unknown_keys[0], unknown_keys);
}

static void unknown_choices_are_refused(void **state)
{
    (void)state;
    assert_all_refused(sizeof unknown_choices / sizeof unknown_choices[0], unknown_choices);
}

static void missing_keys_are_refused(void **state)
{
    (void)state;
    assert_all_refused(sizeof missing_keys / sizeof missing_keys[0], missing_keys);
}

static void wrong_types_are_refused(void **state)
{
    (void)state;
    assert_all_refused(sizeof wrong_types / sizeof wrong_types[0], wrong_types);
}

static void wrong_numbers_are_refused(void **state)
{
    (void)state;
    assert_all_refused(sizeof wrong_numbers / sizeof wrong_numbers[0], wrong_numbers);
}

static void wrong_together_are_refused(void **state)
{
    (void)state;
    assert_all_refused(sizeof wrong_together / sizeof wrong_together[0], wrong_together);
}

static void wrong_tasks_are_refused(void **state)
{
    (void)state;
    assert_all_refused(sizeof wrong_tasks / sizeof wrong_tasks[0], wrong_tasks);
}

static void broken_lines_are_refused(void **state)
{
    (void)state;
    assert_all_refused(sizeof broken_lines / sizeof broken_lines[0], broken_lines);
}

static void wrong_loops_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong_loops / sizeof wrong_loops[0]; i++)
        assert_refused(&wrong_loops[i].it, cfpc_sentence(wrong_loops[i].status));
}

static void a_folder_a_missing_and_a_binary_file_are_refused(void **state)
{
    (void)state;
    temporary here;
    temporary_make(&here);
    const temporary_path missing = temporary_below(&here, "missing.yaml");
    const temporary_path binary = temporary_below(&here, "binary.yaml");
    FILE *file = fopen(binary.text, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite("name: a\0b\n", 1, 10, file), 10);
    assert_ok(fclose(file));
    const struct {
        const char *file, *sentence;
    } cases[] = {{here.path, "cannot be read: Is a directory"},
                 {missing.text, "No such file or directory"},
                 {binary.text, "this is not a text file"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char expected[2048];
        lab_spec spec;
        lab_why why;
        snprintf(expected, sizeof expected, "%s: %s", cases[i].file, cases[i].sentence);
        const lab_outcome outcome = lab_spec_load(&spec, cases[i].file, NULL, &why);
        assert_line(expected, outcome, why.text);
        lab_spec_free(&spec);
    }
    temporary_remove(&here);
}

static void a_rule_that_is_not_there_is_refused_with_the_nearest(void **state)
{
    (void)state;
    char *text = pursuit_text();
    experiment it;
    assert_int_equal(experiment_prepare(&it, text), LAB_DONE);
    assert_line("pursuit has no rule 'wh+50'; did you mean 'wh+50ms'?",
                lab_spec_choose_rule(&it.spec, "wh+50", &it.why), it.why.text);
    assert_line("pursuit has no rule 'hebb'; it may be fm-et, wh, wh+50ms, wh+70ms",
                lab_spec_choose_rule(&it.spec, "hebb", &it.why), it.why.text);
    assert_int_equal(it.spec.main_rule, 0);
    experiment_free(&it);
    free(text);
}

// The message is cut, not the memory behind it.
static void a_word_without_end_is_refused_on_one_short_line(void **state)
{
    (void)state;
    enum { LENGTH = 100000 };
    char *word = must_calloc(LENGTH + 32, 1);
    const int begun = snprintf(word, 32, "kind: ");
    memset(word + begun, 'x', LENGTH);
    char *text = substitute(pursuit_text(), "kind: chain", word);
    experiment it;
    assert_int_equal(experiment_prepare(&it, text), LAB_REFUSED);
    assert_true(strlen(it.why.text) < 256);
    experiment_free(&it);
    free(text);
    free(word);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_keys_are_refused),
        cmocka_unit_test(unknown_choices_are_refused),
        cmocka_unit_test(missing_keys_are_refused),
        cmocka_unit_test(wrong_types_are_refused),
        cmocka_unit_test(wrong_numbers_are_refused),
        cmocka_unit_test(wrong_together_are_refused),
        cmocka_unit_test(wrong_loops_are_refused),
        cmocka_unit_test(wrong_tasks_are_refused),
        cmocka_unit_test(broken_lines_are_refused),
        cmocka_unit_test(a_folder_a_missing_and_a_binary_file_are_refused),
        cmocka_unit_test(a_rule_that_is_not_there_is_refused_with_the_nearest),
        cmocka_unit_test(a_word_without_end_is_refused_on_one_short_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
