// SPDX-License-Identifier: Apache-2.0
// ring: the teaching signals of the last L + M + 1 steps in adjoint form, and what the taps make of
// them. A step and a block of steps compute the same products in the same order.
#ifndef CFPC_CORE_RING_H
#define CFPC_CORE_RING_H

#include "data_image.h"

// Puts in the teaching signal of the next step; 0: the step does not teach.
void cfpci_ring_push(cfpc_data *data, cfpc_real t);

// Replaces the last one, which was 0.
void cfpci_ring_set(cfpc_data *data, cfpc_real t);

// The taps twice, one after the other: where the ring begins, they begin.
const cfpc_real *cfpci_ring_taps(const cfpc_model *model, const cfpc_data *data);

// δ of the input of M steps before the last one that was put in.
cfpc_real cfpci_ring_delta(const cfpc_model *model, cfpc_data *data);

// Forgets what is still due.
void cfpci_ring_drop(cfpc_data *data);

// The step whose input learns now, after cfpc_act; negative: before the trial.
int64_t cfpci_past_step(const cfpc_data *data);

#endif
