// SPDX-License-Identifier: Apache-2.0
// analysis_text: what is said of an analysis are its figures, and where there is none, why.
#include "draw/gnuplot.h"
#include "lab/analysis_made_up.h"
#include "lab/report/said.h"
#include "report/report.h"

typedef struct told {
    analysis_made_up of;
    said said;
} told;

static void make(told *it)
{
    *it = (told){0};
    make_up_analysis(&it->of);
}

// What is said of it now.
static const char *say(told *it)
{
    said_free(&it->said);
    lab_put_analysis(said_begin(&it->said), &it->of.found);
    said_end(&it->said);
    return it->said.text;
}

static void told_free(told *it)
{
    said_free(&it->said);
    analysis_made_up_free(&it->of);
}

// ---- the heading -----------------------------------------------------------------------------

static void the_heading_says_what_was_analysed(void **state)
{
    (void)state;
    told it;
    make(&it);
    expect_said(say(&it),
                "small: a small loop\n  rule fm, learning in batch, taught by the "
                "measured error r - m\n\n  loop\n",
                "\n  Set rate to 0.1.\n\n");
    expect_unsaid(it.said.text, "CAUTION", "nan");
    snprintf(it.of.found.untuned.text, sizeof it.of.found.untuned.text, "it is tuned later");
    snprintf(it.of.found.doubt.text, sizeof it.of.found.doubt.text, "it failed");
    it.of.spec.learning.mode = LAB_ONLINE;
    it.of.spec.population.place.line = it.of.spec.zone.place.line = 7;
    expect_said(say(&it), "learning on line", "  CAUTION: it is tuned later\n\n",
                "  CAUTION: it failed\n\n", "random loops of `population` are not analysed",
                "other loops of `zone` are not analysed",
                "  band of the believed model, which failed a test\n");
    told_free(&it);
}

static void a_bank_that_does_nothing_is_a_caution(void **state)
{
    (void)state;
    told it;
    make(&it);
    lab_spec_free(&it.of.spec);
    must_parse(&it.of.spec, SMALL_SPEC, SET("basis.first_ms=9000"));
    expect_said(say(&it), "  CAUTION: bank 1 of the basis");
    told_free(&it);
}

// ---- the loop --------------------------------------------------------------------------------

static void the_loop_has_its_margins(void **state)
{
    (void)state;
    told it;
    make(&it);
    it.of.found.loop.weights = "the weights of w.csv";
    expect_said(say(&it), "    stable                               yes (largest pole 0.9700)\n",
                "    gain margin                          10\n",
                "    phase margin                         45.5 degrees\n",
                "    delay margin                         62.5 ms\n",
                "    steady-state lag behind a ramp       88.5 ms\n",
                "    stable with the cell                 yes (largest pole 0.9900, the weights of "
                "w.csv)\n");
    expect_unsaid(it.said.text, "lower gain margin");
    lab_loop_analysis *loop = &it.of.found.loop;
    loop->stable = false;
    loop->radius = loop->radius_with_cell = 1.25;
    loop->margins.gain = INFINITY;
    loop->margins.gain_low = 0.25;
    loop->bandwidth_hz = NAN;
    loop->lag_ms = 123456;
    expect_said(say(&it), "    stable                               NO (largest pole 1.2500)\n",
                "    gain margin                          no limit\n",
                "    lower gain margin                    0.25\n",
                "    bandwidth                            none\n",
                "    steady-state lag behind a ramp       123456 ms\n",
                "    stable with the cell                 NO (largest pole 1.2500");
    loop->radius_with_cell = NAN;
    expect_unsaid(say(&it), "stable with the cell");
    told_free(&it);
}

// ---- learning --------------------------------------------------------------------------------

static void learning_has_its_figures(void **state)
{
    (void)state;
    told it;
    make(&it);
    it.of.found.learning.optimum_known = true;
    expect_said(say(&it), "  learning: eventual\n",
                "    rate                                 0.125; converges below 0.25, monotone up "
                "to 0.1875\n",
                "    transient growth of the weights      12.5 times at trial 7\n",
                "    peak rRMSE                           1.25 at trial 2\n",
                "    peak rRMSE if continued              1.75 at trial 9\n",
                "    asymptotic rRMSE                     0.0625\n",
                "    optimum                              0.05\n",
                "    trials to within 5 % of the optimum  33\n",
                "    rank                                 4 of 5, condition of H ",
                "    idle bases                           1: x_5\n",
                "    redundant bases                      2: x_1 x_3\n",
                "    maximum rate on line                 0.375 (0.75 of the batch bound)\n");
    told_free(&it);
}

