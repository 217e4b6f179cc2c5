// SPDX-License-Identifier: Apache-2.0
// factor: the part of an error that the weights can reach, and the rest.
//
//     [H e0] = Q [R c; 0 rest]        with a = Qᵀe = c - R w,  ‖e0 - H w‖² = rest² + ‖a‖²
#ifndef CFPC_DESIGN_FACTOR_H
#define CFPC_DESIGN_FACTOR_H

#include <stdint.h>

#include "cfpc/status.h"

// h: (steps x bases), e0: (steps); r: (K x bases) and c: (K) with K = min(steps, bases).
cfpc_status cfpci_factor(int32_t steps, int32_t bases, const double *h, const double *e0, double *r,
                         double *c, double *rest);

#endif
