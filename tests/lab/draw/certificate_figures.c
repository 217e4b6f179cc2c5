// SPDX-License-Identifier: Apache-2.0
// certificate_figures: fig-prediction and fig-tolerance hold the numbers of the analysis; what
// could not be analysed is not drawn.
#include "draw/figures.h"

#include "draw/gnuplot.h"
#include "lab/analysis_made_up.h"
#include "lab/written.h"

static void draw(written *out, const analysis_made_up *it, bool can_draw)
{
    lab_why why;
    written_make(out);
    must(lab_draw_certificate(&out->folder, &it->found, can_draw, &why), &why);
}

#define DATA "fig-prediction.csv"
#define SCRIPT "fig-prediction.gp"

static void the_prediction_holds_curve_optimum_and_end(void **state)
{
    (void)state;
    analysis_made_up it;
    written out;
    make_up_analysis(&it);
    draw(&out, &it, false);
    expect_sheet(&out.folder, DATA, "trial,rrmse", 1, 1, 2, 0.3, 3, 0.1);
    expect_written(&out.folder, SCRIPT, "set title \"small: eventual\" noenhanced\n",
                   "title \"fm, predicted\"",
                   "     0.050000000000000003 with lines linetype 9 title "
                   "\"optimum\"",
                   "     0.0625 with lines linetype 2 dashtype 2 title \"asymptote\"\n",
                   "set yrange [0.035:1.5]\n");
    written_free(&out);
    analysis_made_up_free(&it);
}

// An end that is not decided, or lies far from the curve, is not drawn; infinite errors set no
// range.
static void an_end_that_is_not_near_is_not_drawn(void **state)
{
    (void)state;
    analysis_made_up it;
    make_up_analysis(&it);
    cfpc_certificate *c = &it.found.learning.certificate;
    const cfpc_certificate certificates[] = {
        {.asymptote = 0.0625}, // not decided
        {.asymptote = NAN, .asymptote_decided = true},
        {.asymptote = 0.02, .asymptote_decided = true},
        {.asymptote = 50, .asymptote_decided = true},
    };
    it.curve[1] = INFINITY;
    it.curve[2] = 20;
    for (size_t i = 0; i < sizeof certificates / sizeof certificates[0]; i++) {
        written out;
        *c = certificates[i];
        draw(&out, &it, false);
        assert_int_equal(count_written(&out.folder, SCRIPT, "\"asymptote\""), 0);
        expect_written(&out.folder, SCRIPT, "set yrange [0.035:30]\n");
        expect_sheet(&out.folder, DATA, "trial,rrmse", 1, 1, 2, INFINITY, 3, 20);
        written_free(&out);
    }
    analysis_made_up_free(&it);
}

// A box around each point, half-way to its neighbours, with its fate and its phase error.
static void the_tolerance_holds_the_region(void **state)
{
    (void)state;
    analysis_made_up it;
    written out;
    make_up_analysis(&it);
    draw(&out, &it, false);
    expect_sheet(&out.folder, "fig-tolerance.csv",
                 "delay_error_ms,gain,from_ms,to_ms,from_gain,to_gain,fate,phase_error_deg", //
                 -10, 0.5, -15, -5, -0.25, 1.25, LAB_MONOTONE, 5,                            //
                 0, 0.5, -5, 10, -0.25, 1.25, LAB_EVENTUAL, 91,                              //
                 20, 0.5, 10, 30, -0.25, 1.25, LAB_DIVERGES, 120.5,                          //
                 -10, 2, -15, -5, 1.25, 2.75, LAB_MONOTONE, 0,                               //
                 0, 2, -5, 10, 1.25, 2.75, LAB_UNSTABLE, NAN,                                //
                 20, 2, 10, 30, 1.25, 2.75, LAB_UNSTABLE, NAN);
    expect_written(&out.folder, "fig-tolerance.gp", "set title \"small, fm: tolerance",
                   "set xrange [-15:30]\n", "$7 == 0 ? $2 : 1/0", "title \"monotone\"",
                   "title \"eventual\"", "title \"diverges\"", "title \"loop unstable\"",
                   "using (3):(1) with points pointtype 2 ", // 23 ms, believed to be 20
                   "set ylabel \"plant gain, relative to the spec\"");
    written_free(&out);
    it.spec.loop.model = LAB_LOOP_IDENTIFIED; // without a plant
    draw(&out, &it, false);
    expect_written(&out.folder, "fig-tolerance.gp",
                   "set ylabel \"gain of the open path, relative\"");
    written_free(&out);
    analysis_made_up_free(&it);
}

static void only_what_was_analysed_is_drawn(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        const bool predicts = i & 1, tolerates = i & 2;
        analysis_made_up it;
        written out;
        make_up_analysis(&it);
        it.found.learning.reason = predicts ? NULL : "it saturates";
        it.found.tolerance.delays = tolerates ? MADE_UP_DELAYS : 0;
        draw(&out, &it, false);
        assert_int_equal(is_written(&out.folder, SCRIPT), predicts);
        assert_int_equal(is_written(&out.folder, DATA), predicts);
        assert_int_equal(is_written(&out.folder, "fig-tolerance.gp"), tolerates);
        assert_int_equal(is_written(&out.folder, "fig-tolerance.csv"), tolerates);
        written_free(&out);
        analysis_made_up_free(&it);
    }
}

// One gnuplot draws both; the region of a real analysis has positive gains only.
static void both_are_drawn_at_once(void **state)
{
    (void)state;
    if (!lab_has_gnuplot())
        skip();
    analysis_made_up it;
    written out;
    make_up_analysis(&it);
    it.gain[0] = 1.5;
    draw(&out, &it, true);
    assert_true(is_written(&out.folder, "fig-prediction.svg"));
    assert_true(is_written(&out.folder, "fig-tolerance.png"));
    written_free(&out);
    analysis_made_up_free(&it);
}

static void the_band_holds_response_radius_and_power(void **state)
{
    (void)state;
    analysis_made_up it;
    written out;
    make_up_analysis(&it);
    draw(&out, &it, false);
    expect_sheet(&out.folder, "fig-band.csv", "hz,believed,radius,basis_power", //
                 1, 1, 0.25, 1,                                                 //
                 2, 0.5, 0.125, 0.75);
    expect_written(&out.folder, "fig-band.gp", "set title \"small, fm: models in the band\"",
                   "set xrange [1:3]\n", "set yrange [0:1.3125]\n");
    written_free(&out);
    analysis_made_up_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_band_holds_response_radius_and_power),
        cmocka_unit_test(the_prediction_holds_curve_optimum_and_end),
        cmocka_unit_test(an_end_that_is_not_near_is_not_drawn),
        cmocka_unit_test(the_tolerance_holds_the_region),
        cmocka_unit_test(only_what_was_analysed_is_drawn),
        cmocka_unit_test(both_are_drawn_at_once),
    };
    return cmocka_run_group_tests_name("lab.certificate_figures", tests, NULL, NULL);
}
