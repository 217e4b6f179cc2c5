// SPDX-License-Identifier: Apache-2.0
#include "run/measure_rows.h"

#include <math.h>

#include "base/arrival.h"

// ---- what the reference does -----------------------------------------------------------------

// The first movement of r: it begins to move after step `onset`, stands still from step `stop`
// on, and moves again after step `again` (or never: the trial's last).
typedef struct movement {
    bool found;
    int onset, stop, again;
    double from, by; // value before, and how far it moves
} movement;

static int next_change(const double *r, int steps, int from)
{
    int n = from;
    while (n + 1 < steps && r[n + 1] == r[n])
        n++;
    return n;
}

static int next_rest(const double *r, int steps, int from)
{
    int n = from;
    while (n + 1 < steps && r[n + 1] != r[n])
        n++;
    return n;
}

static movement first_movement(const double *r, int steps)
{
    movement m = {.onset = next_change(r, steps, 0)};
    m.stop = next_rest(r, steps, m.onset);
    m.again = next_change(r, steps, m.stop);
    m.found = m.onset < m.stop && m.stop < steps - 1;
    m.from = r[m.onset];
    m.by = r[m.stop] - m.from;
    return m;
}

// Time in steps, interpolated, at which the signal first crosses a level after `from`.
static double crossing(const double *signal, int steps, int from, double level, bool rising)
{
    for (int n = from; n + 1 < steps; n++) {
        const double a = signal[n], b = signal[n + 1];
        if (rising ? a <= level && b > level : a >= level && b < level)
            return n + (level - a) / (b - a);
    }
    return NAN;
}

// ---- of the run ------------------------------------------------------------------------------

static double lambda_max(const lab_measured_at *at)
{
    return at->record->lambda_max;
}

static double learning_rate(const lab_measured_at *at)
{
    return at->record->rule[at->record->main_rule].rate;
}

static double rrmse_optimum(const lab_measured_at *at)
{
    return at->record->rrmse_optimum;
}

static double impulse_peak_ms(const lab_measured_at *at)
{
    const double *response = at->record->signals.response;
    int peak = 0;
    for (int n = 1; n < at->record->steps; n++)
        if (fabs(response[n]) > fabs(response[peak]))
            peak = n;
    return peak * at->record->step_s * 1e3;
}

static double lag_ms(const lab_measured_at *at)
{
    const lab_record *record = at->record;
    const movement m = first_movement(record->signals.r_first, record->steps);
    if (!m.found)
        return NAN;
    const double level = m.from + 0.8 * m.by;
    const double r = crossing(record->signals.r_first, record->steps, m.onset, level, m.by > 0);
    const double y = crossing(record->signals.y_first, record->steps, m.onset, level, m.by > 0);
    return (y - r) * record->step_s * 1e3;
}

static double settling_ms(const lab_measured_at *at)
{
    const lab_record *record = at->record;
    const movement m = first_movement(record->signals.r_first, record->steps);
    if (!m.found)
        return NAN;
    int last = m.stop;
    for (int n = m.stop; n <= m.again; n++)
        if (fabs(record->signals.e_first[n]) > 0.04 * fabs(m.by))
            last = n;
    return (last - m.stop) * record->step_s * 1e3;
}

static double lead_ms(const lab_measured_at *at)
{
    const lab_record *record = at->record;
    const movement m = first_movement(record->signals.r_last, record->steps);
    double largest = 0;
    for (int n = 0; n < record->steps; n++)
        largest = fmax(largest, fabs(record->signals.o_last[n]));
    if (!m.found || !(largest > 0) || !isfinite(largest))
        return NAN;
    int n = 0;
    while (fabs(record->signals.o_last[n]) <= 0.1 * largest)
        n++;
    return (m.onset - n) * record->step_s * 1e3;
}

// From its largest magnitude while r first moves, at step `peak`, to where it has lost 10 % of it.
static double lead_offset_ms(const lab_measured_at *at)
{
    const lab_record *record = at->record;
    const double *o = record->signals.o_last;
    const movement m = first_movement(record->signals.r_last, record->steps);
    if (!m.found)
        return NAN;
    int peak = m.onset;
    for (int n = m.onset; n <= m.stop; n++)
        if (fabs(o[n]) > fabs(o[peak]))
            peak = n;
    if (!(fabs(o[peak]) > 0) || !isfinite(o[peak]))
        return NAN;
    for (int n = peak; n < record->steps; n++)
        if (o[n] / o[peak] < 0.9)
            return (m.stop - n) * record->step_s * 1e3;
    return NAN;
}

