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
static lab_trial_map map_of(const arena_of *arena_of, const cfpc_problem *problem)
{
    return (lab_trial_map){.steps = arena_of->steps,
                           .bases = arena_of->bases,
                           .problem = problem,
                           .map = arena_of->map,
                           .start = arena_of->start};
}

static void contest_correlate(arena_of *arena_of, const cfpc_problem *problem, const double *z)
{
    const lab_trial_map map = map_of(arena_of, problem);
    lab_trial_map_fill(&map, z, problem->h, problem->e0);
}

// ‖ZᵀH‖₂ by power iteration on its square: it is the unit of rates, so that a few digits are
// enough.
static double contest_norm_of(arena_of *arena_of)
{
    enum { ROUNDS = 40 };
    const size_t g = (size_t)arena_of->bases, row = 2 * g;
    double size = 0, *v = arena_of->w, *u = arena_of->change;
    for (size_t i = 0; i < g; i++)
        v[i] = 1 + 0.1 * (double)(i % 3);
    for (int k = 0; k < ROUNDS; k++) {
        const double length = sqrt(contest_dot(arena_of->bases, v, v));
        if (!(length > 0 && isfinite(length)))
            return 0;
        memset(u, 0, g * sizeof *u);
        for (size_t j = 0; j < g; j++)
            contest_add(arena_of->bases, v[j] / length, arena_of->map + j * row, u);
        size = sqrt(contest_dot(arena_of->bases, u, u));
        for (size_t j = 0; j < g; j++)
            v[j] = contest_dot(arena_of->bases, arena_of->map + j * row, u);
    }
    return size;
}

// The learning curve, w += η Zᵀe; returns its mean, INFINITY if it overflowed, or as soon as the
// mean cannot be below `limit`.
static double contest_learn(arena_of *arena_of, const cfpc_problem *problem, double rate,
                            double limit)
{
    const int g = arena_of->bases, trials = arena_of->spec->trials;
    const lab_trial_map map = map_of(arena_of, problem);
    double sum = 0;
    memset(arena_of->w, 0, (size_t)g * sizeof *arena_of->w);
    for (int k = 0; k < trials; k++) {
        arena_of->curve[k] =
            lab_trial_map_step(&map, arena_of->w, arena_of->change) / problem->e0_norm;
        sum += arena_of->curve[k];
        if (!(arena_of->curve[k] < OVERFLOWN && sum < limit * trials)) {
            for (; k < trials; k++)
                arena_of->curve[k] = INFINITY;
            return INFINITY;
        }
        contest_add(g, rate, arena_of->change, arena_of->w);
    }
    return sum / trials;
}

// rRMSE after LAB_LATE trials.
static double contest_late(arena_of *arena_of, const cfpc_problem *problem, double rate)
{
    const lab_trial_map map = map_of(arena_of, problem);
    return lab_trial_map_late(&map, rate, LAB_LATE_DOUBLINGS, arena_of->late) / problem->e0_norm;
}

// ---- the traces ------------------------------------------------------------------------------

