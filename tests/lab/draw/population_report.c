// SPDX-License-Identifier: Apache-2.0
// population_report: population.csv, fig-population and fig-wrong hold what became of each trace on
// each loop.
#include "draw/figures.h"

#include "lab/small_lab.h"
#include "lab/written.h"

enum { CONTESTS = 4 };

// Two loops of one kind with both bases, of which the second is unstable when its gain is low.
typedef struct made_up {
    lab_contest contest[CONTESTS];
    lab_spec spec;
    lab_record record;
    lab_result result;
    written out;
} made_up;

static void make_up(made_up *it)
{
    *it = (made_up){.record = {.population = {.count = CONTESTS, .trials = 3}}};
    it->record.population.contest = it->contest;
    it->spec.population.wrong = 0.3;
    it->result = (lab_result){.record = &it->record, .spec = &it->spec};
    for (int i = 0; i < CONTESTS; i++) {
        lab_contest *contest = &it->contest[i];
        *contest = (lab_contest){.kind = LAB_TWO_MODES,
                                 .loop = 1 + i / 2,
                                 .is_wide = i % 2,
                                 .bases = 7,
                                 .optimum = 0.25};
        for (int which = 0; which < LAB_CONTESTANT_COUNT; which++) {
            lab_contest_score *score = &contest->score[which];
            *score = (lab_contest_score){.constant = which == 0 ? NAN : 100 * which,
                                         .rate_fraction = 0.5,
                                         .rrmse_mean = 0.75,
                                         .rrmse_last = 0.5,
                                         .trials_to_5pc = which == 3 ? 0 : which + 1};
            for (int k = 0; k < LAB_WRONGS; k++) {
                contest->wrong_optimum[k] = k == 0 && i >= 2 ? NAN : 0.125;
                score->wrong_late[k] = 0.75;
                score->wrong_last[k] = k == 0 && i >= 2 ? NAN : which == 1 ? INFINITY : 0.5;
            }
        }
    }
    written_make(&it->out);
    lab_why why = {0};
    must(lab_write_population(&it->out.folder, &it->result, &why), &why);
    must(lab_draw_population(&it->out.folder, &it->result, false, &why), &why);
}

static void the_table_has_one_row_per_loop_basis_and_trace(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    assert_int_equal(count_written(&it.out.folder, "population.csv", "\n"), 1 + 4 * CONTESTS);
    expect_written(
        &it.out.folder, "population.csv",
        "kind,loop,basis,bases,optimum,trace,constant,rate_fraction,trials_to_5pc,",
        "two-modes,1,narrow,7,0.25,forward-model,,0.5,1,0.75,0.5,no,0.5,0.75,0.125,",
        "two-modes,1,wide,7,0.25,delay,100,0.5,2,0.75,0.5,no,inf,0.75,0.125,",
        "two-modes,2,wide,7,0.25,whitened,300,0.5,,0.75,0.5,no,nan,0.75,nan,0.5,0.75,0.125,");
    written_free(&it.out);
}

static void the_figures_have_a_panel_per_kind_and_basis_that_is_there(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    expect_written(&it.out.folder, "fig-population.gp", "set multiplot layout 2,1 ",
                   "set title \"two-modes, narrow\"\n", "set title \"two-modes, wide\"\n",
                   "━ phase-matched");
    assert_int_equal(count_written(&it.out.folder, "fig-population.gp", "set title"), 2);
    expect_written(&it.out.folder, "fig-wrong.gp", "actual loop, 30 % off the believed one",
                   "set yrange [0:105]\n");
    expect_written(&it.out.folder, "fig-wrong.csv", "\ngain lower,", "\nplant quicker,");
    expect_sheet(&it.out.folder, "fig-wrong.csv",
                 "wrong,narrow-forward-model,narrow-delay,narrow-phase-matched,narrow-whitened,"
                 "wide-forward-model,wide-delay,wide-phase-matched,wide-whitened",
                 NAN, 0, 100, 0, 0, 0, 100, 0, 0, NAN, 0, 100, 0, 0, 0, 100, 0, 0, //
                 NAN, 0, 100, 0, 0, 0, 100, 0, 0, NAN, 0, 100, 0, 0, 0, 100, 0, 0, //
                 NAN, 0, 100, 0, 0, 0, 100, 0, 0, NAN, 0, 100, 0, 0, 0, 100, 0, 0);
    written_free(&it.out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_has_one_row_per_loop_basis_and_trace),
        cmocka_unit_test(the_figures_have_a_panel_per_kind_and_basis_that_is_there),
    };
    return cmocka_run_group_tests_name("lab.population_report", tests, NULL, NULL);
}
