// SPDX-License-Identifier: Apache-2.0
// lags: the verdict on one lesson in many loops, at a fraction of what their maps would cost. The
// matrix of learning depends on a loop by the response g of its path only,
//
//     M = P Z_lateᵀ T X = Σ_k g_k C_k,      C_k = P Σ_n Z_late[n] X[n - k]ᵀ
//
// and where the bases are smooth so is C_k in k: it is found at every few lags, once, and g is
// gathered there. How far M may be off is known, and with it whether the verdict is certain; where
// it is not, ask cfpc_learning_verdict.
#ifndef CFPC_LAGS_H
#define CFPC_LAGS_H

#include "cfpc/certificate.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cfpc_lags {
    int32_t steps;  // N
    int32_t bases;  // G
    int32_t every;  // lags from one C to the next; 0: the bases are not smooth, nothing is certain
    int32_t count;  // of C
    double *kernel; // what a g_k gives to those about it; its block holds all (every x 2 REACH)
    double *c;      // C                                                     (count x G²)
    double apart;   // largest distance of C_k from what the kernel says, per unit of rate
    double size;    // ‖P Z‖ ‖X‖, the largest that C_k can be
} cfpc_lags;

// Batch learning with neither leak, momentum nor output penalty; others are never certain. The
// lesson needs its basis. Free it even if this fails.
cfpc_status cfpc_lags_make(cfpc_lags *lags, const cfpc_lesson *lesson);
void cfpc_lags_free(cfpc_lags *lags);

// With this path from o to the teaching signal. A certain verdict is that of the learning map.
cfpc_status cfpc_lags_verdict(const cfpc_lags *lags, const cfpc_system *path, double rate,
                              cfpc_verdict *verdict, bool *certain);

#ifdef __cplusplus
}
#endif

#endif
