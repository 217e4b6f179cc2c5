// SPDX-License-Identifier: Apache-2.0
// lifted: batch learning of a rule over many trials, computed from whole trials instead of run step
// by step, where both give the same:
//
//     o = X w,   e = e0 - T o,   l = t0 - L o,   v ← μ v + η P (Zᵀl - ρ Xᵀo),   w ← Q((1 - leak) w
//     + v)
//
// T leads from o to the output, L to what arrives as a lesson, olive and delays included. With few
// weights ZᵀL X is made once, a matrix of their number; with many, filters run over the signals.
#ifndef CFPC_LAB_LIFTED_H
#define CFPC_LAB_LIFTED_H

#include "run/setup.h"

// Whether a rule learns so: in batch, on a linear problem, with an update that is linear.
bool lab_can_lift(const lab_setup *setup, const lab_rule *rule);

// Learns from w = 0: rrmse before each update (trials), and the weights of the last trial (G).
lab_outcome lab_lift(const lab_setup *setup, const lab_rule *rule, int trials, double *rrmse,
                     double *weights, lab_why *why);

#endif
