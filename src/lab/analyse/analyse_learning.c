// SPDX-License-Identifier: Apache-2.0
#include "analyse/pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

// How many trials a rate needs to 5 % of the optimum: most need few. curve: (horizon)
static cfpc_status count_trials(const lab_learning_analysis *analysis, const cfpc_learning_map *map,
                                double rate, double *curve, int *needed)
{
    int trials = analysis->horizon < FIRST_LOOK ? analysis->horizon : FIRST_LOOK;
    cfpc_status status;
    do {
        status = cfpc_predict(map, rate, trials, curve, NULL);
        *needed = status == CFPC_OK ? lab_trials_to_5pc(curve, trials, analysis->optimum) : 0;
        trials = *needed > 0 || trials == analysis->horizon ? 0 : analysis->horizon;
    } while (status == CFPC_OK && trials > 0);
    return status;
}

// The curve from trial to trial, and how many trials other rates would need, of those that are
// monotone. In brief only how many this rate needs.
static cfpc_status analyse_learning_predict(lab_learning_analysis *analysis, lab_arena *arena,
                                            const cfpc_learning_map *map, double rate, bool brief)
{
    static const double shares[LAB_RATES_TRIED] = {0.25, 0.5, 0.7, 0.85, 0.95};
    const double affordable = HORIZON_WORK / (2.0 * map->bases * map->bases);
    const double most = analysis->certificate.rate_max_monotone;
    const int longest = (int)cfpci_min(LONGEST_HORIZON, affordable);
    analysis->horizon = analysis->trials > longest ? analysis->trials : longest;
    double *curve = calloc((size_t)analysis->horizon, sizeof *curve);
    cfpc_status status = curve ? CFPC_OK : CFPC_NO_MEMORY;
    if (curve && brief)
        status = count_trials(analysis, map, rate, curve, &analysis->trials_to_5pc);
    if (curve && !brief) {
        analysis->curve = lab_take(arena, (size_t)analysis->trials, sizeof *analysis->curve);
        status = analysis->curve ? cfpc_predict(map, rate, analysis->horizon, curve, NULL)
                                 : CFPC_NO_MEMORY;
    }
    if (status == CFPC_OK && !brief) {
        memcpy(analysis->curve, curve, (size_t)analysis->trials * sizeof *curve);
        find_peak(curve, analysis->trials, &analysis->peak, &analysis->peak_trial);
        find_peak(curve, analysis->horizon, &analysis->horizon_peak, &analysis->horizon_peak_trial);
        analysis->trials_to_5pc = lab_trials_to_5pc(curve, analysis->horizon, analysis->optimum);
    }
    const int tried = map->online || brief || !(most > 0) || !isfinite(most) ? 0 : LAB_RATES_TRIED;
    for (int i = 0; status == CFPC_OK && i < tried; i++) {
        analysis->tried_rate[i] = shares[i] * most;
        status =
            count_trials(analysis, map, analysis->tried_rate[i], curve, &analysis->tried_trials[i]);
    }
    free(curve);
    return status;
}

// ---- the bases -------------------------------------------------------------------------------

static int analyse_learning_list(int bases, const bool *is, int *listed)
{
    int count = 0;
    for (int j = 0; j < bases; j++)
        if (is[j])
            listed[count++] = j;
    return count;
}

// How many count, and which have no effect, or one that is a sum of others'.
static lab_outcome look_at_bases(lab_learning_analysis *analysis, lab_arena *arena,
                                 const lab_setup *setup, lab_why *why)
{
    const cfpc_problem *problem = setup->nonlinear ? lab_believed_problem(setup) : &setup->problem;
    const int bases = analysis->bases = problem->bases;
    analysis->rank = problem->rank;
    analysis->rank_cut = problem->rank_cut;
    analysis->optimum_known = problem->optimum_known;
    analysis->condition = problem->rank > 0 ? problem->s[0] / problem->s[problem->rank - 1] : NAN;
    bool *is = calloc((size_t)bases, sizeof *is);
    analysis->idle = lab_take(arena, (size_t)bases, sizeof *analysis->idle);
    if (bases <= MAX_COMPARED)
        analysis->redundant = lab_take(arena, (size_t)bases, sizeof *analysis->redundant);
    cfpc_status status = is && !arena->failed ? cfpc_problem_idle(problem, is) : CFPC_NO_MEMORY;
    if (status != CFPC_OK) {
        free(is);
        return lab_from_status(why, status, setup->rig.spec->file);
    }
    analysis->idle_count = analyse_learning_list(bases, is, analysis->idle);
    analysis->redundant_count = bases - problem->rank - analysis->idle_count;
    if (analysis->redundant)
        status = cfpc_problem_redundant(problem, is);
    if (status == CFPC_OK && analysis->redundant)
        analyse_learning_list(bases, is, analysis->redundant);
    free(is);
    return lab_from_status(why, status, setup->rig.spec->file);
}

