// SPDX-License-Identifier: Apache-2.0
// The map of learning on line. A trial takes the weights at its start to W w + (column G of W): W
// (G x G+2) is propagated through one trial in place of w. Its columns are the unit weights with a
// teaching signal of zero, zero weights with the real one, and a witness: a mixture v of the unit
// weights. K = W - (1 - leak)ⁿ [I 0 v], the change by learning, is stored: at a small rate W itself
// would lose it in rounding.
//
// In adjoint form the teaching signals of all columns pass the teaching filter, and input m is
// learned at step m + M; those of the last M steps are learned after the trial, without leak.
//
// A trial may shrink the weights by a factor of 1e12 and then let them grow by the same factor, and
// rounding with them. The witness detects this: without rounding, its column is the mixture of the
// others.
#include "certify/learning_map.h"
#include "system/given.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/convolve.h"
#include "algebra/dense.h"
#include "algebra/dense_rows.h"
#include "algebra/inline_vectors.h"
#include "basis/teaching_run.h"
#include "cfpc/response.h"
#include "math/elementary.h"
#include "math/order.h"
#include "system/filter.h"

#define BOUNDLESS 1e100 // a trial in which any value exceeds this counts as overflow

// Maximum rounding error as a fraction of K: not far above, the eigenvalues and the verdict would
// depend on the processor's last bits.
#define ROUGH 1e-8

typedef struct carry {
    const cfpc_lesson *lesson; // complete
    const double *e0;          // reactive error                                    (N)
    double rate, normaliser;
    bool same;               // error and teaching signal are the same
    size_t g;                // G
    size_t width;            // G + 2, or more
    cfpci_filter teach, err; // the paths from o
    cfpci_teaching_run run;  // adjoint form: of the teaching filter
    double fade;             // (1 - leak)ⁿ
    double *v;               // the witness's mixture                             (G)
    double *k;               // K                                                 (G x width)
    double *o;               // output of each column                             (N x width)
    double *t;               // teaching signal of each column                    (N x width)
    double *e;               // error of each column; t if they are the same      (N x width)
} carry;

static cfpc_status carry_make(carry *carry, const cfpc_system *teaching_path,
                              const cfpc_system *error_path)
{
    const size_t n = (size_t)carry->lesson->steps, g = (size_t)carry->lesson->bases;
    carry->same = !error_path && carry->lesson->teaching == carry->e0;
    carry->g = g;
    carry->width = g + 2;
    if (carry->lesson->filter) // filled up with columns of zeros
        carry->width = (g + 1 + CFPCI_TILE_WIDTH) / CFPCI_TILE_WIDTH * CFPCI_TILE_WIDTH;
    carry->fade = 1;
    const size_t table = n * carry->width;
    carry->v = calloc(g + g * carry->width + (carry->same ? 2 : 3) * table, sizeof *carry->v);
    if (!carry->v)
        return CFPC_NO_MEMORY;
    carry->k = carry->v + g;
    carry->o = carry->k + g * carry->width;
    carry->t = carry->o + table;
    carry->e = carry->same ? carry->t : carry->t + table;
    for (size_t j = 0; j < g; j++) // from 1 to 2, no short binary fractions, all different
        carry->v[j] = 1 + fmod(0.6180339887498949 * (double)(j + 1), 1);
    cfpc_status status = cfpci_filter_make(&carry->teach, teaching_path, (int32_t)carry->width);
    if (status == CFPC_OK && !carry->same)
        status = cfpci_filter_make(&carry->err, error_path ? error_path : teaching_path,
                                   (int32_t)carry->width);
    if (status == CFPC_OK && carry->lesson->filter)
        status = cfpci_teaching_run_make(&carry->run, carry->lesson->filter, carry->lesson->steps,
                                         carry->lesson->late_steps, (int32_t)carry->width);
    return status;
}

// ---- one step --------------------------------------------------------------------------------

// The remaining signal: `reactive`, minus the path's response to o.
static void online_map_respond(carry *carry, cfpci_filter *path, const double *o, double reactive,
                               double *left)
{
    cfpci_filter_step(path, o, left);
    for (size_t j = 0; j < carry->width; j++)
        left[j] = -left[j];
    left[carry->g] += reactive;
}

