// SPDX-License-Identifier: Apache-2.0
// The measures of a rule, and of a rule in a phase.
#include "run/measure_rows.h"

#include <math.h>

#include "base/arrival.h"
#include "math/order.h"

// ---- of a rule -------------------------------------------------------------------------------

// Counted from 1; NAN beyond the last.
static double rrmse_at(const lab_record *record, int rule, int trial)
{
    return trial <= record->trials ? record->rule[rule].rrmse[trial - 1] : NAN;
}

// NAN where the signal is.
static double measures_of_rule_largest_of(const double *signal, int steps)
{
    double most = 0;
    for (int n = 0; n < steps && !isnan(most); n++)
        most = isnan(signal[n]) ? NAN : cfpci_max(most, fabs(signal[n]));
    return most;
}

static double rrmse_2(const lab_measured_at *at)
{
    return rrmse_at(at->record, at->rule, 2);
}

static double rrmse_7(const lab_measured_at *at)
{
    return rrmse_at(at->record, at->rule, 7);
}

static double rrmse_20(const lab_measured_at *at)
{
    return rrmse_at(at->record, at->rule, 20);
}

static double left_7(const lab_measured_at *at)
{
    const double optimum = at->record->rrmse_optimum;
    return (rrmse_7(at) - optimum) / (1 - optimum);
}

static double ratio_7(const lab_measured_at *at)
{
    return rrmse_7(at) / rrmse_at(at->record, 0, 7);
}

static double ratio_last(const lab_measured_at *at)
{
    const int last = at->record->trials;
    return rrmse_at(at->record, at->rule, last) / rrmse_at(at->record, 0, last);
}

static double guard_trial(const lab_measured_at *at)
{
    for (int p = 0; p < at->record->phases; p++)
        if (lab_measured_rule(at)->guard[p].acts > 0)
            return lab_measured_rule(at)->guard[p].act[0].trial;
    return NAN;
}

static double diverged_at_trial(const lab_measured_at *at)
{
    return lab_trial_of(lab_measured_rule(at)->diverged_at);
}

static double own_optimum(const lab_measured_at *at)
{
    return lab_measured_rule(at)->optimum[0];
}

// Trials of the first phase; 0 if the rule diverged in it.
static int first_trials(const lab_measured_at *at)
{
    const lab_record *record = at->record;
    const int diverged_at = lab_measured_rule(at)->diverged_at;
    if (diverged_at > 0 && record->phase[diverged_at - 1] == 0)
        return 0;
    int trials = 0;
    while (trials < record->trials && record->phase[trials] == 0)
        trials++;
    return trials;
}

static double trials_to_5pc(const lab_measured_at *at)
{
    const lab_rule_record *record = lab_measured_rule(at);
    return lab_trial_of(lab_trials_to_5pc(record->rrmse, first_trials(at), record->optimum[0]));
}

static double trials_to_own_5pc(const lab_measured_at *at)
{
    const lab_rule_record *record = lab_measured_rule(at);
    const int trials = first_trials(at);
    double lowest = INFINITY;
    for (int k = 0; k < trials; k++)
        lowest = cfpci_min(lowest, record->rrmse[k]);
    return lab_trial_of(lab_trials_to_5pc(record->rrmse, trials, lowest));
}

// The first trial, in which nothing is learned yet, has an rRMSE of 1, computed with an error of
// some 1e-15: what exceeds 1 by less than this does not exceed it.
#define ROUNDING 1e-9

static double first_above_1(const lab_measured_at *at)
{
    for (int k = at->first; k <= at->last; k++)
        if (!(lab_measured_rule(at)->rrmse[k] <= 1 + ROUNDING)) // a rule that diverged has none
            return k + 1;
    return NAN;
}

static double parameters(const lab_measured_at *at)
{
    return lab_measured_rule(at)->bases + lab_measured_rule(at)->predictors;
}

static bool has_prediction(const lab_measured_at *at)
{
    return at->spec->prediction.place.line > 0;
}

// Of the phase, or of the last one.
static double prediction_error(const lab_measured_at *at)
{
    return lab_measured_rule(at)->diverged_at > 0 || lab_measured_rule(at)->predictors == 0
               ? NAN
               : lab_measured_rule(at)->prediction_error[at->record->phase[at->last]];
}

static bool is_tuned(const lab_measured_at *at)
{
    return at->record->tuning != NULL;
}

static double tuned_constants(const lab_measured_at *at)
{
    return at->record->tuning[at->rule].constants;
}