static double best_delay_ms(const lab_measured_at *at)
{
    const lab_record *record = at->record;
    if (record->scan_count == 0)
        return NAN;
    int best = 0;
    for (int i = 1; i < record->scan_count; i++)
        if (record->scan_rrmse[i] < record->scan_rrmse[best] || isnan(record->scan_rrmse[best]))
            best = i;
    return isnan(record->scan_rrmse[best]) ? NAN : record->scan_delay_ms[best];
}

static double best_delay_excess_ms(const lab_measured_at *at)
{
    const lab_loop_spec *loop = &at->spec->loop;
    return best_delay_ms(at) -
           (loop->delay_ms + loop->command_delay_ms + loop->measurement_delay_ms);
}

// ---- of a rule -------------------------------------------------------------------------------

static const lab_rule_record *rule_of(const lab_measured_at *at)
{
    return &at->record->rule[at->rule];
}

// Counted from 1; NAN beyond the last.
static double rrmse_at(const lab_record *record, int rule, int trial)
{
    return trial <= record->trials ? record->rule[rule].rrmse[trial - 1] : NAN;
}

// A trial as a number: NAN for none.
static double trial_of(int trial)
{
    return trial > 0 ? trial : NAN;
}

// NAN where the signal is.
static double largest_of(const double *signal, int steps)
{
    double most = 0;
    for (int n = 0; n < steps && !isnan(most); n++)
        most = isnan(signal[n]) ? NAN : fmax(most, fabs(signal[n]));
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
        if (rule_of(at)->guard[p].acts > 0)
            return rule_of(at)->guard[p].trial;
    return NAN;
}

static double diverged_at_trial(const lab_measured_at *at)
{
    return trial_of(rule_of(at)->diverged_at);
}

static double own_optimum(const lab_measured_at *at)
{
    return rule_of(at)->optimum[0];
}

// Trials of the first phase; 0 if the rule diverged in it.
static int first_trials(const lab_measured_at *at)
{
    const lab_record *record = at->record;
    const int diverged_at = rule_of(at)->diverged_at;
    if (diverged_at > 0 && record->phase[diverged_at - 1] == 0)
        return 0;
    int trials = 0;
    while (trials < record->trials && record->phase[trials] == 0)
        trials++;
    return trials;
}

static double trials_to_5pc(const lab_measured_at *at)
{
    const lab_rule_record *of = rule_of(at);
    return trial_of(lab_trials_to_5pc(of->rrmse, first_trials(at), of->optimum[0]));
}

static double trials_to_own_5pc(const lab_measured_at *at)
{
    const lab_rule_record *of = rule_of(at);
    const int trials = first_trials(at);
    double lowest = INFINITY;
    for (int k = 0; k < trials; k++)
        lowest = fmin(lowest, of->rrmse[k]);
    return trial_of(lab_trials_to_5pc(of->rrmse, trials, lowest));
}

// The first trial, in which nothing is learned yet, has an rRMSE of 1, computed with an error of
// some 1e-15: what exceeds 1 by less than this does not exceed it.
#define ROUNDING 1e-9

static double first_above_1(const lab_measured_at *at)
{
    for (int k = at->first; k <= at->last; k++)
        if (!(rule_of(at)->rrmse[k] <= 1 + ROUNDING)) // a rule that diverged has none
            return k + 1;
    return NAN;
}

static double parameters(const lab_measured_at *at)
{
    return rule_of(at)->bases + rule_of(at)->predictors;
}

static bool has_prediction(const lab_measured_at *at)
{
    return at->spec->prediction.place.line > 0;
}

