// SPDX-License-Identifier: Apache-2.0
#include "identify/candidates.h"

#include <math.h>
#include <stdlib.h>

#include "cfpc/response.h"
#include "identify/statistics.h"
#include "math/order.h"
#include "system/realise_parts.h"

enum { BLOCKS = 20 };

// A smaller order is as good if its output differs by less than this, relative to the log's, or if
// its squares are not larger with this many standard deviations (Student's t, 19 degrees of
// freedom, 97.5 % on one side).
static const double same_output = 0.002;
static const double significant = 2.093;

// But one that leaves this many times as much is not as good: where an error shows in few blocks,
// as that of a resonance with a probe that sweeps, the blocks differ too much for it to be
// significant.
static const double too_much_left = 1.05;

static void candidate_free(cfpci_candidate *candidate)
{
    cfpc_system_free(&candidate->part);
    cfpc_system_free(&candidate->model);
    free(candidate->left);
}

void cfpci_candidates_free(cfpci_candidates *candidates)
{
    for (int32_t i = 0; i < candidates->count; i++)
        candidate_free(&candidates->of[i]);
    candidates->count = 0;
}

// ---- fit -------------------------------------------------------------------------------------

static double candidates_spread_of(int32_t from, int32_t to, const double *y)
{
    double mean = 0, sum = 0;
    for (int32_t n = from; n < to; n++)
        mean += y[n] / (to - from);
    for (int32_t n = from; n < to; n++)
        sum += (y[n] - mean) * (y[n] - mean);
    return sum;
}

double cfpci_fit(int32_t from, int32_t to, const double *left, const double *y)
{
    const double all = candidates_spread_of(from, to, y);
    double remains = 0;
    for (int32_t n = from; n < to; n++)
        remains += left[n] * left[n];
    return all > 0 ? 100 * (1 - sqrt(remains / all)) : -INFINITY;
}

void cfpci_leave(const cfpci_split_log *log, double *simulated, double trend[2])
{
    const int32_t settled = log->settled;
    for (int32_t n = 0; n < log->steps; n++)
        simulated[n] = log->output[n] - simulated[n];
    cfpci_trend(log->steps - settled, simulated + settled, trend);
    trend[0] -= trend[1] * settled;
    cfpci_add_trend(log->steps, -1, trend, simulated);
}

// The input before the log is taken to be its first value: y = T(0) u[0] + T (u - u[0]).
cfpc_status cfpci_run_free(const cfpci_split_log *log, const cfpc_system *model, double *output)
{
    static const double at_rest = 0;
    double gain = 0, none, *moved = malloc((size_t)log->steps * sizeof *moved);
    if (!moved)
        return CFPC_NO_MEMORY;
    for (int32_t n = 0; n < log->steps; n++)
        moved[n] = log->input[n] - log->input[0];
    cfpc_status status = cfpc_apply(model, log->steps, 1, moved, output);
    if (status == CFPC_OK)
        status = cfpc_frequency_response(model, 1, &at_rest, &gain, &none);
    for (int32_t n = 0; status == CFPC_OK && n < log->steps; n++)
        output[n] += gain * log->input[0];
    free(moved);
    return status;
}

// ---- one more --------------------------------------------------------------------------------

cfpc_status cfpci_consider(cfpci_candidates *them, const cfpci_split_log *log,
                           cfpc_identify_method method, int32_t dead_time, cfpc_system *part)
{
    cfpci_candidate candidate = {.method = method,
                                 .order = part->states,
                                 .dead_time = dead_time,
                                 .part = *part,
                                 .fit = -INFINITY};
    double trend[2];
    bool stable = false;
    *part = (cfpc_system){0};
    cfpc_status status = cfpci_is_open_path(method)
                             ? cfpci_close_path(&candidate.model, &candidate.part, 0)
                             : cfpc_series(&candidate.model, 1, &candidate.part);
    if (status == CFPC_OK)
        status = cfpc_is_stable(&candidate.model, &stable);
    if (status == CFPC_OK && stable) {
        candidate.left = malloc((size_t)log->steps * sizeof *candidate.left);
        status =
            candidate.left ? cfpci_run_free(log, &candidate.model, candidate.left) : CFPC_NO_MEMORY;
    }
    if (status == CFPC_OK && stable) {
        cfpci_leave(log, candidate.left, trend);
        candidate.fit = cfpci_fit(log->estimation, log->steps, candidate.left, log->output);
        candidate.fit_estimation =
            cfpci_fit(log->settled, log->estimation, candidate.left, log->output);
    }
    if (status == CFPC_OK && isfinite(candidate.fit) && them->count < CFPCI_MAX_CANDIDATES)
        them->of[them->count++] = candidate;
    else
        candidate_free(&candidate);
    return status;
}

// ---- the choice ------------------------------------------------------------------------------

// How many standard deviations a's squares are larger than b's, on average over blocks of the
// held-back part: what is left of both is much the same noise, so that their difference tells more
// than either.
static double worse_by(const cfpci_split_log *log, const cfpci_candidate *a,
                       const cfpci_candidate *b)
{
    const int32_t length = (log->steps - log->estimation) / BLOCKS;
    double mean = 0, square = 0;
    for (int k = 0; k < BLOCKS; k++) {
        double more = 0;
        const int32_t first = log->estimation + k * length;
        for (int32_t n = first; n < first + length; n++)
            more += a->left[n] * a->left[n] - b->left[n] * b->left[n];
        mean += more / BLOCKS;
        square += more * more / BLOCKS;
    }
    const double deviation = sqrt(cfpci_max(square - mean * mean, 0) / (BLOCKS - 1));
    return deviation > 0 ? mean / deviation : mean > 0 ? INFINITY : 0;
}

// A simpler one is as good if its output is nearly the same on the held-back part, or not
// significantly worse.
cfpci_candidate *cfpci_choose(cfpci_candidates *candidates, const cfpci_split_log *log)
{
    const double all = candidates_spread_of(log->estimation, log->steps, log->output);
    cfpci_candidate *best = NULL, *chosen;
    for (int32_t i = 0; i < candidates->count; i++)
        if (!best || candidates->of[i].fit > best->fit)
            best = &candidates->of[i];
    chosen = best;
    for (int32_t i = 0; i < candidates->count; i++) {
        cfpci_candidate *other = &candidates->of[i];
        if (other->order > chosen->order ||
            (other->order == chosen->order && !(other->fit > chosen->fit)))
            continue;
        double apart = 0;
        for (int32_t n = log->estimation; n < log->steps; n++)
            apart += (other->left[n] - best->left[n]) * (other->left[n] - best->left[n]);
        if (apart <= same_output * same_output * all ||
            (100 - other->fit <= too_much_left * (100 - best->fit) &&
             worse_by(log, other, best) < significant))
            chosen = other;
    }
    return chosen;
}