static void learning_may_have_none_of_them(void **state)
{
    (void)state;
    told it;
    make(&it);
    lab_learning_analysis *l = &it.of.found.learning;
    l->peak = INFINITY;
    l->horizon = l->trials;
    l->trials_to_5pc = 0;
    l->optimum = NAN;
    l->certificate.rate_max = 0;
    l->certificate.asymptote = NAN;
    l->bases = l->idle_count = 0;
    l->redundant = NULL; // too many to be named
    l->redundant_count = 44;
    l->batch_rate_max = NAN;
    l->rate_by_running = true;
    expect_said(say(&it), "    rate                                 0.125; converges at no rate\n",
                "    peak rRMSE                           overflows by trial 2\n",
                "    asymptotic rRMSE                     none\n",
                "    optimum                              none\n",
                "    trials to within 5 % of the optimum  not within 3\n",
                "    redundant bases                      44 ...\n",
                "    maximum rate on line                 0.375 (found by simulation: accurate to "
                "about 20 %)\n");
    expect_unsaid(it.said.text, "if continued", "rank  ", "idle bases", "batch bound");
    l->online_rate_max = INFINITY;
    expect_unsaid(say(&it), "maximum rate on line");
    l->online_rate_max = 0.375;
    l->batch_rate_max = INFINITY;
    l->rate_by_running = false;
    expect_said(say(&it), "    maximum rate on line                 0.375\n");
    told_free(&it);
}

static void bounds_of_the_rate_are_said_if_there_are_any(void **state)
{
    (void)state;
    told it;
    make(&it);
    cfpc_certificate *c = &it.of.found.learning.certificate;
    c->rate_max_monotone = 0;
    expect_said(say(&it), "0.125; converges below 0.25, monotone at no rate\n");
    c->rate_max_monotone = INFINITY;
    expect_said(say(&it), "    rate                                 0.125\n");
    c->rate_max = INFINITY;
    expect_said(say(&it), "    rate                                 0.125\n");
    told_free(&it);
}

