// SPDX-License-Identifier: Apache-2.0
// A map of learning: its memory, the directions that matter, batch learning, and the prediction.
#include "certify/learning_map.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "algebra/dense_rows.h"
#include "math/elementary.h"
#include "math/order.h"

// An eigenvalue is accurate to about 1e-16 ‖M‖ for each of its G terms; up to a thousand times that
// counts as rounding.
#define STILL 1e-13

// A direction may count as constant although it learns, too slowly to distinguish. Then its error
// changes by at most still · ‖t0‖ per trial; a thousand times that is a drift.
#define DRIFT 1e3

// ---- memory ----------------------------------------------------------------------------------

cfpc_status cfpci_learning_map_allocate(cfpc_learning_map *map, int32_t steps, int32_t bases)
{
    map->bases = bases;
    map->range = steps < bases ? steps : bases;
    map->rounding = DBL_EPSILON * sqrt(steps);
    const size_t g = (size_t)bases, k = (size_t)map->range;
    double *block = calloc(3 * g * g + 2 * g + k * g + k, sizeof *block);
    if (!block)
        return CFPC_NO_MEMORY;
    map->m = block;
    map->b = map->m + g * g;
    map->r = map->b + g;
    map->c = map->r + k * g;
    map->d = map->c + k;
    map->reduced = map->d + g * g;
    map->push = map->reduced + g * g;
    return CFPC_OK;
}

void cfpc_learning_map_free(cfpc_learning_map *map)
{
    if (!map)
        return;
    free(map->m);
    *map = (cfpc_learning_map){0};
}

// ---- the scope -------------------------------------------------------------------------------

cfpc_status cfpci_lesson_check(const cfpc_lesson *lesson)
{
    if (lesson->steps < 1 || lesson->bases < 1)
        return CFPC_BAD_SIZE;
    if (lesson->late_steps < 0)
        return CFPC_BAD_DELAY;
    return lesson->leak >= 0 && lesson->leak <= 1 && lesson->momentum >= 0 &&
                   lesson->momentum < 1 && lesson->output_penalty >= 0 &&
                   isfinite(lesson->output_penalty)
               ? CFPC_OK
               : CFPC_BAD_VALUE;
}

static size_t penalised_steps(const cfpc_lesson *lesson)
{
    return lesson->output_penalty > 0 ? (size_t)lesson->steps : 0;
}

cfpc_status cfpci_scope_make(cfpci_scope *scope, const cfpc_lesson *lesson, const double *effect,
                             const double *error, const double *output)
{
    const size_t n = (size_t)lesson->steps, g = (size_t)lesson->bases;
    const size_t other = effect != error ? n : 0, penalised = penalised_steps(lesson);
    const double t = cfpci_dense_norm((int32_t)(n * g), effect);
    const double e = other ? cfpci_dense_norm((int32_t)(n * g), error) : t;
    const double size = e > 0 && t > 0 ? t / e : 1;
    *scope = (cfpci_scope){.preconditioner = lesson->preconditioner,
                           .faint = cfpci_faint_of(lesson),
                           .teaching = cfpci_dense_norm(lesson->steps, lesson->teaching) / size};
    cfpc_status status = cfpci_growing_qr_make(&scope->seen, n + other + penalised, g);
    if (status == CFPC_OK)
        status =
            cfpci_growing_qr_make(&scope->reach, (size_t)cfpci_steps_met(lesson) + penalised, g);
    if (status == CFPC_OK) {
        cfpci_growing_qr_add(&scope->seen, n, g, effect, 1);
        cfpci_growing_qr_add(&scope->seen, other, g, error, size);
        cfpci_growing_qr_add(&scope->seen, penalised, g, output, sqrt(lesson->output_penalty));
    }
    return status;
}

void cfpci_scope_add_traces(cfpci_scope *scope, const cfpc_lesson *lesson, const double *trace)
{
    const size_t met = (size_t)cfpci_steps_met(lesson), g = (size_t)lesson->bases;
    cfpci_growing_qr_add(&scope->reach, met, g, trace + ((size_t)lesson->steps - met) * g, 1);
}

void cfpci_scope_add_outputs(cfpci_scope *scope, const cfpc_lesson *lesson)
{
    cfpci_growing_qr_add(&scope->reach, penalised_steps(lesson), (size_t)lesson->bases,
                         lesson->basis, sqrt(lesson->output_penalty));
}

