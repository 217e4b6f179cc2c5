// SPDX-License-Identifier: Apache-2.0
// certificate_json: the JSON is JSON by the letter, and holds every figure of the analysis.
#include "write/certificate_json.h"

#include "analyse/analyse.h"
#include "lab/analysis_made_up.h"
#include "lab/strict_json.h"
#include "lab/written.h"

// The analysis as text, by the file it is written to; the caller frees it.
static char *text_of(const lab_analysis *analysis)
{
    written out;
    lab_why why;
    written_make(&out);
    must(lab_write_certificate(&out.folder, analysis, &why), &why);
    char *text = written_text(&out.folder, "certificate.json");
    written_free(&out);
    assert_non_null(text);
    return text;
}

static void every_figure_is_there(void **state)
{
    (void)state;
    analysis_made_up it;
    make_up_analysis(&it);
    char *text = text_of(&it.found);
    static const struct {
        const char *path;
        double value;
    } numbers[] = {
        {"loop.spectral_radius", 0.97},
        {"loop.gain_margin", 10},
        {"loop.gain_margin_db", 20},
        {"loop.gain_margin_hz", 1.5},
        {"loop.phase_margin_deg", 45.5},
        {"loop.phase_margin_hz", 0.75},
        {"loop.delay_margin_ms", 62.5},
        {"loop.bandwidth_hz", 2.25},
        {"loop.lag_ms", 88.5},
        {"loop.dead_time_steps", 51},
        {"loop.spectral_radius_with_weights", 0.99},
        {"loop.pole_count", 5e9},
        {"loop.poles.0.0", 0.5},
        {"loop.poles.0.1", 0.25},
        {"loop.poles.1.0", 1. / 3},
        {"loop.poles.1.1", -0.25},
        {"learning.rate", 0.125},
        {"learning.rate_max", 0.25},
        {"learning.rate_max_monotone", 0.1875},
        {"learning.spectral_radius", 0.875},
        {"learning.norm", 1.5},
        {"learning.transient_growth", 12.5},
        {"learning.transient_peak_trial", 7},
        {"learning.asymptote_rrmse", 0.0625},
        {"learning.optimum_rrmse", 0.05},
        {"learning.curve_peak", 1.25},
        {"learning.curve_peak_trial", 2},
        {"learning.horizon_trials", 400},
        {"learning.horizon_peak", 1.75},
        {"learning.horizon_peak_trial", 9},
        {"learning.trials_to_5pc", 33},
        {"learning.bases", 5},
        {"learning.rank", 4},
        {"learning.condition", 1234.5},
        {"learning.curve.0", 1},
        {"learning.curve.1", 0.3},
        {"learning.curve.2", 0.1},
        {"tolerance.phase_error_deg", 33.5},
        {"tolerance.phase_error_hz", 4.5},
        {"tolerance.parameters.0.believed", 20},
        {"tolerance.parameters.0.actual", 23},
        {"tolerance.parameters.0.low", 1},
        {"tolerance.parameters.0.high", 41},
        {"tolerance.parameters.0.phase_low", 2},
        {"tolerance.parameters.0.phase_high", 39},
        {"tolerance.parameters.0.searched_low", 0},
        {"tolerance.parameters.0.searched_high", 200},
        {"tolerance.parameters.1.low", NAN},
        {"online.rate_max", 0.375},
        {"online.batch_rate_max", 0.5},
        {"online.ratio", 0.75},
        {"forms.0.bytes_per_synapse", 216},
        {"forms.0.trials_to_5pc", 33},
        {"forms.1.horizon_steps", 40},
        {"forms.1.horizon_ms", 400},
        {"forms.1.lead_steps", 3},
        {"forms.1.lead_ms", 30},
        {"forms.1.neglected", 0.0009765625},
        {"forms.1.bytes_per_synapse", 8},
        {"forms.1.bytes_per_cell", 2048},
        {"forms.1.rate", 0.03125},
        {"forms.1.rate_max", 0.75},
        {"forms.1.asymptote_rrmse", 0.0546875},
        {"forms.1.trials_to_5pc", 11},
        {"forms.2.horizon_steps", NAN},
        {"forms.2.rate_max", NAN},
        {"band.sufficient.rate_max", 0.15625},
        {"band.sufficient.widest", 2.5},
        {"band.sufficient.low_hz", 1.75},
        {"band.sufficient.high_hz", 3.25},
        {"band.log_excites.low_hz", 0.5},
        {"band.log_excites.high_hz", 12.5},
        {"band.log_excites.bases_power_share", 0.96875},
        {"band.sampled.models", 20},
        {"band.sampled.variants", 3},
        {"band.sampled.edge", 16},
        {"band.sampled.rrmse_5", 0.8125},
        {"band.sampled.rrmse_last", 0.4375},
        {"band.settings_tried", 120},
        {"band.choice.whitening_rho", 0.03125},
        {"band.choice.rho", NAN},
        {"band.choice.rate", 0.0234375},
        {"band.choice.leak", 0.015625},
        {"band.choice.rrmse_5", 0.34375},
        {"band.choice.rrmse_last", 0.21875},
        {"band.choice.rate_max", 0.01171875},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        expect_json_number(text, numbers[i].path, numbers[i].value);
    static const char *const words[][2] = {
        {"name", "\"small\""},
        {"rule", "\"fm\""},
        {"mode", "\"batch\""},
        {"taught_by", "\"measured-error\""},
        {"advice", "\"Set rate to 0.1.\""},
        {"loop.stable", "true"},
        {"loop.hears_cell", "true"},
        {"loop.stable_with_weights", "true"},
        {"learning.verdict", "\"eventual\""},
        {"learning.reason", "null"},
        {"learning.asymptote_decided", "true"},
        {"learning.idle_bases", "[\"x_5\"]"},
        {"learning.redundant_bases", "[\"x_1\", \"x_3\"]"},
        {"tolerance.keeps", "\"eventual\""},
        {"tolerance.skipped", "false"},
        {"tolerance.parameters.0.name", "\"loop.delay_ms\""},
        {"tolerance.parameters.0.unit", "\"ms\""},
        {"tolerance.parameters.0.low_decided", "true"},
        {"tolerance.parameters.1.low_decided", "false"},
        {"tolerance.parameters.1.high_decided", "true"},
        {"forms.0.form", "\"traces\""},
        {"forms.0.used", "true"},
        {"forms.0.verdict", "\"eventual\""},
        {"forms.1.form", "\"adjoint\""},
        {"forms.1.used", "false"},
        {"forms.1.possible", "true"},
        {"forms.1.reason", "null"},
        {"forms.1.verdict", "\"monotone\""},
        {"forms.2.form", "\"whitened\""},
        {"forms.2.possible", "false"},
        {"forms.2.reason", "\"a \\\"reason\\\"\""},
        {"forms.2.verdict", "null"},
        {"band.reason", "null"},
        {"band.sufficient.certified", "true"},
        {"band.sufficient.reason", "null"},
        {"band.sufficient.of", "\"weights\""},
        {"band.sampled.worst_model", "\"heavy\""},
        {"band.sampled.falls", "false"},
        {"band.choice.trace", "\"whitened\""},
        {"band.choice.update", "\"plain\""},
        {"band.choice.falls", "true"},
        {"band.choice.certified", "false"},
        {"band.choice.set", "[\"rules.fm.trace=whitened\", \"rules.fm.rate=0.02344\"]"},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        expect_json(text, words[i][0], words[i][1]);
    free(text);
    analysis_made_up_free(&it);
}

// Of what is not known nothing is said: null, never a number, never nan.
static void what_is_not_known_is_null(void **state)
{
    (void)state;
    analysis_made_up it;
    make_up_analysis(&it);
    it.found.learning.reason = "a \"quoted\"\treason\\";
    it.found.loop.stable = it.found.loop.hears_loop = false;
    it.found.loop.radius_with_cell = NAN;
    it.found.loop.margins = (cfpc_margins){INFINITY, NAN, INFINITY, NAN, INFINITY, NAN, NAN};
    it.found.loop.poles = 0;
    it.found.tolerance.count = 0;
    it.found.tolerance.is_skipped = true;
    it.found.learning.idle_count = 0;
    it.found.learning.online_rate_max = NAN;
    char *text = text_of(&it.found);
    static const char *const words[][2] = {
        {"loop.stable", "false"},
        {"loop.hears_cell", "false"},
        {"loop.stable_with_weights", "null"},
        {"loop.gain_margin", "null"},
        {"loop.gain_margin_db", "null"},
        {"loop.delay_margin_ms", "null"},
        {"loop.poles", "[]"},
        {"learning.verdict", "\"not-applicable\""},
        {"learning.reason", "\"a \\\"quoted\\\"\\u0009reason\\\\\""},
        {"learning.rate", "0.125"},
        {"learning.rate_max", "null"},
        {"learning.norm", "null"},
        {"learning.transient_peak_trial", "null"},
        {"learning.asymptote_decided", "null"},
        {"learning.curve_peak_trial", "null"},
        {"learning.horizon_peak", "null"},
        {"learning.trials_to_5pc", "null"},
        {"learning.idle_bases", "[]"},
        {"learning.curve", "[]"},
        {"tolerance.keeps", "null"},
        {"tolerance.skipped", "true"},
        {"tolerance.phase_error_deg", "null"},
        {"tolerance.parameters", "[]"},
        {"online.ratio", "null"},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        expect_json(text, words[i][0], words[i][1]);
    free(text);
    analysis_made_up_free(&it);
}

static void what_diverges_has_no_end_and_no_tolerance(void **state)
{
    (void)state;
    analysis_made_up it;
    make_up_analysis(&it);
    cfpc_certificate *c = &it.found.learning.certificate;
    *c = (cfpc_certificate){.verdict = CFPC_DIVERGES,
                            .radius = 1.5,
                            .norm = 2,
                            .growth = INFINITY,
                            .growth_trial = -1,
                            .asymptote = 0.5,
                            .verdict_decided = true};
    it.found.tolerance.fate = LAB_DIVERGES;
    it.found.loop.radius_with_cell = 1.25;
    it.curve[2] = INFINITY;
    it.spec.learning.mode = LAB_ONLINE;
    char *text = text_of(&it.found);
    expect_json(text, "mode", "\"online\"");
    expect_json(text, "loop.stable_with_weights", "false");
    expect_json(text, "learning.verdict", "\"diverges\"");
    expect_json(text, "learning.transient_growth", "null");
    expect_json(text, "learning.transient_peak_trial", "null");
    expect_json(text, "learning.asymptote_rrmse", "null"); // not decided
    expect_json(text, "learning.asymptote_decided", "false");
    expect_json(text, "learning.curve", "[1, 0.3, null]");
    expect_json(text, "tolerance.keeps", "null");
    free(text);
    analysis_made_up_free(&it);
}

// A spec's own figures, from the analysis to the text.
static void an_analysis_is_written_as_it_is(void **state)
{
    (void)state;
    static const lab_analyse_options options = {0};
    lab_plan plan;
    lab_spec spec;
    lab_analysis found;
    lab_why why;
    must_plan(&plan, &spec, SMALL_SPEC, SET_NOTHING);
    must(lab_analyse(&found, &plan, &options, &why), &why);
    char *text = text_of(&found);
    expect_json_number(text, "learning.rate", found.learning.rate);
    expect_json_number(text, "learning.rate_max", found.learning.certificate.rate_max);
    expect_json_number(text, "learning.curve.3", found.learning.curve[3]);
    expect_json_number(text, "loop.poles.0.0", found.loop.pole_re[0]);
    expect_json_number(text, "tolerance.parameters.0.high", found.tolerance.items[0].high);
    free(text);
    lab_analysis_free(&found);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
}

static void what_is_not_known_of_a_band_is_null(void **state)
{
    (void)state;
    analysis_made_up it;
    make_up_analysis(&it);
    it.found.band.no_bound = "momentum is used";
    it.found.band.excited_share = NAN;
    it.found.band.choice.found = false;
    char *text = text_of(&it.found);
    expect_json_number(text, "band.sufficient.rate_max", NAN);
    expect_json(text, "band.sufficient.certified", "false");
    expect_json(text, "band.sufficient.reason", "\"momentum is used\"");
    expect_json(text, "band.log_excites", "null");
    expect_json(text, "band.choice", "null");
    free(text);
    it.found.band.reason = "there is noise";
    text = text_of(&it.found);
    expect_json(text, "band.reason", "\"there is noise\"");
    free(text);
    it.found.band.is_given = false;
    text = text_of(&it.found);
    expect_json(text, "band", "null");
    free(text);
    analysis_made_up_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_known_of_a_band_is_null),
        cmocka_unit_test(every_figure_is_there),
        cmocka_unit_test(what_is_not_known_is_null),
        cmocka_unit_test(what_diverges_has_no_end_and_no_tolerance),
        cmocka_unit_test(an_analysis_is_written_as_it_is),
    };
    return cmocka_run_group_tests_name("lab.certificate_json", tests, NULL, NULL);
}
