// SPDX-License-Identifier: Apache-2.0
#include "analyse/pieces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyse/choose.h"
#include "analyse/frequencies.h"
#include "analyse/radius.h"
#include "math/elementary.h"
#include "math/order.h"

enum {
    MEMBERS = 16,    // on the edge of the band
    DRAWN = 600,     // frequencies of the figure
    MAX_BASES = 200, // above, settings are not compared
    MOST_BASES = 500 // above, nothing is said
};

#define MEMBER_WORK 4e9  // multiply-adds for all members
#define MOST_NUMBERS 1e8 // of the effects in all models

// ---- this rule -------------------------------------------------------------------------------

// The sufficient bound, as rates of the spec: a normalised rule divides them.
static lab_outcome find_bound(lab_band_analysis *analysis, const lab_models *models,
                              const lab_learner *learner, lab_why *why)
{
    cfpc_lesson lesson = learner->lesson;
    lesson.effect = models->models[0].taught;
    const bool online = models->setup->rig.spec->learning.mode == LAB_ONLINE;
    if (online || lesson.momentum != 0)
        analysis->no_bound = online ? "learning is on line" : "momentum is used";
    if (analysis->no_bound)
        return LAB_DONE;
    const cfpc_status status =
        cfpc_robust_bound(&analysis->bound, &lesson, &models->band, models->setup->rig.step_s);
    if (learner->rate > 0)
        analysis->bound.rate_max *= learner->rule->rate / learner->rate;
    return lab_from_status(why, status, models->setup->rig.spec->file);
}

// How this rule learns on line in each of the models.
static lab_outcome sample_online(lab_band_analysis *analysis, const lab_models *models,
                                 const lab_learner *learner, lab_why *why)
{
    const int trials = models->setup->rig.spec->learning.trials;
    const int watched = trials > LAB_WATCHED_TRIALS ? trials : LAB_WATCHED_TRIALS;
    const int compared = (trials < LAB_COMPARED_TRIAL ? trials : LAB_COMPARED_TRIAL) - 1;
    double *curve = calloc((size_t)watched, sizeof *curve);
    cfpc_status status = curve ? CFPC_OK : CFPC_NO_MEMORY;
    analysis->worst = (lab_worst){.falls = true};
    for (int i = 0; status == CFPC_OK && i < models->count; i++) {
        const lab_model *model = &models->models[i];
        cfpc_lesson lesson = learner->lesson;
        cfpc_learning_map map = {0};
        bool falls = true;
        lesson.teaching = model->teaching;
        status = cfpc_learning_map_online(&map, &lesson, &model->lesson,
                                          model->taught == model->effect ? NULL : &model->output,
                                          model->e0, learner->rate, learner->normaliser);
        if (status == CFPC_OK)
            status = cfpc_predict(&map, 1, watched, curve, NULL);
        for (int k = 1; status == CFPC_OK && k < watched; k++)
            falls &= lab_falls(k + 1, trials, curve[k - 1], curve[k], curve[compared]);
        if (status == CFPC_OK)
            lab_worst_add(&analysis->worst, i, curve[compared], curve[trials - 1], falls);
        cfpc_learning_map_free(&map);
    }
    free(curve);
    return lab_from_status(why, status, models->setup->rig.spec->file);
}

// How this rule learns in each of the models, in batch.
static lab_outcome sample(lab_band_analysis *analysis, const lab_models *models,
                          const lab_learner *learner, lab_why *why)
{
    const cfpc_lesson *lesson = &learner->lesson;
    const lab_pace_of_learning pace = {
        .rate = learner->rate, .leak = lesson->leak, .momentum = lesson->momentum};
    lab_matrices plain = {0}, turned = {0};
    double *work = calloc(3 * (size_t)models->setup->bases, sizeof *work);
    lab_outcome outcome = work ? LAB_DONE : lab_no_memory(why, NULL);
    if (outcome == LAB_DONE)
        outcome = lab_matrices_make(&plain, models, lesson, learner->trace, why);
    if (outcome == LAB_DONE && lesson->preconditioner)
        outcome = lab_matrices_times(&turned, &plain, lesson->preconditioner, why);
    if (outcome == LAB_DONE)
        lab_find_worst(&analysis->worst, lesson->preconditioner ? &turned : &plain, pace,
                       models->setup->rig.spec->learning.trials, INFINITY, work);
    lab_matrices_free(&plain);
    lab_matrices_free(&turned);
    free(work);
    return outcome;
}

// ---- the figure ------------------------------------------------------------------------------

// The band, and where the bases have power, from one period per trial to half the sampling rate.
static lab_outcome band_draw(lab_band_analysis *analysis, lab_arena *arena,
                             const lab_models *models, lab_why *why)
{
    const lab_setup *setup = models->setup;
    const lab_basis_signals bases = {.steps = setup->rig.steps,
                                     .bases = setup->bases,
                                     .step_s = setup->rig.step_s,
                                     .x = setup->x};
    const cfpc_band believed = {
        .count = models->band.count, .hz = models->band.hz, .radius = models->magnitude};
    const double low = 1 / (bases.steps * bases.step_s), high = 0.5 / bases.step_s;
    double *values = lab_take(arena, 4 * (size_t)DRAWN, sizeof *values), most = 0;
    if (!values)
        return lab_no_memory(why, NULL);
    analysis->frequencies = DRAWN;
    analysis->hz = values;
    analysis->believed = values + DRAWN;
    analysis->radius = values + 2 * (size_t)DRAWN;
    analysis->power = values + 3 * (size_t)DRAWN;
    for (int k = 0; k < DRAWN; k++) {
        analysis->hz[k] = low * cfpci_pow(high / low, k / (DRAWN - 1.0));
        analysis->believed[k] = cfpc_band_at(&believed, analysis->hz[k]);
        analysis->radius[k] = cfpc_band_at(&models->band, analysis->hz[k]);
        analysis->power[k] = lab_basis_power(&bases, analysis->hz[k]);
        most = cfpci_max(most, analysis->power[k]);
    }
    for (int k = 0; k < DRAWN && most > 0; k++)
        analysis->power[k] /= most;
    return LAB_DONE;
}