// K += a z ⊗ row
CFPC_WIDE static void add_outer(size_t g, size_t width, double a, const double *restrict z,
                                const double *restrict row, double *restrict k)
{
    for (size_t i = 0; i < g; i++, k += width) {
        const double by = a * z[i];
        if (by == 0)
            continue;
        for (size_t j = 0; j < width; j++)
            k[j] += by * row[j];
    }
}

// W += η (z ⊗ arriving signal - ρ x ⊗ o)
static void online_map_learn(carry *carry, size_t n)
{
    const cfpc_lesson *lesson = carry->lesson;
    const size_t g = carry->g, late = (size_t)lesson->late_steps;
    const double *z = lesson->trace + n * g;
    double rate = carry->rate;
    if (carry->normaliser > 0) {
        const double size = cfpci_dense_norm((int32_t)g, z);
        rate /= carry->normaliser + size * size;
    }
    if (n >= late)
        add_outer(g, carry->width, rate, z, carry->t + (n - late) * carry->width, carry->k);
    if (lesson->output_penalty > 0)
        add_outer(g, carry->width, -rate * lesson->output_penalty, lesson->basis + n * g,
                  carry->o + n * carry->width, carry->k);
}

// Adjoint form: W += η x ⊗ δ, of the input M steps before n
static void online_map_learn_past(carry *carry, size_t n)
{
    const size_t horizon = (size_t)carry->lesson->filter->horizon, m = n - horizon;
    if (n < horizon)
        return;
    const double *delta = cfpci_teaching_run_next(&carry->run, (int32_t)m, carry->t);
    add_outer(carry->g, carry->width, carry->rate, carry->lesson->basis + m * carry->g, delta,
              carry->k);
}

CFPC_WIDE static bool bounded(size_t count, const double *x)
{
    uint64_t beyond = 0;
    for (size_t j = 0; j < count; j++) // no early exit, so that it is vectorised
        beyond |= !(fabs(x[j]) < BOUNDLESS);
    return beyond == 0;
}

// What rounding has grown to: the distance of the witness from the mixture of the others, per unit
// of v, relative to the largest entry of K.
static double roughness(const carry *carry)
{
    const double v = cfpci_dense_norm((int32_t)carry->g, carry->v);
    double most = 0, apart = 0;
    for (size_t i = 0; i < carry->g; i++) {
        const double *row = carry->k + i * carry->width;
        double mixture = 0;
        for (size_t j = 0; j < carry->g; j++) {
            mixture += carry->v[j] * row[j];
            most = cfpci_max(most, fabs(row[j]));
        }
        apart = cfpci_max(apart, fabs(row[carry->g + 1] - mixture));
    }
    return most > 0 ? apart / (most * v) : 0;
}

// The trial; false if it is boundless.
static bool carry_through(carry *carry)
{
    const cfpc_lesson *lesson = carry->lesson;
    const size_t g = carry->g, width = carry->width;
    const double kept = 1 - lesson->leak;
    for (size_t n = 0; n < (size_t)lesson->steps; n++) {
        const double *x = lesson->basis + n * g;
        double *o = carry->o + n * width, *t = carry->t + n * width, *e = carry->e + n * width;
        double mixture = 0;
        cfpci_dense_times_vector(true, (int32_t)g, (int32_t)width, carry->k, x, o); // o = xᵀW
        for (size_t j = 0; j < g; j++) {
            o[j] += carry->fade * x[j];
            mixture += carry->v[j] * x[j];
        }
        o[g + 1] += carry->fade * mixture;
        online_map_respond(carry, &carry->teach, o, lesson->teaching[n], t);
        if (!carry->same)
            online_map_respond(carry, &carry->err, o, carry->e0[n], e);
        if (kept != 1) { // W ← (1 - leak) W
            carry->fade *= kept;
            cfpci_dense_scale((int64_t)(g * width), carry->k, kept);
        }
        if (lesson->filter)
            online_map_learn_past(carry, n);
        else
            online_map_learn(carry, n);
        if (!bounded(width, o) || !bounded(width, t) || (e != t && !bounded(width, e)))
            return false;
    }
    for (int32_t k = 0; lesson->filter && k < lesson->filter->horizon; k++) // what is still due
        online_map_learn_past(carry, (size_t)lesson->steps + (size_t)k);
    return bounded(g * width, carry->k);
}