// Of the phase, or of the last one.
static double prediction_error(const lab_measured_at *at)
{
    return rule_of(at)->diverged_at > 0 || rule_of(at)->predictors == 0
               ? NAN
               : rule_of(at)->prediction_error[at->record->phase[at->last]];
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

static double rate(const lab_measured_at *at)
{
    return rule_of(at)->rate;
}

static bool is_adjoint(const lab_measured_at *at)
{
    return rule_of(at)->filter.is_adjoint;
}

static double filter_horizon_steps(const lab_measured_at *at)
{
    return rule_of(at)->filter.horizon;
}

static double filter_horizon_ms(const lab_measured_at *at)
{
    return rule_of(at)->filter.horizon * at->record->step_s * 1e3;
}

static double filter_lead_steps(const lab_measured_at *at)
{
    return rule_of(at)->filter.lead;
}

static double filter_lead_ms(const lab_measured_at *at)
{
    return rule_of(at)->filter.lead * at->record->step_s * 1e3;
}

static double filter_neglected(const lab_measured_at *at)
{
    return rule_of(at)->filter.neglected;
}

static double peak_error_first(const lab_measured_at *at)
{
    return largest_of(rule_of(at)->signals.e_first, at->record->steps);
}

static double peak_error_last(const lab_measured_at *at)
{
    return largest_of(rule_of(at)->signals.e_last, at->record->steps);
}

// ---- of a rule or a phase, by its first and last trial ---------------------------------------

static bool has_responses(const lab_measured_at *at)
{
    return rule_of(at)->responses.peak_ms != NULL;
}

static bool has_gain(const lab_measured_at *at)
{
    return rule_of(at)->gain != NULL;
}

static bool has_spikes(const lab_measured_at *at)
{
    return rule_of(at)->is_spiking;
}

static bool has_windows(const lab_measured_at *at)
{
    return rule_of(at)->worst_window != NULL;
}

static bool has_model(const lab_measured_at *at)
{
    return rule_of(at)->model.peak_ms != NULL;
}

static double spikes_clipped(const lab_measured_at *at)
{
    const lab_rule_record *rule = rule_of(at);
    return (double)rule->spikes_clipped / (double)rule->spike_steps;
}

// The largest of the trials from at->first to at->last; with `but_nan`, of those that have a value.
static double largest(const lab_measured_at *at, const double *values, bool but_nan)
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
    const double most = largest(at, rule_of(at)->rrmse, false);
    return fabs(most - 1) <= ROUNDING ? 1 : most;
}

static double worst_window(const lab_measured_at *at)
{
    return largest(at, rule_of(at)->worst_window, false);
}

static double model_peak_ms_last(const lab_measured_at *at)
{
    return rule_of(at)->model.peak_ms[at->last];
}

static double model_off_ms_last(const lab_measured_at *at)
{
    return rule_of(at)->model.off_ms[at->last];
}

static double model_off_ms_max(const lab_measured_at *at)
{
    return largest(at, rule_of(at)->model.off_ms, true);
}

static double model_ready_s(const lab_measured_at *at)
{
    return rule_of(at)->model.ready_s;
}

static double phase_ratio_last(const lab_measured_at *at)
{
    return rule_of(at)->rrmse[at->last] / at->record->rule[0].rrmse[at->last];
}

static double rrmse_first(const lab_measured_at *at)
{
    return rule_of(at)->rrmse[at->first];
}

static double rrmse_last(const lab_measured_at *at)
{
    return rule_of(at)->rrmse[at->last];
}

static double onset_ms_last(const lab_measured_at *at)
{
    return rule_of(at)->responses.onset_ms[at->last];
}

static double peak_ms_last(const lab_measured_at *at)
{
    return rule_of(at)->responses.peak_ms[at->last];
}

static double amplitude_first(const lab_measured_at *at)
{
    return rule_of(at)->responses.amplitude[at->first];
}

static double amplitude_last(const lab_measured_at *at)
{
    return rule_of(at)->responses.amplitude[at->last];
}

static double gain_first(const lab_measured_at *at)
{
    return rule_of(at)->gain[at->first];
}

static double gain_last(const lab_measured_at *at)
{
    return rule_of(at)->gain[at->last];
}

static double distance(const double *a, const double *b, int steps)
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
    const lab_phase_signals *a = &rule_of(at)->last[at->phase];
    const lab_phase_signals *b = &rule_of(at)->last[lab_against(at->spec, at->phase)];
    return distance(a->e, b->e, at->record->steps) / distance(a->e0, b->e0, at->record->steps);
}

// ---- of a rule's kernel ----------------------------------------------------------------------