static double contest_constant_at(const arena_of *arena_of, double share)
{
    const double step_ms = arena_of->loop->step_s * 1e3;
    switch (arena_of->which) {
    case LAB_CONTEST_DELAY:
        return step_ms * round(share * arena_of->spec->max_delay_ms / step_ms);
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

static void delay_traces(arena_of *arena_of, double delay_ms)
{
    const int late = (int)lround(delay_ms / (arena_of->loop->step_s * 1e3));
    const size_t row = (size_t)arena_of->bases,
                 shift = row * (size_t)(late < arena_of->steps ? late : arena_of->steps);
    memset(arena_of->z, 0, shift * sizeof *arena_of->z);
    memcpy(arena_of->z + shift, arena_of->x,
           (row * (size_t)arena_of->steps - shift) * sizeof *arena_of->z);
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

static cfpc_status filter_traces(arena_of *arena_of, double rho)
{
    cfpc_teaching_filter *filter =
        &arena_of->bank->filter[arena_of->which == LAB_CONTEST_WHITENED][rho_index(rho)];
    const cfpc_status status =
        filter->taps ? CFPC_OK : make_filter(filter, arena_of->bank, arena_of->which, rho);
    return status == CFPC_OK ? cfpc_teaching_filter_traces(filter, arena_of->steps, arena_of->bases,
                                                           arena_of->x, arena_of->z)
                             : status;
}

static void contest_make_traces(arena_of *arena_of, double constant)
{
    const size_t numbers = (size_t)arena_of->steps * (size_t)arena_of->bases;
    cfpc_status status = CFPC_OK;
    if (constant == arena_of->constant)
        return;
    if (arena_of->which == LAB_CONTEST_FORWARD_MODEL)
        memcpy(arena_of->z, arena_of->problem.h, numbers * sizeof *arena_of->z);
    else if (arena_of->which == LAB_CONTEST_DELAY)
        delay_traces(arena_of, constant);
    else
        status = filter_traces(arena_of, constant);
    arena_of->status = arena_of->status == CFPC_OK ? status : arena_of->status;
    arena_of->constant = constant;
    cfpc_learning_map_free(&arena_of->learning);
    contest_correlate(arena_of, &arena_of->problem, arena_of->z);
    arena_of->norm = contest_norm_of(arena_of);
}

// ---- convergence -----------------------------------------------------------------------------

static int contest_constants_of(const lab_population_spec *spec, double step_s)
{
    const int delays = 1 + (int)lround(spec->max_delay_ms / (step_s * 1e3));
    return delays > RHOS ? delays : RHOS;
}

static rates *known_of(const arena_of *arena_of)
{
    switch (arena_of->which) {
    case LAB_CONTEST_DELAY:
        return &arena_of->known[lround(arena_of->constant / (arena_of->loop->step_s * 1e3))];
    case LAB_CONTEST_PHASE_MATCHED:
    case LAB_CONTEST_WHITENED:
        return &arena_of->known[rho_index(arena_of->constant)];
    case LAB_CONTEST_FORWARD_MODEL:
    case LAB_CONTESTANT_COUNT:
        break;
    }
    return arena_of->known;
}

static cfpc_status contest_judge(arena_of *arena_of, double rate, cfpc_verdict *verdict)
{
    const cfpc_lesson lesson = {
        .steps = arena_of->steps, .bases = arena_of->bases, .trace = arena_of->z};
    const cfpc_status status =
        arena_of->learning.m
            ? CFPC_OK
            : cfpc_learning_map_make(&arena_of->learning, &lesson, &arena_of->problem);
    return status == CFPC_OK ? cfpc_learning_verdict(verdict, &arena_of->learning, rate) : status;
}

// Whether learning with the traces in z converges, by its certificate.
static bool converges(arena_of *arena_of, double rate)
{
    rates *known = known_of(arena_of);
    cfpc_verdict verdict = CFPC_DIVERGES;
    if (rate <= known->converges || rate >= known->diverges)
        return rate <= known->converges;
    if (arena_of->status == CFPC_OK)
        arena_of->status = contest_judge(arena_of, rate, &verdict);
    *(verdict == CFPC_DIVERGES ? &known->diverges : &known->converges) = rate;
    return verdict != CFPC_DIVERGES;
}

// The verdict costs more than the curve: only what would be the best is asked for it.
static double try_settings(void *context, const double at[LAB_SEARCH_MAX])
{
    arena_of *arena_of = context;
    if (arena_of->status != CFPC_OK)
        return INFINITY;
    contest_make_traces(arena_of, contest_constant_at(arena_of, at[1]));
    if (!(arena_of->norm > 0))
        return INFINITY;
    const double rate = rate_at(at[0]) / arena_of->norm;
    const double mean = contest_learn(arena_of, &arena_of->problem, rate, arena_of->lowest);
    if (!(mean < arena_of->lowest) || (arena_of->spec->converging && !converges(arena_of, rate)))
        return INFINITY;
    arena_of->lowest = mean;
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

static void contest_forget(arena_of *arena_of, lab_contestant which)
{
    const int constants = contest_constants_of(arena_of->spec, arena_of->loop->step_s);
    arena_of->which = which;
    arena_of->constant = NAN;
    arena_of->lowest = INFINITY;
    for (int i = 0; i < constants; i++)
        arena_of->known[i] = (rates){.converges = 0, .diverges = INFINITY};
}

static void contest_tune(lab_contest_score *score, arena_of *arena_of, lab_contestant which)
{
    const int dimensions = which == LAB_CONTEST_FORWARD_MODEL ? 1 : 2;
    const int trials = arena_of->spec->trials;
    const size_t numbers = (size_t)arena_of->steps * (size_t)arena_of->bases;
    contest_forget(arena_of, which);
    const lab_searched best =
        lab_search(dimensions, arena_of->spec->evaluations, try_settings, arena_of);
    fail(score);
    arena_of->lowest = INFINITY;
    arena_of->rate[which] = 0;
    if (arena_of->status != CFPC_OK || !isfinite(best.value))
        return;
    score->rrmse_mean = try_settings(arena_of, best.at);
    score->constant = dimensions == 1 ? NAN : arena_of->constant;
    score->rate_fraction = rate_at(best.at[0]);
    score->rrmse_last = arena_of->curve[trials - 1];
    score->trials_to_5pc =
        lab_trials_to_5pc(arena_of->curve, trials, arena_of->problem.rrmse_optimum);
    arena_of->rate[which] = score->rate_fraction / arena_of->norm;
    memcpy(arena_of->best + (size_t)which * numbers, arena_of->z, numbers * sizeof *arena_of->z);
    score->diverges = !converges(arena_of, arena_of->rate[which]);
}

// Every contestant, as it was tuned, on a loop that is not what it believes.
static cfpc_status be_wrong(lab_contest *contest, arena_of *arena_of, const lab_wrong *wrong,
                            int index)
{
    cfpc_system actual = {0};
    cfpc_problem problem = {0};
    cfpc_status status = lab_random_transfer(&actual, arena_of->loop, wrong);
    if (status == CFPC_OK)
        status = cfpc_problem_make(&problem, &actual, arena_of->steps, arena_of->bases, arena_of->x,
                                   arena_of->r);
    contest->wrong_optimum[index] = status == CFPC_OK ? problem.rrmse_optimum : NAN;
    for (int k = 0; k < LAB_CONTESTANT_COUNT; k++) {
        contest->score[k].wrong_last[index] = contest->score[k].wrong_late[index] = NAN;
        if (status != CFPC_OK || arena_of->rate[k] == 0)
            continue;
        contest_correlate(arena_of, &problem,
                          arena_of->best +
                              (size_t)k * (size_t)arena_of->steps * (size_t)arena_of->bases);
        contest_learn(arena_of, &problem, arena_of->rate[k], INFINITY);
        contest->score[k].wrong_last[index] = arena_of->curve[arena_of->spec->trials - 1];
        contest->score[k].wrong_late[index] = contest_late(arena_of, &problem, arena_of->rate[k]);
    }
    cfpc_problem_free(&problem);
    cfpc_system_free(&actual);
    return status == CFPC_UNSTABLE ? CFPC_OK : status;
}

// ---- a contest -------------------------------------------------------------------------------

static cfpc_status make_basis(arena_of *arena_of, double width_s, double first_s)
{
    cfpc_time_basis_def def = cfpc_default_time_basis_def();
    def.count = arena_of->bases;
    def.first_s = first_s;
    def.width_s = width_s;
    def.spacing_s = 2 * width_s;
    return cfpc_time_basis(&def, arena_of->loop->step_s, arena_of->steps, arena_of->bases, 0,
                           arena_of->x);
}

static cfpc_status contest_set_up(arena_of *arena_of, double width_s)
{
    double first_s, last_s;
    lab_random_bases(&first_s, &last_s);
    arena_of->steps = lab_random_steps(arena_of->loop->step_s);
    arena_of->bases = 1 + (int)floor((last_s - first_s) / (2 * width_s) + 1e-9);
    const size_t n = (size_t)arena_of->steps, g = (size_t)arena_of->bases, size = sizeof(double);
    arena_of->x = lab_take(&arena_of->arena, n * g, size);
    arena_of->r = lab_take(&arena_of->arena, n, size);
    arena_of->z = lab_take(&arena_of->arena, n * g, size);
    arena_of->map = lab_take(&arena_of->arena, 2 * g * g, size);
    arena_of->start = lab_take(&arena_of->arena, 2 * g, size);
    arena_of->w = lab_take(&arena_of->arena, g, size);
    arena_of->change = lab_take(&arena_of->arena, 2 * g, size);
    arena_of->late = lab_take(&arena_of->arena, 2 * g * g + 4 * g, size);
    arena_of->curve = lab_take(&arena_of->arena, (size_t)arena_of->spec->trials, size);
    arena_of->best = lab_take(&arena_of->arena, LAB_CONTESTANT_COUNT * n * g, size);
    arena_of->known = lab_take(&arena_of->arena,
                               (size_t)contest_constants_of(arena_of->spec, arena_of->loop->step_s),
                               sizeof *arena_of->known);
    if (arena_of->arena.failed)
        return CFPC_NO_MEMORY;
    lab_random_reference(arena_of->loop, arena_of->steps, arena_of->r);
    cfpc_status status = make_basis(arena_of, width_s, first_s);
    if (status == CFPC_OK)
        status = cfpc_problem_make(&arena_of->problem, &arena_of->bank->believed, arena_of->steps,
                                   arena_of->bases, arena_of->x, arena_of->r);
    return status;
}

static cfpc_status hold(lab_contest *contest, arena_of *arena_of)
{
    lab_wrong wrong[LAB_WRONGS];
    lab_wrongs(wrong, arena_of->spec->wrong);
    arena_of->status = contest_set_up(
        arena_of, (contest->is_wide ? arena_of->spec->wide_ms : arena_of->spec->narrow_ms) / 1e3);
    contest->bases = arena_of->bases;
    contest->optimum = arena_of->problem.rrmse_optimum;
    for (int k = 0; arena_of->status == CFPC_OK && k < LAB_CONTESTANT_COUNT; k++)
        contest_tune(&contest->score[k], arena_of, (lab_contestant)k);
    for (int i = 0; arena_of->status == CFPC_OK && i < LAB_WRONGS; i++)
        arena_of->status = be_wrong(contest, arena_of, &wrong[i], i);
    cfpc_learning_map_free(&arena_of->learning);
    cfpc_problem_free(&arena_of->problem);
    lab_arena_free(&arena_of->arena);
    return arena_of->status;
}

lab_outcome lab_contest_hold(lab_contest contest[2], const lab_population_spec *spec,
                             const lab_random_loop *loop, double neglect, lab_why *why)
{
    filter_bank bank = {.neglect = neglect};
    cfpc_status status = lab_random_transfer(&bank.believed, loop, NULL);
    for (int wide = 0; status == CFPC_OK && wide < 2; wide++) {
        arena_of arena_of = {.spec = spec, .loop = loop, .bank = &bank};
        contest[wide].kind = loop->kind;
        contest[wide].is_wide = wide;
        status = hold(&contest[wide], &arena_of);
    }
    for (int k = 0; k < FILTERS; k++)
        for (int i = 0; i < RHOS; i++)
            cfpc_teaching_filter_free(&bank.filter[k][i]);
    cfpc_system_free(&bank.believed);
    return lab_from_status(why, status, "population");
}
