// SPDX-License-Identifier: Apache-2.0
#include "run/recording.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/order.h"
#include "run/gain.h"
#include "run/simulate.h"
#include "spec/constants.h"
#include "spec/spec_story.h"

#define UNSEEN 1e-6 // share of a response's peak

static double *numbers(lab_record *record, int count)
{
    return lab_take(&record->arena, (size_t)count, sizeof(double));
}

static double *unknown(lab_record *record, int count)
{
    double *to = numbers(record, count);
    for (int k = 0; to && k < count; k++)
        to[k] = NAN;
    return to;
}

// A copy, or NULL.
static double *copy(lab_record *record, int count, const double *values)
{
    double *to = numbers(record, count);
    if (to)
        memcpy(to, values, (size_t)count * sizeof *to);
    return to;
}

// ---- a rule ----------------------------------------------------------------------------------

// Memory for the signals of a rule, and what its setup measured.
static void recording_make_signals(lab_rule_record *rule, lab_record *record,
                                   const lab_setup *setup)
{
    const int n = record->steps;
    rule->last = lab_take(&record->arena, (size_t)record->phases, sizeof *rule->last);
    for (int p = 0; rule->last && p < record->phases; p++)
        rule->last[p] = (lab_phase_signals){.r = numbers(record, n),
                                            .d = numbers(record, n),
                                            .y = numbers(record, n),
                                            .e = numbers(record, n),
                                            .o = numbers(record, n),
                                            .u = numbers(record, n),
                                            .m = numbers(record, n),
                                            .e0 = numbers(record, n)};
    const lab_phase_signals none = {0}, *end = rule->last ? &rule->last[record->phases - 1] : &none;
    rule->signals = (lab_signals){.r_first = copy(record, n, setup->r),
                                  .y_first = numbers(record, n),
                                  .e_first = numbers(record, n),
                                  .m_first = numbers(record, n),
                                  .response = copy(record, n, setup->response),
                                  .r_last = end->r,
                                  .y_last = end->y,
                                  .e_last = end->e,
                                  .o_last = end->o,
                                  .u_last = end->u,
                                  .m_last = end->m};
}

// Memory for a rule, and what is known of it from its first phase's setup.
static void recording_make_rule(lab_rule_record *rule, lab_record *record, const lab_setup *setup,
                                const lab_rule_spec *rule_spec, const lab_rule *learns)
{
    const int trials = record->trials;
    const size_t name_bytes = strlen(rule_spec->name) + 1;
    char *name = lab_take(&record->arena, name_bytes, 1);
    if (name)
        memcpy(name, rule_spec->name, name_bytes);
    *rule = (lab_rule_record){
        .name = name,
        .is_varied = rule_spec->set.count > 0 ||
                     lab_constants_reach(setup->rig.spec, rule_spec) > LAB_REACHES_RULE,
        .filter = lab_filter_of(learns),
        .rate = learns->rate,
        .teacher = setup->rig.spec->teach.signal,
        .bases = setup->bases,
        .predictors = setup->predictors,
        .prediction_error = numbers(record, record->phases),
        .nonlinear = setup->nonlinear,
        .lambda_max = lab_believed_problem(setup)->lambda_max,
        .rrmse = numbers(record, trials),
        .half_width = numbers(record, trials),
        .optimum = numbers(record, trials),
        .weights = numbers(record, setup->bases),
        .kernel = numbers(record, setup->rig.steps),
        .guard = lab_take(&record->arena, (size_t)record->phases, sizeof *rule->guard)};
    if (lab_asks_responses(setup->rig.spec))
        rule->responses = (lab_responses){.onset_ms = numbers(record, trials),
                                          .peak_ms = numbers(record, trials),
                                          .amplitude = numbers(record, trials)};
    if (lab_asks_gain(setup->rig.spec))
        rule->gain = numbers(record, trials);
    if (lab_asks_windows(setup->rig.spec))
        rule->worst_window = numbers(record, trials);
    if (learns->is_learned)
        rule->model = (lab_model_record){.peak_ms = unknown(record, trials),
                                         .right_ms = unknown(record, trials),
                                         .off_ms = unknown(record, trials),
                                         .ready_s = NAN};
    recording_make_signals(rule, record, setup);
}

