// SPDX-License-Identifier: Apache-2.0
// analysis_made_up: an analysis whose every figure is another number, for its writers.
#ifndef CFPC_TESTS_ANALYSIS_MADE_UP_H
#define CFPC_TESTS_ANALYSIS_MADE_UP_H

#include "analyse/analysis.h"
#include "lab/small_lab.h"

enum { MADE_UP_POLES = 2, MADE_UP_TRIALS = 3, MADE_UP_DELAYS = 3, MADE_UP_GAINS = 2 };

typedef struct analysis_made_up {
    lab_spec spec;
    double pole_re[MADE_UP_POLES], pole_im[MADE_UP_POLES];
    double curve[MADE_UP_TRIALS];
    int idle[1], redundant[2];
    lab_tolerated items[2];
    double delay_error_ms[MADE_UP_DELAYS], gain[MADE_UP_GAINS];
    lab_fate region[MADE_UP_GAINS * MADE_UP_DELAYS];
    double region_phase[MADE_UP_GAINS * MADE_UP_DELAYS];
    lab_form_analysis forms[LAB_FORMS_COMPARED];
    double hz[2], believed[2], radius[2], power[2];
    lab_analysis found;
} analysis_made_up;

static inline void make_up_loop(analysis_made_up *it)
{
    it->pole_re[0] = 0.5, it->pole_im[0] = 0.25;
    it->pole_re[1] = 1. / 3, it->pole_im[1] = -0.25;
    it->found.loop = (lab_loop_analysis){
        .stable = true,
        .pole_count = 5000000000,
        .poles = MADE_UP_POLES,
        .pole_re = it->pole_re,
        .pole_im = it->pole_im,
        .radius = 0.97,
        .margins =
            {.gain = 10, .gain_hz = 1.5, .phase_deg = 45.5, .phase_hz = 0.75, .delay_s = 0.0625},
        .bandwidth_hz = 2.25,
        .lag_ms = 88.5,
        .dead_time_steps = 51,
        .hears_loop = true,
        .radius_with_cell = 0.99,
    };
}

static inline void make_up_learning(analysis_made_up *it)
{
    static const double curve[MADE_UP_TRIALS] = {1, 0.3, 0.1};
    memcpy(it->curve, curve, sizeof curve);
    it->idle[0] = 4;
    it->redundant[0] = 0, it->redundant[1] = 2;
    it->found.learning = (lab_learning_analysis){
        .rate = 0.125,
        .certificate = {.verdict = CFPC_EVENTUAL,
                        .radius = 0.875,
                        .norm = 1.5,
                        .rate_max = 0.25,
                        .rate_max_monotone = 0.1875,
                        .growth = 12.5,
                        .growth_trial = 7,
                        .asymptote = 0.0625,
                        .verdict_decided = true,
                        .asymptote_decided = true},
        .optimum = 0.05,
        .trials = MADE_UP_TRIALS,
        .curve = it->curve,
        .peak = 1.25,
        .peak_trial = 2,
        .horizon = 400,
        .horizon_peak = 1.75,
        .horizon_peak_trial = 9,
        .trials_to_5pc = 33,
        .bases = 5,
        .rank = 4,
        .condition = 1234.5,
        .idle = it->idle,
        .idle_count = 1,
        .redundant = it->redundant,
        .redundant_count = 2,
        .batch_rate_max = 0.5,
        .online_rate_max = 0.375,
    };
}

