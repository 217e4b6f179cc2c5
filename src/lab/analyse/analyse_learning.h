// SPDX-License-Identifier: Apache-2.0
// analyse_learning: where learning leads, at the rate of the spec.
#ifndef CFPC_LAB_ANALYSE_LEARNING_H
#define CFPC_LAB_ANALYSE_LEARNING_H

#include "analyse/analysis.h"
#include "run/setup.h"

// Of one rule of a setup. Its arrays are the arena's.
lab_outcome lab_analyse_learning(lab_learning_analysis *learning, lab_arena *arena,
                                 const lab_setup *setup, int rule, lab_why *why);

// Of any rule for this setup, to compare it: without what concerns the bases, the curve and other
// rates; in batch without the bound on line, and on line without that of monotone learning. near >
// 0: a rate near its bound on line, from which that is searched where trials do not repeat.
lab_outcome lab_analyse_briefly(lab_learning_analysis *learning, lab_arena *arena,
                                const lab_setup *setup, const lab_rule *rule, double near,
                                lab_why *why);

#endif
