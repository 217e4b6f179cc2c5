// SPDX-License-Identifier: Apache-2.0
// realise_parts: what else makes systems from a response in parts: the open path and its closing.
#ifndef CFPC_DESIGN_REALISE_PARTS_H
#define CFPC_DESIGN_REALISE_PARTS_H

#include "cfpc/system.h"

// x -> delay line -> states -> y.
cfpc_status cfpci_behind_delay(cfpc_system *sys, const cfpc_system *states, int32_t delay_steps);

// path = T/(1 - z⁻ᵇT) from its sample `dead` on (count). CFPC_BAD_VALUE if it grows until it
// overflows.
cfpc_status cfpci_open_path(int32_t dead, int32_t b, int32_t count, const double *response,
                            double *path);

// T = L/(1 + z⁻ᵇL)
cfpc_status cfpci_close_path(cfpc_system *sys, const cfpc_system *path,
                             int32_t measurement_delay_steps);

#endif