static inline void make_up_tolerance(analysis_made_up *it)
{
    static const double delays[] = {-10, 0, 20}, gains[] = {0.5, 2};
    static const lab_fate region[] = {LAB_MONOTONE, LAB_EVENTUAL, LAB_DIVERGES,
                                      LAB_MONOTONE, LAB_UNSTABLE, LAB_UNSTABLE};
    static const double phase[] = {5, 91, 120.5, 0, NAN, NAN};
    memcpy(it->delay_error_ms, delays, sizeof delays);
    memcpy(it->gain, gains, sizeof gains);
    memcpy(it->region, region, sizeof region);
    memcpy(it->region_phase, phase, sizeof phase);
    it->items[0] = (lab_tolerated){.name = "loop.delay_ms",
                                   .unit = "ms",
                                   .believed = 20,
                                   .actual = 23,
                                   .low = 1,
                                   .high = 41,
                                   .low_decided = true,
                                   .high_decided = true,
                                   .phase_low = 2,
                                   .phase_high = 39,
                                   .searched_low = 0,
                                   .searched_high = 200};
    it->items[1] = (lab_tolerated){.name = "gain",
                                   .unit = "1",
                                   .believed = 1,
                                   .actual = 1.5,
                                   .low = NAN,
                                   .high = NAN,
                                   .high_decided = true,
                                   .phase_low = NAN,
                                   .phase_high = 3,
                                   .searched_low = 0.1,
                                   .searched_high = 10};
    it->found.tolerance = (lab_tolerance){.fate = LAB_EVENTUAL,
                                          .count = 2,
                                          .items = it->items,
                                          .phase_error_deg = 33.5,
                                          .phase_error_hz = 4.5,
                                          .delays = MADE_UP_DELAYS,
                                          .gains = MADE_UP_GAINS,
                                          .delay_error_ms = it->delay_error_ms,
                                          .gain = it->gain,
                                          .region = it->region,
                                          .region_phase = it->region_phase};
}

static inline void make_up_band(analysis_made_up *it)
{
    it->hz[0] = 1, it->hz[1] = 2;
    it->believed[0] = 1, it->believed[1] = 0.5;
    it->radius[0] = 0.25, it->radius[1] = 0.125;
    it->power[0] = 1, it->power[1] = 0.75;
    it->found.band = (lab_band_analysis){
        .is_given = true,
        .bound =
            {.directions = 4, .rate_max = 0.15625, .widest = 2.5, .low_hz = 1.75, .high_hz = 3.25},
        .variants = 3,
        .members = 16,
        .unsafe_hz = NAN,
        .excited_low_hz = 0.5,
        .excited_high_hz = 12.5,
        .excited_share = 0.96875,
        .worst = {.compared = 0.8125, .last = 0.4375, .model = 2},
        .worst_model = "heavy",
        .choice = {.found = true,
                   .tried = 120,
                   .trace = LAB_TRACE_WHITENED,
                   .whitening_rho = 0.03125,
                   .update = LAB_PLAIN,
                   .rate = 0.0234375,
                   .leak = 0.015625,
                   .worst = {.compared = 0.34375, .last = 0.21875, .falls = true},
                   .rate_max = 0.01171875,
                   .count = 2,
                   .line = {"rules.fm.trace=whitened", "rules.fm.rate=0.02344"}},
        .frequencies = 2,
        .hz = it->hz,
        .believed = it->believed,
        .radius = it->radius,
        .power = it->power};
}

static inline void make_up_forms(analysis_made_up *it)
{
    it->forms[LAB_BY_TRACES] = (lab_form_analysis){
        .is_used = true, .synapse_bytes = 216, .cell_bytes = 1024, .learning = it->found.learning};
    it->forms[LAB_BY_ADJOINT] =
        (lab_form_analysis){.lead = 3,
                            .horizon = 40,
                            .neglected = 0.0009765625,
                            .synapse_bytes = 8,
                            .cell_bytes = 2048,
                            .learning = {.rate = 0.03125,
                                         .certificate = {.verdict = CFPC_MONOTONE,
                                                         .rate_max = 0.75,
                                                         .asymptote = 0.0546875,
                                                         .verdict_decided = true,
                                                         .asymptote_decided = true},
                                         .trials_to_5pc = 11}};
    it->forms[LAB_BY_FILTER] = (lab_form_analysis){.reason = "a \"reason\""};
    it->found.forms = it->forms;
}

static inline void make_up_analysis(analysis_made_up *it)
{
    *it = (analysis_made_up){.found = {.spec = &it->spec, .teacher = LAB_TEACH_MEASURED_ERROR}};
    must_parse(&it->spec, SMALL_SPEC, SET_NOTHING);
    make_up_loop(it);
    make_up_learning(it);
    make_up_tolerance(it);
    make_up_forms(it);
    make_up_band(it);
    snprintf(it->found.advice.text, sizeof it->found.advice.text, "Set rate to 0.1.");
}

static inline void analysis_made_up_free(analysis_made_up *it)
{
    lab_spec_free(&it->spec);
}

#endif
