// SPDX-License-Identifier: Apache-2.0
// trace_design: traces that fade, as systems from a basis signal to its eligibility. The others
// are systems, too: none is cfpc_gain, a delay cfpc_delay, the forward model cfpc_transfer.
#ifndef CFPC_TRACE_DESIGN_H
#define CFPC_TRACE_DESIGN_H

#include "cfpc/system.h"

#ifdef __cplusplus
extern "C" {
#endif

// With a = exp(-step/τ), both of unit area: their responses sum to 1.

// Response (1 - a) aⁿ: strongest at once, then falling with the time constant τ.
cfpc_status cfpc_exponential_trace(cfpc_system *sys, double step_s, double time_constant_s);

// Response (1 - a)² n aⁿ⁻¹, which is the alpha function t exp(-t/τ) sampled: strongest after τ.
cfpc_status cfpc_alpha_trace(cfpc_system *sys, double step_s, double time_constant_s);

#ifdef __cplusplus
}
#endif

#endif
