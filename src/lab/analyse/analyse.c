// SPDX-License-Identifier: Apache-2.0
#include "analyse/analyse.h"

#include <math.h>

#include "analyse/advise.h"
#include "analyse/analyse_learning.h"
#include "analyse/analyse_loop.h"
#include "analyse/band.h"
#include "analyse/forms.h"
#include "analyse/tolerance.h"
#include "plant/through_cell.h"
#include "run/run.h"
#include "run/simulate.h"
#include "spec/constants.h"
#include "spec/model_doubt.h"

// ---- the cell in the loop --------------------------------------------------------------------

// Largest pole with these weights.
static lab_outcome close_through_cell(lab_loop_analysis *it, const lab_setup *setup,
                                      const double *weights, lab_why *why)
{
    lab_scene scene;
    lab_outcome outcome = lab_scene_make(&scene, &setup->rig, why);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(why,
                                  lab_radius_with_cell(&it->radius_with_cell, &scene.basis,
                                                       &setup->rig.loop.from_o, weights),
                                  setup->rig.spec->file);
    lab_scene_free(&scene);
    return outcome;
}

// With the given weights, or those at the end of a run.
static lab_outcome look_at_cell(lab_loop_analysis *it, const lab_plan *plan, const lab_setup *setup,
                                const lab_analyse_options *options, lab_why *why)
{
    const double *weights = options->weights;
    if (weights && options->weight_count != setup->bases)
        return lab_refuse(why, "%s: there are %d weights for the %d bases of %s",
                          options->weights_file, options->weight_count, setup->bases,
                          plan->spec->name);
    if (weights) {
        it->weights = "the weights given";
        return close_through_cell(it, setup, weights, why);
    }
    lab_record record;
    lab_outcome outcome = lab_run(&record, plan, 1, NULL, why);
    it->weights = "the weights at the end of a run";
    if (outcome == LAB_DONE)
        outcome = close_through_cell(it, setup, record.rule[record.main_rule].weights, why);
    lab_record_free(&record);
    return outcome;
}

// ---- all of it -------------------------------------------------------------------------------

static lab_outcome look_at_tolerance(lab_analysis *it, const lab_setup *setup, bool region,
                                     lab_why *why)
{
    lab_learner learner;
    lab_outcome outcome = lab_learner_make(&learner, setup, &setup->rule[it->spec->main_rule], why);
    if (outcome == LAB_DONE)
        outcome = lab_tolerate(&it->tolerance, &it->arena, &learner, region, why);
    lab_learner_free(&learner);
    return outcome;
}

static lab_outcome analyse_stable(lab_analysis *it, const lab_plan *plan,
                                  const lab_analyse_options *options, lab_why *why)
{
    lab_setup setup;
    lab_outcome outcome = lab_setup_make(&setup, plan, plan->spec->main_rule, 0, why);
    if (outcome == LAB_DONE)
        outcome = lab_setup_scale(&setup, 1, why);
    if (outcome == LAB_DONE)
        outcome = lab_analyse_learning(&it->learning, &it->arena, &setup, it->spec->main_rule, why);
    if (outcome == LAB_DONE)
        outcome = lab_compare_forms(it, &setup, why);
    if (outcome == LAB_DONE && !it->learning.reason)
        outcome = look_at_tolerance(it, &setup, options->region, why);
    if (outcome == LAB_DONE)
        outcome = lab_analyse_band(&it->band, &it->arena, plan, &setup, why);
    if (outcome == LAB_DONE && (it->loop.hears_loop || options->weights))
        outcome = look_at_cell(&it->loop, plan, &setup, options, why);
    if (outcome == LAB_DONE)
        outcome = lab_advise(it, &setup, why);
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
