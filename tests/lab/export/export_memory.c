// SPDX-License-Identifier: Apache-2.0
// export_memory: a cell that is exported while memory runs out fails, says so, and leaves nothing.
#include "export/export.h"
#include "export/inspect.h"
#include "export/make_target.h"
#include "export/weights.h"
#include "lab/memory_why.h"
#include "lab/small_lab.h"
#include "lab/temporary.h"

typedef struct wanted {
    lab_plan plan;
    lab_spec spec;
    lab_target_options how;
    temporary here;
    temporary_path place, firmware, model;
} wanted;

static void want(wanted *it, const char *const *set)
{
    must_plan(&it->plan, &it->spec, SMALL_SPEC, set);
    it->how = (lab_target_options){.real_bytes = 4};
    temporary_make(&it->here);
    it->place = temporary_below(&it->here, "a/b");
    it->firmware = temporary_below(&it->here, "firmware");
    assert_ok(mkdir(it->firmware.text, 0700));
    write_file(temporary_below(&it->here, "firmware/cfpc.h").text,
               "#define CFPC_REAL_IS_FLOAT 0\n");
    write_file(temporary_below(&it->here, "firmware/cfpc.c").text, "\n");
}

static void wanted_free(wanted *it)
{
    temporary_remove(&it->here);
    lab_plan_free(&it->plan);
    lab_spec_free(&it->spec);
}

static int export(const void *context)
{
    const wanted *it = context;
    lab_target target;
    lab_folder folder;
    lab_why why;
    lab_outcome outcome = lab_target_make(&target, &it->plan, &it->how, &why);
    if (outcome == LAB_DONE)
        outcome = lab_folder_begin(&folder, it->place.text, false, &why);
    if (outcome == LAB_DONE) {
        outcome = lab_export_c(&folder, &target, it->firmware.text, &why);
        if (outcome == LAB_DONE)
            outcome = lab_export_bin(&folder, &target, &why);
        lab_folder_abandon(&folder);
    }
    lab_target_free(&target);
    return outcome_of_memory(outcome, &why);
}

static void cells_are_exported_or_nothing_is_left(void **state)
{
    (void)state;
    const char *const *const sets[] = {
        SET_NOTHING, SET("learning.form=adjoint", "learning.neglect=0.05"),
        SET("basis=[{kind: gaussian, count: 2, width_ms: 100, spacing_ms: 333}, {kind: "
            "tapped-delay, count: 3, spacing_ms: 50, input: reference}]"),
        SET("basis={kind: periodic, count: 4, input: angle}", "angle={turns: 1}")};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        wanted it;
        want(&it, sets[i]);
        fail_every_allocation(export, &it, LAB_FAILED);
        assert_int_equal(entries_of(it.here.path), 1);
        wanted_free(&it);
    }
}

static int check_weights(const void *context)
{
    const wanted *it = context;
    double weights[5];
    lab_why why;
    lab_outcome outcome = lab_weights_check(it->how.weights, &it->spec, "fm", &why);
    if (outcome == LAB_DONE)
        outcome = lab_weights_read(weights, 5, it->how.weights, &it->spec, "fm", &why);
    return outcome_of_memory(outcome, &why);
}

static void weights_are_compared_and_read_or_it_fails(void **state)
{
    (void)state;
    wanted it;
    want(&it, SET_NOTHING);
    it.how.weights = it.here.path;
    write_file(temporary_below(&it.here, "spec.yaml").text, SMALL_SPEC);
    write_file(temporary_below(&it.here, "weights.csv").text,
               "basis,fm,wh\n1,1,nan\n2,1,nan\n3,1,nan\n4,1,nan\n5,1,nan\n");
    fail_every_allocation(check_weights, &it, LAB_FAILED);
    wanted_free(&it);
}

static int inspect(const void *context)
{
    lab_inspected found;
    lab_why why;
    return outcome_of_memory(lab_inspect(&found, context, &why), &why);
}

static void files_are_inspected_or_it_fails(void **state)
{
    (void)state;
    wanted it;
    lab_target target;
    lab_folder folder;
    lab_why why;
    want(&it, SET_NOTHING);
    must(lab_target_make(&target, &it.plan, &it.how, &why), &why);
    must(lab_folder_begin(&folder, it.place.text, false, &why), &why);
    must(lab_export_bin(&folder, &target, &why), &why);
    must(lab_folder_commit(&folder, &why), &why);
    fail_every_allocation(inspect, temporary_below(&it.here, "a/b/fm.model").text, LAB_FAILED);
    lab_target_free(&target);
    wanted_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_exported_or_nothing_is_left),
        cmocka_unit_test(weights_are_compared_and_read_or_it_fails),
        cmocka_unit_test(files_are_inspected_or_it_fails),
    };
    return cmocka_run_group_tests_name("lab.export_memory", tests, NULL, NULL);
}
