// SPDX-License-Identifier: Apache-2.0
// zone_report: zone.csv and fig-zone hold what became of each cell, joints.csv and fig-joints what
// became of each coupling; what was not run or is not known is left out.
#include "draw/figures.h"

#include "lab/small_lab.h"
#include "lab/written.h"

enum { CELLS = 2, TRIALS = 2 };

// Two cells without noise, and a zone of four.
typedef struct made_up {
    lab_zone_loop loop[CELLS];
    double reactive[CELLS], optimum[CELLS], clash[CELLS];
    double last[CELLS], fraction[CELLS];
    lab_spread trial[TRIALS];
    lab_zone_size size;
    lab_joint joint;
    lab_spec spec;
    lab_record record;
    lab_result result;
    written out;
} made_up;

static void make_up(made_up *it)
{
    lab_zone *zone = &it->record.zone;
    *it = (made_up){.loop = {{6, 50, 2}, {30, 200, 0.5}},
                    .reactive = {0.25, 0.5},
                    .optimum = {NAN, NAN},
                    .clash = {0, 0.75},
                    .last = {0.125, 0.25},
                    .fraction = {1, 1},
                    .trial = {{1, 1, 1}, {0.125, 0.1875, 0.25}},
                    .size = {.cells = 4, .synapses = 7, .end = {0.1, 0.2, 0.3}}};
    *zone = (lab_zone){.cells = CELLS,
                       .synapses = 7,
                       .trials = TRIALS,
                       .loop = it->loop,
                       .reactive = it->reactive,
                       .optimum = it->optimum,
                       .clash = it->clash,
                       .cell_sizes = 1,
                       .by_cells = &it->size};
    for (int way = 0; way < LAB_ZONE_WAY_COUNT; way++)
        zone->way[way] =
            (lab_zone_result){.is_run = way != LAB_ZONE_SHARED && way != LAB_ZONE_PRIVATE,
                              .last = it->last,
                              .rate_fraction = it->fraction,
                              .trial = it->trial,
                              .end = it->trial[TRIALS - 1]};
    it->record.step_s = 0.005;
    it->result = (lab_result){.record = &it->record, .spec = &it->spec};
    written_make(&it->out);
}

static void a_zone_has_one_row_per_cell_and_no_column_of_what_was_not_run(void **state)
{
    (void)state;
    made_up it;
    lab_why why = {0};
    make_up(&it);
    must(lab_write_zone(&it.out.folder, &it.result, &why), &why);
    must(lab_draw_zone(&it.out.folder, &it.result, false, &why), &why);
    assert_int_equal(count_written(&it.out.folder, "zone.csv", "\n"), 1 + CELLS);
    expect_written(&it.out.folder, "zone.csv",
                   "cell,delay_ms,time_constant_ms,gain,reactive,optimum,clash,own,"
                   "own_rate_fraction,tuned,tuned_rate_fraction,common,common_rate_fraction\n",
                   "1,30,50,2,0.25,,0,0.125,1,0.125,1,0.125,1\n",
                   "2,150,200,0.5,0.5,,0.75,0.25,1,0.25,1,0.25,1\n");
    expect_written(
        &it.out.folder, "fig-zone.csv", "cell,150,0.25,0.25,\n", "own,2,0.1875,0.125,0.25\n",
        "synapses,7,0.1875,0.125,0.25\ncells,2,0.1875,0.125,0.25\ncells,4,0.2,0.1,0.3\n");
    assert_int_equal(count_written(&it.out.folder, "fig-zone.csv", "shared"), 0);
    expect_written(&it.out.folder, "fig-zone.gp", "set multiplot layout 1,3\n", "trial 2\"");
    assert_int_equal(count_written(&it.out.folder, "fig-zone.gp", "noise of its own"), 0);
    written_free(&it.out);
}

static void joints_have_one_row_per_coupling_and_a_mark_per_limit_that_there_is(void **state)
{
    (void)state;
    made_up it;
    lab_why why = {0};
    make_up(&it);
    it.joint = (lab_joint){.coupling = 0.5,
                           .reactive = 0.25,
                           .score = {{1, 0.125, 0.5, 0, NAN, NAN},
                                     {0.1, 0.25, 0.75, 0.5, 0, -1},
                                     {1.9, 0.375, 0.5, 0, NAN, NAN}}};
    it.record.zone.joints =
        (lab_joints){.count = 1, .joint = &it.joint, .definite_until = 0.25, .diverges_from = NAN};
    it.spec.zone.trials = 80;
    must(lab_write_joints(&it.out.folder, &it.result, &why), &why);
    must(lab_draw_joints(&it.out.folder, &it.result, false, &why), &why);
    expect_written(&it.out.folder, "joints.csv",
                   "coupling,reactive,full_rrmse_last,full_rrmse_10,full_rate_fraction,full_failed,"
                   "full_slowest,full_definite,per-zone_rrmse_last,",
                   "\n0.5,0.25,0.125,0.5,1,0,,,0.25,0.75,0.1,0.5,0,-1,0.375,0.5,1.9,0,,\n");
    expect_written(&it.out.folder, "fig-joints.gp", "at trial 80,");
    assert_int_equal(count_written(&it.out.folder, "fig-joints.gp", "first 0.25, graph 0 to"), 2);
    assert_int_equal(count_written(&it.out.folder, "fig-joints.gp", "diverges"), 0);
    written_free(&it.out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_zone_has_one_row_per_cell_and_no_column_of_what_was_not_run),
        cmocka_unit_test(joints_have_one_row_per_coupling_and_a_mark_per_limit_that_there_is),
    };
    return cmocka_run_group_tests_name("lab.zone_report", tests, NULL, NULL);
}
