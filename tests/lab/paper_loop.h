// SPDX-License-Identifier: Apache-2.0
// paper_loop: the paper's experiment, written by hand: its loop, its target and its bases.
#ifndef CFPC_TESTS_PAPER_LOOP_H
#define CFPC_TESTS_PAPER_LOOP_H

#include <math.h>

// The paper's loop, each equation solved on paper: 1 ms steps, the input held between them.
typedef struct paper_loop {
    double slow, fast, integral; // the plant's two stages, the controller's integral
    double ring[50];             // the errors on their way to the controller
    int at;
} paper_loop;

// Takes a step with this drive, and this push at the plant's input; returns y, as it was before
// either could reach it, and the controller's command.
static inline double paper_step_pushed(paper_loop *it, double drive, double push, double *command)
{
    const double h = 1e-3, slow_s = 0.1, fast_s = 0.003, kp = 20, ki = 100;
    const double a = exp(-h / slow_s), b = exp(-h / fast_s);
    const double y = it->fast, delayed = it->ring[it->at];
    it->ring[it->at] = drive - y;
    it->at = (it->at + 1) % 50;
    const double u = kp * delayed + ki * it->integral;
    it->integral += h * delayed;
    *command = u;
    const double rest = slow_s * (u + push),
                 apart = it->slow - rest; // slow(t) = rest + apart e^(-t/0.1)
    it->fast = b * y + (1 - b) * rest + apart * (a - b) * slow_s / (slow_s - fast_s);
    it->slow = rest + a * apart;
    return y;
}

// The same with the drive r + o alone.
static inline double paper_step(paper_loop *it, double drive)
{
    double command;
    return paper_step_pushed(it, drive, 0, &command);
}

static inline double paper_target(int n)
{
    return n < 500 ? 0 : n < 1000 ? (n - 500) / 500. : n < 1500 ? 1 : n < 2000 ? 4 - n / 500. : 0;
}

static inline double paper_basis(int n, int j)
{
    const double apart_s = n * 1e-3 - (0.3 + 0.1 * j);
    return exp(-apart_s * apart_s / (2 * 0.05 * 0.05));
}

#endif