void cfpci_scope_free(cfpci_scope *scope)
{
    cfpci_growing_qr_free(&scope->seen);
    cfpci_growing_qr_free(&scope->reach);
}

// ---- the directions that matter --------------------------------------------------------------

// The number of singular values that are not faint. Blurred: one is faint at any threshold, but
// above the rounding of this number of terms. Clear: none is between the thresholds.
static int32_t count_above(cfpc_learning_map *map, int32_t count, const double *s, double faint,
                           size_t terms)
{
    int32_t above = 0;
    for (int32_t i = 0; i < count; i++) {
        above += s[i] > faint * s[0];
        map->blurred |= s[i] <= CFPC_FAINT_LESS * s[0] && s[i] > DBL_EPSILON * (double)terms * s[0];
        map->clear &= s[i] <= CFPC_FAINT_LESS * s[0] || s[i] > CFPC_FAINT_MORE * s[0];
    }
    return above;
}

// Rows of vt (count x G): orthonormal directions that are seen. vt has room for G x G.
static cfpc_status find_seen(cfpc_learning_map *map, cfpci_scope *scope, double *work, double *vt,
                             int32_t *count)
{
    cfpci_growing_qr *seen = &scope->seen;
    const size_t g = seen->width, rows = seen->most < g ? seen->most : g;
    double *r = work, *u = r + rows * g, *s = u + rows * rows;
    cfpc_status status = cfpci_growing_qr_triangle(seen, r);
    *count = 0;
    if (status == CFPC_OK && rows > 0)
        status = cfpci_dense_svd((int32_t)rows, (int32_t)g, r, u, s, vt);
    if (status == CFPC_OK && rows > 0)
        *count = count_above(map, (int32_t)rows, s, scope->faint, seen->most);
    return status;
}

// The bases that can matter (their numbers in `kept`): those that are seen and reached
// individually, except for exact zeros. The others are left out before directions are mixed: M is
// often graded (entries from 1 down to 1e-24), and its eigenvalues are then accurate to the last
// digits only while it is not rotated.
static int32_t keep_bases(cfpci_growing_qr *seen, double *reached, size_t rows, int32_t *kept)
{
    int32_t count = 0;
    for (size_t j = 0; j < seen->width; j++) {
        const double *column = seen->table + j * seen->most, *row = reached + j * rows;
        if (!cfpci_dense_norm((int32_t)seen->most, column) || !cfpci_dense_norm((int32_t)rows, row))
            continue;
        memmove(seen->table + (size_t)count * seen->most, column, seen->most * sizeof *column);
        memmove(reached + (size_t)count * rows, row, rows * sizeof *row);
        kept[count++] = (int32_t)j;
    }
    seen->width = (size_t)count;
    return count;
}

// D, one row for each basis: U (seen x directions) are those of the directions seen that are
// reached. Row kept[k] of D is row k of V U, or of the unit matrix where every direction of the
// `count` bases that are kept matters; the other rows are zero.
static cfpc_status choose_reached(cfpc_learning_map *map, const cfpci_scope *scope, int32_t count,
                                  const int32_t *kept, int32_t seen, const double *vt, int32_t rows,
                                  const double *reached, double *work)
{
    const int32_t most = seen < rows ? seen : rows;
    const size_t n = (size_t)seen, k = (size_t)rows, m = (size_t)most;
    double *both = work, *u = both + n * k, *s = u + n * m, *right = s + m;
    map->directions = 0;
    if (most == 0)
        return CFPC_OK;
    cfpci_dense_multiply(false, seen, rows, count, vt, reached, 0, both);
    const cfpc_status status = cfpci_dense_svd(seen, rows, both, u, s, right);
    if (status != CFPC_OK)
        return status;
    map->directions = count_above(map, most, s, scope->faint, scope->reach.most);
    const size_t q = (size_t)map->directions;
    for (size_t b = 0; b < (size_t)count; b++) {
        double *row = map->d + (size_t)kept[b] * q;
        if (map->directions == count)
            row[b] = 1;
        else
            for (size_t i = 0; i < n; i++)
                for (size_t j = 0; j < q; j++)
                    row[j] += vt[i * (size_t)count + b] * u[i * m + j];
    }
    return CFPC_OK;
}

