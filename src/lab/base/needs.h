// SPDX-License-Identifier: Apache-2.0
// needs: what a run needs, predicted: how often each kind of arithmetic is done, and memory. Only
// sizes are multiplied here; nothing is measured or run.
#ifndef CFPC_LAB_NEEDS_H
#define CFPC_LAB_NEEDS_H

// Kinds of arithmetic: enumerator, work of each. The work is in nanoseconds of one core (x86-64,
// 2.x GHz, gcc 12), fitted to what tools/check-cost measures; another machine is faster
// or slower by one factor.
#define LAB_NEEDS_KINDS(X)                                                                         \
    X(LAB_NEEDS_STEP, 20.)    /* a step of the running loop, whatever its size */                  \
    X(LAB_NEEDS_SINGLE, 2.8)  /* a multiply-add of a system that runs once: the loop, a network */ \
    X(LAB_NEEDS_TRACE, 0.4)   /* one of a synapse's trace, while it runs */                        \
    X(LAB_NEEDS_WIDE, 0.4)    /* one of many alike, in vectors: rows of a matrix */                \
    X(LAB_NEEDS_DENSE, 0.5)   /* one of a factorisation */                                         \
    X(LAB_NEEDS_TAP, 0.1)     /* one of a teaching filter */                                       \
    X(LAB_NEEDS_SINE, 24.)    /* a sine or a random number */                                      \
    X(LAB_NEEDS_TABLE, 45.)   /* a value of a basis signal that is computed */                     \
    X(LAB_NEEDS_FIRING, 0.65) /* a step of a synapse of 'scale' */                                 \
    X(LAB_NEEDS_ZONE, 0.8)    /* a multiply-add of a zone */

#define LAB_NEEDS_ENUMERATOR(kind, work) kind,
typedef enum lab_needs_kind {
    LAB_NEEDS_KINDS(LAB_NEEDS_ENUMERATOR) LAB_NEEDS_COUNT
} lab_needs_kind;

typedef struct lab_needs {
    double times[LAB_NEEDS_COUNT]; // how often each kind is done
    double kept;                   // bytes, until the end
    double passing;                // most bytes beside them at once
} lab_needs;

// Both, one after the other, `times` times.
void lab_needs_add(lab_needs *needs, const lab_needs *more, double times);

// Bytes that are freed again before what follows.
void lab_needs_pass(lab_needs *needs, double bytes);

double lab_needs_work(const lab_needs *needs);

#endif