static bool has_kernel(const lab_measured_at *at)
{
    return rule_of(at)->kernel != NULL;
}

static int kernel_peak(const lab_measured_at *at)
{
    const double *kernel = rule_of(at)->kernel;
    int peak = 0;
    for (int n = 1; n < at->record->steps; n++)
        peak = kernel[n] > kernel[peak] ? n : peak;
    return peak;
}

static int kernel_trough(const lab_measured_at *at)
{
    const double *kernel = rule_of(at)->kernel;
    int trough = 0;
    for (int n = 1; n < at->record->steps; n++)
        trough = kernel[n] < kernel[trough] ? n : trough;
    return trough;
}

// How long after the pulse it is; null if there is no kernel.
static double after_ms(const lab_measured_at *at, double steps)
{
    return rule_of(at)->kernel[kernel_peak(at)] > 0 ? steps * at->record->step_s * 1e3 : NAN;
}

static double kernel_peak_ms(const lab_measured_at *at)
{
    return after_ms(at, kernel_peak(at));
}

// The first step before the peak, or the last after it, up to which half of the peak is reached.
static double half_of_peak(const lab_measured_at *at, int direction)
{
    const double *kernel = rule_of(at)->kernel;
    const int peak = kernel_peak(at);
    int n = peak;
    while (n + direction >= 0 && n + direction < at->record->steps &&
           kernel[n + direction] >= kernel[peak] / 2)
        n += direction;
    return after_ms(at, n);
}

static double kernel_half_from_ms(const lab_measured_at *at)
{
    return half_of_peak(at, -1);
}

static double kernel_half_to_ms(const lab_measured_at *at)
{
    return half_of_peak(at, 1);
}

static double kernel_lobe(const lab_measured_at *at)
{
    const double *kernel = rule_of(at)->kernel, peak = kernel[kernel_peak(at)];
    return peak > 0 ? fmax(0, -kernel[kernel_trough(at)] / peak) : NAN;
}

static double kernel_lobe_ms(const lab_measured_at *at)
{
    return rule_of(at)->kernel[kernel_trough(at)] < 0 ? after_ms(at, kernel_trough(at)) : NAN;
}

// ---- of a size -------------------------------------------------------------------------------

static const lab_scale_point *size_of(const lab_measured_at *at)
{
    return &at->record->scale[at->size];
}

static double size_rrmse_last(const lab_measured_at *at)
{
    return size_of(at)->rrmse[at->record->scale_trials - 1];
}

static double size_diverged_at_trial(const lab_measured_at *at)
{
    return trial_of(size_of(at)->diverged_at);
}

static double size_rate(const lab_measured_at *at)
{
    return size_of(at)->rate;
}

static double rate_x_synapses(const lab_measured_at *at)
{
    return size_of(at)->rate * size_of(at)->synapses;
}

static double bytes_per_synapse(const lab_measured_at *at)
{
    return size_of(at)->bytes / size_of(at)->synapses;
}

// ---- of a group of the population ------------------------------------------------------------

static double group_arrived(const lab_measured_at *at)
{
    return at->group.arrived;
}

static double group_trials(const lab_measured_at *at)
{
    return at->group.trials;
}

static double group_faster(const lab_measured_at *at)
{
    return at->group.faster;
}

static double group_slower(const lab_measured_at *at)
{
    return at->group.slower;
}

static double group_worse(const lab_measured_at *at)
{
    return at->group.worse;
}

static double group_ratio(const lab_measured_at *at)
{
    return at->group.ratio;
}

static double group_diverges(const lab_measured_at *at)
{
    return at->group.diverges;
}

static double group_wrong_worse(const lab_measured_at *at)
{
    return at->group.wrong_worse;
}

static double group_wrong_ratio(const lab_measured_at *at)
{
    return at->group.wrong_ratio;
}

static bool always(const lab_measured_at *at)
{
    (void)at;
    return true;
}

// ---- the rows --------------------------------------------------------------------------------

