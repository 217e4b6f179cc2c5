// SPDX-License-Identifier: Apache-2.0
#include "analyse/analyse_learning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/learner.h"
#include "analyse/online_rate.h"
#include "base/arrival.h"
#include "math/order.h"

enum {
    LONGEST_HORIZON = 10000, // trials that are predicted beyond the spec's
    FIRST_LOOK = 500,        //
    MAX_COMPARED = 300,      // bases: above, redundant ones are not searched for
    MAX_CERTIFIED = 500      // bases: above, eigenvalues would take minutes
};

#define HORIZON_WORK 1e9 // multiply-adds for it
#define ONLINE_WORK 3e8  // of one map: above, the online bound is not searched for

// ---- the curve -------------------------------------------------------------------------------

// An rRMSE that is not a number counts as infinite.
static void find_peak(const double *curve, int trials, double *peak, int *trial)
{
    *peak = 0;
    *trial = 1;
    for (int k = 0; k < trials; k++)
        if (!(curve[k] <= *peak)) {
            *peak = isnan(curve[k]) ? INFINITY : curve[k];
            *trial = k + 1;
        }
}

static void choose_horizon(lab_learning_analysis *it, const cfpc_learning_map *map)
{
    const double affordable = HORIZON_WORK / (2.0 * map->bases * map->bases);
    const int most = (int)cfpci_min(LONGEST_HORIZON, affordable);
    it->horizon = it->trials > most ? it->trials : most;
}

static cfpc_status predict(lab_learning_analysis *it, lab_arena *arena,
                           const cfpc_learning_map *map, double rate)
{
    double *curve = calloc((size_t)it->horizon, sizeof *curve);
    it->curve = lab_take(arena, (size_t)it->trials, sizeof *it->curve);
    if (!curve || !it->curve) {
        free(curve);
        return CFPC_NO_MEMORY;
    }
    const cfpc_status status = cfpc_predict(map, rate, it->horizon, curve, NULL);
    if (status == CFPC_OK) {
        memcpy(it->curve, curve, (size_t)it->trials * sizeof *curve);
        find_peak(curve, it->trials, &it->peak, &it->peak_trial);
        find_peak(curve, it->horizon, &it->horizon_peak, &it->horizon_peak_trial);
        it->trials_to_5pc = lab_trials_to_5pc(curve, it->horizon, it->optimum);
    }
    free(curve);
    return status;
}

// How many trials a rate needs to 5 % of the optimum: most need few. curve: (horizon)
static cfpc_status count_trials(const lab_learning_analysis *it, const cfpc_learning_map *map,
                                double rate, double *curve, int *needed)
{
    int trials = it->horizon < FIRST_LOOK ? it->horizon : FIRST_LOOK;
    cfpc_status status;
    do {
        status = cfpc_predict(map, rate, trials, curve, NULL);
        *needed = status == CFPC_OK ? lab_trials_to_5pc(curve, trials, it->optimum) : 0;
        trials = *needed > 0 || trials == it->horizon ? 0 : it->horizon;
    } while (status == CFPC_OK && trials > 0);
    return status;
}

// In brief, that is all.
static cfpc_status predict_briefly(lab_learning_analysis *it, const cfpc_learning_map *map,
                                   double rate)
{
    double *curve = calloc((size_t)it->horizon, sizeof *curve);
    const cfpc_status status =
        curve ? count_trials(it, map, rate, curve, &it->trials_to_5pc) : CFPC_NO_MEMORY;
    free(curve);
    return status;
}

// How many trials other rates would need, of those that are monotone.
static cfpc_status try_rates(lab_learning_analysis *it, const cfpc_learning_map *map)
{
    static const double shares[LAB_RATES_TRIED] = {0.25, 0.5, 0.7, 0.85, 0.95};
    const double most = it->certificate.rate_max_monotone;
    double *curve = calloc((size_t)it->horizon, sizeof *curve);
    cfpc_status status = curve ? CFPC_OK : CFPC_NO_MEMORY;
    for (int i = 0; status == CFPC_OK && i < LAB_RATES_TRIED && most > 0 && isfinite(most); i++) {
        it->tried_rate[i] = shares[i] * most;
        status = count_trials(it, map, it->tried_rate[i], curve, &it->tried_trials[i]);
    }
    free(curve);
    return status;
}