// What rounding leaves open is said with what is known of it.
static void figures_may_not_be_decided(void **state)
{
    (void)state;
    static const struct {
        double low, high;
        const char *says;
    } cases[] = {{0.25, 0.5, "not decided: 0.25 to 0.5\n"},
                 {0, 0.5, "not decided: at most 0.5\n"},
                 {0.25, INFINITY, "not decided: at least 0.25\n"},
                 {0, INFINITY, "not decided\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        told it;
        make(&it);
        cfpc_certificate *c = &it.of.found.learning.certificate;
        c->asymptote_decided = false;
        c->asymptote_low = cases[i].low;
        c->asymptote_high = cases[i].high;
        expect_said(say(&it), cases[i].says,
                    "    optimum                              not decided: at most 0.05\n");
        told_free(&it);
    }
}

static void weights_may_converge_while_the_error_rises(void **state)
{
    (void)state;
    told it;
    make(&it);
    it.of.found.learning.certificate.verdict = CFPC_MONOTONE;
    expect_said(say(&it), "  learning: monotone in the weights, not in the error\n");
    expect_unsaid(it.said.text, "transient growth");
    it.of.found.learning.peak = 1;
    expect_said(say(&it), "  learning: monotone\n");
    told_free(&it);
}

static void what_cannot_be_analysed_has_a_reason(void **state)
{
    (void)state;
    told it;
    make(&it);
    it.of.found.learning.reason = "the plant is not linear";
    expect_said(say(&it), "  learning: not-applicable\n    because the plant is not linear\n");
    expect_unsaid(it.said.text, "tolerance", "    optimum", "asymptotic rRMSE  ");
    told_free(&it);
}

// ---- tolerance -------------------------------------------------------------------------------

static void every_parameter_has_its_limits(void **state)
{
    (void)state;
    told it;
    make(&it);
    expect_said(say(&it), "eventual  phase below 90°\n",
                "    loop.delay_ms                              20       23         1       41 "
                "       2       39 ms\n",
                "    gain                                        1      1.5         ?      >10 "
                "    <0.1        3\n",
                "    maximum phase error of the trace     33.5° at 4.5 Hz\n");
    lab_tolerance *t = &it.of.found.tolerance;
    t->phase_error_deg = 95;
    t->items[0].believed = NAN;
    t->items[0].low = NAN; // there is nothing below 0
    expect_said(say(&it),
                "    loop.delay_ms                               ?       23         0       41 "
                "         exceeded ms\n");
    t->phase_error_deg = 0.001;
    t->is_skipped = true;
    t->count = 0;
    expect_said(say(&it), "  tolerance\n    skipped: too many bases or steps\n",
                "    maximum phase error of the trace     0°\n");
    expect_unsaid(it.said.text, "believed   ");
    told_free(&it);
}

// ---- forms -----------------------------------------------------------------------------------

static void forms_are_compared_in_rows(void **state)
{
    (void)state;
    told it;
    make(&it);
    expect_said(
        say(&it), "  * traces              -        -       -        -       216 eventual ",
        "    adjoint            40      400       3       30         8 monotone             "
        "0.75    0.05469      11\n",
        " not possible: a \"reason\"\n");
    lab_form_analysis *form = &it.of.forms[LAB_BY_ADJOINT];
    form->learning.trials_to_5pc = 0;
    form->learning.certificate.asymptote = NAN;
    form->learning.certificate.rate_max = INFINITY;
    expect_said(say(&it), "8 monotone                -          -       -\n");
    form->learning.certificate.asymptote_decided = false;
    expect_said(say(&it), "8 monotone                -          -       -\n");
    form->learning.reason = "on line";
    form->learning.online_rate_max = 0.5;
    expect_said(say(&it), "8 not-applicable        0.5          -       -\n");
    it.of.found.forms = NULL;
    expect_unsaid(say(&it), "  forms (");
    told_free(&it);
}

// ---- the band --------------------------------------------------------------------------------

static void the_band_has_a_bound_and_settings(void **state)
{
    (void)state;
    told it;
    make(&it);
    expect_said(say(&it), "  band of the believed model\n",
                "    every model in the band              weights monotone below 0.1562 "
                "(sufficient)\n",
                "    the log excites 0.5 to 12.5 Hz, where the bases have 96.9 % of their power; ",
                "    sampled: 20 models (believed, 3 variants, 16 on the edge); worst is heavy\n",
                " rRMSE 0.8125 at trial 4, 0.4375 at the last; falls in every trial: NO\n",
                "    settings for the worst model         --set rules.fm.trace=whitened --set "
                "rules.fm.rate=0.02344\n",
                " rRMSE 0.3438 at trial 4, 0.2188 at the last; falls in every trial: yes\n",
                " sampled only: the sufficient bound covers rates below 0.01172\n");
    told_free(&it);
}

static void a_bound_may_be_missing(void **state)
{
    (void)state;
    told it;
    make(&it);
    lab_band_analysis *band = &it.of.found.band;
    band->bound.rate_max = 0;
    band->excited_share = NAN;
    band->variants = 1;
    band->choice.rate_max = 0;
    it.of.spec.learning.trials = 90;
    snprintf(band->choice.line[1], sizeof band->choice.line[1], "rules.fm.set={a: 1}");
    expect_said(say(&it),
                "    every model in the band              no rate is certified: the band is too "
                "wide from 1.75 to 3.25 Hz,\n",
                " 2.5 of its width would do\n", "(believed, 1 variant, 16 on the edge)",
                "0.8125 at trial 5,", " --set 'rules.fm.set={a: 1}'\n",
                "sampled only: the sufficient bound covers no rate\n");
    expect_unsaid(it.said.text, "the log excites");
    band->bound.widest = 0;
    band->choice.rate_max = 0.5;
    expect_said(say(&it), "no rate is certified, not even without a band\n",
                "covered by the sufficient bound (monotone below 0.5)\n");
    band->no_bound = "it learns on line";
    band->choice.found = false;
    expect_said(say(&it), "    every model in the band              no bound: it learns on line\n",
                "none of 120 makes the error fall in every trial\n");
    band->choice.tried = 0;
    expect_unsaid(say(&it), "settings for the worst model");
    band->reason = "the loop is unstable";
    expect_said(say(&it), "    nothing is said of it, because the loop is unstable\n\n");
    expect_unsaid(it.said.text, "sampled:");
    band->is_given = false;
    expect_unsaid(say(&it), "band of the believed model");
    told_free(&it);
}

// ---- files -----------------------------------------------------------------------------------

static const char *say_files(told *it, bool figures)
{
    said_free(&it->said);
    lab_put_analysis_files(said_begin(&it->said), &it->of.found, "out", figures);
    said_end(&it->said);
    return it->said.text;
}

static void files_are_named(void **state)
{
    (void)state;
    told it;
    make(&it);
    assert_string_equal(say_files(&it, false), "  data:    out/certificate.json\n");
    const char *figures = "  figures: out/fig-prediction.png, fig-tolerance.png, fig-band.png (and "
                          ".svg)\n";
    assert_int_equal(times_said(say_files(&it, true), figures), lab_has_gnuplot());
    it.of.found.tolerance.delays = it.of.found.band.frequencies = 0;
    assert_int_equal(times_said(say_files(&it, true), "out/fig-prediction.png (and"),
                     lab_has_gnuplot());
    it.of.found.learning.reason = "the plant is not linear";
    expect_unsaid(say_files(&it, true), "figures");
    told_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_heading_says_what_was_analysed),
        cmocka_unit_test(a_bank_that_does_nothing_is_a_caution),
        cmocka_unit_test(the_loop_has_its_margins),
        cmocka_unit_test(learning_has_its_figures),
        cmocka_unit_test(learning_may_have_none_of_them),
        cmocka_unit_test(bounds_of_the_rate_are_said_if_there_are_any),
        cmocka_unit_test(figures_may_not_be_decided),
        cmocka_unit_test(weights_may_converge_while_the_error_rises),
        cmocka_unit_test(what_cannot_be_analysed_has_a_reason),
        cmocka_unit_test(every_parameter_has_its_limits),
        cmocka_unit_test(forms_are_compared_in_rows),
        cmocka_unit_test(the_band_has_a_bound_and_settings),
        cmocka_unit_test(a_bound_may_be_missing),
        cmocka_unit_test(files_are_named),
    };
    return cmocka_run_group_tests_name("lab.analysis_text", tests, NULL, NULL);
}
