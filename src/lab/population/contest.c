// SPDX-License-Identifier: Apache-2.0
#include "population/contest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/arrival.h"
#include "cfpc/basis.h"
#include "cfpc/certificate.h"
#include "math/elementary.h"
#include "population/search.h"
#include "population/trial_map.h"

#define LEAST_RATE 0.05 // fractions of 1/‖ZᵀH‖ that are tried
#define MOST_RATE 2.0
#define LEAST_RHO 1e-4
#define MOST_RHO 1e2  // from where on the filters are the forward model
#define OVERFLOWN 1e3 // an rRMSE from which it does not come back
#define MAX_TAPS 8192 // of a teaching filter; what is outside the trial has no effect

const char *lab_contestant_name(lab_contestant which)
{
    static const char *const names[] = {LAB_CONTESTANTS(LAB_NAME)};
    return names[which];
}

enum { RHOS = 13, FILTERS = 2 }; // two ρ per decade

// What both contests of a loop share: the teaching filters that were made from what is believed.
typedef struct filter_bank {
    cfpc_system believed; // T
    double neglect;
    cfpc_teaching_filter filter[FILTERS][RHOS]; // without taps: not made yet
} filter_bank;

// Learning converges below some rate and diverges from there on: what is known of it.
typedef struct rates {
    double converges; // the highest that is known to
    double diverges;  // the lowest that is known to
} rates;

// What is held in memory while a loop is contested.
typedef struct arena_of {
    const lab_population_spec *spec;
    const lab_random_loop *loop;
    filter_bank *bank;
    int steps, bases;     // N, G
    cfpc_problem problem; // of the loop as believed
    double *x;            // (N x G)
    double *r;            // (N)
    double *z;            // traces of the trace that is tried                    (N x G)
    double *map, *start;  // of learning with them: trial_map.h        (G x 2G), (2G)
    double *w, *change;   // (G), (2G)
    double *late;         // (2 G² + 4 G)
    double *curve;        // (trials)
    double *best;         // traces of each contestant               (contestants x N x G)
    rates *known;         // of each constant of the contestant that is tuned        (constants)
    double rate[LAB_CONTESTANT_COUNT]; // η of each
    lab_contestant which;              // that is tuned
    double constant;                   // of the traces in z; NAN: none are made
    double norm;                       // ‖ZᵀH‖
    double lowest;                     // mean rRMSE of the settings tried
    cfpc_learning_map learning;        // with the traces in z; all zero: not made yet
    cfpc_status status;                // the first that was not CFPC_OK
    lab_arena arena;
} arena_of;

// ---- learning --------------------------------------------------------------------------------

// to += factor from
static void add(int count, double factor, const double *restrict from, double *restrict to)
{
    for (int i = 0; i < count; i++)
        to[i] += factor * from[i];
}