// ---- the map ---------------------------------------------------------------------------------

// [-E e0'] = Q [-R c; 0 rest]
static cfpc_status factor_error(cfpc_learning_map *map, const carry *carry)
{
    const size_t n = (size_t)carry->lesson->steps, g = carry->g, k = (size_t)map->range;
    const size_t rows = n < g + 1 ? n : g + 1;
    double *whole = malloc(rows * (g + 1) * sizeof *whole);
    cfpci_growing_qr all = {0};
    cfpc_status status = whole ? cfpci_growing_qr_make(&all, n, g + 1) : CFPC_NO_MEMORY;
    if (status == CFPC_OK) {
        cfpci_growing_qr_add(&all, n, carry->width, carry->e, 1);
        status = cfpci_growing_qr_triangle(&all, whole);
    }
    for (size_t i = 0; status == CFPC_OK && i < k; i++) {
        for (size_t j = 0; j < g; j++)
            map->r[i * g + j] = -whole[i * (g + 1) + j];
        map->c[i] = whole[i * (g + 1) + g];
    }
    map->rest = status == CFPC_OK && rows > k ? fabs(whole[k * (g + 1) + g]) : 0;
    map->e0_norm = cfpci_dense_norm(carry->lesson->steps, carry->e0);
    cfpci_growing_qr_free(&all);
    free(whole);
    return status;
}

// The effect of the weights without learning: the responses of both paths to their decaying output
// (1 - leak)ⁿ X. A direction without effect in either does not affect learning, and only decays, at
// any rate. So these tables determine what is seen as well as E does, and are not distorted by
// growth within a trial.
static cfpc_status online_map_see(cfpci_scope *scope, const carry *carry)
{
    const cfpc_lesson *lesson = carry->lesson;
    const size_t n = (size_t)lesson->steps, g = (size_t)lesson->bases;
    double *o = malloc(3 * n * g * sizeof *o), fade = 1; // (1 - leak)ⁿ X
    if (!o)
        return CFPC_NO_MEMORY;
    double *t = o + n * g, *e = carry->same ? t : t + n * g; // in the teaching signal, the error
    for (size_t i = 0; i < n; i++, fade *= 1 - lesson->leak)
        for (size_t j = 0; j < g; j++)
            o[i * g + j] = fade * lesson->basis[i * g + j];
    cfpc_status status = cfpc_apply(carry->teach.sys, lesson->steps, lesson->bases, o, t);
    if (status == CFPC_OK && !carry->same)
        status = cfpc_apply(carry->err.sys, lesson->steps, lesson->bases, o, e);
    if (status == CFPC_OK)
        status = cfpci_scope_make(scope, lesson, t, e, o);
    free(o);
    return status;
}

// By sums of which rows the weights change in a trial: of the traces, or of the filter's, where
// input m has faded for the steps that follow its learning:
//
//     Σ_m f[m] x[m] δ[m] = Σ_n t[n - late] Σ_k a[k] f[n - k] x[n - k],
//     f[m] = (1 - leak)^max(0, N - 1 - M - m)
static cfpc_status online_map_reach(cfpci_scope *scope, const cfpc_lesson *lesson)
{
    const size_t n = (size_t)lesson->steps, g = (size_t)lesson->bases;
    const double kept = 1 - lesson->leak;
    cfpci_scope_add_outputs(scope, lesson);
    if (lesson->trace && (!lesson->filter || lesson->leak == 0)) {
        cfpci_scope_add_traces(scope, lesson, lesson->trace);
        return CFPC_OK;
    }
    double fade = 1, *x = malloc(2 * n * g * sizeof *x), *z = x ? x + n * g : NULL;
    if (!x)
        return CFPC_NO_MEMORY;
    for (size_t m = n; m-- > 0;) {
        for (size_t j = 0; j < g; j++)
            x[m * g + j] = fade * lesson->basis[m * g + j];
        fade *= m + (size_t)lesson->filter->horizon < n ? kept : 1;
    }
    const cfpc_status status =
        cfpc_teaching_filter_traces(lesson->filter, lesson->steps, lesson->bases, x, z);
    if (status == CFPC_OK)
        cfpci_scope_add_traces(scope, lesson, z);
    free(x);
    return status;
}

