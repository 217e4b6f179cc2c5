// SPDX-License-Identifier: Apache-2.0
// sweep_memory: a sweep in which memory runs out fails, or a point of it does; it says so, and
// leaks nothing.
#include "lab/memory_why.h"
#include "lab/rich_spec.h"
#include "lab/small_sweep.h"
#include "sweep/gather.h"

// A point that failed is a result of the sweep like any other; here it counts as the sweep's.
static lab_outcome outcome_of_points(const lab_sweep *sweep, lab_why *why)
{
    for (int i = 0; i < sweep->points; i++)
        if (sweep->point[i].outcome != LAB_DONE)
            return lab_fail(why, "%s", sweep->point[i].why);
    return LAB_DONE;
}

static void forget_points(lab_sweep *sweep)
{
    for (int i = 0; i < sweep->points; i++) {
        free(sweep->point[i].why);
        free(sweep->point[i].measure);
        sweep->point[i] = (lab_point){0};
    }
}

static lab_outcome run_points(lab_sweep *sweep, const char *result, lab_why *why)
{
    lab_journal journal;
    lab_outcome outcome = lab_journal_open(&journal, result, sweep, true, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = lab_crew_run(sweep, 1, &journal, NULL, why);
    lab_journal_remove(&journal);
    return outcome == LAB_DONE ? outcome_of_points(sweep, why) : outcome;
}

// The same in two parts, gathered.
static lab_outcome run_parts(lab_sweep *sweep, const char *result, lab_why *why)
{
    lab_gathered gathered;
    lab_outcome outcome = LAB_DONE;
    for (int i = 1; outcome == LAB_DONE && i <= 2; i++) {
        lab_journal journal;
        sweep->part = (lab_part){.index = i, .count = 2};
        outcome = lab_journal_open(&journal, result, sweep, false, why);
        if (outcome == LAB_DONE) {
            outcome = lab_crew_run(sweep, 1, &journal, NULL, why);
            lab_journal_close(&journal);
        }
    }
    sweep->part = (lab_part){0};
    forget_points(sweep);
    if (outcome == LAB_DONE)
        outcome = lab_gather(&gathered, sweep, result, why);
    return outcome == LAB_DONE ? outcome_of_points(sweep, why) : outcome;
}

static lab_outcome write_result(const lab_swept *swept, const char *result, lab_why *why)
{
    lab_folder folder;
    lab_outcome outcome = lab_folder_begin(&folder, result, false, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = lab_write_sweep_table(&folder, swept, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_sweep_hdf5(&folder, swept, why);
    lab_folder_abandon(&folder);
    return outcome;
}

typedef struct place {
    const lab_spec *spec;
    const lab_source *source;
    temporary_path result, parts, part[2];
} place;

static int sweep(const void *context)
{
    const place *at = context;
    const lab_settings nothing = {0};
    lab_grid grid = {0};
    lab_sweep sweep = {0};
    lab_swept swept = {0};
    lab_origin origin = {0};
    lab_why why;
    lab_outcome outcome = lab_grid_add(&grid, "loop.delay_ms=20:30:2", &why);
    if (outcome == LAB_DONE)
        outcome = lab_grid_add(&grid, "enters=controller-input,plant-input", &why);
    if (outcome == LAB_DONE)
        outcome = lab_sweep_make(&sweep, at->spec, at->source, &nothing, &grid, &why);
    if (outcome == LAB_DONE)
        outcome = run_points(&sweep, at->result.text, &why);
    if (outcome == LAB_DONE)
        outcome = lab_swept_make(&swept, &sweep, "lambda_max", &why);
    if (outcome == LAB_DONE)
        outcome = lab_origin_make(&origin, at->spec, &why);
    swept.origin = &origin;
    if (outcome == LAB_DONE)
        outcome = write_result(&swept, at->result.text, &why);
    lab_origin_free(&origin);
    lab_swept_free(&swept);
    lab_sweep_free(&sweep);
    lab_grid_free(&grid);
    return outcome_of_memory(outcome, &why);
}

static int parts(const void *context)
{
    const place *at = context;
    const lab_settings nothing = {0};
    lab_grid grid = {0};
    lab_sweep sweep = {0};
    lab_why why;
    lab_outcome outcome = lab_grid_add(&grid, "loop.delay_ms=20:40:3", &why);
    if (outcome == LAB_DONE)
        outcome = lab_sweep_make(&sweep, at->spec, at->source, &nothing, &grid, &why);
    if (outcome == LAB_DONE)
        outcome = run_parts(&sweep, at->result.text, &why);
    lab_sweep_free(&sweep);
    lab_grid_free(&grid);
    for (int i = 0; i < 2; i++) // without memory
        lab_journal_discard(at->part[i].text);
    rmdir(at->parts.text);
    return outcome_of_memory(outcome, &why);
}

// No journal without a row stays where a part could not begin.
static void a_sweep_in_parts_ends_or_fails(void **state)
{
    lab_source source;
    lab_spec spec;
    lab_why why;
    place at = {.spec = &spec,
                .source = &source,
                .result = temporary_below(*state, "result"),
                .parts = temporary_below(*state, "result.parts"),
                .part = {temporary_below(*state, "result.parts/part-1-of-2"),
                         temporary_below(*state, "result.parts/part-2-of-2")}};
    must(lab_source_parse(&source, "spec.yaml",
                          SMALL_HEAD SMALL_LOOP RICH_TASK RICH_BASIS
                          "learning: {trials: 1}\n" SMALL_RULES,
                          &why),
         &why);
    must(lab_spec_make(&spec, &source, NULL, &why), &why);
    fail_every_allocation(parts, &at, LAB_FAILED);
    lab_spec_free(&spec);
    lab_source_free(&source);
    assert_int_equal(entries_of(((temporary *)*state)->path), 0); // nothing stays
}

static void a_sweep_ends_or_fails(void **state)
{
    lab_source source;
    lab_spec spec;
    lab_why why;
    place at = {.spec = &spec, .source = &source, .result = temporary_below(*state, "a/result")};
    must(lab_source_parse(&source, "spec.yaml",
                          SMALL_HEAD SMALL_LOOP RICH_TASK RICH_BASIS
                          "learning: {trials: 1}\n" SMALL_RULES,
                          &why),
         &why);
    must(lab_spec_make(&spec, &source, NULL, &why), &why);
    fail_every_allocation(sweep, &at, LAB_FAILED);
    lab_spec_free(&spec);
    lab_source_free(&source);
    assert_int_equal(entries_of(((temporary *)*state)->path), 0); // nothing stays
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_sweep_ends_or_fails),
        TEST(a_sweep_in_parts_ends_or_fails),
    };
    return cmocka_run_group_tests_name("lab.sweep_memory", tests, NULL, NULL);
}
