// SPDX-License-Identifier: Apache-2.0
#include "analyse/worst.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/order.h"

#define RISES 1e-6 // of the reactive error: less is rounding, where it has converged

static lab_outcome worst_take(lab_matrices *matrices, const lab_models *models, lab_why *why)
{
    const size_t g = (size_t)models->setup->bases, count = (size_t)models->count;
    *matrices = (lab_matrices){.models = models, .m = calloc(count * g * (g + 1), sizeof(double))};
    matrices->b = matrices->m ? matrices->m + count * g * g : NULL;
    return matrices->m ? LAB_DONE : lab_no_memory(why, NULL);
}

void lab_matrices_free(lab_matrices *matrices)
{
    free(matrices->m);
    *matrices = (lab_matrices){0};
}

// m += aᵀ b, both (rows x g).
static void worst_add_product(size_t rows, size_t g, const double *restrict a,
                              const double *restrict b, double by, double *restrict m)
{
    for (size_t n = 0; n < rows; n++)
        for (size_t i = 0; i < g; i++) {
            const double left = by * a[n * g + i];
            for (size_t j = 0; j < g; j++)
                m[i * g + j] += left * b[n * g + j];
        }
}

lab_outcome lab_matrices_make(lab_matrices *matrices, const lab_models *models,
                              const cfpc_lesson *lesson, const double *z, lab_why *why)
{
    const lab_setup *setup = models->setup;
    const size_t n = (size_t)setup->rig.steps, g = (size_t)setup->bases;
    const size_t late = (size_t)lesson->late_steps < n ? (size_t)lesson->late_steps : n;
    const lab_outcome outcome = worst_take(matrices, models, why);
    for (int i = 0; outcome == LAB_DONE && i < models->count; i++) {
        const lab_model *model = &models->models[i];
        double *m = matrices->m + (size_t)i * g * g, *b = matrices->b + (size_t)i * g;
        worst_add_product(n - late, g, z + late * g, model->taught, 1, m);
        if (lesson->output_penalty > 0)
            worst_add_product(n, g, setup->x, setup->x, lesson->output_penalty, m);
        for (size_t k = 0; k + late < n; k++)
            for (size_t j = 0; j < g; j++)
                b[j] += z[(k + late) * g + j] * model->teaching[k];
    }
    return outcome;
}

lab_outcome lab_matrices_times(lab_matrices *matrices, const lab_matrices *from, const double *p,
                               lab_why *why)
{
    const size_t g = (size_t)from->models->setup->bases;
    const lab_outcome outcome = worst_take(matrices, from->models, why);
    for (size_t k = 0; outcome == LAB_DONE && k < (size_t)from->models->count; k++) {
        const double *m = from->m + k * g * g, *b = from->b + k * g;
        worst_add_product(g, g, p, m, 1, matrices->m + k * g * g); // P is symmetric
        for (size_t i = 0; i < g; i++)
            for (size_t j = 0; j < g; j++)
                matrices->b[k * g + i] += p[i * g + j] * b[j];
    }
    return outcome;
}

// rRMSE with weights w.
static double worst_error_of(const lab_model *model, size_t g, const double *w)
{
    double sum = model->energy;
    for (size_t i = 0; i < g; i++) {
        double row = -2 * model->along[i];
        for (size_t j = 0; j < g; j++)
            row += model->gram[i * g + j] * w[j];
        sum += w[i] * row;
    }
    return isfinite(sum) && model->energy > 0 ? sqrt(cfpci_max(sum, 0) / model->energy) : INFINITY;
}

// v ← μ v + η (b - M w), w ← (1 - leak) w + v
static void worst_learn(size_t g, const double *m, const double *b, lab_pace_of_learning pace,
                        double *w, double *v, double *next)
{
    for (size_t i = 0; i < g; i++) {
        double sum = b[i];
        for (size_t j = 0; j < g; j++)
            sum -= m[i * g + j] * w[j];
        v[i] = pace.momentum * v[i] + pace.rate * sum;
        next[i] = (1 - pace.leak) * w[i] + v[i];
    }
    memcpy(w, next, g * sizeof *w);
}

void lab_worst_add(lab_worst *worst, int model, double compared, double last, bool falls)
{
    if (compared > worst->compared)
        worst->model = model;
    worst->compared = cfpci_max(worst->compared, compared);
    worst->last = cfpci_max(worst->last, last);
    worst->falls &= falls;
}

bool lab_falls(int trial, int trials, double before, double now, double compared)
{
    return now <= (trial <= trials ? before + RISES : compared);
}

// One model; returns whether it falls, and its errors. It is given up when it rises, or is above
// `most` at the trial of comparison; INFINITY: never.
static bool worst_follow(const lab_matrices *matrices, int index, lab_pace_of_learning pace,
                         int trials, double most, double *compared, double *last, double *work)
{
    const size_t g = (size_t)matrices->models->setup->bases;
    const lab_model *model = &matrices->models->models[index];
    const double *m = matrices->m + (size_t)index * g * g, *b = matrices->b + (size_t)index * g;
    const int watched = trials > LAB_WATCHED_TRIALS ? trials : LAB_WATCHED_TRIALS;
    double *w = work, *v = w + g, *next = v + g, now = 1;
    bool falls = true;
    memset(w, 0, 2 * g * sizeof *w);
    *compared = *last = 1;
    for (int k = 2; k <= watched && isfinite(now); k++) {
        const double before = now;
        worst_learn(g, m, b, pace, w, v, next);
        now = worst_error_of(model, g, w);
        falls &= lab_falls(k, trials, before, now, *compared);
        *compared = k <= LAB_COMPARED_TRIAL && k <= trials ? now : *compared;
        *last = k <= trials || !isfinite(now) ? now : *last;
        if (isfinite(most) && (!falls || *compared > (k < LAB_COMPARED_TRIAL ? 1 : most)))
            return false;
    }
    return falls;
}

bool lab_find_worst(lab_worst *worst, const lab_matrices *matrices, lab_pace_of_learning pace,
                    int trials, double most, double *work)
{
    *worst = (lab_worst){.falls = true};
    for (int i = 0; i < matrices->models->count; i++) {
        double compared, last;
        const bool falls = worst_follow(matrices, i, pace, trials, most, &compared, &last, work);
        lab_worst_add(worst, i, compared, last, falls);
        if (isfinite(most) && !worst->falls)
            return false;
    }
    return worst->falls;
}
