// SPDX-License-Identifier: Apache-2.0
// guarded: what the guard did in a run, and how the loop fared.
#ifndef CFPC_TESTS_GUARDED_H
#define CFPC_TESTS_GUARDED_H

#include "lab/small_lab.h"

#define FACTOR 1.5 // the default

static const char *const modes[] = {"learning.mode=batch", "learning.mode=online"};

static inline double mean_square(const double *rrmse, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += rrmse[k] * rrmse[k] / count;
    return sum;
}

static inline int count_above(const double *rrmse, int count, double limit)
{
    int above = 0;
    for (int k = 0; k < count; k++)
        above += !(rrmse[k] <= limit);
    return above;
}

static inline void expect_no_act(const ran *it)
{
    for (int i = 0; i < it->record.rules; i++)
        for (int p = 0; p < it->record.phases; p++) {
            const lab_guarded *guard = &it->record.rule[i].guard[p];
            if (guard->acts > 0)
                fail_msg("it acts on %s in trial %d: %s", it->record.rule[i].name,
                         guard->act[0].trial, lab_guard_sentence(guard->act[0].reason));
        }
}

static inline void expect_left_alone(const ran *it)
{
    expect_no_act(it);
    for (int i = 0; i < it->record.rules; i++)
        for (int p = 0; p < it->record.phases; p++)
            if (it->record.rule[i].guard[p].pauses > 0)
                fail_msg("it pauses %s in phase %d", it->record.rule[i].name, p + 1);
}

#endif
