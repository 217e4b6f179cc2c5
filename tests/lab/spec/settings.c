// SPDX-License-Identifier: Apache-2.0
// settings: values put into a spec by their paths, from the command line or by a phase.
#include <unistd.h>

#include "lab/small_lab.h"
#include "spec/reader.h"

// ---- paths -----------------------------------------------------------------------------------

static void a_path_goes_through_maps_by_their_keys(void **state)
{
    (void)state;
    lab_spec spec;
    must_parse(&spec, SMALL_SPEC, SET("step_ms=5", "loop.delay_ms=40", "loop.controller.kp=1.5"));
    assert_true(spec.step_ms == 5 && spec.loop.delay_ms == 40 && spec.loop.controller.kp == 1.5);
    assert_true(spec.loop.controller.ki_per_s == 4); // beside them all is as it was
    assert_true(spec.modified);
    lab_spec_free(&spec);
}

static void an_entry_of_a_list_is_found_by_its_name_or_its_number(void **state)
{
    (void)state;
    lab_spec spec;
    must_parse(&spec, SMALL_SPEC,
               SET("rules.wh.leak=0.25", "rules.0.leak=0.125", "loop.plant.stages.0.gain=3",
                   "loop.plant.stages.body.time_constant_ms=70"));
    assert_true(lab_rules(&spec)[0].leak == 0.125 && lab_rules(&spec)[1].leak == 0.25);
    const lab_stage_spec *stage = spec.loop.plant.stages.items;
    assert_true(stage->gain == 3 && stage->time_constant_ms == 70);
    lab_spec_free(&spec);
}

static void an_entry_that_was_renamed_is_found_by_its_new_name(void **state)
{
    (void)state;
    lab_spec spec;
    must_parse(&spec, SMALL_SPEC, SET("rules.1.name=plain", "rules.plain.leak=0.5"));
    assert_string_equal(lab_rules(&spec)[1].name, "plain");
    assert_true(lab_rules(&spec)[1].leak == 0.5);
    lab_spec_free(&spec);
}

static void keys_that_are_not_there_are_added_on_the_way(void **state)
{
    (void)state;
    lab_spec spec;
    must_parse(&spec, SMALL_SPEC,
               SET("loop.noise.measurement=0.5", "believed.plant.kind=p", "believed.plant.kp=0.5",
                   "teach.signal=command", "learning.rate=2"));
    assert_true(spec.loop.noise.measurement == 0.5 && spec.believed.plant.kp == 0.5);
    assert_int_equal(spec.teach.signal, LAB_TEACH_COMMAND);
    assert_true(spec.learning.rate == 2 && spec.learning.trials == 4);
    lab_spec_free(&spec);
}

static void of_two_settings_the_later_one_holds(void **state)
{
    (void)state;
    lab_spec spec;
    must_parse(&spec, SMALL_SPEC, SET("loop.delay_ms=40", "loop.delay_ms=50"));
    assert_true(spec.loop.delay_ms == 50);
    lab_spec_free(&spec);
    must_parse(
        &spec, SMALL_SPEC,
        SET("loop.controller.kp=7", "loop.controller={kind: p, kp: 2}", "loop.controller.kp=3"));
    assert_int_equal(spec.loop.controller.kind, LAB_P);
    assert_true(spec.loop.controller.kp == 3);
    lab_spec_free(&spec);
}

// ---- values ----------------------------------------------------------------------------------

static void single_values_of_every_kind_are_set(void **state)
{
    (void)state;
    lab_spec spec;
    must_parse(&spec, SMALL_SPEC,
               SET("loop.controller.kp=-1.25e-1", "learning.trials=9", "title='a = b: c # d'",
                   "enters=plant-input", "learning.frozen=yes"));
    assert_true(spec.loop.controller.kp == -0.125);
    assert_int_equal(spec.learning.trials, 9);
    assert_string_equal(spec.title, "a = b: c # d");
    assert_int_equal(spec.enters, LAB_PLANT_INPUT);
    assert_int_equal(spec.learning.frozen, 1);
    lab_spec_free(&spec);
}

static void lists_of_numbers_and_of_rows_are_set(void **state)
{
    (void)state;
    lab_spec spec;
    must_parse(&spec, SMALL_SPEC,
               SET("loop.plant={kind: transfer-function, num: [1], den: [1, 1]}",
                   "loop.plant.den=[0.5, 2, 3]",
                   "task={kind: piecewise-linear, trial_s: 1, points: [[0, 0]]}",
                   "task.points=[[0, 1], [0.5, 2]]", "task.points.1.1=7"));
    assert_int_equal(spec.loop.plant.den.columns, 3);
    assert_true(spec.loop.plant.den.values[0] == 0.5 && spec.loop.plant.den.values[2] == 3);
    assert_int_equal(spec.task.reference.points.rows, 2);
    assert_true(spec.task.reference.points.values[1] == 1);
    assert_true(spec.task.reference.points.values[3] == 7);
    lab_spec_free(&spec);
}