static bool is_finite(const cfpc_learning_map *map)
{
    return cfpci_are_finite((size_t)map->bases * (size_t)(map->bases + 1), map->m); // b follows M
}

double cfpci_learning_still(const cfpc_learning_map *map)
{
    const int32_t q = map->directions;
    return STILL * map->bases * cfpci_dense_norm(q * q, map->reduced);
}

cfpc_status cfpci_learning_map_project(cfpc_learning_map *map, double faint)
{
    const int32_t g = map->bases, q = map->directions;
    const double line = faint / CFPC_FAINT;
    if (!is_finite(map))
        return CFPC_BAD_VALUE;
    double *md = malloc((size_t)g * (size_t)g * sizeof *md);
    if (!md)
        return CFPC_NO_MEMORY;
    cfpci_dense_multiply(false, g, q, g, map->m, map->d, 0, md);
    cfpci_dense_multiply(true, q, q, g, map->d, md, 0, map->reduced);
    cfpci_dense_times_vector(true, g, q, map->d, map->b, map->push);
    // A direction moves by the square of its singular value: the tolerance scales with the
    // threshold.
    map->still = line * line * cfpci_learning_still(map);
    free(md);
    return CFPC_OK;
}

cfpc_status cfpci_learning_map_reduce(cfpc_learning_map *map, cfpci_scope *scope)
{
    const size_t g = (size_t)map->bases, most = scope->reach.most;
    const int32_t rows = most < g ? (int32_t)most : map->bases;
    const double line = scope->faint / CFPC_FAINT;
    int32_t seen = 0;
    if (!is_finite(map))
        return CFPC_BAD_VALUE;
    double *vt = calloc(5 * g + 1, g * sizeof *vt); // 5 G² + G numbers
    int32_t *kept = malloc(g * sizeof *kept);
    cfpc_status status = vt && kept ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK) {
        // P Rᵀ (G x rows), R the triangle of what is reached.
        double *reached = vt + g * g, *work = reached + g * g;
        double *turned = scope->preconditioner ? work + (size_t)rows * g : reached;
        status = cfpci_growing_qr_triangle(&scope->reach, work);
        if (status == CFPC_OK) {
            cfpci_rows_transpose(rows, map->bases, work, g, turned, (size_t)rows);
            if (scope->preconditioner)
                cfpci_dense_multiply(false, map->bases, rows, map->bases, scope->preconditioner,
                                     turned, 0, reached);
            const int32_t count = keep_bases(&scope->seen, reached, (size_t)rows, kept);
            map->clear = true;
            status = find_seen(map, scope, work, vt, &seen);
            if (status == CFPC_OK)
                status = choose_reached(map, scope, count, kept, seen, vt, rows, reached, work);
        }
    }
    free(kept);
    free(vt);
    if (status == CFPC_OK)
        status = cfpci_learning_map_project(map, scope->faint);
    map->drift = DRIFT * cfpci_max(map->still, map->still / (line * line)) * scope->teaching;
    return status;
}

bool cfpc_learning_map_faint(cfpc_learning_map *other, const cfpc_learning_map *map, double faint)
{
    const double line = faint / CFPC_FAINT;
    *other = *map;
    if (!map->clear || !(faint >= CFPC_FAINT_LESS && faint <= CFPC_FAINT_MORE))
        return false;
    other->still *= line * line;
    other->drift *= cfpci_max(line * line, 1);
    return true;
}

// ---- algebra ---------------------------------------------------------------------------------

bool cfpci_learning_root(int32_t n, const double *a, double shift, double *l)
{
    const size_t count = (size_t)n;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = a[i * count + j] - (i == j ? shift : 0);
            for (size_t k = 0; k < j; k++)
                sum -= l[i * count + k] * l[j * count + k];
            if (i == j && !(sum > 0))
                return false;
            l[i * count + j] = i == j ? sqrt(sum) : sum / l[j * count + j];
        }
    return true;
}

cfpc_status cfpci_learning_invert(int32_t n, double *a, double *inverse, bool *regular)
{
    cfpci_dense_fill((int64_t)n * n, inverse, 0);
    for (int32_t i = 0; i < n; i++)
        inverse[(size_t)i * (size_t)(n + 1)] = 1;
    const cfpc_status status = cfpci_dense_solve(n, n, a, inverse);
    *regular = status == CFPC_OK;
    return status == CFPC_BAD_VALUE ? CFPC_OK : status;
}

