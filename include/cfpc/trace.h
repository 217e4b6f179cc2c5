// SPDX-License-Identifier: Apache-2.0
// trace: the lti that turns a basis signal x_j into the eligibility trace h_j of its synapse.
//
//     none           h_j[n] = x_j[n]          Widrow-Hoff, LMS
//     delay          h_j[n] = x_j[n - d]      Widrow-Hoff with a delta trace
//     forward model  h_j = T x_j              the paper's rule: any cfpc_lti of the closed loop
#ifndef CFPC_TRACE_H
#define CFPC_TRACE_H

#include "cfpc/lti.h"

#ifdef __cplusplus
extern "C" {
#endif

// No trace: h = x.
cfpc_lti cfpc_trace_none(void);

// A pure delay of *delay_steps steps, at least 1. The lti keeps the pointer: it must stay valid
// until cfpc_model_init has copied what it points at, and while the lti is used directly
// (cfpc_bank_...).
cfpc_lti cfpc_trace_delay(const int32_t *delay_steps);

#ifdef __cplusplus
}
#endif

#endif