// ---- the bases -------------------------------------------------------------------------------

static int list(int bases, const bool *is, int *listed)
{
    int count = 0;
    for (int j = 0; j < bases; j++)
        if (is[j])
            listed[count++] = j;
    return count;
}

// Sorts out the bases without an effect, and those whose effect is a sum of others'.
static lab_outcome find_useless(lab_learning_analysis *it, lab_arena *arena,
                                const cfpc_problem *problem, const char *file, lab_why *why)
{
    const int bases = problem->bases;
    bool *is = calloc((size_t)bases, sizeof *is);
    it->idle = lab_take(arena, (size_t)bases, sizeof *it->idle);
    if (!is || !it->idle || cfpc_problem_idle(problem, is) != CFPC_OK) {
        free(is);
        return lab_no_memory(why, NULL);
    }
    it->idle_count = list(bases, is, it->idle);
    it->redundant_count = bases - problem->rank - it->idle_count;
    cfpc_status status = CFPC_OK;
    if (bases <= MAX_COMPARED) {
        it->redundant = lab_take(arena, (size_t)bases, sizeof *it->redundant);
        status = it->redundant ? cfpc_problem_redundant(problem, is) : CFPC_NO_MEMORY;
    }
    if (status == CFPC_OK && it->redundant)
        list(bases, is, it->redundant);
    free(is);
    return lab_from_status(why, status, file);
}

static lab_outcome look_at_bases(lab_learning_analysis *it, lab_arena *arena,
                                 const lab_setup *setup, lab_why *why)
{
    const cfpc_problem *problem = setup->nonlinear ? lab_believed_problem(setup) : &setup->problem;
    it->bases = problem->bases;
    it->rank = problem->rank;
    it->rank_cut = problem->rank_cut;
    it->optimum_known = problem->optimum_known;
    it->condition = problem->rank > 0 ? problem->s[0] / problem->s[problem->rank - 1] : NAN;
    return find_useless(it, arena, problem, setup->rig.spec->file, why);
}

// ---- the rates -------------------------------------------------------------------------------

// The batch bound, whatever the mode.
static cfpc_status find_batch_rate(lab_learning_analysis *it, const lab_learner *learner)
{
    cfpc_certificate certificate;
    cfpc_learning_map map;
    if (!it->reason && learner->setup->rig.spec->learning.mode == LAB_BATCH) {
        it->batch_rate_max = it->certificate.rate_max; // known already
        return CFPC_OK;
    }
    cfpc_status status = lab_learner_batch_map(&map, learner);
    if (status == CFPC_OK)
        status = cfpc_certify(&certificate, &map, learner->rate);
    if (status == CFPC_OK)
        it->batch_rate_max = certificate.rate_max;
    cfpc_learning_map_free(&map);
    return status;
}

static cfpc_status find_online_rate(lab_learning_analysis *it, const lab_learner *learner)
{
    cfpc_lesson online = learner->lesson;
    const double start =
        isfinite(it->batch_rate_max) && it->batch_rate_max > 0 ? it->batch_rate_max : learner->rate;
    online.preconditioner = NULL;
    if (lab_learner_work(learner, true) > ONLINE_WORK || online.momentum != 0 ||
        learner->rule->preconditioner)
        return CFPC_OK;
    const bool is_normalised = learner->rule->rule.normaliser > 0;
    return cfpc_online_rate_max(&it->online_rate_max, &online, &learner->teaching_path,
                                is_normalised ? (double)learner->rule->rule.normaliser : 0, start);
}

