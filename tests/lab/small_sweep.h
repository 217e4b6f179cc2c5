// SPDX-License-Identifier: Apache-2.0
// small_sweep: a sweep over a short pursuit, whose points take a few milliseconds.
#ifndef CFPC_TESTS_SMALL_SWEEP_H
#define CFPC_TESTS_SMALL_SWEEP_H

#include "lab/temporary.h"
#include "spec/load.h"
#include "sweep/crew.h"
#include "write/results.h"

#define PURSUIT_FILE TEST_SOURCE_DIR "/../experiments/pursuit.yaml"

// What makes a pursuit short.
static const char *const short_settings[] = {
    "task.trial_s=0.6",    "task.points=[[0,0],[0.1,0],[0.3,1],[0.6,1]]",
    "basis.count=5",       "learning.trials=4",
    "delay_scan.to_ms=50", "delay_scan.step_ms=50",
    "delay_scan.trial=2"};

enum { SHORT_SETTINGS = sizeof short_settings / sizeof short_settings[0] };

typedef struct small_sweep {
    lab_source source;
    lab_settings settings;
    lab_spec spec;
    lab_grid grid;
    lab_sweep sweep;
} small_sweep;

// A short pursuit over these axes, ended by NULL, with one more setting (or NULL).
static inline void small_sweep_make(small_sweep *it, const char *setting, const char *const *axes)
{
    lab_why why = {0};
    *it = (small_sweep){0};
    for (int i = 0; i < SHORT_SETTINGS; i++)
        assert_ok(lab_settings_add(&it->settings, short_settings[i], &why));
    if (setting)
        assert_ok(lab_settings_add(&it->settings, setting, &why));
    if (lab_source_load(&it->source, PURSUIT_FILE, &why) != LAB_DONE ||
        lab_spec_make(&it->spec, &it->source, &it->settings, &why) != LAB_DONE)
        fail_msg("%s", why.text);
    for (; *axes; axes++)
        if (lab_grid_add(&it->grid, *axes, &why) != LAB_DONE)
            fail_msg("%s", why.text);
    assert_ok(lab_sweep_make(&it->sweep, &it->spec, &it->source, &it->settings, &it->grid, &why));
}

static inline void small_sweep_free(small_sweep *it)
{
    lab_sweep_free(&it->sweep);
    lab_grid_free(&it->grid);
    lab_spec_free(&it->spec);
    lab_settings_free(&it->settings);
    lab_source_free(&it->source);
}

// Runs what is not finished.
static inline void small_sweep_run(small_sweep *it, int threads, lab_journal *journal)
{
    lab_why why;
    if (lab_crew_run(&it->sweep, threads, journal, NULL, &why) != LAB_DONE)
        fail_msg("%s", why.text);
}

// sweep.csv of a finished sweep; the caller frees it.
static inline char *small_sweep_table(const small_sweep *it, const temporary *here)
{
    const temporary_path path = temporary_below(here, "table");
    const temporary_path file = temporary_below(here, "table/sweep.csv");
    lab_swept swept;
    lab_folder folder;
    lab_why why;
    assert_ok(lab_swept_make(&swept, &it->sweep, "lambda_max", &why));
    assert_ok(lab_folder_begin(&folder, path.text, true, &why));
    assert_ok(lab_write_sweep_table(&folder, &swept, &why));
    assert_ok(lab_folder_commit(&folder, &why));
    lab_swept_free(&swept);
    char *text = file_text(file.text);
    remove_tree(path.text);
    return text;
}

// Each test has a folder of its own.
#define TEST(name) cmocka_unit_test_setup_teardown(name, temporary_set_up, temporary_tear_down)

#endif