// ---- all of it -------------------------------------------------------------------------------

int lab_scan_count(const lab_scan_spec *scan)
{
    return scan->place.line == 0
               ? 0
               : 1 + (int)floor((scan->to_ms - scan->from_ms) / scan->step_ms + 1e-9);
}

// The delays and the numbers of synapses that a run compares.
static void make_compared(lab_record *record, const lab_scan_spec *scan,
                          const lab_scale_spec *scale)
{
    const int delays = lab_scan_count(scan),
              sizes = scale->place.line > 0 ? scale->sizes.columns : 0;
    record->scan_count = delays;
    record->scan_delay_ms = numbers(record, delays);
    record->scan_rrmse = numbers(record, delays);
    for (int i = 0; record->scan_delay_ms && i < delays; i++)
        record->scan_delay_ms[i] = scan->from_ms + i * scan->step_ms;
    record->scale_sizes = sizes;
    record->scale_trials = scale->trials;
    record->scale = lab_take(&record->arena, (size_t)sizes, sizeof *record->scale);
    for (int i = 0; record->scale && i < sizes; i++)
        record->scale[i] = (lab_scale_point){.synapses = (int)scale->sizes.values[i],
                                             .rrmse = numbers(record, scale->trials)};
}

lab_outcome lab_record_make(lab_record *record, const lab_variants *variants, lab_why *why)
{
    const lab_spec *spec = variants->plan->spec;
    const lab_setup *setup = lab_variant(variants, spec->main_rule, 0);
    const size_t n = (size_t)setup->rig.steps, row = (size_t)setup->bases * sizeof(double);
    const bool linear = !setup->nonlinear;
    *record = (lab_record){.arena = record->arena,
                           .tuning = record->tuning,
                           .step_s = setup->rig.step_s,
                           .steps = setup->rig.steps,
                           .bases = setup->bases,
                           .trials = lab_spec_trials(spec),
                           .repeats = 1,
                           .phases = variants->phases,
                           .rules = setup->rules,
                           .main_rule = spec->main_rule,
                           .rrmse_optimum = linear ? setup->problem.rrmse_optimum : NAN};
    record->rule = lab_take(&record->arena, (size_t)record->rules, sizeof *record->rule);
    record->phase = lab_take(&record->arena, (size_t)record->trials, sizeof *record->phase);
    for (int i = 0; record->rule && i < record->rules; i++) {
        const lab_setup *first = lab_variant(variants, i, 0);
        recording_make_rule(&record->rule[i], record, first, &lab_rules(spec)[i], &first->rule[i]);
        for (int p = 0; p < variants->phases; p++)
            record->rule[i].is_spiking |= lab_has_spikes(lab_variant(variants, i, p)->rig.spec);
    }
    make_compared(record, &spec->delay_scan, &spec->scale);
    record->x = lab_take(&record->arena, n, row);
    record->traces = lab_take(&record->arena, n, row);
    record->w_optimum = lab_take(&record->arena, 1, row);
    if (record->arena.failed)
        return lab_no_memory(why, spec->name);
    // What is known from the main rule's setup.
    const lab_rule_record *main = &record->rule[record->main_rule];
    memcpy(record->x, setup->x, n * row);
    record->signals = main->signals;
    record->optimum = main->optimum;
    record->lambda_max = main->lambda_max;
    record->nonlinear = main->nonlinear;
    if (linear)
        memcpy(record->w_optimum, setup->problem.optimum, row);
    return LAB_DONE;
}

// ---- what a story shows: around a phase ------------------------------------------------------