const lab_measure_row lab_measure_rows[] = {
    {LAB_OF_RUN, "lambda_max", lambda_max, always,
     "λmax(HᵀH) of the first phase, H as the cell believes"},
    {LAB_OF_RUN, "learning_rate", learning_rate, always, "η of the main rule"},
    {LAB_OF_RUN, "rrmse_optimum", rrmse_optimum, always,
     "rRMSE of the least-squares optimum of the first phase"},
    {LAB_OF_RUN, "impulse_peak_ms", impulse_peak_ms, always,
     "when the response of y to a pulse in o peaks"},
    {LAB_OF_RUN, "lag_ms", lag_ms, always,
     "how much later than r the output y crosses 80 % of the first movement, without the cell"},
    {LAB_OF_RUN, "settling_ms", settling_ms, always,
     "from the first stop of r to the last error above 4 % of the movement, without the cell"},
    {LAB_OF_RUN, "lead_ms", lead_ms, always,
     "how long before r first moves o exceeds 10 % of its maximum, in the last trial"},
    {LAB_OF_RUN, "lead_offset_ms", lead_offset_ms, always,
     "how long before r first stops o has lost 10 % of its maximum of that movement, in the last "
     "trial"},
    {LAB_OF_RUN, "best_delay_ms", best_delay_ms, always,
     "the delay of `delay_scan` with the lowest rRMSE"},
    {LAB_OF_RUN, "best_delay_excess_ms", best_delay_excess_ms, always,
     "the same, minus the delays of the loop"},

    {LAB_OF_RULE, "rrmse_2", rrmse_2, always, "rRMSE at trial 2"},
    {LAB_OF_RULE, "rrmse_7", rrmse_7, always, "rRMSE at trial 7"},
    {LAB_OF_RULE, "rrmse_20", rrmse_20, always, "rRMSE at trial 20"},
    {LAB_OF_RULE, "rrmse_last", rrmse_last, always, "rRMSE at the last trial"},
    {LAB_OF_RULE, "left_7", left_7, always,
     "what is left to learn at trial 7, as a share of all there is to learn"},
    {LAB_OF_RULE, "ratio_7", ratio_7, always, "rRMSE at trial 7 over that of the first rule"},
    {LAB_OF_RULE, "ratio_last", ratio_last, always,
     "rRMSE at the last trial over that of the first rule"},
    {LAB_OF_RULE, "guard_trial", guard_trial, always, "the trial in which the guard first acted"},
    {LAB_OF_RULE, "diverged_at_trial", diverged_at_trial, always,
     "the trial in which the rule diverged"},
    {LAB_OF_RULE, "rrmse_optimum", own_optimum, always,
     "rRMSE of the rule's own least-squares optimum"},
    {LAB_OF_RULE, "trials_to_5pc", trials_to_5pc, always,
     "the first trial of the first phase whose rRMSE is within 5 % of the rule's optimum, or "
     "within 0.005 of it, whichever is larger; null without an optimum"},
    {LAB_OF_RULE, "trials_to_own_5pc", trials_to_own_5pc, always,
     "the same for the rule's own lowest rRMSE of the first phase instead of the optimum"},
    {LAB_OF_RULE, "rrmse_max", rrmse_max, always,
     "largest rRMSE of all trials; null if the rule diverged"},
    {LAB_OF_RULE, "first_above_1", first_above_1, always,
     "the first trial whose rRMSE exceeds 1, the loop without the cell; null if none does: to "
     "claim that, claim `high: 1` of `rrmse_max`"},
    {LAB_OF_RULE, "parameters", parameters, always,
     "the number of weights, those of a prediction included"},
    {LAB_OF_RULE, "prediction_error", prediction_error, has_prediction,
     "error of the predicted disturbance in the last trial, relative to the disturbance (rms)"},
    {LAB_OF_RULE, "rate", rate, always, "η"},
    {LAB_OF_RULE, "tuned_constants", tuned_constants, is_tuned,
     "how many constants of the rule were tuned; `rules.RULE.tuned.KEY` is the value found for "
     "each, by its key or path, with `rates` for a rate that was chosen from a list"},
    {LAB_OF_RULE, "tuned_rrmse", tuned_rrmse, is_tuned,
     "the error that decided, of the values found: null if the rule was not tuned, or always "
     "diverged"},
    {LAB_OF_RULE, "kernel_peak_ms", kernel_peak_ms, has_kernel,
     "how long after a pulse at a synapse its trace is largest"},
    {LAB_OF_RULE, "kernel_half_from_ms", kernel_half_from_ms, has_kernel,
     "from when on it is at least half of that"},
    {LAB_OF_RULE, "kernel_half_to_ms", kernel_half_to_ms, has_kernel,
     "until when it is at least half of that"},
    {LAB_OF_RULE, "kernel_lobe", kernel_lobe, has_kernel,
     "how far below 0 the trace goes, as a fraction of its peak"},
    {LAB_OF_RULE, "kernel_lobe_ms", kernel_lobe_ms, has_kernel,
     "when it is lowest; null if never "
     "below 0"},
    {LAB_OF_RULE, "filter_horizon_steps", filter_horizon_steps, is_adjoint,
     "horizon M of the teaching filter: how late an input is learned from"},
    {LAB_OF_RULE, "filter_horizon_ms", filter_horizon_ms, is_adjoint, "the same as a time"},
    {LAB_OF_RULE, "filter_lead_steps", filter_lead_steps, is_adjoint,
     "lead L of the teaching filter: how far before an input it begins"},
    {LAB_OF_RULE, "filter_lead_ms", filter_lead_ms, is_adjoint, "the same as a time"},
    {LAB_OF_RULE, "filter_neglected", filter_neglected, is_adjoint,
     "fraction of the energy of the teaching filter that was cut off"},
    {LAB_OF_RULE, "peak_error_first", peak_error_first, always,
     "largest absolute error of the first trial"},
    {LAB_OF_RULE, "peak_error_last", peak_error_last, always,
     "largest absolute error of the last trial"},
    {LAB_OF_RULE, "onset_ms_last", onset_ms_last, has_responses,
     "onset of the response in the last trial"},
    {LAB_OF_RULE, "peak_ms_last", peak_ms_last, has_responses,
     "peak of the response in the last trial"},
    {LAB_OF_RULE, "amplitude_last", amplitude_last, has_responses,
     "amplitude of the response in the last trial"},
    {LAB_OF_RULE, "worst_window", worst_window, has_windows,
     "largest rms error in a window, over that of the loop without the cell in the same window"},
    {LAB_OF_RULE, "model_ready_s", model_ready_s, has_model,
     "time of the run at which the learned model first predicted what teaches"},
    {LAB_OF_RULE, "model_peak_ms_last", model_peak_ms_last, has_model,
     "peak of the learned model at the end of the last trial; null: it does not predict"},
    {LAB_OF_RULE, "model_off_ms_max", model_off_ms_max, has_model,
     "largest distance of that peak from the right one, whenever the model predicts"},
    {LAB_OF_RULE, "spikes_clipped", spikes_clipped, has_spikes,
     "fraction of the steps in which the teacher's rate of spikes would have been below 0, and was "
     "clipped"},
    {LAB_OF_RULE, "gain_first", gain_first, has_gain, "gain in the first trial"},
    {LAB_OF_RULE, "gain_last", gain_last, has_gain, "gain in the last trial"},

    {LAB_OF_PHASE, "rrmse_first", rrmse_first, always, "rRMSE at the phase's first trial"},
    {LAB_OF_PHASE, "rrmse_last", rrmse_last, always, "rRMSE at the phase's last trial"},
    {LAB_OF_PHASE, "rrmse_max", rrmse_max, always,
     "largest rRMSE of the phase's trials; null if the rule diverged"},
    {LAB_OF_PHASE, "ratio_last", phase_ratio_last, always,
     "rRMSE at the phase's last trial, divided by that of the first rule"},
    {LAB_OF_PHASE, "worst_window", worst_window, has_windows,
     "largest rms error in a window of the phase, over that of the loop without the cell"},
    {LAB_OF_PHASE, "model_peak_ms_last", model_peak_ms_last, has_model,
     "peak of the learned model at the end of the phase; null: it does not predict"},
    {LAB_OF_PHASE, "model_off_ms_last", model_off_ms_last, has_model,
     "largest distance of that peak from the right one in the phase's last trial"},
    {LAB_OF_PHASE, "model_off_ms_max", model_off_ms_max, has_model,
     "the same over all trials of the phase, whenever the model predicts"},
    {LAB_OF_PHASE, "prediction_error", prediction_error, has_prediction,
     "error of the predicted disturbance in the phase's last trial, relative to it"},
    {LAB_OF_PHASE, "answer", answer, has_answer,
     "distance between the errors in the last trials of this phase and of the phase `against`, "
     "divided by that distance without the cell; 1: the loop reacts to the change as much as "
     "without the cell"},
    {LAB_OF_PHASE, "gain_first", gain_first, has_gain, "gain in the phase's first trial"},
    {LAB_OF_PHASE, "gain_last", gain_last, has_gain, "gain in the phase's last trial"},
    {LAB_OF_PHASE, "amplitude_first", amplitude_first, has_responses,
     "amplitude of the response in the phase's first trial"},
    {LAB_OF_PHASE, "amplitude_last", amplitude_last, has_responses,
     "amplitude of the response in the phase's last trial"},
    {LAB_OF_PHASE, "peak_ms_last", peak_ms_last, has_responses,
     "peak of the response in the phase's last trial"},

    {LAB_OF_SIZE, "rrmse_last", size_rrmse_last, always, "rRMSE at the last trial"},
    {LAB_OF_SIZE, "diverged_at_trial", size_diverged_at_trial, always,
     "the trial in which it diverged"},
    {LAB_OF_SIZE, "rate", size_rate, always, "η"},
    {LAB_OF_SIZE, "rate_x_synapses", rate_x_synapses, always, "η times the number of synapses"},
    {LAB_OF_SIZE, "bytes_per_synapse", bytes_per_synapse, always, "memory of the cell per synapse"},

    {LAB_OF_GROUP, "arrived", group_arrived, always,
     "fraction of the loops in which it comes within 5 % of the optimum (as `trials_to_5pc`)"},
    {LAB_OF_GROUP, "trials", group_trials, always,
     "median of the trials that it needs for that; null if half of the loops need more than "
     "`population.trials`"},
    {LAB_OF_GROUP, "faster", group_faster, always,
     "fraction of the loops in which it needs fewer trials for that than the forward model"},
    {LAB_OF_GROUP, "slower", group_slower, always, "the same, more trials"},
    {LAB_OF_GROUP, "worse", group_worse, always,
     "fraction of the loops in which the mean rRMSE of all trials, which is what is tuned, is more "
     "than 5 % above the forward model's, or no setting converges"},
    {LAB_OF_GROUP, "ratio", group_ratio, always,
     "median of the rRMSE of the last trial, divided by that of the optimum"},
    {LAB_OF_GROUP, "diverges", group_diverges, always,
     "fraction of the loops in which it diverges in the end, however slowly, at the settings it "
     "was tuned to; with `population.converging`, in which no setting that was tried converges"},
    {LAB_OF_GROUP, "wrong_worse", group_wrong_worse, always,
     "fraction of the wrong loops (`population.wrong`) in which the last trial is worse than "
     "without a cell"},
    {LAB_OF_GROUP, "wrong_ratio", group_wrong_ratio, always,
     "median of their last rRMSE, divided by that of their optimum"},
    {0}};