static void maps_and_lists_of_maps_are_set(void **state)
{
    (void)state;
    lab_spec spec;
    must_parse(&spec, SMALL_SPEC,
               SET("loop.saturation={low: -1, high: 2}",
                   "rules=[{name: a, trace: none}, {name: b, trace: delay, delay_ms: 30}]",
                   "rules.b.delay_ms=40",
                   "phases=[{name: one, trials: 2}, {name: two, trials: 3, set: {step_ms: 5}}]",
                   "phases.two.set={loop.delay_ms: 60, learning.frozen: yes}"));
    assert_true(spec.loop.saturation.low == -1 && spec.loop.saturation.high == 2);
    assert_int_equal(spec.rules.count, 2);
    assert_true(lab_rules(&spec)[1].delay_ms == 40);
    assert_int_equal(lab_phases(&spec)[1].set.count, 2);
    assert_string_equal(lab_phases(&spec)[1].set.items[0].path, "loop.delay_ms");
    lab_spec_free(&spec);
}

// ---- every leaf of a file --------------------------------------------------------------------

static bool same_tree(const lab_node *a, const lab_node *b)
{
    for (; a && b; a = a->next, b = b->next)
        if (a->kind != b->kind || (a->key && strcmp(a->key, b->key) != 0) ||
            (a->text && strcmp(a->text, b->text) != 0) || !same_tree(a->child, b->child))
            return false;
    return !a && !b;
}

// Sets the leaf at this path and expects exactly that to have changed.
static void expect_leaf_set(lab_node *root, lab_node *leaf, const char *path)
{
    lab_why why;
    lab_settings settings = {0};
    lab_node *before = lab_node_copy(root);
    char assignment[320], *kept = leaf->text;
    snprintf(assignment, sizeof assignment, "%s=another", path);
    must(lab_settings_add(&settings, assignment, &why), &why);
    leaf->text = strdup(kept);
    must(lab_settings_apply(&settings, root, &why), &why);
    assert_string_equal(leaf->text, "another");
    free(leaf->text);
    leaf->text = kept;
    assert_true(same_tree(before, root));
    lab_node_free(before);
    lab_settings_free(&settings);
}

static int expect_leaves_set(lab_node *root, lab_node *of, const char *path)
{
    int number = 0, leaves = 0;
    for (lab_node *child = of->child; child; child = child->next, number++) {
        const lab_node *name = child->kind == LAB_MAP ? lab_node_find(child, "name") : NULL;
        char below[300], part[128];
        snprintf(part, sizeof part, "%d", number);
        if (of->kind == LAB_MAP || (name && number % 2))
            snprintf(part, sizeof part, "%s", of->kind == LAB_MAP ? child->key : name->text);
        snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", part);
        if (child->kind != LAB_SCALAR)
            leaves += expect_leaves_set(root, child, below);
        else {
            expect_leaf_set(root, child, below);
            leaves++;
        }
    }
    return leaves;
}

static void every_leaf_of_a_spec_file_has_a_path_that_changes_nothing_else(void **state)
{
    (void)state;
    static char content[65536];
    FILE *file = fopen(TEST_SOURCE_DIR "/../experiments/pursuit.yaml", "rb");
    assert_non_null(file);
    assert_in_range(fread(content, 1, sizeof content - 1, file), 1, sizeof content - 2);
    fclose(file);
    lab_node *root;
    lab_why why;
    must(lab_parse(&root, "pursuit.yaml", content, strlen(content), &why), &why);
    assert_in_range(expect_leaves_set(root, root, ""), 90, 200);
    lab_node_free(root);
}

// ---- refused ---------------------------------------------------------------------------------

