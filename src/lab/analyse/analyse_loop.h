// SPDX-License-Identifier: Apache-2.0
// analyse_loop: the loop by itself: its poles, margins, bandwidth, lag and dead time.
#ifndef CFPC_LAB_ANALYSE_LOOP_H
#define CFPC_LAB_ANALYSE_LOOP_H

#include "analyse/analysis.h"

// Its arrays are the arena's.
lab_outcome lab_analyse_loop(lab_loop_analysis *loop, lab_arena *arena, const lab_spec *spec,
                             lab_why *why);

#endif