// ---- the reference ---------------------------------------------------------------------------

static const char *prefix_of(lab_measured of)
{
    switch (of) {
    case LAB_OF_RUN:
        return "";
    case LAB_OF_RULE:
        return "rules.RULE.";
    case LAB_OF_PHASE:
        return "rules.RULE.PHASE.";
    case LAB_OF_SIZE:
        return "scale.SYNAPSES.";
    case LAB_OF_GROUP:
        return "population.KIND-BASIS.TRACE.";
    }
    return "";
}

void lab_measure_reference(FILE *file)
{
    fputs("# The measures of a run\n\n"
          "`cfpc run` writes them to `summary.json`; claims, tables and bars of a spec name them. "
          "`cfpc help measures` prints\nthis page. A measure that a run does not define is null, "
          "such as `rrmse_7` of a run with 5 trials; a claim on it fails. Measures of a\nphase are "
          "there if the spec "
          "has several phases, those of the response and the gain if it has `response` and "
          "`gain`, those of a\nteaching filter if the rule learns in adjoint form.\n\n"
          "| measure | meaning |\n| --- | --- |\n",
          file);
    for (const lab_measure_row *row = lab_measure_rows; row->name; row++)
        fprintf(file, "| `%s%s` | %s |\n", prefix_of(row->of), row->name, row->says);
}