static void what_is_no_setting_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *set, *message;
    } cases[] = {
        {"step_ms", "a setting is KEY=VALUE, as loop.delay_ms=80; this is 'step_ms'"},
        {"=5", "a setting is KEY=VALUE, as loop.delay_ms=80; this is '=5'"},
        {"step_ms=", "a setting is KEY=VALUE, as loop.delay_ms=80; this is 'step_ms='"},
        {"", "a setting is KEY=VALUE, as loop.delay_ms=80; this is ''"},
        {"loop..delay_ms=5", "'loop..delay_ms' is not a path of keys joined by dots"},
        {".loop=5", "'.loop' is not a path of keys joined by dots"},
        {"loop.=5", "'loop.' is not a path of keys joined by dots"},
        {"step_ms.unit=5",
         "setting 'step_ms.unit': 'step_ms' is a single value, with no 'unit' to set"},
        {"rules.zz.leak=1", "setting 'rules.zz.leak': there is no 'zz' to set"},
        {"rules.2.leak=1", "setting 'rules.2.leak': there is no '2' to set"},
        {"rules.-1.leak=1", "setting 'rules.-1.leak': there is no '-1' to set"},
        {"rules.1x.leak=1", "setting 'rules.1x.leak': there is no '1x' to set"},
        {"loop.plant.stages.0.gain.x=1",
         "setting 'loop.plant.stages.0.gain.x=1': 'gain' must be a number; this is a map"},
        {"loop.delai_ms=5",
         "setting 'loop.delai_ms=5': unknown key 'delai_ms' in the loop; did you mean 'delay_ms'?"},
        {"step_ms=fast", "setting 'step_ms=fast': 'step_ms' must be a number; this is 'fast'"},
        {"step_ms=[5]", "setting 'step_ms=[5]': 'step_ms' must be a number; this is a list"},
        {"loop.plant.stages=5",
         "setting 'loop.plant.stages=5': 'stages' must be a list; this is a single value"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const lab_why why = refusal_of("spec.yaml", SMALL_SPEC, SET(cases[i].set));
        if (strcmp(why.text, cases[i].message) != 0)
            fail_msg("%s\nsays  %s\nnot   %s", cases[i].set, why.text, cases[i].message);
    }
}

static void a_part_of_a_path_that_is_too_long_is_refused(void **state)
{
    (void)state;
    char set[200];
    memset(set, 'k', sizeof set);
    memcpy(set + 150, "=1", 3);
    const lab_why why = refusal_of("spec.yaml", SMALL_SPEC, SET(set));
    assert_non_null(strstr(why.text, "is not a path of keys joined by dots"));
}

static void a_value_that_is_not_yaml_is_refused_with_its_path(void **state)
{
    (void)state;
    const lab_why why = refusal_of("spec.yaml", SMALL_SPEC, SET("task.points=[[0, 1]"));
    assert_string_equal(why.text, "task.points:1:8: this bracket is not closed");
}

// ---- phases ----------------------------------------------------------------------------------

#define PHASES                                                                                     \
    "phases:\n"                                                                                    \
    "  - {name: one, trials: 2}\n"                                                                 \
    "  - name: two\n"                                                                              \
    "    trials: 3\n"                                                                              \
    "    set: {loop.delay_ms: 60, rules.wh.leak: 0.5, believed.delay_ms: 20,\n"                    \
    "          loop.plant.stages.0: {kind: lag, time_constant_ms: 150}}\n"                         \
    "  - {name: three, trials: 4, set: {learning.frozen: yes}}\n"

static void a_phase_puts_its_values_in_for_itself_alone(void **state)
{
    (void)state;
    lab_spec spec;
    lab_plan plan;
    must_plan(&plan, &spec, SMALL_SPEC PHASES, SET_NOTHING);
    assert_int_equal(lab_spec_trials(&spec), 9);
    static const double delay_ms[] = {20, 60, 20}, leak[] = {0, 0.5, 0}, tau_ms[] = {100, 150, 100};
    for (int p = 0; p < 3; p++) {
        const lab_spec *in_phase = lab_planned(&plan, 0, p);
        const lab_stage_spec *stage = in_phase->loop.plant.stages.items;
        assert_true(in_phase->loop.delay_ms == delay_ms[p]);
        assert_true(lab_rules(in_phase)[1].leak == leak[p]);
        assert_true(stage->time_constant_ms == tau_ms[p]);
        assert_int_equal(in_phase->believed.place.line > 0, p == 1);
        assert_int_equal(in_phase->learning.frozen, p == 2);
        assert_int_equal(in_phase->learning.trials, p + 2);
        assert_false(in_phase->modified); // the file itself says so
    }
    lab_plan_free(&plan);
    lab_spec_free(&spec);
}

static void a_phase_goes_over_what_the_command_line_set(void **state)
{
    (void)state;
    lab_spec spec;
    lab_plan plan;
    must_plan(&plan, &spec, SMALL_SPEC PHASES, SET("loop.delay_ms=30", "phases.three.trials=1"));
    static const double delay_ms[] = {30, 60, 30};
    for (int p = 0; p < 3; p++) {
        const lab_spec *in_phase = lab_planned(&plan, 0, p);
        assert_true(in_phase->loop.delay_ms == delay_ms[p] && in_phase->modified);
    }
    assert_int_equal(lab_spec_trials(&spec), 6);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
}