static bool answers(const cfpc_system *path)
{
    return path->inputs == 1 && path->outputs == 1 && path->step_s != 0;
}

static cfpc_status online_map_check(const cfpc_lesson *lesson, const double *e0, double rate,
                                    double normaliser)
{
    const cfpc_status status = cfpci_lesson_check(lesson);
    if (status != CFPC_OK)
        return status;
    if (lesson->momentum != 0 || lesson->preconditioner || !isfinite(rate) ||
        !(normaliser >= 0 && isfinite(normaliser)) || !(lesson->faint >= 0 && lesson->faint < 1))
        return CFPC_BAD_VALUE;
    if (lesson->filter && (normaliser > 0 || lesson->output_penalty > 0))
        return CFPC_NEEDS_TRACES;
    const size_t n = (size_t)lesson->steps, ng = n * (size_t)lesson->bases;
    if (!cfpci_are_finite(n, e0) ||
        !cfpci_are_finite(n, lesson->teaching ? lesson->teaching : e0) ||
        !cfpci_are_finite(ng, lesson->basis) ||
        (lesson->trace && !cfpci_are_finite(ng, lesson->trace)))
        return CFPC_BAD_VALUE;
    return lesson->filter ? cfpci_teaching_filter_check(lesson->filter) : CFPC_OK;
}

// M = I - Φ = (1 - (1 - leak)ᴺ) I - K, b the last column of K, and the rest of the map; of one that
// is like another only what a verdict needs.
static cfpc_status online_map_finish(cfpc_learning_map *map, const cfpc_learning_map *like,
                                     const carry *carry)
{
    const size_t g = carry->g;
    const double gone = -cfpci_expm1(carry->lesson->steps * cfpci_log1p(-carry->lesson->leak));
    for (size_t i = 0; i < g; i++) {
        for (size_t j = 0; j < g; j++)
            map->m[i * g + j] = (i == j ? gone : 0) - carry->k[i * carry->width + j];
        map->b[i] = carry->k[i * carry->width + g];
    }
    if (like) {
        map->directions = like->directions;
        memcpy(map->d, like->d, g * (size_t)map->directions * sizeof *map->d);
        return cfpci_learning_map_project(map, cfpci_faint_of(carry->lesson));
    }
    cfpci_scope scope = {0};
    cfpc_status status = online_map_see(&scope, carry);
    if (status == CFPC_OK)
        status = online_map_reach(&scope, carry->lesson);
    if (status == CFPC_OK)
        status = factor_error(map, carry);
    if (status == CFPC_OK)
        status = cfpci_learning_map_reduce(map, &scope);
    cfpci_scope_free(&scope);
    return status;
}

// like: NULL, or a map whose directions this one has.
static cfpc_status online_map_make(cfpc_learning_map *map, const cfpc_learning_map *like,
                                   carry *carry, const cfpc_system *teaching_path,
                                   const cfpc_system *error_path)
{
    *map = (cfpc_learning_map){.online = true};
    if (!answers(teaching_path) || (error_path && !answers(error_path)))
        return CFPC_BAD_SHAPE;
    cfpc_status status = online_map_check(carry->lesson, carry->e0, carry->rate, carry->normaliser);
    if (status != CFPC_OK)
        return status;
    status = cfpci_learning_map_allocate(map, carry->lesson->steps, carry->lesson->bases);
    if (status == CFPC_OK)
        status = carry_make(carry, teaching_path, error_path);
    map->boundless = status == CFPC_OK && !carry_through(carry);
    if (status == CFPC_OK && !map->boundless) {
        const double rough = roughness(carry);
        map->rough = rough > ROUGH;
        map->rounding = cfpci_max(map->rounding, rough);
        status = online_map_finish(map, like, carry);
    }
    cfpci_filter_free(&carry->teach);
    cfpci_filter_free(&carry->err);
    cfpci_teaching_run_free(&carry->run);
    free(carry->v);
    if (status != CFPC_OK)
        cfpc_learning_map_free(map);
    return status;
}

