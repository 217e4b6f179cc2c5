// SPDX-License-Identifier: Apache-2.0
// write_memory: a result that is written, drawn or read again while memory runs out fails, says so,
// and leaves nothing.
#include "draw/compare.h"
#include "draw/figures.h"
#include "lab/memory_why.h"
#include "lab/rich_spec.h"
#include "lab/temporary.h"
#include "run/gain.h"
#include "write/hashed.h"
#include "write/standings.h"

// Everything that a run can leave is asked of every run: what it does not have is empty.
typedef lab_outcome writer(lab_folder *folder, const lab_result *result, lab_why *why);

typedef struct finished {
    ran ran;
    lab_measures measures;
    lab_origin origin;
    lab_result result;
    temporary here;
    temporary_path place;
} finished;

static void finish(finished *it, const char *yaml)
{
    lab_why why;
    must_run(&it->ran, yaml, SET_NOTHING, 1);
    must(lab_measures_make(&it->measures, &it->ran.record, &it->ran.spec, &why), &why);
    must(lab_origin_make(&it->origin, &it->ran.spec, &why), &why);
    it->result = (lab_result){.spec = &it->ran.spec,
                              .origin = &it->origin,
                              .record = &it->ran.record,
                              .measures = &it->measures};
    temporary_make(&it->here);
    it->place = temporary_below(&it->here, "a/b");
}

static void finished_free(finished *it)
{
    temporary_remove(&it->here);
    lab_origin_free(&it->origin);
    lab_measures_free(&it->measures);
    ran_free(&it->ran);
}

static lab_outcome write_all(lab_folder *folder, const lab_result *result, lab_why *why)
{
    writer *const always[] = {lab_write_curves, lab_write_signals, lab_write_phases,
                              lab_write_traces, lab_write_weights, lab_write_summary,
                              lab_write_hashes, lab_write_hdf5};
    lab_outcome outcome = LAB_DONE;
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof always / sizeof always[0]; i++)
        outcome = always[i](folder, result, why);
    if (outcome == LAB_DONE && lab_asks_responses(result->spec))
        outcome = lab_write_responses(folder, result, why);
    if (outcome == LAB_DONE && lab_asks_gain(result->spec))
        outcome = lab_write_gain(folder, result, why);
    if (outcome == LAB_DONE && lab_asks_windows(result->spec))
        outcome = lab_write_windows(folder, result, why);
    if (outcome == LAB_DONE && lab_any_model(result->record))
        outcome = lab_write_models(folder, result, why);
    if (outcome == LAB_DONE && lab_any_tuned(result->record))
        outcome = lab_write_tuning(folder, result, why);
    if (outcome == LAB_DONE && result->record->scale_sizes > 0)
        outcome = lab_write_scale(folder, result, why);
    if (outcome == LAB_DONE && lab_asks_standings(result->spec))
        outcome = lab_write_standings(folder, result, why);
    return outcome == LAB_DONE ? lab_draw_figures(folder, result, why) : outcome;
}

static int leave(const void *context)
{
    const finished *it = context;
    lab_folder folder;
    lab_why why;
    lab_outcome outcome = lab_folder_begin(&folder, it->place.text, true, &why);
    if (outcome == LAB_DONE) {
        outcome = write_all(&folder, &it->result, &why);
        lab_folder_abandon(&folder);
    }
    return outcome_of_memory(outcome, &why);
}

static void results_are_written_or_nothing_is_left(void **state)
{
    (void)state;
    assert_ok(setenv("PATH", "", 1)); // scripts and data only
    for (int i = 0; i < RICH_SPECS; i++) {
        finished it;
        finish(&it, rich_specs[i]);
        fail_every_allocation(leave, &it, LAB_FAILED);
        assert_int_equal(entries_of(it.here.path), 0);
        finished_free(&it);
    }
}

// ---- finished runs ---------------------------------------------------------------------------

// Two finished runs side by side, in a folder of their own.
typedef struct pair {
    const char *run[2];
    temporary_path place;
} pair;

static int compare(const void *context)
{
    const pair *it = context;
    lab_comparison both = {0};
    lab_folder folder;
    lab_why why;
    lab_outcome outcome = lab_comparison_make(&both, 2, it->run, &why);
    if (outcome == LAB_DONE)
        outcome = lab_comparison_show(&both, NULL, &why);
    if (outcome == LAB_DONE) {
        outcome = lab_folder_begin(&folder, it->place.text, false, &why);
        if (outcome == LAB_DONE) {
            outcome = lab_write_comparison(&folder, &both, &why);
            if (outcome == LAB_DONE)
                outcome = lab_draw_comparison(&folder, &both, false, &why);
            lab_folder_abandon(&folder);
        }
    }
    lab_comparison_free(&both);
    return outcome_of_memory(outcome, &why);
}

static void finished_runs_are_compared_or_it_fails(void **state)
{
    (void)state;
    finished it;
    lab_folder folder;
    lab_why why;
    finish(&it, RICH_RIVALS);
    must(lab_folder_begin(&folder, it.place.text, false, &why), &why);
    must(lab_write_curves(&folder, &it.result, &why), &why);
    must(lab_write_summary(&folder, &it.result, &why), &why);
    must(lab_folder_commit(&folder, &why), &why);
    const pair both = {.run = {it.place.text, it.place.text},
                       .place = temporary_below(&it.here, "both")};
    fail_every_allocation(compare, &both, LAB_FAILED);
    assert_int_equal(entries_of(it.here.path), 1);
    finished_free(&it);
}

static int read_hashes(const void *context)
{
    const finished *it = context;
    lab_hashed hashed;
    lab_why why;
    const lab_outcome outcome = lab_hashed_read(&hashed, it->place.text, &why);
    lab_hashed_free(&hashed);
    return outcome_of_memory(outcome, &why);
}

static void hashes_are_read_or_it_fails(void **state)
{
    (void)state;
    finished it;
    lab_folder folder;
    lab_why why;
    finish(&it, RICH_RIVALS);
    must(lab_folder_begin(&folder, it.place.text, false, &why), &why);
    must(lab_write_summary(&folder, &it.result, &why), &why);
    must(lab_write_hashes(&folder, &it.result, &why), &why);
    must(lab_folder_commit(&folder, &why), &why);
    fail_every_allocation(read_hashes, &it, LAB_FAILED);
    finished_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_written_or_nothing_is_left),
        cmocka_unit_test(finished_runs_are_compared_or_it_fails),
        cmocka_unit_test(hashes_are_read_or_it_fails),
    };
    return cmocka_run_group_tests_name("lab.write_memory", tests, NULL, NULL);
}