static double tuned_rrmse(const lab_measured_at *at)
{
    const lab_tuning *tuning = lab_tuning_of(at->record, at->rule);
    return tuning ? tuning->error[tuning->best] : NAN;
}

static bool is_adjoint(const lab_measured_at *at)
{
    return lab_measured_rule(at)->filter.is_adjoint;
}

static double filter_horizon_ms(const lab_measured_at *at)
{
    return lab_measured_rule(at)->filter.horizon * at->record->step_s * 1e3;
}

static double filter_lead_ms(const lab_measured_at *at)
{
    return lab_measured_rule(at)->filter.lead * at->record->step_s * 1e3;
}

static double peak_error_first(const lab_measured_at *at)
{
    return measures_of_rule_largest_of(lab_measured_rule(at)->signals.e_first, at->record->steps);
}

static double peak_error_last(const lab_measured_at *at)
{
    return measures_of_rule_largest_of(lab_measured_rule(at)->signals.e_last, at->record->steps);
}

// ---- of a rule or a phase, by its first and last trial ---------------------------------------

static bool has_responses(const lab_measured_at *at)
{
    return lab_measured_rule(at)->responses.peak_ms != NULL;
}

static bool has_gain(const lab_measured_at *at)
{
    return lab_measured_rule(at)->gain != NULL;
}

static bool has_spikes(const lab_measured_at *at)
{
    return lab_measured_rule(at)->is_spiking;
}

static bool has_windows(const lab_measured_at *at)
{
    return lab_measured_rule(at)->worst_window != NULL;
}

static bool measures_of_rule_has_model(const lab_measured_at *at)
{
    return lab_measured_rule(at)->model.peak_ms != NULL;
}

static double spikes_clipped(const lab_measured_at *at)
{
    const lab_rule_record *rule = lab_measured_rule(at);
    return (double)rule->spikes_clipped / (double)rule->spike_steps;
}

// The largest of the trials from at->first to at->last; with `but_nan`, of those that have a value.
static double measures_of_rule_largest(const lab_measured_at *at, const double *values,
                                       bool but_nan)
{
    double most = NAN;
    for (int k = at->first; k <= at->last; k++) {
        if (isnan(values[k]) && !but_nan)
            return NAN;
        most = isnan(most) || values[k] > most ? values[k] : most;
    }
    return most;
}

static double rrmse_max(const lab_measured_at *at)
{
    const double most = measures_of_rule_largest(at, lab_measured_rule(at)->rrmse, false);
    return fabs(most - 1) <= ROUNDING ? 1 : most;
}

static double measures_of_rule_worst_window(const lab_measured_at *at)
{
    return measures_of_rule_largest(at, lab_measured_rule(at)->worst_window, false);
}

static double model_off_ms_max(const lab_measured_at *at)
{
    return measures_of_rule_largest(at, lab_measured_rule(at)->model.off_ms, true);
}

static double phase_ratio_last(const lab_measured_at *at)
{
    return lab_measured_rule(at)->rrmse[at->last] / at->record->rule[0].rrmse[at->last];
}

static double measures_of_rule_distance(const double *a, const double *b, int steps)
{
    double sum = 0;
    for (int n = 0; n < steps; n++)
        sum += (a[n] - b[n]) * (a[n] - b[n]);
    return sqrt(sum);
}

static bool has_answer(const lab_measured_at *at)
{
    return lab_against(at->spec, at->phase) >= 0;
}

static double answer(const lab_measured_at *at)
{
    const lab_phase_signals *a = &lab_measured_rule(at)->last[at->phase];
    const lab_phase_signals *b = &lab_measured_rule(at)->last[lab_against(at->spec, at->phase)];
    return measures_of_rule_distance(a->e, b->e, at->record->steps) /
           measures_of_rule_distance(a->e0, b->e0, at->record->steps);
}

// ---- the rows --------------------------------------------------------------------------------