// The cues of each phase that are on. Where trials do not repeat, e0 is that of the last trial: the
// loop alone, through the phase.
static lab_outcome keep_phases(lab_record *record, const lab_variants *variants, int rule,
                               lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int p = 0; outcome == LAB_DONE && p < record->phases; p++) {
        const lab_rig *rig = &lab_variant(variants, rule, p)->rig;
        const lab_spec *spec = rig->spec;
        lab_phase_signals *last = &record->rule[rule].last[p];
        last->cue = lab_take(&record->arena, (size_t)spec->cues.count, sizeof *last->cue);
        if (!last->cue)
            return lab_no_memory(why, NULL);
        for (int i = 0; i < spec->cues.count; i++) {
            const lab_cue_spec *cue = &lab_cues(spec)[i];
            if (!cue->on)
                continue;
            lab_cue_mark *mark = &last->cue[last->cues++];
            snprintf(mark->name, sizeof mark->name, "%s", cue->name);
            mark->at_s = cue->at_s;
        }
        if (spec->task.repeats)
            continue;
        lab_trial kept = {.e = last->e0};
        const int end = rig->first + rig->trials;
        outcome = lab_simulate_alone(rig, spec->task.reset ? end - 1 : rig->first, end, &kept, why);
    }
    return outcome;
}

// Response of the output to the basis signal in o, by the measured pulse response, as far as that
// is above UNSEEN of its peak.
static void convolve(int steps, const double *response, const double *x, double *y)
{
    double peak = 0;
    int last = 0;
    for (int n = 0; n < steps; n++)
        peak = cfpci_max(peak, fabs(response[n]));
    for (int n = 0; n < steps; n++)
        if (fabs(response[n]) > UNSEEN * peak)
            last = n;
    for (int n = 0; n < steps; n++) {
        y[n] = 0;
        for (int k = 0; k <= n && k <= last; k++)
            y[n] += response[k] * x[n - k];
    }
}

// The basis signal nearest to the middle that is not silent, from 0.
static int shown_middle_basis(const lab_setup *setup)
{
    const size_t bases = (size_t)setup->bases;
    for (int away = 0; away <= setup->bases; away++)
        for (int side = -1; side <= 1; side += 2) {
            const int j = setup->bases / 2 + side * away;
            for (int n = 0; j >= 0 && j < setup->bases && n < setup->rig.steps; n++)
                if (setup->x[(size_t)n * bases + (size_t)j] != 0)
                    return j;
        }
    return setup->bases / 2;
}

static lab_outcome keep_trace(lab_shown_trace *kept, lab_arena *arena, const lab_setup *setup,
                              int rule, const lab_panel_spec *panel, lab_why *why)
{
    const size_t steps = (size_t)setup->rig.steps;
    const int j = shown_middle_basis(setup);
    *kept = (lab_shown_trace){.basis = panel->pulse ? 0 : j + 1,
                              .x = lab_take(arena, steps, sizeof *kept->x),
                              .h = lab_take(arena, steps, sizeof *kept->h),
                              .effect = lab_take(arena, steps, sizeof *kept->effect)};
    if (!kept->x || !kept->h || !kept->effect)
        return lab_no_memory(why, NULL);
    for (int n = 0; n < setup->rig.steps; n++)
        kept->x[n] = panel->pulse ? n == 0 : setup->x[(size_t)n * (size_t)setup->bases + (size_t)j];
    if (panel->effect)
        convolve(setup->rig.steps, setup->response, kept->x, kept->effect);
    return lab_from_status(
        why, lab_traces(&setup->rule[rule], setup->rig.steps, 1, kept->x, kept->h), NULL);
}

lab_outcome lab_keep_shown(lab_record *record, const lab_variants *variants, const lab_spec *spec,
                           lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    record->panels = lab_panel_count(spec);
    for (int i = 0; outcome == LAB_DONE && i < record->rules; i++) {
        record->rule[i].shown =
            lab_take(&record->arena, (size_t)record->panels, sizeof *record->rule[i].shown);
        outcome = record->rule[i].shown ? keep_phases(record, variants, i, why)
                                        : lab_no_memory(why, NULL);
    }
    for (int p = 0; p < record->panels; p++) {
        const lab_panel_spec *panel = &lab_panels(spec)[p];
        if (panel->kind != LAB_PANEL_TRACES)
            continue;
        for (int k = 0; outcome == LAB_DONE && k < lab_panel_rules(spec, panel); k++) {
            const int rule = lab_panel_rule(spec, panel, k);
            lab_shown_trace *kept = &record->rule[rule].shown[p];
            if (!kept->x)
                outcome = keep_trace(kept, &record->arena, lab_variant(variants, rule, 0), rule,
                                     panel, why);
        }
    }
    return outcome;
}
