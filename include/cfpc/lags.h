// SPDX-License-Identifier: Apache-2.0
// lags: the verdict on one lesson for many loops, at a fraction of the cost of their maps. The
// learning matrix depends on a loop only through the response g of its path,
//
//     M = P Z_lateᵀ T X = Σ_k g_k C_k,      C_k = P Σ_n Z_late[n] X[n - k]ᵀ
//
// If the bases are smooth, C_k is smooth in k: it is computed once, at every few lags, and g is
// resampled to these. The error of M is bounded, which tells whether the verdict is certain; if it
// is not, use cfpc_learning_verdict.
#ifndef CFPC_LAGS_H
#define CFPC_LAGS_H

#include "cfpc/certificate.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cfpc_lags {
    int32_t steps;  // N
    int32_t bases;  // G
    int32_t every;  // lags between two C; 0: the bases are not smooth, no verdict is certain
    int32_t count;  // number of C
    double *kernel; // interpolation weights; one allocation with c          (every x 2 REACH)
    double *c;      // C                                                     (count x G²)
    double apart;   // maximum interpolation error of C_k, per unit of rate
    double size;    // ‖P Z‖ ‖X‖, an upper bound of C_k
} cfpc_lags;

// For batch learning without leak, momentum or output penalty; otherwise no verdict is certain. The
// lesson needs its basis. Free the result even if this fails.
cfpc_status cfpc_lags_make(cfpc_lags *lags, const cfpc_lesson *lesson);
void cfpc_lags_free(cfpc_lags *lags);

// The verdict with this path from o to the teaching signal. A certain verdict equals that of the
// learning map.
cfpc_status cfpc_lags_verdict(const cfpc_lags *lags, const cfpc_system *path, double rate,
                              cfpc_verdict *verdict, bool *certain);

#ifdef __cplusplus
}
#endif

#endif
