// SPDX-License-Identifier: Apache-2.0
#include "run/measures.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "run/arrival.h"

enum {
    GENERAL_MEASURES = 16, // room for those that are not a rule's
    SCALE_MEASURES = 5,    // room for those of one number of synapses
    RULE_MEASURES = 20,    // room for those of one rule
    PHASE_MEASURES = 8,    // room for those of one rule in one phase
    MOST_HINTS = 512       // figures that a misspelt one is compared with
};

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

// ---- the measures of the paper ---------------------------------------------------------------

// How much later y than r crosses 0.8 of the amplitude on the first ramp, reactive.
static double lag_ms(const lab_record *record, const movement *m)
{
    if (!m->found)
        return NAN;
    const double level = m->from + 0.8 * m->by;
    const double r = crossing(record->signals.r_first, record->steps, m->onset, level, m->by > 0);
    const double y = crossing(record->signals.y_first, record->steps, m->onset, level, m->by > 0);
    return (y - r) * record->step_s * 1e3;
}

// From the first stop of the target to the last |e| above 4 % of the amplitude, reactive.
static double settling_ms(const lab_record *record, const movement *m)
{
    if (!m->found)
        return NAN;
    int last = m->stop;
    for (int n = m->stop; n <= m->again; n++)
        if (fabs(record->signals.e_first[n]) > 0.04 * fabs(m->by))
            last = n;
    return (last - m->stop) * record->step_s * 1e3;
}

// How much before the target's first motion |o| first exceeds 10 % of its maximum, last trial.
static double lead_ms(const lab_record *record, const movement *m)
{
    double most = 0;
    for (int n = 0; n < record->steps; n++)
        most = fmax(most, fabs(record->signals.o_last[n]));
    if (!m->found || !(most > 0) || !isfinite(most))
        return NAN;
    int n = 0;
    while (fabs(record->signals.o_last[n]) <= 0.1 * most)
        n++;
    return (m->onset - n) * record->step_s * 1e3;
}

static double impulse_peak_ms(const lab_record *record)
{
    int peak = 0;
    for (int n = 1; n < record->steps; n++)
        if (fabs(record->signals.response[n]) > fabs(record->signals.response[peak]))
            peak = n;
    return peak * record->step_s * 1e3;
}

static double best_delay_ms(const lab_record *record)
{
    if (record->scan_count == 0)
        return NAN;
    int best = 0;
    for (int i = 1; i < record->scan_count; i++)
        if (record->scan_rrmse[i] < record->scan_rrmse[best] || isnan(record->scan_rrmse[best]))
            best = i;
    return isnan(record->scan_rrmse[best]) ? NAN : record->scan_delay_ms[best];
}

static double rrmse_at(const lab_record *record, int rule, int trial)
{
    return trial <= record->trials ? record->rule[rule].rrmse[trial - 1] : NAN;
}

// ---- the list --------------------------------------------------------------------------------

__attribute__((format(printf, 3, 4))) static void add(lab_measures *measures, double value,
                                                      const char *name, ...)
{
    lab_measure *measure = &measures->measure[measures->count++];
    measure->value = value;
    va_list arguments;
    va_start(arguments, name);
    vsnprintf(measure->name, sizeof measure->name, name, arguments);
    va_end(arguments);
}

// A trial as a figure: NAN for none.
static double trial_of(int trial)
{
    return trial > 0 ? trial : NAN;
}

// The trial in which the guard first acted.
static double guard_trial(const lab_record *record, int rule)
{
    for (int p = 0; p < record->phases; p++)
        if (record->rule[rule].guard[p].acts > 0)
            return record->rule[rule].guard[p].trial;
    return NAN;
}

// NAN where the signal is.
static double largest(const double *signal, int steps)
{
    double most = 0;
    for (int n = 0; n < steps && !isnan(most); n++)
        most = isnan(signal[n]) ? NAN : fmax(most, fabs(signal[n]));
    return most;
}

// rules.NAME.onset_ms_last and so on.
static void add_response(lab_measures *measures, const lab_record *record, int rule, int trial,
                         const char *when, const char *name)
{
    const lab_responses *r = &record->rule[rule].responses;
    add(measures, r->onset_ms[trial], "rules.%s.onset_ms_%s", name, when);
    add(measures, r->peak_ms[trial], "rules.%s.peak_ms_%s", name, when);
    add(measures, r->amplitude[trial], "rules.%s.amplitude_%s", name, when);
}

static double distance(const double *a, const double *b, int steps)
{
    double sum = 0;
    for (int n = 0; n < steps; n++)
        sum += (a[n] - b[n]) * (a[n] - b[n]);
    return sqrt(sum);
}

