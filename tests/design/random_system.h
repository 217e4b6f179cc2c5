// SPDX-License-Identifier: Apache-2.0
// random_system: random discrete systems, and a plain reading of their equations.
#ifndef CFPC_TESTS_RANDOM_SYSTEM_H
#define CFPC_TESTS_RANDOM_SYSTEM_H

#include "cfpc/system.h"
#include "signals.h"

enum {
    SYSTEM_MAX = 6, // states, inputs, outputs or lines
    RUN_MAX = 300   // steps of a plain run
};

// Rows sum to less than 1, so that nothing grows.
static inline void draw_system(dice *d, int states, int inputs, int outputs, int lines,
                               cfpc_system *sys)
{
    assert_ok(cfpc_system_make(sys, 0.01, states, inputs, outputs, lines));
    const int columns = cfpc_system_columns(sys), entries = cfpc_system_rows(sys) * columns;
    draw_signal(d, entries, sys->matrix);
    for (int k = 0; k < entries; k++)
        sys->matrix[k] /= columns;
    for (int i = 0; i < lines; i++)
        sys->delay_steps[i] = dice_integer(d, 1, 9);
}

typedef struct plain_run {
    const cfpc_system *sys;
    int n;                         // the present step
    double s[SYSTEM_MAX];          // s[n]
    double z[SYSTEM_MAX][RUN_MAX]; // all that ever entered the lines
} plain_run;

// One row of the block matrix times [s; x; v].
static inline double plain_row(const plain_run *it, int row, const double *x)
{
    const cfpc_system *sys = it->sys;
    const double *a = sys->matrix + row * cfpc_system_columns(sys);
    double sum = dot(sys->states, a, it->s) + dot(sys->inputs, a + sys->states, x);
    for (int i = 0; i < sys->lines; i++) {
        const int then = it->n - sys->delay_steps[i];
        sum += then < 0 ? 0 : a[sys->states + sys->inputs + i] * it->z[i][then];
    }
    return sum;
}

static inline void plain_outputs(const plain_run *it, const double *x, double *y)
{
    for (int i = 0; i < it->sys->outputs; i++)
        y[i] = plain_row(it, it->sys->states + i, x);
}

static inline void plain_advance(plain_run *it, const double *x)
{
    const cfpc_system *sys = it->sys;
    double next[SYSTEM_MAX];
    assert_true(it->n < RUN_MAX);
    for (int i = 0; i < sys->states; i++)
        next[i] = plain_row(it, i, x);
    for (int i = 0; i < sys->lines; i++)
        it->z[i][it->n] = plain_row(it, sys->states + sys->outputs + i, x);
    memcpy(it->s, next, sizeof it->s);
    it->n++;
}

#endif