double cfpci_learning_rrmse(const cfpc_learning_map *map, double norm)
{
    return map->e0_norm > 0 ? cfpci_hypot(map->rest, norm) / map->e0_norm : 0;
}

// ---- batch learning --------------------------------------------------------------------------

static cfpc_status learning_map_check(const cfpc_lesson *lesson, const cfpc_problem *problem)
{
    if (!lesson || !lesson->trace || !problem || !problem->basis)
        return CFPC_MISSING;
    if (lesson->steps != problem->steps || lesson->bases != problem->bases)
        return CFPC_BAD_SIZE;
    const cfpc_status status = cfpci_lesson_check(lesson);
    if (status != CFPC_OK)
        return status;
    if (!(lesson->faint >= 0 && lesson->faint < 1))
        return CFPC_BAD_VALUE;
    return lesson->filter && lesson->output_penalty > 0 ? CFPC_NEEDS_TRACES : CFPC_OK;
}

// M = P (Z_lateᵀ H_t + ρ XᵀX),  b = P Z_lateᵀ t0
static cfpc_status learning_map_correlate(cfpc_learning_map *map, const cfpc_lesson *full)
{
    const int32_t g = map->bases, met = cfpci_steps_met(full);
    const size_t squared = (size_t)g * (size_t)g;
    const double *late = full->trace + (size_t)(full->steps - met) * (size_t)g;
    double *other = malloc((squared + (size_t)g) * sizeof *other);
    if (!other)
        return CFPC_NO_MEMORY;
    cfpci_dense_multiply(true, g, g, met, late, full->effect, 0, map->m);
    cfpci_dense_times_vector(true, met, g, late, full->teaching, map->b);
    if (full->output_penalty > 0) {
        cfpci_dense_multiply(true, g, g, full->steps, full->basis, full->basis, 0, other);
        for (size_t k = 0; k < squared; k++)
            map->m[k] += full->output_penalty * other[k];
    }
    if (full->preconditioner) {
        cfpci_dense_multiply(false, g, g, g, full->preconditioner, map->m, 0, other);
        cfpci_dense_times_vector(false, g, g, full->preconditioner, map->b, other + squared);
        memcpy(map->m, other, squared * sizeof *other);
        memcpy(map->b, other + squared, (size_t)g * sizeof *other);
    }
    free(other);
    return CFPC_OK;
}

// Whether two signals are equal, except for rounding.
static bool are_same(size_t count, const double *a, const double *b)
{
    double size = 0, difference = 0;
    for (size_t k = 0; a != b && k < count; k++) {
        size += a[k] * a[k];
        difference += (a[k] - b[k]) * (a[k] - b[k]);
    }
    return sqrt(difference) <= 1e-12 * sqrt(size);
}

static bool does_descend(const cfpc_lesson *full, const cfpc_problem *problem)
{
    const size_t n = (size_t)full->steps, ng = n * (size_t)full->bases;
    return full->leak == 0 && full->output_penalty == 0 && full->late_steps == 0 &&
           are_same(n, full->teaching, problem->e0) && are_same(ng, full->effect, problem->h) &&
           are_same(ng, full->trace, problem->h);
}

cfpc_status cfpc_learning_map_make(cfpc_learning_map *map, const cfpc_lesson *lesson,
                                   const cfpc_problem *problem)
{
    *map = (cfpc_learning_map){0};
    cfpc_status status = learning_map_check(lesson, problem);
    if (status != CFPC_OK)
        return status;
    cfpc_lesson full = *lesson; // completed with the problem's arrays
    full.teaching = lesson->teaching ? lesson->teaching : problem->e0;
    full.effect = lesson->effect ? lesson->effect : problem->h;
    full.basis = lesson->basis ? lesson->basis : problem->basis;
    cfpci_scope scope = {0};
    status = cfpci_learning_map_allocate(map, full.steps, full.bases);
    if (status == CFPC_OK) {
        const size_t k = (size_t)map->range;
        map->leak = full.leak;
        map->momentum = full.momentum;
        memcpy(map->r, problem->r, k * (size_t)map->bases * sizeof *map->r);
        memcpy(map->c, problem->c, k * sizeof *map->c);
        map->rest = problem->rest;
        map->e0_norm = problem->e0_norm;
        map->descends = does_descend(&full, problem);
        map->optimum = problem->optimum_known ? problem->rrmse_optimum : 0;
        status = learning_map_correlate(map, &full);
    }
    if (status == CFPC_OK)
        status = cfpci_scope_make(&scope, &full, full.effect, problem->h, full.basis);
    if (status == CFPC_OK) {
        cfpci_scope_add_traces(&scope, &full, full.trace);
        cfpci_scope_add_outputs(&scope, &full);
        status = cfpci_learning_map_reduce(map, &scope);
    }
    cfpci_scope_free(&scope);
    if (status != CFPC_OK)
        cfpc_learning_map_free(map);
    return status;
}