// ---- where a log knows it --------------------------------------------------------------------

// How much of a span lies within low to high.
static double band_within(double from, double to, double low, double high)
{
    return cfpci_max(0, cfpci_min(to, high) - cfpci_max(from, low));
}

// The share of the bases' power between the frequencies that the log of a model excites. All that
// is drawn counts, and what lies below it as much as there.
static void compare_excited(lab_band_analysis *analysis, const lab_model_file *file)
{
    if (!file || isnan(file->low_hz) || isnan(file->high_hz))
        return;
    const double low = file->low_hz, high = file->high_hz;
    double all = analysis->power[0] * analysis->hz[0];
    double inside = analysis->power[0] * band_within(0, analysis->hz[0], low, high);
    for (int k = 1; k < analysis->frequencies; k++) {
        const double power = (analysis->power[k - 1] + analysis->power[k]) / 2;
        all += power * (analysis->hz[k] - analysis->hz[k - 1]);
        inside += power * band_within(analysis->hz[k - 1], analysis->hz[k], low, high);
    }
    analysis->excited_low_hz = low;
    analysis->excited_high_hz = high;
    analysis->excited_share = all > 0 ? inside / all : NAN;
}

// ---- all of it -------------------------------------------------------------------------------

static lab_outcome study_rule(lab_band_analysis *analysis, const lab_models *models, int rule,
                              lab_why *why)
{
    const lab_setup *setup = models->setup;
    const bool online = setup->rig.spec->learning.mode == LAB_ONLINE;
    lab_learner learner;
    lab_outcome outcome = lab_learner_make(&learner, setup, &setup->rule[rule], why);
    if (outcome == LAB_DONE)
        outcome = find_bound(analysis, models, &learner, why);
    if (outcome == LAB_DONE)
        outcome = online ? sample_online(analysis, models, &learner, why)
                         : sample(analysis, models, &learner, why);
    if (outcome == LAB_DONE && !online && setup->bases <= MAX_BASES)
        outcome = lab_choose(&analysis->choice, models, rule, &learner.lesson, why);
    lab_learner_free(&learner);
    return outcome;
}

static lab_outcome band_study(lab_band_analysis *analysis, lab_arena *arena,
                              const lab_models *models, int rule, lab_why *why)
{
    analysis->variants = models->variants;
    analysis->members = models->members;
    analysis->unsafe_hz = models->unsafe_hz;
    if (!isnan(models->unsafe_hz)) { // nothing holds for all plants of the band
        char text[96];
        snprintf(text, sizeof text, "a plant in the band may make the loop unstable at %.3g Hz",
                 models->unsafe_hz);
        analysis->no_bound = lab_kept_text(arena, text);
    }
    lab_outcome outcome = study_rule(analysis, models, rule, why);
    if (outcome == LAB_DONE)
        outcome = band_draw(analysis, arena, models, why);
    if (outcome == LAB_DONE)
        compare_excited(analysis, lab_band_file(models->setup->rig.spec));
    analysis->worst_model = lab_kept_text(arena, models->models[analysis->worst.model].name);
    return outcome == LAB_DONE && arena->failed ? lab_no_memory(why, NULL) : outcome;
}

lab_outcome lab_analyse_band(lab_band_analysis *band, lab_arena *arena, const lab_plan *plan,
                             const lab_setup *setup, lab_why *why)
{
    const int rule = plan->spec->main_rule;
    const double steps = setup->rig.steps, numbers = steps * setup->bases; // of the effects in one
    *band = (lab_band_analysis){.is_given = lab_has_band(setup->rig.spec),
                                .unsafe_hz = NAN,
                                .excited_low_hz = NAN,
                                .excited_high_hz = NAN,
                                .excited_share = NAN};
    if (!band->is_given)
        return LAB_DONE;
    band->reason = lab_no_band(setup, &setup->rule[rule]);
    if (!band->reason &&
        (setup->bases > MOST_BASES || numbers * (1 + plan->variant_count) > MOST_NUMBERS))
        band->reason = "there are too many bases or steps";
    if (band->reason)
        return LAB_DONE;
    // Each member is a convolution of every basis.
    const int affordable =
        (int)cfpci_min(cfpci_min(MEMBERS, MOST_NUMBERS / numbers),
                       cfpci_max(2, MEMBER_WORK / (0.5 * steps * steps * setup->bases)));
    lab_models models;
    lab_outcome outcome =
        lab_models_make(&models, setup, plan->variants, plan->variant_count, affordable, why);
    if (outcome == LAB_DONE)
        outcome = band_study(band, arena, &models, rule, why);
    lab_models_free(&models);
    return outcome;
}
