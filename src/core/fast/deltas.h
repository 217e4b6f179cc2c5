// SPDX-License-Identifier: Apache-2.0
// deltas: what the teaching filter makes of the steps of a pass: the same numbers as one step
// after the other, but a few steps go through the ring together.
#ifndef CFPC_FAST_DELTAS_H
#define CFPC_FAST_DELTAS_H

#include "core/data_image.h"
#include "strip.h"

// Puts the teaching signals t of `steps` steps into the ring; delta: δ after each of them (steps).
void cfpci_deltas(const cfpc_model *model, cfpc_data *data, const cfpc_real *t, int32_t steps,
                  cfpc_real *delta);
void cfpci_deltas_by(cfpci_strip_way way, const cfpc_model *model, cfpc_data *data,
                     const cfpc_real *t, int32_t steps, cfpc_real *delta);

#endif