// ---- prediction ------------------------------------------------------------------------------

enum { TOGETHER = 16 }; // trials whose errors are found at once, so that R is read once for them

// rRMSE of `count` trials with these weights (count x G). columns: the same as columns; left:
// scratch (range); a: R times the columns (range x count)
static void find_errors(const cfpc_learning_map *map, int32_t count, const double *weights,
                        double *columns, double *left, double *a, double *rrmse)
{
    const int32_t g = map->bases, range = map->range;
    cfpci_rows_transpose(count, g, weights, (size_t)g, columns, (size_t)count);
    cfpci_dense_multiply(false, range, count, g, map->r, columns, 0, a);
    for (int32_t k = 0; k < count; k++) {
        for (int32_t i = 0; i < range; i++)
            left[i] = map->c[i] - a[(size_t)i * (size_t)count + (size_t)k];
        rrmse[k] = cfpci_learning_rrmse(map, cfpci_dense_norm(range, left));
    }
}

// v ← μ v + η (b - M w),  w ← (1 - leak) w + v
static void learning_map_update(const cfpc_learning_map *map, double rate, double *w, double *v,
                                double *mw)
{
    if (map->descends) // M is symmetric: half of it is read
        cfpci_dense_symmetric_times_vector(map->bases, map->m, w, mw);
    else
        cfpci_dense_times_vector(false, map->bases, map->bases, map->m, w, mw);
    for (int32_t j = 0; j < map->bases; j++) {
        v[j] = map->momentum * v[j] + rate * (map->b[j] - mw[j]);
        w[j] = (1 - map->leak) * w[j] + v[j];
    }
}

cfpc_status cfpc_predict(const cfpc_learning_map *map, double rate, int32_t trials, double *rrmse,
                         double *weights)
{
    if (!map || !map->m)
        return CFPC_MISSING;
    if (trials < 1)
        return CFPC_BAD_SIZE;
    if (!isfinite(rate) || (map->online && rate != 1))
        return CFPC_BAD_VALUE;
    if (map->boundless) {
        cfpci_dense_fill(trials, rrmse, INFINITY);
        cfpci_dense_fill(weights ? map->bases : 0, weights, INFINITY);
        return CFPC_OK;
    }
    const size_t g = (size_t)map->bases, range = (size_t)map->range;
    double *w = calloc((5 + 2 * TOGETHER) * g + (TOGETHER + 1) * range, sizeof *w);
    if (!w)
        return CFPC_NO_MEMORY;
    double *v = w + g, *mw = v + g;           // the last change of w; M w
    double *before = mw + g;                  // both, before a trial                (2 G)
    double *waiting = before + 2 * g;         // weights of trials without an error  (TOGETHER x G)
    double *columns = waiting + TOGETHER * g; //                                     (G x TOGETHER)
    double *left = columns + TOGETHER * g, *a = left + range;
    const size_t one = g * sizeof *w;
    // Until nothing changes any more, bit for bit: then all further trials are the same.
    bool at_rest = false;
    int32_t known = 0, count = 0;
    for (; known < trials && !at_rest; known += count) {
        for (count = 0; count < TOGETHER && known + count < trials && !at_rest; count++) {
            memcpy(waiting + (size_t)count * g, w, one);
            memcpy(before, w, 2 * one);
            if (known + count + 1 < trials)
                learning_map_update(map, rate, w, v, mw);
            at_rest = memcmp(before, w, 2 * one) == 0;
        }
        find_errors(map, count, waiting, columns, left, a, rrmse + known);
    }
    cfpci_dense_fill(trials - known, rrmse + known, rrmse[known - 1]);
    if (weights)
        memcpy(weights, w, one);
    free(w);
    return CFPC_OK;
}
