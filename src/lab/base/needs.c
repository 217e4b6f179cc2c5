// SPDX-License-Identifier: Apache-2.0
#include "base/needs.h"

#include <math.h>

#include "math/order.h"

void lab_needs_add(lab_needs *needs, const lab_needs *more, double times)
{
    for (int kind = 0; kind < LAB_NEEDS_COUNT; kind++)
        needs->times[kind] += times * more->times[kind];
    lab_needs_pass(needs, more->passing);
    needs->kept += more->kept;
}

void lab_needs_pass(lab_needs *needs, double bytes)
{
    needs->passing = cfpci_max(needs->passing, bytes);
}

#define WORK(kind, work) work,

double lab_needs_work(const lab_needs *needs)
{
    static const double works[] = {LAB_NEEDS_KINDS(WORK)};
    double sum = 0;
    for (int kind = 0; kind < LAB_NEEDS_COUNT; kind++)
        sum += works[kind] * needs->times[kind];
    return sum;
}
