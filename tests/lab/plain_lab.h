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
    double error[PLAIN_MAX], u[PLAIN_MAX], y[PLAIN_MAX], m[PLAIN_MAX];
} plain_machine;

// What a sensor makes of what it measures.
typedef struct plain_sensor {
    double noise; // added
    double step;  // then rounded to multiples of it; 0: not
} plain_sensor;

static inline double plain_measure(double value, plain_sensor sensor)
{
    const double measured = value + sensor.noise;
    return sensor.step > 0 ? sensor.step * round(measured / sensor.step) : measured;
}

static inline void plain_machine_reset(plain_machine *it)
{
    *it = (plain_machine){.loop = it->loop};
}

// One step; within it the signals are gone through until all that answer at once have settled.
static inline void plain_machine_step(plain_machine *it, double drive, double push,
                                      plain_sensor sensor)
{
    const random_loop *loop = it->loop;
    const int n = it->n++;
    double late = 0, command = 0, next[PLANT_MAX];
    it->y[n] = it->u[n] = 0;
    for (int pass = 0; pass < 5; pass++) {
        it->m[n] = plain_measure(before(it->y, n, loop->measurement_delay), sensor);
        it->error[n] = drive - it->m[n];
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
    bool at_plant, by_command, by_measured, rectified, online, frozen;
    bool goes_on;        // no reset between trials
    int delay;           // of the teaching signal, in steps
    int reference_delay; // of the reference in a measured error, in steps
    double step;         // of the measurement; 0: none
    const double *noise; // on it, (trials x steps), or NULL
    double rate, leak;
} plain_teaching;

typedef struct plain_lab {
    plain_teaching how;
    const double *r, *x, *push;        // (steps), (steps x bases), (steps) or NULL
    plain_machine machine;             // the loop
    plain_machine tracer[PLAIN_BASES]; // and its answers to each basis signal
    int trials;                        // gone
    double reference[PLAIN_MAX];       // r, as long as the machine runs on
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
                                   double push, double o, plain_sensor sensor)
{
    plain_machine_step(machine, r + (it->how.at_plant ? 0 : o), push + (it->how.at_plant ? o : 0),
                       sensor);
}

// What teaches at step n, where o is not part of it.
static inline double plain_lab_taught(const plain_lab *it, int n)
{
    const int late = it->machine.loop->error_delay;
    return it->how.by_command    ? it->machine.u[n]
           : it->how.by_measured ? before(it->reference, n, late + it->how.reference_delay) -
                                       before(it->machine.m, n, late)
                                 : it->reference[n] - it->machine.y[n];
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
    const plain_sensor exact = {0},
                       sensor = {it->how.noise ? it->how.noise[it->trials * PLAIN_STEPS + k] : 0,
                                 it->how.step};
    plain_lab_enter(it, &it->machine, it->r[k], it->push ? it->push[k] : 0,
                    acts ? dot(PLAIN_BASES, x, it->w) : 0, sensor);
    const double e = it->r[k] - it->machine.y[n];
    it->reference[n] = it->r[k];
    it->teaching[n] = plain_lab_taught(it, n);
    for (int j = 0; acts && j < PLAIN_BASES; j++) {
        const plain_machine *tracer = &it->tracer[j];
        plain_lab_enter(it, &it->tracer[j], 0, 0, x[j], exact);
        it->h[j][n] = it->how.by_command    ? -tracer->u[n]
                      : it->how.by_measured ? before(tracer->m, n, tracer->loop->error_delay)
                                            : tracer->y[n];
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
    it->trials++;
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
