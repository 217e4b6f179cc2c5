// SPDX-License-Identifier: Apache-2.0
// scale_report: scale.csv, speed.csv and fig-scale hold what learning with each number of synapses
// came to.
#include "draw/figures.h"

#include "lab/small_lab.h"
#include "lab/written.h"

enum { SIZES = 2, TRIALS = 3 };

// A run of which nothing is known but its sizes.
typedef struct made_up {
    double rrmse[SIZES][TRIALS];
    lab_scale_point scale[SIZES];
    lab_record record;
    lab_result result;
    written out;
} made_up;

static void make_up(made_up *it)
{
    *it = (made_up){
        .rrmse = {{1, 0.5, 0.25}, {1, 20, INFINITY}},
        .scale = {{.synapses = 20,
                   .lambda_max = 1. / 3,
                   .rate = 0.125,
                   .rrmse = it->rrmse[0],
                   .bytes = 5000,
                   .seconds = 0.5,
                   .realtime = 8},
                  {.synapses = 4000,
                   .lambda_max = 66.5,
                   .rate = 0.0625,
                   .rrmse = it->rrmse[1],
                   .diverged_at = 3,
                   .bytes = 2e6,
                   .seconds = 12,
                   .realtime = 0.25}},
        .record = {.step_s = 0.001,
                   .scale_sizes = SIZES,
                   .scale_trials = TRIALS,
                   .scale = it->scale},
        .result = {.record = &it->record},
    };
    written_make(&it->out);
}

static void report(made_up *it)
{
    lab_why why;
    must(lab_write_scale(&it->out.folder, &it->result, &why), &why);
    must(lab_draw_scale(&it->out.folder, &it->result, false, &why), &why);
}

static void the_tables_have_one_row_per_size(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    report(&it);
    expect_sheet(&it.out.folder, "scale.csv",
                 "synapses,lambda_max,rate,bytes_per_synapse,rrmse_1,rrmse_2,rrmse_3", //
                 20, 1. / 3, 0.125, 250, 1, 0.5, 0.25,                                 //
                 4000, 66.5, 0.0625, 500, 1, 20, INFINITY);
    expect_sheet(&it.out.folder, "speed.csv",
                 "synapses,seconds,realtime,synapse_steps_per_s,megabytes", //
                 20, 0.5, 8, 160000, 0.005,                                 //
                 4000, 12, 0.25, 1e6, 2);
    written_free(&it.out);
}

static void the_figure_has_one_curve_per_size_and_says_which_diverged(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    report(&it);
    expect_sheet(&it.out.folder, "fig-scale.csv", "trial,20,4000", //
                 1, 1, 1,                                          //
                 2, 0.5, 20,                                       //
                 3, 0.25, INFINITY);
    expect_written(&it.out.folder, "fig-scale.gp",
                   "using 1:2 with lines linetype 1 title \"20\", \\\n",
                   "using 1:3 with lines linetype 2 title \"4000 (diverged)\"\n",
                   "set ylabel \"rRMSE at trial 3\"\n",
                   "plot \"scale.csv\" skip 1 using 1:7 ",  // rrmse_3
                   "plot \"scale.csv\" skip 1 using 1:3 "); // rate
    assert_int_equal(count_written(&it.out.folder, "fig-scale.gp", "set yrange"), 0);
    written_free(&it.out);
}

// Where no size has an error at the last trial, gnuplot would find no range.
static void a_trial_without_errors_has_a_range_of_its_own(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    it.rrmse[0][TRIALS - 1] = it.rrmse[1][TRIALS - 1] = NAN;
    report(&it);
    expect_written(&it.out.folder, "fig-scale.gp", "set yrange [0.1:1]\nunset key\n");
    written_free(&it.out);
}

static void one_size_and_one_trial_will_do(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    it.record.scale_sizes = it.record.scale_trials = 1;
    report(&it);
    expect_sheet(&it.out.folder, "scale.csv", "synapses,lambda_max,rate,bytes_per_synapse,rrmse_1",
                 20, 1. / 3, 0.125, 250, 1);
    expect_sheet(&it.out.folder, "fig-scale.csv", "trial,20", 1, 1);
    expect_written(&it.out.folder, "fig-scale.gp", "plot \"scale.csv\" skip 1 using 1:5 ");
    written_free(&it.out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tables_have_one_row_per_size),
        cmocka_unit_test(the_figure_has_one_curve_per_size_and_says_which_diverged),
        cmocka_unit_test(a_trial_without_errors_has_a_range_of_its_own),
        cmocka_unit_test(one_size_and_one_trial_will_do),
    };
    return cmocka_run_group_tests_name("lab.scale_report", tests, NULL, NULL);
}
