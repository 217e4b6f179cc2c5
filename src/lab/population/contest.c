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
typedef struct bout {
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
} bout;

// ---- learning --------------------------------------------------------------------------------

// to += factor from
static void contest_add(int count, double factor, const double *restrict from, double *restrict to)
{
    for (int i = 0; i < count; i++)
        to[i] += factor * from[i];
}

static double contest_dot(int count, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

// Learning with the traces z, on a loop.
static lab_trial_map map_of(const bout *bout, const cfpc_problem *problem)
{
    return (lab_trial_map){.steps = bout->steps,
                           .bases = bout->bases,
                           .problem = problem,
                           .map = bout->map,
                           .start = bout->start};
}

static void contest_correlate(bout *bout, const cfpc_problem *problem, const double *z)
{
    const lab_trial_map map = map_of(bout, problem);
    lab_trial_map_fill(&map, z, problem->h, problem->e0);
}

// ‖ZᵀH‖₂ by power iteration on its square: it is the unit of rates, so that a few digits are
// enough.
static double contest_norm_of(bout *bout)
{
    enum { ROUNDS = 40 };
    const size_t g = (size_t)bout->bases, row = 2 * g;
    double size = 0, *v = bout->w, *u = bout->change;
    for (size_t i = 0; i < g; i++)
        v[i] = 1 + 0.1 * (double)(i % 3);
    for (int k = 0; k < ROUNDS; k++) {
        const double length = sqrt(contest_dot(bout->bases, v, v));
        if (!(length > 0 && isfinite(length)))
            return 0;
        memset(u, 0, g * sizeof *u);
        for (size_t j = 0; j < g; j++)
            contest_add(bout->bases, v[j] / length, bout->map + j * row, u);
        size = sqrt(contest_dot(bout->bases, u, u));
        for (size_t j = 0; j < g; j++)
            v[j] = contest_dot(bout->bases, bout->map + j * row, u);
    }
    return size;
}

// The learning curve, w += η Zᵀe; returns its mean, INFINITY if it overflowed, or as soon as the
// mean cannot be below `limit`.
static double contest_learn(bout *bout, const cfpc_problem *problem, double rate, double limit)
{
    const int g = bout->bases, trials = bout->spec->trials;
    const lab_trial_map map = map_of(bout, problem);
    double sum = 0;
    memset(bout->w, 0, (size_t)g * sizeof *bout->w);
    for (int k = 0; k < trials; k++) {
        bout->curve[k] = lab_trial_map_step(&map, bout->w, bout->change) / problem->e0_norm;
        sum += bout->curve[k];
        if (!(bout->curve[k] < OVERFLOWN && sum < limit * trials)) {
            for (; k < trials; k++)
                bout->curve[k] = INFINITY;
            return INFINITY;
        }
        contest_add(g, rate, bout->change, bout->w);
    }
    return sum / trials;
}

// ---- the traces ------------------------------------------------------------------------------

static int rho_index(double rho)
{
    return (int)lround((RHOS - 1) * cfpci_log(rho / LEAST_RHO) / cfpci_log(MOST_RHO / LEAST_RHO));
}

static double rate_at(double share)
{
    return LEAST_RATE * cfpci_pow(MOST_RATE / LEAST_RATE, share);
}

// Traces of the basis signals by a filter, which is made if it is not there yet.
static cfpc_status filter_traces(bout *bout, double rho)
{
    const bool whitened = bout->which == LAB_CONTEST_WHITENED;
    filter_bank *bank = bout->bank;
    cfpc_teaching_filter *filter = &bank->filter[whitened][rho_index(rho)];
    cfpc_status status = CFPC_OK;
    if (!filter->taps)
        status = whitened ? cfpc_teaching_filter_whitened(filter, &bank->believed, rho,
                                                          bank->neglect, MAX_TAPS)
                          : cfpc_teaching_filter_phase_matched(filter, &bank->believed, rho,
                                                               bank->neglect, MAX_TAPS);
    return status == CFPC_OK
               ? cfpc_teaching_filter_traces(filter, bout->steps, bout->bases, bout->x, bout->z)
               : status;
}

static void contest_make_traces(bout *bout, double constant)
{
    const size_t row = (size_t)bout->bases, numbers = (size_t)bout->steps * row;
    cfpc_status status = CFPC_OK;
    if (constant == bout->constant)
        return;
    if (bout->which == LAB_CONTEST_FORWARD_MODEL)
        memcpy(bout->z, bout->problem.h, numbers * sizeof *bout->z);
    else if (bout->which == LAB_CONTEST_DELAY) {
        const int late = (int)lround(constant / (bout->loop->step_s * 1e3));
        const size_t shift = row * (size_t)(late < bout->steps ? late : bout->steps);
        memset(bout->z, 0, shift * sizeof *bout->z);
        memcpy(bout->z + shift, bout->x, (numbers - shift) * sizeof *bout->z);
    } else
        status = filter_traces(bout, constant);
    bout->status = bout->status == CFPC_OK ? status : bout->status;
    bout->constant = constant;
    cfpc_learning_map_free(&bout->learning);
    contest_correlate(bout, &bout->problem, bout->z);
    bout->norm = contest_norm_of(bout);
}

// ---- convergence -----------------------------------------------------------------------------

static int contest_constants_of(const lab_population_spec *spec, double step_s)
{
    const int delays = 1 + (int)lround(spec->max_delay_ms / (step_s * 1e3));
    return delays > RHOS ? delays : RHOS;
}

// Whether learning with the traces in z converges, by its certificate.
static bool converges(bout *bout, double rate)
{
    rates *known = bout->known; // of these traces
    if (bout->which == LAB_CONTEST_DELAY)
        known += lround(bout->constant / (bout->loop->step_s * 1e3));
    else if (bout->which != LAB_CONTEST_FORWARD_MODEL)
        known += rho_index(bout->constant);
    if (rate <= known->converges || rate >= known->diverges)
        return rate <= known->converges;
    const cfpc_lesson lesson = {.steps = bout->steps, .bases = bout->bases, .trace = bout->z};
    cfpc_verdict verdict = CFPC_DIVERGES;
    if (bout->status == CFPC_OK && !bout->learning.m)
        bout->status = cfpc_learning_map_make(&bout->learning, &lesson, &bout->problem);
    if (bout->status == CFPC_OK)
        bout->status = cfpc_learning_verdict(&verdict, &bout->learning, rate);
    *(verdict == CFPC_DIVERGES ? &known->diverges : &known->converges) = rate;
    return verdict != CFPC_DIVERGES;
}

// The verdict costs more than the curve: only what would be the best is asked for it.
static double try_settings(void *context, const double at[LAB_SEARCH_MAX])
{
    bout *bout = context;
    const double step_ms = bout->loop->step_s * 1e3;
    double constant = 0;
    if (bout->status != CFPC_OK)
        return INFINITY;
    if (bout->which == LAB_CONTEST_DELAY)
        constant = step_ms * round(at[1] * bout->spec->max_delay_ms / step_ms);
    else if (bout->which != LAB_CONTEST_FORWARD_MODEL)
        constant =
            LEAST_RHO * cfpci_pow(MOST_RHO / LEAST_RHO, round(at[1] * (RHOS - 1)) / (RHOS - 1));
    contest_make_traces(bout, constant);
    if (!(bout->norm > 0))
        return INFINITY;
    const double rate = rate_at(at[0]) / bout->norm;
    const double mean = contest_learn(bout, &bout->problem, rate, bout->lowest);
    if (!(mean < bout->lowest) || (bout->spec->converging && !converges(bout, rate)))
        return INFINITY;
    bout->lowest = mean;
    return mean;
}

// ---- a contestant ----------------------------------------------------------------------------

static void contest_tune(lab_contest_score *score, bout *bout, lab_contestant which)
{
    const int dimensions = which == LAB_CONTEST_FORWARD_MODEL ? 1 : 2;
    const int trials = bout->spec->trials;
    const int constants = contest_constants_of(bout->spec, bout->loop->step_s);
    const size_t numbers = (size_t)bout->steps * (size_t)bout->bases;
    bout->which = which;
    bout->constant = NAN;
    bout->lowest = INFINITY;
    for (int i = 0; i < constants; i++)
        bout->known[i] = (rates){.converges = 0, .diverges = INFINITY};
    const lab_searched best = lab_search(dimensions, bout->spec->evaluations, try_settings, bout);
    // As if no setting had converged, or none were finite.
    *score = (lab_contest_score){.constant = NAN,
                                 .rate_fraction = NAN,
                                 .rrmse_mean = INFINITY,
                                 .rrmse_last = INFINITY,
                                 .diverges = true};
    bout->lowest = INFINITY;
    bout->rate[which] = 0;
    if (bout->status != CFPC_OK || !isfinite(best.value))
        return;
    score->rrmse_mean = try_settings(bout, best.at);
    score->constant = dimensions == 1 ? NAN : bout->constant;
    score->rate_fraction = rate_at(best.at[0]);
    score->rrmse_last = bout->curve[trials - 1];
    score->trials_to_5pc = lab_trials_to_5pc(bout->curve, trials, bout->problem.rrmse_optimum);
    bout->rate[which] = score->rate_fraction / bout->norm;
    memcpy(bout->best + (size_t)which * numbers, bout->z, numbers * sizeof *bout->z);
    score->diverges = !converges(bout, bout->rate[which]);
}

// Every contestant, as it was tuned, on a loop that is not what it believes: at the last trial, and
// after LAB_LATE trials.
static cfpc_status be_wrong(lab_contest *contest, bout *bout, const lab_wrong *wrong, int index)
{
    const size_t numbers = (size_t)bout->steps * (size_t)bout->bases;
    cfpc_system actual = {0};
    cfpc_problem problem = {0};
    cfpc_status status = lab_random_transfer(&actual, bout->loop, wrong);
    if (status == CFPC_OK)
        status = cfpc_problem_make(&problem, &actual, bout->steps, bout->bases, bout->x, bout->r);
    const lab_trial_map map = map_of(bout, &problem);
    contest->wrong_optimum[index] = status == CFPC_OK ? problem.rrmse_optimum : NAN;
    for (int k = 0; k < LAB_CONTESTANT_COUNT; k++) {
        lab_contest_score *score = &contest->score[k];
        score->wrong_last[index] = score->wrong_late[index] = NAN;
        if (status != CFPC_OK || bout->rate[k] == 0)
            continue;
        contest_correlate(bout, &problem, bout->best + (size_t)k * numbers);
        contest_learn(bout, &problem, bout->rate[k], INFINITY);
        score->wrong_last[index] = bout->curve[bout->spec->trials - 1];
        score->wrong_late[index] =
            lab_trial_map_late(&map, bout->rate[k], LAB_LATE_DOUBLINGS, bout->late) /
            problem.e0_norm;
    }
    cfpc_problem_free(&problem);
    cfpc_system_free(&actual);
    return status == CFPC_UNSTABLE ? CFPC_OK : status;
}

// ---- a contest -------------------------------------------------------------------------------

static cfpc_status contest_set_up(bout *bout, double width_s)
{
    double first_s, last_s;
    lab_random_bases(&first_s, &last_s);
    bout->steps = lab_random_steps(bout->loop->step_s);
    bout->bases = 1 + (int)floor((last_s - first_s) / (2 * width_s) + 1e-9);
    const size_t n = (size_t)bout->steps, g = (size_t)bout->bases;
    const size_t constants = (size_t)contest_constants_of(bout->spec, bout->loop->step_s);
    const struct room {
        double **array;
        size_t count;
    } rooms[] = {{&bout->x, n * g},
                 {&bout->r, n},
                 {&bout->z, n * g},
                 {&bout->map, 2 * g * g},
                 {&bout->start, 2 * g},
                 {&bout->w, g},
                 {&bout->change, 2 * g},
                 {&bout->late, 2 * g * g + 4 * g},
                 {&bout->curve, (size_t)bout->spec->trials},
                 {&bout->best, LAB_CONTESTANT_COUNT * n * g}};
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++)
        *rooms[i].array = lab_take(&bout->arena, rooms[i].count, sizeof(double));
    bout->known = lab_take(&bout->arena, constants, sizeof *bout->known);
    if (bout->arena.failed)
        return CFPC_NO_MEMORY;
    // The movement, the bases, and the problem of the loop as believed.
    lab_random_reference(bout->loop, bout->steps, bout->r);
    cfpc_time_basis_def def = cfpc_default_time_basis_def();
    def.count = bout->bases;
    def.first_s = first_s;
    def.width_s = width_s;
    def.spacing_s = 2 * width_s;
    cfpc_status status =
        cfpc_time_basis(&def, bout->loop->step_s, bout->steps, bout->bases, 0, bout->x);
    if (status == CFPC_OK)
        status = cfpc_problem_make(&bout->problem, &bout->bank->believed, bout->steps, bout->bases,
                                   bout->x, bout->r);
    return status;
}

