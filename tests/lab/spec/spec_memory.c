// SPDX-License-Identifier: Apache-2.0
// spec_memory: a spec that is read, set or kept while memory runs out fails, says so, and leaks
// nothing.
#include "lab/memory_why.h"
#include "lab/rich_spec.h"
#include "lab/temporary.h"
#include "spec/origin.h"
#include "spec/plan.h"

// The spec and its plan.
static int parse(const void *context)
{
    lab_plan plan;
    lab_spec spec;
    lab_why why;
    const lab_outcome outcome =
        plan_from(&plan, &spec, "spec.yaml", context, SET("loop.delay_ms=40", "title=other"), &why);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
    return outcome_of_memory(outcome, &why);
}

static void specs_are_parsed_or_fail(void **state)
{
    (void)state;
    for (int i = 0; i < RICH_SPECS; i++)
        fail_every_allocation(parse, rich_specs[i], LAB_FAILED);
}

// ---- files -----------------------------------------------------------------------------------

#define FILES                                                                                      \
    SMALL_HEAD "loop:\n"                                                                           \
               "  plant: {kind: response, file: plant.csv, column: y}\n"                           \
               "  controller: {kind: pi, kp: 0.5, ki_per_s: 1}\n"                                  \
               "  delay_ms: 20\n"                                                                  \
               "task: {kind: csv, file: task.csv, column: r, trial_s: 0.1}\n" SMALL_BASIS          \
               "learning: {mode: online, trials: 1}\n"                                             \
               "rules:\n"                                                                          \
               "  - {name: fm, trace: forward-model}\n"                                            \
               "  - {name: pre, trace: forward-model, update: preconditioned}\n"

// A spec in a folder with the files that it reads.
typedef struct kept {
    temporary here;
    temporary_path spec, result;
} kept;

static int set_up(void **state)
{
    kept *it = must_calloc(1, sizeof *it);
    temporary_make(&it->here);
    it->spec = temporary_below(&it->here, "spec.yaml");
    it->result = temporary_below(&it->here, "result");
    write_file(it->spec.text, FILES);
    write_file(temporary_below(&it->here, "plant.csv").text, "t,y\n0,0\n1,0.5\n2,0.25\n3,0.1\n");
    write_file(temporary_below(&it->here, "task.csv").text, "r\n0\n0\n0\n1\n1\n1\n1\n1\n1\n1\n");
    *state = it;
    return 0;
}

static int tear_down(void **state)
{
    kept *it = *state;
    temporary_remove(&it->here);
    free(it);
    return 0;
}

// A rule that cannot learn on line is left out, the files are copied beside the spec.
static int keep(const void *context)
{
    const kept *it = context;
    lab_settings settings = {0};
    lab_source source = {0};
    lab_spec spec = {0};
    lab_origin origin = {0};
    lab_folder folder;
    lab_why why;
    lab_outcome outcome = lab_settings_add(&settings, "title=a title", &why);
    if (outcome == LAB_DONE)
        outcome = lab_source_load(&source, it->spec.text, &why);
    if (outcome == LAB_DONE)
        outcome = lab_leave_out(&settings, &source, "fm", &why);
    if (outcome == LAB_DONE)
        outcome = lab_spec_make(&spec, &source, &settings, &why);
    if (outcome == LAB_DONE)
        outcome = lab_origin_make(&origin, &spec, &why);
    if (outcome == LAB_DONE)
        outcome = lab_origin_add(&origin, &settings, &why);
    if (outcome == LAB_DONE) {
        outcome = lab_folder_begin(&folder, it->result.text, false, &why);
        if (outcome == LAB_DONE) {
            outcome = lab_write_origin(&folder, &origin, &why);
            lab_folder_abandon(&folder);
        }
    }
    lab_origin_free(&origin);
    lab_spec_free(&spec);
    lab_source_free(&source);
    lab_settings_free(&settings);
    return outcome_of_memory(outcome, &why);
}

static void what_a_result_came_from_is_kept_or_it_fails(void **state)
{
    kept *it = *state;
    fail_every_allocation(keep, it, LAB_FAILED);
    assert_int_equal(entries_of(it->here.path), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specs_are_parsed_or_fail),
        cmocka_unit_test_setup_teardown(what_a_result_came_from_is_kept_or_it_fails, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests_name("lab.spec_memory", tests, NULL, NULL);
}