// Online a map is of one rate: bisection finds the largest rate with a norm below 1.
static cfpc_status find_online_monotone(cfpc_certificate *it, lab_learner *learner)
{
    const double given = learner->rate;
    double low = 0, high = it->rate_max;
    it->rate_max_monotone = 0;
    if (!(high > 0) || !isfinite(high))
        return CFPC_OK;
    for (int k = 0; k < 14; k++) {
        cfpc_learning_map map = {0};
        cfpc_verdict verdict = CFPC_DIVERGES;
        learner->rate = k == 0 ? high * 1e-4 : sqrt(low * high);
        cfpc_status status = lab_learner_map(&map, learner, NULL);
        if (status == CFPC_OK)
            status = cfpc_learning_verdict(&verdict, &map, 1);
        cfpc_learning_map_free(&map);
        if (status != CFPC_OK)
            return status;
        if (k == 0 && verdict != CFPC_MONOTONE)
            break;
        *(verdict == CFPC_MONOTONE ? &low : &high) = learner->rate;
    }
    learner->rate = given;
    it->rate_max_monotone = low;
    return CFPC_OK;
}

// ---- all of it -------------------------------------------------------------------------------

// By running the spec.
static lab_outcome run_for_rate(lab_learning_analysis *it, const lab_learner *learner, double near,
                                lab_why *why)
{
    it->rate_by_running = true;
    return near > 0 ? lab_online_rate_near(&it->online_rate_max, learner->setup, learner->rule,
                                           near, why)
                    : lab_online_rate_max(&it->online_rate_max, learner->setup, learner->rule, why);
}

// Both bounds; where a trial has no map, the online one is found by running. In brief (near > 0):
// not the online one in batch.
static lab_outcome find_rates(lab_learning_analysis *it, const lab_learner *learner, double near,
                              lab_why *why)
{
    const lab_setup *setup = learner->setup;
    const bool repeats = !it->reason || lab_mean_is_affine(setup, learner->rule);
    const bool online = setup->rig.spec->learning.mode == LAB_ONLINE, brief = near > 0;
    if (it->reason && !repeats && !lab_mean_is_linear(setup, learner->rule))
        return LAB_DONE;
    cfpc_status status = brief && !repeats ? CFPC_OK : find_batch_rate(it, learner);
    if (status == CFPC_OK && repeats && (online || !brief))
        status = find_online_rate(it, learner);
    if (status == CFPC_OK && !repeats)
        return run_for_rate(it, learner, near, why);
    return lab_from_status(why, status, setup->rig.spec->file);
}

// The certificate with another limit for faint directions.
static cfpc_status certify_faint(cfpc_certificate *it, const lab_learner *learner,
                                 const cfpc_learning_map *map, double faint)
{
    cfpc_learning_map other, made = {0};
    lab_learner moved = *learner;
    moved.lesson.faint = faint;
    if (cfpc_learning_map_faint(&other, map, faint))
        return cfpc_certify(it, &other, lab_learner_rate(learner));
    cfpc_status status = lab_learner_map(&made, &moved, NULL);
    if (status == CFPC_OK)
        status = cfpc_certify(it, &made, lab_learner_rate(learner));
    cfpc_learning_map_free(&made);
    return status;
}

// Certifies again with other limits, to find out what depends on them.
static cfpc_status doubt(lab_learning_analysis *it, const lab_learner *learner,
                         const cfpc_learning_map *map)
{
    static const double lines[] = {CFPC_FAINT_LESS, CFPC_FAINT_MORE};
    cfpc_status status = CFPC_OK;
    for (int k = 0; status == CFPC_OK && k < 2; k++) {
        cfpc_certificate other;
        status = certify_faint(&other, learner, map, lines[k]);
        if (status == CFPC_OK)
            cfpc_doubt(&it->certificate, &other);
    }
    return status;
}

