// SPDX-License-Identifier: Apache-2.0
// plain_lab: a random loop, stepped, and a cell that learns on it, in plain loops that share
// nothing with the library: the traces are the answers of copies of the loop to each basis signal.
#ifndef CFPC_TESTS_PLAIN_LAB_H
#define CFPC_TESTS_PLAIN_LAB_H

#include "loop_spec.h"

enum { PLAIN_BASES = 6, PLAIN_TRIALS = 5, PLAIN_MAX = PLAIN_STEPS * PLAIN_TRIALS };

// ---- the loop --------------------------------------------------------------------------------

typedef struct plain_machine {
    const random_loop *loop;
    int n; // steps gone
    double s[PLANT_MAX], integral, filtered;
    double error[PLAIN_MAX], u[PLAIN_MAX], y[PLAIN_MAX];
} plain_machine;

static inline void plain_machine_reset(plain_machine *it)
{
    *it = (plain_machine){.loop = it->loop};
}

// One step; within it the signals are gone through until all that answer at once have settled.
static inline void plain_machine_step(plain_machine *it, double drive, double push)
{
    const random_loop *loop = it->loop;
    const int n = it->n++;
    double late = 0, command = 0, next[PLANT_MAX];
    it->y[n] = it->u[n] = 0;
    for (int pass = 0; pass < 5; pass++) {
        it->error[n] = drive - before(it->y, n, loop->measurement_delay);
        late = before(it->error, n, loop->error_delay);
        it->u[n] = plain_command(&loop->pid, late, it->integral, it->filtered);
        command = before(it->u, n, loop->command_delay) + push;
        it->y[n] = dot(loop->states, loop->c, it->s) + loop->d * command;
    }
    it->integral += loop->step_s * late;
    it->filtered += (1 - exp(-loop->step_s / loop->pid.filter_s)) * (late - it->filtered);
    for (int i = 0; i < loop->states; i++)
        next[i] = dot(loop->states, loop->a + (size_t)i * (size_t)loop->states, it->s) +
                  loop->b[i] * command;
    memcpy(it->s, next, sizeof(double) * (size_t)loop->states);
}

// ---- the cell --------------------------------------------------------------------------------

typedef struct plain_teaching {
    bool at_plant, by_command, rectified, online, frozen;
    bool goes_on; // no reset between trials
    int delay;    // of the teaching signal, in steps
    double rate, leak;
} plain_teaching;

typedef struct plain_lab {
    plain_teaching how;
    const double *r, *x, *push;        // (steps), (steps x bases), (steps) or NULL
    plain_machine machine;             // the loop
    plain_machine tracer[PLAIN_BASES]; // and its answers to each basis signal
    double teaching[PLAIN_MAX];        // e or u, as it sets off
    double h[PLAIN_BASES][PLAIN_MAX];  // traces, before the teaching signal's delay
    double w[PLAIN_BASES], sum[PLAIN_BASES];
} plain_lab;

static inline void plain_lab_begin(plain_lab *it, const random_loop *loop,
                                   const plain_teaching *how, const double *r, const double *x)
{
    *it = (plain_lab){.how = *how, .r = r, .x = x, .machine.loop = loop};
    for (int j = 0; j < PLAIN_BASES; j++)
        it->tracer[j].loop = loop;
}

static inline void plain_lab_enter(const plain_lab *it, plain_machine *machine, double r,
                                   double push, double o)
{
    plain_machine_step(machine, r + (it->how.at_plant ? 0 : o), push + (it->how.at_plant ? o : 0));
}

static inline void plain_lab_learn(plain_lab *it, int n)
{
    double e = before(it->teaching, n, it->how.delay);
    if (it->how.rectified && e < 0)
        e = 0;
    for (int j = 0; j < PLAIN_BASES; j++) {
        const double change = it->how.rate * before(it->h[j], n, it->how.delay) * e;
        if (it->how.online)
            it->w[j] += change - it->how.leak * it->w[j];
        else
            it->sum[j] += change;
    }
}

// Step k of a trial: its error.
static inline double plain_lab_step(plain_lab *it, int k, bool acts)
{
    const int n = it->machine.n;
    const double *x = it->x + (size_t)k * PLAIN_BASES;
    plain_lab_enter(it, &it->machine, it->r[k], it->push ? it->push[k] : 0,
                    acts ? dot(PLAIN_BASES, x, it->w) : 0);
    const double e = it->r[k] - it->machine.y[n];
    it->teaching[n] = it->how.by_command ? it->machine.u[n] : e;
    for (int j = 0; acts && j < PLAIN_BASES; j++) {
        plain_lab_enter(it, &it->tracer[j], 0, 0, x[j]);
        it->h[j][n] = it->how.by_command ? -it->tracer[j].u[n] : it->tracer[j].y[n];
    }
    if (acts && !it->how.frozen)
        plain_lab_learn(it, n);
    return e;
}

// A trial: ‖e‖. Without the cell it is that of the loop alone.
static inline double plain_lab_trial(plain_lab *it, bool acts)
{
    double sum = 0;
    if (!it->how.goes_on) {
        plain_machine_reset(&it->machine);
        for (int j = 0; j < PLAIN_BASES; j++)
            plain_machine_reset(&it->tracer[j]);
    }
    for (int k = 0; k < PLAIN_STEPS; k++) {
        const double e = plain_lab_step(it, k, acts);
        sum += e * e;
    }
    return sqrt(sum);
}

// Between trials: what the last one taught, in batch.
static inline void plain_lab_draw_lesson(plain_lab *it)
{
    for (int j = 0; j < PLAIN_BASES; j++) {
        if (!it->how.online && !it->how.frozen)
            it->w[j] += it->sum[j] - it->how.leak * it->w[j];
        it->sum[j] = 0;
    }
}

// So many trials after each other, relative to the root mean square of the loop alone.
static inline void plain_lab_run(plain_lab *it, int trials, double *rrmse)
{
    static plain_lab alone;
    double norms[PLAIN_TRIALS];
    plain_lab_begin(&alone, it->machine.loop, &it->how, it->r, it->x);
    alone.push = it->push;
    for (int k = 0; k < trials; k++)
        norms[k] = plain_lab_trial(&alone, false);
    for (int k = 0; k < trials; k++) {
        if (k > 0)
            plain_lab_draw_lesson(it);
        rrmse[k] = plain_lab_trial(it, true) * sqrt(trials) / norm(trials, norms);
    }
}

#endif