// How far what is different in a phase moves the error, over how far it moves that of the loop
// alone: 1 is the answer of the reflex.
static double answer(const lab_record *record, int rule, int phase, int against)
{
    const lab_phase_signals *a = &record->rule[rule].last[phase];
    const lab_phase_signals *b = &record->rule[rule].last[against];
    return distance(a->e, b->e, record->steps) / distance(a->e0, b->e0, record->steps);
}

// Of the first phase and the rule's own optimum; where there is none, of the best it does. NAN if
// it does not get there.
static double trials_to_5pc(const lab_record *record, int rule)
{
    const lab_rule_record *of = &record->rule[rule];
    if (of->diverged_at > 0 && record->phase[of->diverged_at - 1] == 0)
        return NAN;
    double best = of->optimum[0];
    int trials = 0;
    for (; trials < record->trials && record->phase[trials] == 0; trials++)
        if (isnan(of->optimum[0]) && !(of->rrmse[trials] >= best))
            best = of->rrmse[trials];
    const int reached = lab_trials_to_5pc(of->rrmse, trials, best);
    return reached > 0 ? reached : NAN;
}

// Of the first and the last trial of a phase, under its name.
static void add_phase(lab_measures *measures, const lab_record *record, const lab_spec *spec,
                      int rule, int phase)
{
    const char *name = record->rule[rule].name, *of = lab_phases(spec)[phase].name;
    int first = 0, last = record->trials - 1;
    while (record->phase[first] != phase)
        first++;
    while (record->phase[last] != phase)
        last--;
    add(measures, record->rule[rule].rrmse[first], "rules.%s.%s.rrmse_first", name, of);
    add(measures, record->rule[rule].rrmse[last], "rules.%s.%s.rrmse_last", name, of);
    if (lab_against(spec, phase) >= 0)
        add(measures, answer(record, rule, phase, lab_against(spec, phase)), "rules.%s.%s.answer",
            name, of);
    if (record->rule[rule].gain) {
        add(measures, record->rule[rule].gain[first], "rules.%s.%s.gain_first", name, of);
        add(measures, record->rule[rule].gain[last], "rules.%s.%s.gain_last", name, of);
    }
    if (!record->rule[rule].responses.peak_ms)
        return;
    const lab_responses *r = &record->rule[rule].responses;
    add(measures, r->amplitude[first], "rules.%s.%s.amplitude_first", name, of);
    add(measures, r->amplitude[last], "rules.%s.%s.amplitude_last", name, of);
    add(measures, r->peak_ms[last], "rules.%s.%s.peak_ms_last", name, of);
}

static void add_rule(lab_measures *measures, const lab_record *record, const lab_spec *spec,
                     int rule)
{
    const char *name = record->rule[rule].name;
    const double optimum = record->rrmse_optimum;
    const double at_7 = rrmse_at(record, rule, 7), last = rrmse_at(record, rule, record->trials);
    add(measures, rrmse_at(record, rule, 2), "rules.%s.rrmse_2", name);
    add(measures, at_7, "rules.%s.rrmse_7", name);
    add(measures, rrmse_at(record, rule, 20), "rules.%s.rrmse_20", name);
    add(measures, last, "rules.%s.rrmse_last", name);
    // What is left to learn at trial 7, of all there is to learn.
    add(measures, (at_7 - optimum) / (1 - optimum), "rules.%s.left_7", name);
    // Against the experiment's own rule, the first.
    add(measures, at_7 / rrmse_at(record, 0, 7), "rules.%s.ratio_7", name);
    add(measures, last / rrmse_at(record, 0, record->trials), "rules.%s.ratio_last", name);
    add(measures, guard_trial(record, rule), "rules.%s.guard_trial", name);
    add(measures, trial_of(record->rule[rule].diverged_at), "rules.%s.diverged_at_trial", name);
    add(measures, record->rule[rule].optimum[0], "rules.%s.rrmse_optimum", name);
    add(measures, trials_to_5pc(record, rule), "rules.%s.trials_to_5pc", name);
    add(measures, record->rule[rule].bases, "rules.%s.parameters", name);
    add(measures, record->rule[rule].rate, "rules.%s.rate", name);
    // The largest error, alone and at last.
    const lab_signals *signals = &record->rule[rule].signals;
    add(measures, largest(signals->e_first, record->steps), "rules.%s.peak_error_first", name);
    add(measures, largest(signals->e_last, record->steps), "rules.%s.peak_error_last", name);
    if (record->rule[rule].responses.peak_ms)
        add_response(measures, record, rule, record->trials - 1, "last", name);
    if (record->rule[rule].gain) {
        add(measures, record->rule[rule].gain[0], "rules.%s.gain_first", name);
        add(measures, record->rule[rule].gain[record->trials - 1], "rules.%s.gain_last", name);
    }
    for (int p = 0; record->phases > 1 && p < record->phases; p++)
        add_phase(measures, record, spec, rule, p);
}