const lab_measure_row lab_rule_measures[] = {
    {LAB_OF_RULE, "rrmse_2", LAB_VALUE(rrmse_2), lab_always, "rRMSE at trial 2"},
    {LAB_OF_RULE, "rrmse_7", LAB_VALUE(rrmse_7), lab_always, "rRMSE at trial 7"},
    {LAB_OF_RULE, "rrmse_20", LAB_VALUE(rrmse_20), lab_always, "rRMSE at trial 20"},
    {LAB_OF_RULE, "rrmse_last", LAB_LAST(lab_rule_record, rrmse), lab_always,
     "rRMSE at the last trial"},
    {LAB_OF_RULE, "left_7", LAB_VALUE(left_7), lab_always,
     "what is left to learn at trial 7, as a share of all there is to learn"},
    {LAB_OF_RULE, "ratio_7", LAB_VALUE(ratio_7), lab_always,
     "rRMSE at trial 7 over that of the first rule"},
    {LAB_OF_RULE, "ratio_last", LAB_VALUE(ratio_last), lab_always,
     "rRMSE at the last trial over that of the first rule"},
    {LAB_OF_RULE, "guard_trial", LAB_VALUE(guard_trial), lab_always,
     "the trial in which the guard first acted"},
    {LAB_OF_RULE, "diverged_at_trial", LAB_VALUE(diverged_at_trial), lab_always,
     "the trial in which the rule diverged"},
    {LAB_OF_RULE, "rrmse_optimum", LAB_VALUE(own_optimum), lab_always,
     "rRMSE of the rule's own least-squares optimum"},
    {LAB_OF_RULE, "trials_to_5pc", LAB_VALUE(trials_to_5pc), lab_always,
     "the first trial of the first phase whose rRMSE is within 5 % of the rule's optimum, or "
     "within 0.005 of it, whichever is larger; null without an optimum"},
    {LAB_OF_RULE, "trials_to_own_5pc", LAB_VALUE(trials_to_own_5pc), lab_always,
     "the same for the rule's own lowest rRMSE of the first phase instead of the optimum"},
    {LAB_OF_RULE, "rrmse_max", LAB_VALUE(rrmse_max), lab_always,
     "largest rRMSE of all trials; null if the rule diverged"},
    {LAB_OF_RULE, "first_above_1", LAB_VALUE(first_above_1), lab_always,
     "the first trial whose rRMSE exceeds 1, the loop without the cell; null if none does: to "
     "claim that, claim `high: 1` of `rrmse_max`"},
    {LAB_OF_RULE, "parameters", LAB_VALUE(parameters), lab_always,
     "the number of weights, those of a prediction included"},
    {LAB_OF_RULE, "prediction_error", LAB_VALUE(prediction_error), has_prediction,
     "error of the predicted disturbance in the last trial, relative to the disturbance (rms)"},
    {LAB_OF_RULE, "rate", LAB_FIELD(lab_rule_record, rate), lab_always, "η"},
    {LAB_OF_RULE, "tuned_constants", LAB_VALUE(tuned_constants), is_tuned,
     "how many constants of the rule were tuned; `rules.RULE.tuned.KEY` is the value found for "
     "each, by its key or path, with `rate_fraction` for one that was chosen from a list"},
    {LAB_OF_RULE, "tuned_rrmse", LAB_VALUE(tuned_rrmse), is_tuned,
     "the error that decided, of the values found: null if the rule was not tuned, or always "
     "diverged"},
    {LAB_OF_RULE, "filter_horizon_steps", LAB_FIELD(lab_rule_record, filter.horizon), is_adjoint,
     "horizon M of the teaching filter: how late an input is learned from"},
    {LAB_OF_RULE, "filter_horizon_ms", LAB_VALUE(filter_horizon_ms), is_adjoint,
     "the same as a time"},
    {LAB_OF_RULE, "filter_lead_steps", LAB_FIELD(lab_rule_record, filter.lead), is_adjoint,
     "lead L of the teaching filter: how far before an input it begins"},
    {LAB_OF_RULE, "filter_lead_ms", LAB_VALUE(filter_lead_ms), is_adjoint, "the same as a time"},
    {LAB_OF_RULE, "filter_neglected", LAB_FIELD(lab_rule_record, filter.neglected), is_adjoint,
     "fraction of the energy of the teaching filter that was cut off"},
    {LAB_OF_RULE, "peak_error_first", LAB_VALUE(peak_error_first), lab_always,
     "largest absolute error of the first trial"},
    {LAB_OF_RULE, "peak_error_last", LAB_VALUE(peak_error_last), lab_always,
     "largest absolute error of the last trial"},
    {LAB_OF_RULE, "onset_ms_last", LAB_LAST(lab_rule_record, responses.onset_ms), has_responses,
     "onset of the response in the last trial"},
    {LAB_OF_RULE, "peak_ms_last", LAB_LAST(lab_rule_record, responses.peak_ms), has_responses,
     "peak of the response in the last trial"},
    {LAB_OF_RULE, "amplitude_last", LAB_LAST(lab_rule_record, responses.amplitude), has_responses,
     "amplitude of the response in the last trial"},
    {LAB_OF_RULE, "worst_window", LAB_VALUE(measures_of_rule_worst_window), has_windows,
     "largest rms error in a window, over that of the loop without the cell in the same window"},
    {LAB_OF_RULE, "model_ready_s", LAB_FIELD(lab_rule_record, model.ready_s),
     measures_of_rule_has_model,
     "time of the run at which the learned model first predicted what teaches"},
    {LAB_OF_RULE, "model_peak_ms_last", LAB_LAST(lab_rule_record, model.peak_ms),
     measures_of_rule_has_model,
     "peak of the learned model at the end of the last trial; null: it does not predict"},
    {LAB_OF_RULE, "model_off_ms_max", LAB_VALUE(model_off_ms_max), measures_of_rule_has_model,
     "largest distance of that peak from the right one, whenever the model predicts"},
    {LAB_OF_RULE, "spikes_clipped", LAB_VALUE(spikes_clipped), has_spikes,
     "fraction of the steps in which the teacher's rate of spikes would have been below 0, and was "
     "clipped"},
    {LAB_OF_RULE, "gain_first", LAB_FIRST(lab_rule_record, gain), has_gain,
     "gain in the first trial"},
    {LAB_OF_RULE, "gain_last", LAB_LAST(lab_rule_record, gain), has_gain, "gain in the last trial"},
    {0}};

