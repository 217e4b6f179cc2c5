// SPDX-License-Identifier: Apache-2.0
#include "analyse/analyse.h"

#include <math.h>

#include "analyse/pieces.h"
#include "plant/through_cell.h"
#include "run/run.h"
#include "run/simulate.h"
#include "spec/cautions.h"
#include "spec/constants.h"

// ---- names -----------------------------------------------------------------------------------

const char *lab_verdict(const lab_learning_analysis *learning)
{
    static const char *const names[] = {"monotone", "eventual", "diverges"};
    return learning->reason                         ? "not-applicable"
           : !learning->certificate.verdict_decided ? "not-decided"
                                                    : names[learning->certificate.verdict];
}

const char *lab_form_name(const lab_spec *spec, lab_form form)
{
    static const char *const names[] = {"traces", "adjoint", "whitened"};
    const lab_rule_spec *rule = spec ? &lab_rules(spec)[spec->main_rule] : NULL;
    return rule && form == LAB_BY_FILTER && lab_is_filtered(rule->trace)
               ? lab_name_of_trace(rule->trace)
               : names[form];
}

const char *lab_fate_name(lab_fate fate)
{
    static const char *const names[] = {"monotone", "eventual", "diverges", "loop unstable"};
    return names[fate];
}

// ---- the cell in the loop --------------------------------------------------------------------

// A run within a piece of the analysis: it may be stopped, and is no further for it.
static bool within_piece(void *context, const char *what, int done, int total)
{
    const lab_pace *pace = context;
    (void)done;
    (void)total;
    return !pace->progress ||
           pace->progress->tick(pace->progress->context, what, pace->done, pace->total);
}

// The largest pole with the given weights, or with those at the end of a run.
static lab_outcome look_at_cell(lab_loop_analysis *analysis, const lab_plan *plan,
                                const lab_setup *setup, const lab_analyse_options *options,
                                lab_pace *pace, lab_why *why)
{
    const lab_progress progress = {.tick = within_piece, .context = pace};
    const double *weights = options->weights;
    lab_record record = {0};
    lab_simulation simulation = {0};
    if (weights && options->weight_count != setup->bases)
        return lab_refuse(why, "%s: there are %d weights for the %d bases of %s",
                          options->weights_file, options->weight_count, setup->bases,
                          plan->spec->name);
    analysis->weights = weights ? "the weights given" : "the weights at the end of a run";
    lab_outcome outcome = weights ? LAB_DONE : lab_run(&record, plan, 1, &progress, why);
    if (outcome == LAB_DONE)
        outcome = lab_simulation_make(&simulation, &setup->rig, why);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(
            why,
            lab_radius_with_cell(&analysis->radius_with_cell, &simulation.basis,
                                 &setup->rig.loop.from_o,
                                 weights ? weights : record.rule[record.main_rule].weights),
            setup->rig.spec->file);
    lab_simulation_free(&simulation);
    lab_record_free(&record);
    return outcome;
}

// ---- all of it -------------------------------------------------------------------------------

// What may take long ends with a tick.
static lab_outcome ticked(lab_outcome outcome, lab_pace *pace, const char *what, lab_why *why)
{
    return outcome == LAB_DONE ? lab_tick(pace, what, why) : outcome;
}

static lab_outcome analyse_stable(lab_analysis *analysis, const lab_plan *plan,
                                  const lab_analyse_options *options, lab_why *why)
{
    const int rule = plan->spec->main_rule;
    lab_setup setup;
    lab_pace pace = {.progress = options->progress, .total = 6};
    lab_outcome outcome = lab_setup_make(&setup, plan, rule, 0, why);
    if (outcome == LAB_DONE)
        outcome = lab_setup_scale(&setup, 1, why);
    if (outcome == LAB_DONE)
        outcome = lab_analyse_learning(&analysis->learning, &analysis->arena, &setup, rule, why);
    outcome = ticked(outcome, &pace, "learning", why);
    if (outcome == LAB_DONE)
        outcome = lab_compare_forms(analysis, &setup, why);
    outcome = ticked(outcome, &pace, "forms", why);
    if (outcome == LAB_DONE && !analysis->learning.reason) {
        lab_learner learner;
        outcome = lab_learner_make(&learner, &setup, &setup.rule[rule], why);
        if (outcome == LAB_DONE)
            outcome = lab_tolerate(&analysis->tolerance, &analysis->arena, &learner,
                                   options->region, why);
        lab_learner_free(&learner);
    }
    outcome = ticked(outcome, &pace, "tolerance", why);
    if (outcome == LAB_DONE)
        outcome = lab_analyse_band(&analysis->band, &analysis->arena, plan, &setup, why);
    outcome = ticked(outcome, &pace, "band", why);
    if (outcome == LAB_DONE && (analysis->loop.hears_loop || options->weights))
        outcome = look_at_cell(&analysis->loop, plan, &setup, options, &pace, why);
    outcome = ticked(outcome, &pace, "the cell in the loop", why);
    if (outcome == LAB_DONE)
        outcome = lab_advise(analysis, &setup, why);
    outcome = ticked(outcome, &pace, "advice", why);
    lab_setup_free(&setup);
    return outcome;
}

lab_outcome lab_analyse(lab_analysis *analysis, const lab_plan *plan,
                        const lab_analyse_options *options, lab_why *why)
{
    const lab_spec *spec = lab_planned(plan, plan->spec->main_rule, 0);
    *analysis = (lab_analysis){.spec = plan->spec, .teacher = spec->teach.signal};
    lab_is_doubtful(spec, &analysis->doubt);
    lab_is_tuned_later(plan->spec, plan->spec->main_rule, &analysis->untuned);
    const lab_outcome outcome = lab_analyse_loop(&analysis->loop, &analysis->arena, spec, why);
    if (outcome != LAB_DONE || analysis->loop.stable)
        return outcome == LAB_DONE ? analyse_stable(analysis, plan, options, why) : outcome;
    analysis->learning = (lab_learning_analysis){.reason = "the loop is not stable",
                                                 .rate = NAN,
                                                 .optimum = NAN,
                                                 .condition = NAN,
                                                 .batch_rate_max = NAN,
                                                 .online_rate_max = NAN};
    return lab_advise(analysis, NULL, why);
}

void lab_analysis_free(lab_analysis *analysis)
{
    lab_arena_free(&analysis->arena);
    *analysis = (lab_analysis){0};
}