static cfpc_status certify(lab_learning_analysis *it, lab_arena *arena, lab_learner *learner,
                           bool brief)
{
    cfpc_learning_map map = {0};
    cfpc_status status = lab_learner_map(&map, learner, NULL);
    if (status == CFPC_OK)
        status = cfpc_certify(&it->certificate, &map, lab_learner_rate(learner));
    if (status == CFPC_OK)
        choose_horizon(it, &map);
    if (status == CFPC_OK)
        status = brief ? predict_briefly(it, &map, lab_learner_rate(learner))
                       : predict(it, arena, &map, lab_learner_rate(learner));
    if (status == CFPC_OK && !map.online && !brief)
        status = try_rates(it, &map);
    if (status == CFPC_OK)
        status = doubt(it, learner, &map);
    cfpc_learning_map_free(&map);
    return status;
}

// Online the map does not give the bounds.
static cfpc_status take_online_rates(lab_learning_analysis *it, lab_learner *learner, bool brief)
{
    if (learner->setup->rig.spec->learning.mode != LAB_ONLINE)
        return CFPC_OK;
    it->certificate.rate_max = it->online_rate_max;
    return brief ? CFPC_OK : find_online_monotone(&it->certificate, learner);
}

// With a normalised batch rule the certificate's rates are those that are divided by ε + Σhᵀh.
static void put_rates_back(lab_learning_analysis *it, const lab_learner *learner)
{
    const double by = learner->setup->rig.spec->learning.mode == LAB_BATCH && learner->rate > 0
                          ? learner->rule->rate / learner->rate
                          : 1;
    it->certificate.rate_max *= by;
    it->certificate.rate_max_monotone *= by;
    for (int i = 0; i < LAB_RATES_TRIED; i++)
        it->tried_rate[i] *= by;
    if (learner->normaliser > 0) // online: the batch rate has another unit
        it->batch_rate_max = NAN;
    it->batch_rate_max *= by;
}

static lab_learning_analysis begun(const lab_setup *setup, const lab_rule *rule)
{
    lab_learning_analysis it = {.rate = rule->rate,
                                .reason = lab_not_affine(setup, rule),
                                .optimum = setup->nonlinear ? NAN : setup->problem.rrmse_optimum,
                                .trials = setup->rig.spec->learning.trials,
                                .condition = NAN,
                                .batch_rate_max = NAN,
                                .online_rate_max = NAN};
    if (!it.reason && setup->bases > MAX_CERTIFIED)
        it.reason = "there are more than 500 bases";
    return it;
}

// near > 0: in brief, and where the bound on line may be.
static lab_outcome study(lab_learning_analysis *learning, lab_arena *arena, const lab_setup *setup,
                         const lab_rule *rule, double near, lab_why *why)
{
    const bool brief = near > 0;
    const char *file = setup->rig.spec->file;
    lab_learner learner;
    if (setup->bases > MAX_CERTIFIED)
        return LAB_DONE;
    lab_outcome outcome = lab_learner_make(&learner, setup, rule, why);
    if (outcome == LAB_DONE && !learning->reason)
        outcome = lab_from_status(why, certify(learning, arena, &learner, brief), file);
    if (outcome == LAB_DONE)
        outcome = find_rates(learning, &learner, near, why);
    if (outcome == LAB_DONE && !learning->reason)
        outcome = lab_from_status(why, take_online_rates(learning, &learner, brief), file);
    if (outcome == LAB_DONE)
        put_rates_back(learning, &learner);
    lab_learner_free(&learner);
    return outcome;
}

lab_outcome lab_analyse_learning(lab_learning_analysis *learning, lab_arena *arena,
                                 const lab_setup *setup, int rule, lab_why *why)
{
    *learning = begun(setup, &setup->rule[rule]);
    const lab_outcome outcome = look_at_bases(learning, arena, setup, why);
    return outcome == LAB_DONE ? study(learning, arena, setup, &setup->rule[rule], 0, why)
                               : outcome;
}

lab_outcome lab_analyse_briefly(lab_learning_analysis *learning, lab_arena *arena,
                                const lab_setup *setup, const lab_rule *rule, double near,
                                lab_why *why)
{
    *learning = begun(setup, rule);
    return study(learning, arena, setup, rule, near, why);
}