const lab_measure_row lab_phase_measures[] = {
    {LAB_OF_PHASE, "rrmse_first", LAB_FIRST(lab_rule_record, rrmse), lab_always,
     "rRMSE at the phase's first trial"},
    {LAB_OF_PHASE, "rrmse_last", LAB_LAST(lab_rule_record, rrmse), lab_always,
     "rRMSE at the phase's last trial"},
    {LAB_OF_PHASE, "rrmse_max", LAB_VALUE(rrmse_max), lab_always,
     "largest rRMSE of the phase's trials; null if the rule diverged"},
    {LAB_OF_PHASE, "ratio_last", LAB_VALUE(phase_ratio_last), lab_always,
     "rRMSE at the phase's last trial, divided by that of the first rule"},
    {LAB_OF_PHASE, "worst_window", LAB_VALUE(measures_of_rule_worst_window), has_windows,
     "largest rms error in a window of the phase, over that of the loop without the cell"},
    {LAB_OF_PHASE, "model_peak_ms_last", LAB_LAST(lab_rule_record, model.peak_ms),
     measures_of_rule_has_model,
     "peak of the learned model at the end of the phase; null: it does not predict"},
    {LAB_OF_PHASE, "model_off_ms_last", LAB_LAST(lab_rule_record, model.off_ms),
     measures_of_rule_has_model,
     "largest distance of that peak from the right one in the phase's last trial"},
    {LAB_OF_PHASE, "model_off_ms_max", LAB_VALUE(model_off_ms_max), measures_of_rule_has_model,
     "the same over all trials of the phase, whenever the model predicts"},
    {LAB_OF_PHASE, "prediction_error", LAB_VALUE(prediction_error), has_prediction,
     "error of the predicted disturbance in the phase's last trial, relative to it"},
    {LAB_OF_PHASE, "answer", LAB_VALUE(answer), has_answer,
     "distance between the errors in the last trials of this phase and of the phase `against`, "
     "divided by that distance without the cell; 1: the loop reacts to the change as much as "
     "without the cell"},
    {LAB_OF_PHASE, "gain_first", LAB_FIRST(lab_rule_record, gain), has_gain,
     "gain in the phase's first trial"},
    {LAB_OF_PHASE, "gain_last", LAB_LAST(lab_rule_record, gain), has_gain,
     "gain in the phase's last trial"},
    {LAB_OF_PHASE, "amplitude_first", LAB_FIRST(lab_rule_record, responses.amplitude),
     has_responses, "amplitude of the response in the phase's first trial"},
    {LAB_OF_PHASE, "amplitude_last", LAB_LAST(lab_rule_record, responses.amplitude), has_responses,
     "amplitude of the response in the phase's last trial"},
    {LAB_OF_PHASE, "peak_ms_last", LAB_LAST(lab_rule_record, responses.peak_ms), has_responses,
     "peak of the response in the phase's last trial"},
    {0}};