// The keys of a `set` are paths: a setting finds one, or adds it.
static void a_setting_reaches_into_a_set(void **state)
{
    (void)state;
    static const char *const sets[] = {"{loop.delay_ms: 30}", "{loop.command_delay_ms: 10}",
                                       "{task.to: 2}"};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        char set[64];
        lab_plan plan;
        lab_spec spec;
        snprintf(set, sizeof set, "rules.1.set=%s", sets[i]);
        must_plan(&plan, &spec, SMALL_SPEC, SET(set, "rules.1.set.loop.delay_ms=40"));
        assert_true(lab_planned(&plan, 1, 0)->loop.delay_ms == 40);
        assert_true(lab_planned(&plan, 0, 0)->loop.delay_ms != 40);
        assert_true(lab_planned(&plan, 1, 0)->loop.plant.stages.count ==
                    lab_planned(&plan, 0, 0)->loop.plant.stages.count);
        lab_plan_free(&plan);
        lab_spec_free(&spec);
    }
}

static void a_phase_that_sets_what_is_not_there_is_refused(void **state)
{
    (void)state;
    expect_refusal(SMALL_SPEC "phases: [{name: one, trials: 1, set: {loop.delai_ms: 60}}]\n",
                   SET_NOTHING,
                   "spec.yaml:14:54: unknown key 'delai_ms' in the loop; did you mean 'delay_ms'?");
    expect_refusal(SMALL_SPEC "phases: [{name: one, trials: 1, set: {loop.delay_ms: -4}}]\n",
                   SET_NOTHING, "spec.yaml:14:54: 'delay_ms' must be at least 0; this is -4");
    expect_refusal(SMALL_SPEC "phases: [{name: one, trials: 1, set: {\"\": 5}}]\n", SET_NOTHING,
                   "'' is not a path of keys joined by dots");
    expect_refusal(SMALL_SPEC "phases: [{name: one, trials: 1, set: {rules.none.leak: 1}}]\n",
                   SET_NOTHING, "setting 'rules.none.leak': there is no 'none' to set");
}

// ---- files -----------------------------------------------------------------------------------

// A spec in another folder; a setting that names a file means that of the current one.
static void a_setting_names_files_of_the_current_folder_a_spec_those_beside_it(void **state)
{
    (void)state;
    static const char yaml[] = SMALL_HEAD SMALL_LOOP SMALL_TASK SMALL_LEARNING SMALL_RULES
        "basis: {kind: csv, file: own.csv}\n";
    char here[1024], expected[1100];
    lab_spec spec;
    lab_why why;
    assert_non_null(getcwd(here, sizeof here));
    must(parse_from(&spec, "elsewhere/spec.yaml", yaml,
                    SET("task={kind: csv, trial_s: 1, file: r.csv}", "task.file=s.csv",
                        "rules.0={name: fm, trace: response, file: /at/its/place.csv}",
                        "rules.1.set={task.file: t.csv}"),
                    &why),
         &why);
    snprintf(expected, sizeof expected, "%s/s.csv", here);
    assert_string_equal(spec.task.reference.file, expected);
    assert_string_equal(lab_rules(&spec)[0].file, "/at/its/place.csv");
    snprintf(expected, sizeof expected, "%s/t.csv", here);
    assert_string_equal(lab_rules(&spec)[1].set.items[0].value->text, expected);
    char *own = lab_spec_path(&spec, lab_banks(&spec)[0].file);
    assert_string_equal(own, "elsewhere/own.csv");
    free(own);
    lab_spec_free(&spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_goes_through_maps_by_their_keys),
        cmocka_unit_test(an_entry_of_a_list_is_found_by_its_name_or_its_number),
        cmocka_unit_test(an_entry_that_was_renamed_is_found_by_its_new_name),
        cmocka_unit_test(keys_that_are_not_there_are_added_on_the_way),
        cmocka_unit_test(of_two_settings_the_later_one_holds),
        cmocka_unit_test(single_values_of_every_kind_are_set),
        cmocka_unit_test(lists_of_numbers_and_of_rows_are_set),
        cmocka_unit_test(maps_and_lists_of_maps_are_set),
        cmocka_unit_test(every_leaf_of_a_spec_file_has_a_path_that_changes_nothing_else),
        cmocka_unit_test(what_is_no_setting_is_refused),
        cmocka_unit_test(a_part_of_a_path_that_is_too_long_is_refused),
        cmocka_unit_test(a_value_that_is_not_yaml_is_refused_with_its_path),
        cmocka_unit_test(a_phase_puts_its_values_in_for_itself_alone),
        cmocka_unit_test(a_phase_goes_over_what_the_command_line_set),
        cmocka_unit_test(a_setting_reaches_into_a_set),
        cmocka_unit_test(a_phase_that_sets_what_is_not_there_is_refused),
        cmocka_unit_test(a_setting_names_files_of_the_current_folder_a_spec_those_beside_it),
    };
    return cmocka_run_group_tests_name("lab.settings", tests, NULL, NULL);
}