cfpc_status cfpc_learning_map_online(cfpc_learning_map *map, const cfpc_lesson *lesson,
                                     const cfpc_system *teaching_path,
                                     const cfpc_system *error_path, const double *e0, double rate,
                                     double normaliser)
{
    *map = (cfpc_learning_map){.online = true};
    if (!lesson || (!lesson->trace && !lesson->filter) || !lesson->basis ||
        !cfpci_given(teaching_path) || (error_path && !cfpci_given(error_path)))
        return CFPC_MISSING;
    cfpc_lesson full = *lesson;
    full.teaching = lesson->teaching ? lesson->teaching : e0;
    carry carry = {.lesson = &full, .e0 = e0, .rate = rate, .normaliser = normaliser};
    return online_map_make(map, NULL, &carry, teaching_path, error_path);
}

// ---- the maximum rate ------------------------------------------------------------------------
//
// The map depends on the rate in no simple way, so it is made again for every rate tried. The
// directions that matter are the same for all.

enum { SEARCH_MAX = 60 }; // steps down, and up

#define SEARCH_FROM 0.02 // of the given start
#define SEARCH_STEP 1.25 // from one rate to the next

#define RATE_TOLERANCE 1e-3 // far below its random variation, see docs/certificate.md

typedef struct search {
    const cfpc_lesson *lesson;
    const cfpc_system *path;
    double normaliser;
    cfpc_learning_map first; // its directions are used at all rates
} search;

static cfpc_status settles_by_itself(search *search, double rate, bool *does)
{
    cfpc_verdict verdict = CFPC_DIVERGES;
    cfpc_learning_map_free(&search->first);
    cfpc_status status =
        cfpc_learning_map_online(&search->first, search->lesson, search->path, NULL,
                                 search->lesson->teaching, rate, search->normaliser);
    if (status == CFPC_OK)
        status = cfpc_learning_verdict(&verdict, &search->first, 1);
    if (search->first.boundless) // it has no directions
        cfpc_learning_map_free(&search->first);
    *does = verdict != CFPC_DIVERGES;
    return status;
}

static cfpc_status online_rate_settles(search *search, double rate, bool *does)
{
    cfpc_learning_map map;
    cfpc_verdict verdict = CFPC_DIVERGES;
    bool still = false;
    if (!search->first.m)
        return settles_by_itself(search, rate, does);
    carry carry = {.lesson = search->lesson,
                   .e0 = search->lesson->teaching,
                   .rate = rate,
                   .normaliser = search->normaliser};
    cfpc_status status = online_map_make(&map, &search->first, &carry, search->path, NULL);
    if (status == CFPC_OK)
        status = cfpci_learning_verdict_and_still(&verdict, &still, &map, 1);
    cfpc_learning_map_free(&map);
    *does = verdict != CFPC_DIVERGES;
    return still ? settles_by_itself(search, rate, does) : status;
}

cfpc_status cfpc_online_rate_max(double *rate_max, const cfpc_lesson *lesson,
                                 const cfpc_system *teaching_path, double normaliser, double start)
{
    search search = {.lesson = lesson, .path = teaching_path, .normaliser = normaliser};
    double low = 0, high = INFINITY; // low converges, or is 0; high does not, or is INFINITY
    double rate = start * SEARCH_FROM;
    bool does = false;
    cfpc_status status = CFPC_OK;
    *rate_max = 0;
    if (!lesson)
        return CFPC_MISSING;
    if (!lesson->teaching || !(start > 0 && isfinite(start)))
        return CFPC_BAD_VALUE;
    // The rates that converge need not be one interval: from a low one that does, the search goes
    // up in small steps to the first that does not.
    for (int k = 0; status == CFPC_OK && k < SEARCH_MAX && !does; k++) {
        status = online_rate_settles(&search, rate, &does);
        *(does ? &low : &high) = rate;
        rate *= does ? 1 : 0.25;
    }
    for (int k = 0; status == CFPC_OK && k < SEARCH_MAX && does && isinf(high); k++) {
        rate *= SEARCH_STEP;
        status = online_rate_settles(&search, rate, &does);
        *(does ? &low : &high) = rate;
    }
    while (status == CFPC_OK && low > 0 && isfinite(high) && high - low > RATE_TOLERANCE * low) {
        rate = low + (high - low) / 2;
        status = online_rate_settles(&search, rate, &does);
        *(does ? &low : &high) = rate;
    }
    cfpc_learning_map_free(&search.first);
    if (status == CFPC_OK)
        *rate_max = low > 0 && isinf(high) ? INFINITY : low;
    return status;
}