static void add_all(lab_measures *measures, const lab_record *record, const lab_spec *spec)
{
    const movement first = first_movement(record->signals.r_first, record->steps);
    const movement last = first_movement(record->signals.r_last, record->steps);
    const double delay_ms =
        spec->loop.delay_ms + spec->loop.command_delay_ms + spec->loop.measurement_delay_ms;
    const double best_ms = best_delay_ms(record);
    add(measures, record->lambda_max, "lambda_max");
    add(measures, record->rule[record->main_rule].rate, "learning_rate");
    add(measures, record->rrmse_optimum, "rrmse_optimum");
    add(measures, impulse_peak_ms(record), "impulse_peak_ms");
    add(measures, lag_ms(record, &first), "lag_ms");
    add(measures, settling_ms(record, &first), "settling_ms");
    add(measures, lead_ms(record, &last), "lead_ms");
    add(measures, best_ms, "best_delay_ms");
    add(measures, best_ms - delay_ms, "best_delay_excess_ms");
    for (int i = 0; i < record->rules; i++)
        add_rule(measures, record, spec, i);
}

// scale.1500000.rrmse_last and so on.
static void add_scale(lab_measures *measures, const lab_record *record)
{
    for (int i = 0; i < record->scale_sizes; i++) {
        const lab_scale_point *point = &record->scale[i];
        add(measures, point->rrmse[record->scale_trials - 1], "scale.%d.rrmse_last",
            point->synapses);
        add(measures, trial_of(point->diverged_at), "scale.%d.diverged_at_trial", point->synapses);
        add(measures, point->rate, "scale.%d.rate", point->synapses);
        add(measures, point->rate * point->synapses, "scale.%d.rate_x_synapses", point->synapses);
        add(measures, point->bytes / point->synapses, "scale.%d.bytes_per_synapse",
            point->synapses);
    }
}

const char *lab_unit(const char *measure)
{
    const size_t length = strlen(measure);
    if (strstr(measure, "_ms_") || (length > 3 && strcmp(measure + length - 3, "_ms") == 0))
        return "ms";
    return strstr(measure, "rrmse") ? "rRMSE" : "1";
}

// ---- the claims ------------------------------------------------------------------------------

const lab_measure *lab_measure_of(const lab_measures *measures, const char *name)
{
    for (int k = 0; k < measures->count; k++)
        if (strcmp(measures->measure[k].name, name) == 0)
            return &measures->measure[k];
    return NULL;
}

void lab_measures_suggest(char *hint, size_t size, const lab_measures *measures, const char *name)
{
    const char *names[MOST_HINTS];
    int count = 0;
    for (; count < measures->count && count < MOST_HINTS; count++)
        names[count] = measures->measure[count].name;
    lab_suggest(hint, size, name, names, count);
}

// Whether a figure is the main rule's: of what it learned, or of its loop where rules have their
// own.
static bool is_main_rules(const lab_record *record, const char *name)
{
    if (strcmp(name, "lead_ms") == 0 || strcmp(name, "learning_rate") == 0)
        return true;
    return lab_any_varied(record) && !strchr(name, '.');
}

bool lab_is_not_reached(const lab_record *record, const char *name)
{
    const char *under = strrchr(name, '_');
    char *end;
    const long trial = under ? strtol(under + 1, &end, 10) : 0;
    return under && end > under + 1 && !*end && trial > record->trials;
}

// A claim is about the experiment as it was written: what of it is gone or was not reached after
// settings, or is now another rule's, neither holds nor fails.
static bool applies(const lab_record *record, const lab_spec *spec, const char *name)
{
    return !(spec->modified && lab_is_not_reached(record, name)) &&
           !(spec->main_rule != 0 && is_main_rules(record, name));
}