lab_outcome lab_contest_hold(lab_contest contest[2], const lab_population_spec *spec,
                             const lab_random_loop *loop, double neglect, lab_why *why)
{
    filter_bank bank = {.neglect = neglect};
    lab_wrong wrong[LAB_WRONGS];
    lab_wrongs(wrong, spec->wrong);
    cfpc_status status = lab_random_transfer(&bank.believed, loop, NULL);
    for (int wide = 0; status == CFPC_OK && wide < 2; wide++) {
        lab_contest *held = &contest[wide];
        bout bout = {.spec = spec, .loop = loop, .bank = &bank};
        bout.status = contest_set_up(&bout, (wide ? spec->wide_ms : spec->narrow_ms) / 1e3);
        held->kind = loop->kind;
        held->is_wide = wide;
        held->bases = bout.bases;
        held->optimum = bout.problem.rrmse_optimum;
        for (int k = 0; bout.status == CFPC_OK && k < LAB_CONTESTANT_COUNT; k++)
            contest_tune(&held->score[k], &bout, (lab_contestant)k);
        for (int i = 0; bout.status == CFPC_OK && i < LAB_WRONGS; i++)
            bout.status = be_wrong(held, &bout, &wrong[i], i);
        status = bout.status;
        cfpc_learning_map_free(&bout.learning);
        cfpc_problem_free(&bout.problem);
        lab_arena_free(&bout.arena);
    }
    for (int k = 0; k < FILTERS; k++)
        for (int i = 0; i < RHOS; i++)
            cfpc_teaching_filter_free(&bank.filter[k][i]);
    cfpc_system_free(&bank.believed);
    return lab_from_status(why, status, "population");
}
