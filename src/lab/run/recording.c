// SPDX-License-Identifier: Apache-2.0
#include "run/recording.h"

#include <math.h>
#include <string.h>

#include "run/gain.h"
#include "spec/constants.h"

static double *numbers(lab_record *record, int count)
{
    return lab_take(&record->arena, (size_t)count, sizeof(double));
}

// A copy, or NULL.
static double *copy(lab_record *record, int count, const double *values)
{
    double *to = numbers(record, count);
    if (to)
        memcpy(to, values, (size_t)count * sizeof *to);
    return to;
}

static const char *recording_copy_text(lab_record *record, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *to = lab_take(&record->arena, size, 1);
    return to ? memcpy(to, text, size) : NULL;
}

// ---- a rule ----------------------------------------------------------------------------------

static lab_phase_signals phase_signals(lab_record *record)
{
    const int n = record->steps;
    return (lab_phase_signals){.r = numbers(record, n),
                               .d = numbers(record, n),
                               .y = numbers(record, n),
                               .e = numbers(record, n),
                               .o = numbers(record, n),
                               .u = numbers(record, n),
                               .m = numbers(record, n),
                               .e0 = numbers(record, n)};
}

static void recording_make_signals(lab_rule_record *rule, lab_record *record,
                                   const lab_setup *setup)
{
    const int n = record->steps;
    rule->last = lab_take(&record->arena, (size_t)record->phases, sizeof *rule->last);
    for (int p = 0; rule->last && p < record->phases; p++)
        rule->last[p] = phase_signals(record);
    rule->signals = (lab_signals){.r_first = copy(record, n, setup->r),
                                  .y_first = numbers(record, n),
                                  .e_first = numbers(record, n),
                                  .m_first = numbers(record, n),
                                  .response = copy(record, n, setup->response)};
    if (!rule->last)
        return;
    const lab_phase_signals *end = &rule->last[record->phases - 1];
    rule->signals.r_last = end->r;
    rule->signals.y_last = end->y;
    rule->signals.e_last = end->e;
    rule->signals.o_last = end->o;
    rule->signals.u_last = end->u;
    rule->signals.m_last = end->m;
}

static void recording_make_model(lab_model_record *model, lab_record *record)
{
    *model = (lab_model_record){.peak_ms = numbers(record, record->trials),
                                .right_ms = numbers(record, record->trials),
                                .off_ms = numbers(record, record->trials),
                                .ready_s = NAN};
    for (int k = 0; !record->arena.failed && k < record->trials; k++)
        model->peak_ms[k] = model->right_ms[k] = model->off_ms[k] = NAN;
}

// Memory for a rule, and what is known of it from its first phase's setup.
static void recording_make_rule(lab_rule_record *rule, lab_record *record, const lab_setup *setup,
                                const lab_rule_spec *rule_spec, const lab_rule *learns)
{
    const int trials = record->trials;
    *rule = (lab_rule_record){
        .name = recording_copy_text(record, rule_spec->name),
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
        recording_make_model(&rule->model, record);
    recording_make_signals(rule, record, setup);
}

static void recording_make_rules(lab_record *record, const lab_variants *variants,
                                 const lab_spec *spec)
{
    record->rule = lab_take(&record->arena, (size_t)record->rules, sizeof *record->rule);
    record->phase = lab_take(&record->arena, (size_t)record->trials, sizeof *record->phase);
    for (int i = 0; record->rule && i < record->rules; i++) {
        const lab_setup *setup = lab_variant(variants, i, 0);
        recording_make_rule(&record->rule[i], record, setup, &lab_rules(spec)[i], &setup->rule[i]);
        for (int p = 0; p < variants->phases; p++)
            record->rule[i].is_spiking |= lab_has_spikes(lab_variant(variants, i, p)->rig.spec);
    }
}

// ---- all of it -------------------------------------------------------------------------------

int lab_scan_count(const lab_scan_spec *scan)
{
    return scan->place.line == 0
               ? 0
               : 1 + (int)floor((scan->to_ms - scan->from_ms) / scan->step_ms + 1e-9);
}

static void make_scan(lab_record *record, const lab_scan_spec *scan)
{
    if (scan->place.line == 0)
        return;
    record->scan_count = lab_scan_count(scan);
    record->scan_delay_ms = numbers(record, record->scan_count);
    record->scan_rrmse = numbers(record, record->scan_count);
    for (int i = 0; record->scan_delay_ms && i < record->scan_count; i++)
        record->scan_delay_ms[i] = scan->from_ms + i * scan->step_ms;
}

// The numbers of synapses that a run compares.
static void make_scale(lab_record *record, const lab_scale_spec *scale)
{
    const int sizes = scale->place.line > 0 ? scale->sizes.columns : 0;
    record->scale_sizes = sizes;
    record->scale_trials = scale->trials;
    record->scale = lab_take(&record->arena, (size_t)sizes, sizeof *record->scale);
    for (int i = 0; record->scale && i < sizes; i++)
        record->scale[i] = (lab_scale_point){.synapses = (int)scale->sizes.values[i],
                                             .rrmse = numbers(record, scale->trials)};
}

// What is known from the main rule's setup. All memory is allocated.
static void take_setup(lab_record *record, const lab_setup *setup)
{
    const size_t n = (size_t)setup->rig.steps, g = (size_t)setup->bases;
    const lab_rule_record *main = &record->rule[record->main_rule];
    memcpy(record->x, setup->x, n * g * sizeof(double));
    record->signals = main->signals;
    record->optimum = main->optimum;
    record->lambda_max = main->lambda_max;
    record->nonlinear = main->nonlinear;
    record->rrmse_optimum = setup->nonlinear ? NAN : setup->problem.rrmse_optimum;
    if (!setup->nonlinear)
        memcpy(record->w_optimum, setup->problem.optimum, g * sizeof(double));
}

lab_outcome lab_record_make(lab_record *record, const lab_variants *variants, lab_why *why)
{
    const lab_spec *spec = variants->plan->spec;
    const lab_setup *setup = lab_variant(variants, spec->main_rule, 0);
    const size_t row = (size_t)setup->bases * sizeof(double);
    *record = (lab_record){.arena = record->arena,
                           .tuning = record->tuning,
                           .step_s = setup->rig.step_s,
                           .steps = setup->rig.steps,
                           .bases = setup->bases,
                           .trials = lab_spec_trials(spec),
                           .repeats = 1,
                           .phases = variants->phases,
                           .rules = setup->rules,
                           .main_rule = spec->main_rule};
    recording_make_rules(record, variants, spec);
    make_scan(record, &spec->delay_scan);
    make_scale(record, &spec->scale);
    record->x = lab_take(&record->arena, (size_t)record->steps, row);
    record->traces = lab_take(&record->arena, (size_t)record->steps, row);
    record->w_optimum = lab_take(&record->arena, 1, row);
    if (record->arena.failed)
        return lab_no_memory(why, spec->name);
    take_setup(record, setup);
    return LAB_DONE;
}
