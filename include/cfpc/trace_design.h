// SPDX-License-Identifier: Apache-2.0
// trace_design: decaying traces, as systems from a basis signal to its eligibility. The other
// traces are systems, too: none is cfpc_gain, a delay is cfpc_delay, the forward model is
// cfpc_transfer.
#ifndef CFPC_TRACE_DESIGN_H
#define CFPC_TRACE_DESIGN_H

#include "cfpc/system.h"

#ifdef __cplusplus
extern "C" {
#endif

// Both have unit area: their responses sum to 1. a = exp(-step/τ).

// Response (1 - a) aⁿ: starts at its maximum and decays with the time constant τ.
cfpc_status cfpc_exponential_trace(cfpc_system *sys, double step_s, double time_constant_s);

// Response (1 - a)² n aⁿ⁻¹, the sampled alpha function t exp(-t/τ): maximum after τ.
cfpc_status cfpc_alpha_trace(cfpc_system *sys, double step_s, double time_constant_s);

#ifdef __cplusplus
}
#endif

#endif