static double dot(int count, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

// Learning with the traces z, on a loop.
static lab_trial_map map_of(const arena_of *it, const cfpc_problem *problem)
{
    return (lab_trial_map){.steps = it->steps,
                           .bases = it->bases,
                           .problem = problem,
                           .map = it->map,
                           .start = it->start};
}

static void correlate(arena_of *it, const cfpc_problem *problem, const double *z)
{
    const lab_trial_map map = map_of(it, problem);
    lab_trial_map_fill(&map, z, problem->h, problem->e0);
}

// ‖ZᵀH‖₂ by power iteration on its square: it is the unit of rates, so that a few digits are
// enough.
static double norm_of(arena_of *it)
{
    enum { ROUNDS = 40 };
    const size_t g = (size_t)it->bases, row = 2 * g;
    double size = 0, *v = it->w, *u = it->change;
    for (size_t i = 0; i < g; i++)
        v[i] = 1 + 0.1 * (double)(i % 3);
    for (int k = 0; k < ROUNDS; k++) {
        const double length = sqrt(dot(it->bases, v, v));
        if (!(length > 0 && isfinite(length)))
            return 0;
        memset(u, 0, g * sizeof *u);
        for (size_t j = 0; j < g; j++)
            add(it->bases, v[j] / length, it->map + j * row, u);
        size = sqrt(dot(it->bases, u, u));
        for (size_t j = 0; j < g; j++)
            v[j] = dot(it->bases, it->map + j * row, u);
    }
    return size;
}

// The learning curve, w += η Zᵀe; returns its mean, INFINITY if it overflowed, or as soon as the
// mean cannot be below `limit`.
static double learn(arena_of *it, const cfpc_problem *problem, double rate, double limit)
{
    const int g = it->bases, trials = it->spec->trials;
    const lab_trial_map map = map_of(it, problem);
    double sum = 0;
    memset(it->w, 0, (size_t)g * sizeof *it->w);
    for (int k = 0; k < trials; k++) {
        it->curve[k] = lab_trial_map_step(&map, it->w, it->change) / problem->e0_norm;
        sum += it->curve[k];
        if (!(it->curve[k] < OVERFLOWN && sum < limit * trials)) {
            for (; k < trials; k++)
                it->curve[k] = INFINITY;
            return INFINITY;
        }
        add(g, rate, it->change, it->w);
    }
    return sum / trials;
}

// rRMSE after LAB_LATE trials.
static double late(arena_of *it, const cfpc_problem *problem, double rate)
{
    const lab_trial_map map = map_of(it, problem);
    return lab_trial_map_late(&map, rate, LAB_LATE_DOUBLINGS, it->late) / problem->e0_norm;
}

// ---- the traces ------------------------------------------------------------------------------

static double constant_at(const arena_of *it, double share)
{
    const double step_ms = it->loop->step_s * 1e3;
    switch (it->which) {
    case LAB_CONTEST_DELAY:
        return step_ms * round(share * it->spec->max_delay_ms / step_ms);
    case LAB_CONTEST_PHASE_MATCHED:
    case LAB_CONTEST_WHITENED:
        return LEAST_RHO * cfpci_pow(MOST_RHO / LEAST_RHO, round(share * (RHOS - 1)) / (RHOS - 1));
    case LAB_CONTEST_FORWARD_MODEL:
    case LAB_CONTESTANT_COUNT:
        break;
    }
    return 0;
}

static int rho_index(double rho)
{
    return (int)lround((RHOS - 1) * cfpci_log(rho / LEAST_RHO) / cfpci_log(MOST_RHO / LEAST_RHO));
}

static double rate_at(double share)
{
    return LEAST_RATE * cfpci_pow(MOST_RATE / LEAST_RATE, share);
}

static void delay_traces(arena_of *it, double delay_ms)
{
    const int late = (int)lround(delay_ms / (it->loop->step_s * 1e3));
    const size_t row = (size_t)it->bases,
                 shift = row * (size_t)(late < it->steps ? late : it->steps);
    memset(it->z, 0, shift * sizeof *it->z);
    memcpy(it->z + shift, it->x, (row * (size_t)it->steps - shift) * sizeof *it->z);
}

static cfpc_status make_filter(cfpc_teaching_filter *filter, const filter_bank *bank,
                               lab_contestant which, double rho)
{
    return which == LAB_CONTEST_WHITENED
               ? cfpc_teaching_filter_whitened(filter, &bank->believed, rho, bank->neglect,
                                               MAX_TAPS)
               : cfpc_teaching_filter_phase_matched(filter, &bank->believed, rho, bank->neglect,
                                                    MAX_TAPS);
}

static cfpc_status filter_traces(arena_of *it, double rho)
{
    cfpc_teaching_filter *filter =
        &it->bank->filter[it->which == LAB_CONTEST_WHITENED][rho_index(rho)];
    const cfpc_status status =
        filter->taps ? CFPC_OK : make_filter(filter, it->bank, it->which, rho);
    return status == CFPC_OK
               ? cfpc_teaching_filter_traces(filter, it->steps, it->bases, it->x, it->z)
               : status;
}

static void make_traces(arena_of *it, double constant)
{
    const size_t numbers = (size_t)it->steps * (size_t)it->bases;
    cfpc_status status = CFPC_OK;
    if (constant == it->constant)
        return;
    if (it->which == LAB_CONTEST_FORWARD_MODEL)
        memcpy(it->z, it->problem.h, numbers * sizeof *it->z);
    else if (it->which == LAB_CONTEST_DELAY)
        delay_traces(it, constant);
    else
        status = filter_traces(it, constant);
    it->status = it->status == CFPC_OK ? status : it->status;
    it->constant = constant;
    cfpc_learning_map_free(&it->learning);
    correlate(it, &it->problem, it->z);
    it->norm = norm_of(it);
}

// ---- convergence -----------------------------------------------------------------------------

static int constants_of(const lab_population_spec *spec, double step_s)
{
    const int delays = 1 + (int)lround(spec->max_delay_ms / (step_s * 1e3));
    return delays > RHOS ? delays : RHOS;
}

static rates *known_of(const arena_of *it)
{
    switch (it->which) {
    case LAB_CONTEST_DELAY:
        return &it->known[lround(it->constant / (it->loop->step_s * 1e3))];
    case LAB_CONTEST_PHASE_MATCHED:
    case LAB_CONTEST_WHITENED:
        return &it->known[rho_index(it->constant)];
    case LAB_CONTEST_FORWARD_MODEL:
    case LAB_CONTESTANT_COUNT:
        break;
    }
    return it->known;
}

static cfpc_status judge(arena_of *it, double rate, cfpc_verdict *verdict)
{
    const cfpc_lesson lesson = {.steps = it->steps, .bases = it->bases, .trace = it->z};
    const cfpc_status status =
        it->learning.m ? CFPC_OK : cfpc_learning_map_make(&it->learning, &lesson, &it->problem);
    return status == CFPC_OK ? cfpc_learning_verdict(verdict, &it->learning, rate) : status;
}

// Whether learning with the traces in z converges, by its certificate.
static bool converges(arena_of *it, double rate)
{
    rates *known = known_of(it);
    cfpc_verdict verdict = CFPC_DIVERGES;
    if (rate <= known->converges || rate >= known->diverges)
        return rate <= known->converges;
    if (it->status == CFPC_OK)
        it->status = judge(it, rate, &verdict);
    *(verdict == CFPC_DIVERGES ? &known->diverges : &known->converges) = rate;
    return verdict != CFPC_DIVERGES;
}

// The verdict costs more than the curve: only what would be the best is asked for it.
static double try_settings(void *context, const double at[LAB_SEARCH_MAX])
{
    arena_of *it = context;
    if (it->status != CFPC_OK)
        return INFINITY;
    make_traces(it, constant_at(it, at[1]));
    if (!(it->norm > 0))
        return INFINITY;
    const double rate = rate_at(at[0]) / it->norm;
    const double mean = learn(it, &it->problem, rate, it->lowest);
    if (!(mean < it->lowest) || (it->spec->converging && !converges(it, rate)))
        return INFINITY;
    it->lowest = mean;
    return mean;
}

// ---- a contestant ----------------------------------------------------------------------------

// No setting converged, or none was finite.
static void fail(lab_contest_score *score)
{
    *score = (lab_contest_score){.constant = NAN,
                                 .rate_fraction = NAN,
                                 .rrmse_mean = INFINITY,
                                 .rrmse_last = INFINITY,
                                 .diverges = true};
}

static void forget(arena_of *it, lab_contestant which)
{
    const int constants = constants_of(it->spec, it->loop->step_s);
    it->which = which;
    it->constant = NAN;
    it->lowest = INFINITY;
    for (int i = 0; i < constants; i++)
        it->known[i] = (rates){.converges = 0, .diverges = INFINITY};
}

static void tune(lab_contest_score *score, arena_of *it, lab_contestant which)
{
    const int dimensions = which == LAB_CONTEST_FORWARD_MODEL ? 1 : 2;
    const int trials = it->spec->trials;
    const size_t numbers = (size_t)it->steps * (size_t)it->bases;
    forget(it, which);
    const lab_searched best = lab_search(dimensions, it->spec->evaluations, try_settings, it);
    fail(score);
    it->lowest = INFINITY;
    it->rate[which] = 0;
    if (it->status != CFPC_OK || !isfinite(best.value))
        return;
    score->rrmse_mean = try_settings(it, best.at);
    score->constant = dimensions == 1 ? NAN : it->constant;
    score->rate_fraction = rate_at(best.at[0]);
    score->rrmse_last = it->curve[trials - 1];
    score->trials_to_5pc = lab_trials_to_5pc(it->curve, trials, it->problem.rrmse_optimum);
    it->rate[which] = score->rate_fraction / it->norm;
    memcpy(it->best + (size_t)which * numbers, it->z, numbers * sizeof *it->z);
    score->diverges = !converges(it, it->rate[which]);
}

// Every contestant, as it was tuned, on a loop that is not what it believes.
static cfpc_status be_wrong(lab_contest *contest, arena_of *it, const lab_wrong *wrong, int index)
{
    cfpc_system actual = {0};
    cfpc_problem problem = {0};
    cfpc_status status = lab_random_transfer(&actual, it->loop, wrong);
    if (status == CFPC_OK)
        status = cfpc_problem_make(&problem, &actual, it->steps, it->bases, it->x, it->r);
    contest->wrong_optimum[index] = status == CFPC_OK ? problem.rrmse_optimum : NAN;
    for (int k = 0; k < LAB_CONTESTANT_COUNT; k++) {
        contest->score[k].wrong_last[index] = contest->score[k].wrong_late[index] = NAN;
        if (status != CFPC_OK || it->rate[k] == 0)
            continue;
        correlate(it, &problem, it->best + (size_t)k * (size_t)it->steps * (size_t)it->bases);
        learn(it, &problem, it->rate[k], INFINITY);
        contest->score[k].wrong_last[index] = it->curve[it->spec->trials - 1];
        contest->score[k].wrong_late[index] = late(it, &problem, it->rate[k]);
    }
    cfpc_problem_free(&problem);
    cfpc_system_free(&actual);
    return status == CFPC_UNSTABLE ? CFPC_OK : status;
}

// ---- a contest -------------------------------------------------------------------------------

static cfpc_status make_basis(arena_of *it, double width_s, double first_s)
{
    cfpc_time_basis_def def = cfpc_default_time_basis_def();
    def.count = it->bases;
    def.first_s = first_s;
    def.width_s = width_s;
    def.spacing_s = 2 * width_s;
    return cfpc_time_basis(&def, it->loop->step_s, it->steps, it->bases, 0, it->x);
}

static cfpc_status set_up(arena_of *it, double width_s)
{
    double first_s, last_s;
    lab_random_bases(&first_s, &last_s);
    it->steps = lab_random_steps(it->loop->step_s);
    it->bases = 1 + (int)floor((last_s - first_s) / (2 * width_s) + 1e-9);
    const size_t n = (size_t)it->steps, g = (size_t)it->bases, size = sizeof(double);
    it->x = lab_take(&it->arena, n * g, size);
    it->r = lab_take(&it->arena, n, size);
    it->z = lab_take(&it->arena, n * g, size);
    it->map = lab_take(&it->arena, 2 * g * g, size);
    it->start = lab_take(&it->arena, 2 * g, size);
    it->w = lab_take(&it->arena, g, size);
    it->change = lab_take(&it->arena, 2 * g, size);
    it->late = lab_take(&it->arena, 2 * g * g + 4 * g, size);
    it->curve = lab_take(&it->arena, (size_t)it->spec->trials, size);
    it->best = lab_take(&it->arena, LAB_CONTESTANT_COUNT * n * g, size);
    it->known =
        lab_take(&it->arena, (size_t)constants_of(it->spec, it->loop->step_s), sizeof *it->known);
    if (it->arena.failed)
        return CFPC_NO_MEMORY;
    lab_random_reference(it->loop, it->steps, it->r);
    cfpc_status status = make_basis(it, width_s, first_s);
    if (status == CFPC_OK)
        status = cfpc_problem_make(&it->problem, &it->bank->believed, it->steps, it->bases, it->x,
                                   it->r);
    return status;
}

static cfpc_status hold(lab_contest *contest, arena_of *it)
{
    lab_wrong wrong[LAB_WRONGS];
    lab_wrongs(wrong, it->spec->wrong);
    it->status = set_up(it, (contest->is_wide ? it->spec->wide_ms : it->spec->narrow_ms) / 1e3);
    contest->bases = it->bases;
    contest->optimum = it->problem.rrmse_optimum;
    for (int k = 0; it->status == CFPC_OK && k < LAB_CONTESTANT_COUNT; k++)
        tune(&contest->score[k], it, (lab_contestant)k);
    for (int i = 0; it->status == CFPC_OK && i < LAB_WRONGS; i++)
        it->status = be_wrong(contest, it, &wrong[i], i);
    cfpc_learning_map_free(&it->learning);
    cfpc_problem_free(&it->problem);
    lab_arena_free(&it->arena);
    return it->status;
}

lab_outcome lab_contest_hold(lab_contest contest[2], const lab_population_spec *spec,
                             const lab_random_loop *loop, double neglect, lab_why *why)
{
    filter_bank bank = {.neglect = neglect};
    cfpc_status status = lab_random_transfer(&bank.believed, loop, NULL);
    for (int wide = 0; status == CFPC_OK && wide < 2; wide++) {
        arena_of it = {.spec = spec, .loop = loop, .bank = &bank};
        contest[wide].kind = loop->kind;
        contest[wide].is_wide = wide;
        status = hold(&contest[wide], &it);
    }
    for (int k = 0; k < FILTERS; k++)
        for (int i = 0; i < RHOS; i++)
            cfpc_teaching_filter_free(&bank.filter[k][i]);
    cfpc_system_free(&bank.believed);
    return lab_from_status(why, status, "population");
}