static lab_outcome judge(lab_measures *measures, const lab_record *record, const lab_spec *spec,
                         int i, lab_why *why)
{
    const lab_claim_spec *claim = &lab_claims(spec)[i];
    const lab_measure *found = lab_measure_of(measures, claim->measure);
    if (found && applies(record, spec, claim->measure)) {
        const bool pass = found->value >= claim->low && found->value <= claim->high;
        measures->claim[i] =
            (lab_claim){.spec = claim, .applies = true, .measured = found->value, .pass = pass};
        measures->applicable++;
        measures->failed += !pass;
        return LAB_DONE;
    }
    if (found || spec->modified) {
        measures->claim[i] = (lab_claim){.spec = claim, .measured = NAN};
        return LAB_DONE;
    }
    char hint[256];
    lab_measures_suggest(hint, sizeof hint, measures, claim->measure);
    return lab_spec_refuse(spec, claim->place, why,
                           "claim '%s' names a figure '%.60s' that a run does not have; %s",
                           claim->name, claim->measure, hint);
}

__attribute__((format(printf, 2, 3))) static bool is_claimed(const lab_measures *measures,
                                                             const char *format, ...)
{
    char name[192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    for (int i = 0; i < measures->claims; i++)
        if (measures->claim[i].pass && strcmp(measures->claim[i].spec->measure, name) == 0)
            return true;
    return false;
}

lab_outcome lab_check_diverged(const lab_measures *measures, const lab_record *record, lab_why *why)
{
    const lab_rule_record *first = NULL;
    int count = 0;
    for (int i = 0; i < record->rules; i++) {
        const lab_rule_record *rule = &record->rule[i];
        if (rule->diverged_at == 0 ||
            is_claimed(measures, "rules.%s.diverged_at_trial", rule->name))
            continue;
        first = first ? first : rule;
        count++;
    }
    if (count > 0) {
        char others[32] = "";
        if (count > 1)
            snprintf(others, sizeof others, " (and %d more)", count - 1);
        return lab_fail(why, "rule %s diverged at trial %d%s", first->name, first->diverged_at,
                        others);
    }
    for (int i = 0; i < record->scale_sizes; i++) {
        const lab_scale_point *point = &record->scale[i];
        if (point->diverged_at > 0 &&
            !is_claimed(measures, "scale.%d.diverged_at_trial", point->synapses))
            return lab_fail(why, "scale: %d synapses diverged at trial %d", point->synapses,
                            point->diverged_at);
    }
    return LAB_DONE;
}

// The figures that a panel of the story shows must be there as well.
static lab_outcome check_panel(const lab_measures *measures, const lab_spec *spec,
                               const lab_panel_spec *panel, lab_why *why)
{
    for (int k = 0; k < panel->measures.count; k++)
        if (!lab_measure_of(measures, panel->measures.items[k])) {
            char hint[256];
            lab_measures_suggest(hint, sizeof hint, measures, panel->measures.items[k]);
            return lab_spec_refuse(spec, panel->place, why,
                                   "the panel names a figure '%.60s' that a run does not have; %s",
                                   panel->measures.items[k], hint);
        }
    return LAB_DONE;
}

// And those of the table of rules.
static lab_outcome check_column(const lab_measures *measures, const lab_spec *spec,
                                const lab_column_spec *column, lab_why *why)
{
    char name[192], hint[256];
    snprintf(name, sizeof name, "rules.%s.%s", lab_rules(spec)[0].name, column->measure);
    if (lab_measure_of(measures, name))
        return LAB_DONE;
    lab_measures_suggest(hint, sizeof hint, measures, name);
    return lab_spec_refuse(spec, column->place, why,
                           "column '%.60s' names a figure '%.60s' that a run does not have; %s",
                           column->title, name, hint);
}

lab_outcome lab_measures_make(lab_measures *measures, const lab_record *record,
                              const lab_spec *spec, lab_why *why)
{
    const size_t room =
        GENERAL_MEASURES + SCALE_MEASURES * (size_t)record->scale_sizes +
        (RULE_MEASURES + PHASE_MEASURES * (size_t)record->phases) * (size_t)record->rules;
    *measures = (lab_measures){.claims = spec->claims.count};
    measures->measure = calloc(room, sizeof *measures->measure);
    measures->claim = calloc((size_t)measures->claims + 1, sizeof *measures->claim);
    if (!measures->measure || !measures->claim)
        return lab_no_memory(why, NULL);
    add_all(measures, record, spec);
    add_scale(measures, record);
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < measures->claims; i++)
        outcome = judge(measures, record, spec, i, why);
    for (int i = 0; outcome == LAB_DONE && i < lab_panel_count(spec); i++)
        outcome = check_panel(measures, spec, &lab_panels(spec)[i], why);
    for (int i = 0; outcome == LAB_DONE && i < spec->table.count; i++)
        outcome = check_column(measures, spec, &lab_columns(spec)[i], why);
    return outcome;
}

void lab_measures_free(lab_measures *measures)
{
    free(measures->measure);
    free(measures->claim);
    *measures = (lab_measures){0};
}