// ---- the rates -------------------------------------------------------------------------------

// The batch bound, whatever the mode.
static cfpc_status find_batch_rate(lab_learning_analysis *analysis, const lab_learner *learner)
{
    cfpc_certificate certificate;
    cfpc_learning_map map;
    if (!analysis->reason && learner->setup->rig.spec->learning.mode == LAB_BATCH) {
        analysis->batch_rate_max = analysis->certificate.rate_max; // known already
        return CFPC_OK;
    }
    cfpc_status status = lab_learner_batch_map(&map, learner);
    if (status == CFPC_OK)
        status = cfpc_certify(&certificate, &map, learner->rate);
    if (status == CFPC_OK)
        analysis->batch_rate_max = certificate.rate_max;
    cfpc_learning_map_free(&map);
    return status;
}

static cfpc_status find_online_rate(lab_learning_analysis *analysis, const lab_learner *learner)
{
    cfpc_lesson online = learner->lesson;
    const double start = isfinite(analysis->batch_rate_max) && analysis->batch_rate_max > 0
                             ? analysis->batch_rate_max
                             : learner->rate;
    online.preconditioner = NULL;
    if (lab_learner_work(learner, true) > ONLINE_WORK || online.momentum != 0 ||
        learner->rule->preconditioner)
        return CFPC_OK;
    const bool is_normalised = learner->rule->rule.normaliser > 0;
    return cfpc_online_rate_max(&analysis->online_rate_max, &online, &learner->teaching_path,
                                is_normalised ? (double)learner->rule->rule.normaliser : 0, start);
}

// Online a map is of one rate: bisection finds the largest rate with a norm below 1.
static cfpc_status find_online_monotone(cfpc_certificate *certificate, lab_learner *learner)
{
    const double given = learner->rate;
    double low = 0, high = certificate->rate_max;
    certificate->rate_max_monotone = 0;
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
    certificate->rate_max_monotone = low;
    return CFPC_OK;
}

// ---- all of it -------------------------------------------------------------------------------

// Both bounds; where a trial has no map, the online one is found by running. In brief (near > 0):
// not the online one in batch.
static lab_outcome analyse_learning_find_rates(lab_learning_analysis *analysis,
                                               const lab_learner *learner, double near,
                                               lab_why *why)
{
    const lab_setup *setup = learner->setup;
    const bool repeats = !analysis->reason || lab_mean_is_affine(setup, learner->rule);
    const bool online = setup->rig.spec->learning.mode == LAB_ONLINE, brief = near > 0;
    double *found = &analysis->online_rate_max;
    if (analysis->reason && !repeats && !lab_mean_is_linear(setup, learner->rule))
        return LAB_DONE;
    cfpc_status status = brief && !repeats ? CFPC_OK : find_batch_rate(analysis, learner);
    if (status == CFPC_OK && repeats && (online || !brief))
        status = find_online_rate(analysis, learner);
    if (status != CFPC_OK || repeats)
        return lab_from_status(why, status, setup->rig.spec->file);
    analysis->rate_by_running = true;
    return brief ? lab_online_rate_near(found, setup, learner->rule, near, why)
                 : lab_online_rate_max(found, setup, learner->rule, why);
}

