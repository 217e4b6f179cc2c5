// SPDX-License-Identifier: Apache-2.0
// plain_learning: learning over many trials, batch and on line, step by step and by hand: it shares
// nothing with the library's maps.
#ifndef CFPC_TESTS_PLAIN_LEARNING_H
#define CFPC_TESTS_PLAIN_LEARNING_H

#include "cfpc/certificate.h"
#include "random_system.h"

enum { LEARN_MAX = 32 }; // bases

typedef struct plain_learner {
    const cfpc_lesson *lesson;        // complete: teaching and basis in place
    const cfpc_system *teaching_path; // from o to what the teaching signal loses
    const cfpc_system *error_path;    // from o to what the error loses
    const double *e0;                 // reactive error    (N)
    double rate, normaliser;
    double w[LEARN_MAX], v[LEARN_MAX];
    bool online;
} plain_learner;

// w ← (1 - leak) w + v, v ← μ v + η P d
static inline void plain_update(plain_learner *it, double rate, const double *d)
{
    const cfpc_lesson *lesson = it->lesson;
    for (int i = 0; i < lesson->bases; i++) {
        double change = d[i];
        if (lesson->preconditioner)
            change = dot(lesson->bases, lesson->preconditioner + i * lesson->bases, d);
        it->v[i] = lesson->momentum * it->v[i] + rate * change;
    }
    for (int i = 0; i < lesson->bases; i++)
        it->w[i] = (1 - lesson->leak) * it->w[i] + it->v[i];
}

// Adjoint form: what input m learns from the teaching signal as it arrived (N).
static inline void plain_past(const cfpc_lesson *lesson, int m, const double *arrived, double *d)
{
    const cfpc_teaching_filter *filter = lesson->filter;
    double delta = 0;
    for (int k = -filter->lead; k <= filter->horizon; k++)
        if (m + k >= 0 && m + k < lesson->steps)
            delta += filter->taps[filter->lead + k] * arrived[m + k];
    for (int j = 0; j < lesson->bases; j++)
        d[j] = m < 0 ? 0 : lesson->basis[m * lesson->bases + j] * delta;
}

// The inputs that are still due after a trial, one after the other and without leak.
static inline void plain_due(plain_learner *it, const double *arrived, double *sum)
{
    const cfpc_lesson *lesson = it->lesson;
    double d[LEARN_MAX];
    for (int k = 0; k < lesson->filter->horizon; k++) {
        plain_past(lesson, lesson->steps + k - lesson->filter->horizon, arrived, d);
        for (int j = 0; j < lesson->bases; j++)
            *(it->online ? &it->w[j] : &sum[j]) += (it->online ? it->rate : 1) * d[j];
    }
}

// One trial; returns ‖e‖.
static inline double plain_trial(plain_learner *it)
{
    const cfpc_lesson *lesson = it->lesson;
    const int g = lesson->bases;
    plain_run *teach = must_calloc(1, sizeof *teach), *err = must_calloc(1, sizeof *err);
    double t[RUN_MAX], arrived[RUN_MAX] = {0}, sum[LEARN_MAX] = {0}, square = 0;
    teach->sys = it->teaching_path;
    err->sys = it->error_path;
    for (int n = 0; n < lesson->steps; n++) {
        const double *x = lesson->basis + n * g;
        const double o = dot(g, x, it->w);
        double lost_t = 0, lost_e = 0, d[LEARN_MAX] = {0}, rate = it->rate;
        plain_outputs(teach, &o, &lost_t);
        plain_outputs(err, &o, &lost_e);
        plain_advance(teach, &o);
        plain_advance(err, &o);
        t[n] = lesson->teaching[n] - lost_t;
        square += (it->e0[n] - lost_e) * (it->e0[n] - lost_e);
        arrived[n] = n < lesson->late_steps ? 0 : t[n - lesson->late_steps];
        if (lesson->filter)
            plain_past(lesson, n - lesson->filter->horizon, arrived, d);
        else {
            const double *z = lesson->trace + n * g;
            for (int j = 0; j < g; j++)
                d[j] = z[j] * arrived[n] - lesson->output_penalty * x[j] * o;
            rate /= it->normaliser > 0 ? it->normaliser + dot(g, z, z) : 1;
        }
        for (int j = 0; j < g; j++)
            sum[j] += d[j];
        if (it->online)
            plain_update(it, rate, d);
    }
    if (lesson->filter)
        plain_due(it, arrived, sum);
    if (!it->online)
        plain_update(it, it->rate, sum);
    free(teach);
    free(err);
    return sqrt(square);
}

// rRMSE of each trial and the weights at the start of the last.
static inline void plain_learn(plain_learner *it, int trials, double *rrmse, double *weights)
{
    const double size = norm(it->lesson->steps, it->e0);
    for (int k = 0; k < trials; k++) {
        memcpy(weights, it->w, (size_t)it->lesson->bases * sizeof *weights);
        rrmse[k] = plain_trial(it) / size;
    }
}

#endif
