// SPDX-License-Identifier: Apache-2.0
// q_filter: the Q-filter of iterative learning control: a zero-phase low-pass on the learned signal
// after every update, w ← Q(w + Δw). What is not learned well, at high frequencies, is not learned.
//
// Q = FᵀF: a second-order Butterworth low-pass F forward in time, then backward, at rest before the
// trial and after it. It halves what has the cut-off frequency, and no signal grows by it: ‖Q‖ ≤ 1.
#ifndef CFPC_LAB_Q_FILTER_H
#define CFPC_LAB_Q_FILTER_H

#include "cfpc/system.h"

// F of this cut-off frequency, below half the sampling rate. Free it with cfpc_system_free.
cfpc_status lab_q_filter_make(cfpc_system *filter, double hz, double step_s);

// signal ← Q signal (steps); room: (2 x steps), which it does not read.
cfpc_status lab_q_filter_apply(const cfpc_system *filter, int32_t steps, double *signal,
                               double *room);

#endif