// Certifies again with other limits for faint directions, to find out what depends on them.
static cfpc_status doubt(lab_learning_analysis *analysis, const lab_learner *learner,
                         const cfpc_learning_map *map)
{
    static const double lines[] = {CFPC_FAINT_LESS, CFPC_FAINT_MORE};
    cfpc_status status = CFPC_OK;
    for (int k = 0; status == CFPC_OK && k < 2; k++) {
        cfpc_learning_map seen, made = {0};
        cfpc_certificate other;
        lab_learner moved = *learner;
        moved.lesson.faint = lines[k];
        const bool same = cfpc_learning_map_faint(&seen, map, lines[k]);
        if (!same)
            status = lab_learner_map(&made, &moved, NULL);
        if (status == CFPC_OK)
            status = cfpc_certify(&other, same ? &seen : &made, lab_learner_rate(learner));
        if (status == CFPC_OK)
            cfpc_doubt(&analysis->certificate, &other);
        cfpc_learning_map_free(&made);
    }
    return status;
}

static cfpc_status analyse_learning_certify(lab_learning_analysis *analysis, lab_arena *arena,
                                            const lab_learner *learner, bool brief)
{
    cfpc_learning_map map = {0};
    const double rate = lab_learner_rate(learner);
    cfpc_status status = lab_learner_map(&map, learner, NULL);
    if (status == CFPC_OK)
        status = cfpc_certify(&analysis->certificate, &map, rate);
    if (status == CFPC_OK)
        status = analyse_learning_predict(analysis, arena, &map, rate, brief);
    if (status == CFPC_OK)
        status = doubt(analysis, learner, &map);
    cfpc_learning_map_free(&map);
    return status;
}

// With a normalised batch rule the certificate's rates are those that are divided by ε + Σhᵀh.
static void put_rates_back(lab_learning_analysis *analysis, const lab_learner *learner)
{
    const double by = learner->setup->rig.spec->learning.mode == LAB_BATCH && learner->rate > 0
                          ? learner->rule->rate / learner->rate
                          : 1;
    analysis->certificate.rate_max *= by;
    analysis->certificate.rate_max_monotone *= by;
    for (int i = 0; i < LAB_RATES_TRIED; i++)
        analysis->tried_rate[i] *= by;
    if (learner->normaliser > 0) // online: the batch rate has another unit
        analysis->batch_rate_max = NAN;
    analysis->batch_rate_max *= by;
}

static lab_learning_analysis begun(const lab_setup *setup, const lab_rule *rule)
{
    lab_learning_analysis analysis = {.rate = rule->rate,
                                      .reason = lab_not_affine(setup, rule),
                                      .optimum =
                                          setup->nonlinear ? NAN : setup->problem.rrmse_optimum,
                                      .trials = setup->rig.spec->learning.trials,
                                      .condition = NAN,
                                      .batch_rate_max = NAN,
                                      .online_rate_max = NAN};
    if (!analysis.reason && setup->bases > MAX_CERTIFIED)
        analysis.reason = "there are more than 500 bases";
    return analysis;
}

// near > 0: in brief, and where the bound on line may be.
static lab_outcome analyse_learning_study(lab_learning_analysis *learning, lab_arena *arena,
                                          const lab_setup *setup, const lab_rule *rule, double near,
                                          lab_why *why)
{
    const bool brief = near > 0, online = setup->rig.spec->learning.mode == LAB_ONLINE;
    const char *file = setup->rig.spec->file;
    lab_learner learner;
    if (setup->bases > MAX_CERTIFIED)
        return LAB_DONE;
    lab_outcome outcome = lab_learner_make(&learner, setup, rule, why);
    if (outcome == LAB_DONE && !learning->reason)
        outcome =
            lab_from_status(why, analyse_learning_certify(learning, arena, &learner, brief), file);
    if (outcome == LAB_DONE)
        outcome = analyse_learning_find_rates(learning, &learner, near, why);
    if (outcome == LAB_DONE && !learning->reason && online) { // the map does not give the bounds
        learning->certificate.rate_max = learning->online_rate_max;
        if (!brief)
            outcome =
                lab_from_status(why, find_online_monotone(&learning->certificate, &learner), file);
    }
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
    return outcome == LAB_DONE
               ? analyse_learning_study(learning, arena, setup, &setup->rule[rule], 0, why)
               : outcome;
}

lab_outcome lab_analyse_briefly(lab_learning_analysis *learning, lab_arena *arena,
                                const lab_setup *setup, const lab_rule *rule, double near,
                                lab_why *why)
{
    *learning = begun(setup, rule);
    return analyse_learning_study(learning, arena, setup, rule, near, why);
}
