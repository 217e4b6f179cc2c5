// SPDX-License-Identifier: Apache-2.0
// basis: the signals that reach the cell. Bases in time are tables X (steps x count), row-major;
// bases over an angle are tables of one bump (cfpc/lti.h); bases driven by a signal are
// systems with one input and `count` outputs.
#ifndef CFPC_BASIS_H
#define CFPC_BASIS_H

#include <stdint.h>

#include "cfpc/lti.h"
#include "cfpc/status.h"
#include "cfpc/system.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- bases -----------------------------------------------------------------------------------
//
// X, all basis signals over a trial, in one of several forms: a table of doubles or floats,
// by steps or by bases, or a function that writes each basis on demand (1.5 million bases x
// 2500 steps need not be stored).

typedef enum cfpc_order {
    CFPC_BY_STEPS, // one row per step: (steps x count)
    CFPC_BY_BASES  // one row per basis: (count x steps); a batch trial reads it once, not twice
} cfpc_order;

// Writes bases first ... first + count - 1 over all steps, one after the other: x (count x steps).
// It must write the same values at every call. If the learner has several threads, it may be called
// from several threads concurrently.
typedef cfpc_status (*cfpc_write_bases)(void *context, int32_t first, int32_t count, double *x);

// Exactly one of doubles, floats and write is given.
typedef struct cfpc_bases {
    int32_t steps;          // N
    int32_t count;          // G
    cfpc_order order;       // of the table
    const double *doubles;  // the table, row-major
    const float *floats;    // the table, row-major
    cfpc_write_bases write; // instead of a table
    void *context;          // passed to write
} cfpc_bases;

// ---- basis -----------------------------------------------------------------------------------

// ---- in time ---------------------------------------------------------------------------------

// Functions of the time t since the origin, with centres c_j = first + j spacing, or with time
// constants τ_j spaced logarithmically from first to last.
typedef enum cfpc_time_kind {
    CFPC_GAUSSIAN,      // exp(-(t - c_j)² / (2 width²))
    CFPC_RAISED_COSINE, // (1 + cos(π (t - c_j)/width))/2 where |t - c_j| < width
    CFPC_ALPHA,         // t/τ_j exp(1 - t/τ_j)
    CFPC_EXPONENTIAL    // exp(-t/τ_j)
} cfpc_time_kind;

typedef struct cfpc_time_basis_def {
    cfpc_time_kind kind;
    int32_t count;    // number of basis signals
    double origin_s;  // start of the trial (0) or time of a cue; before it all are 0
    double first_s;   // first centre, relative to the origin, or first time constant
    double spacing_s; // distance between centres
    double width_s;   // standard deviation; of a raised cosine half its support
    double last_s;    // last time constant
} cfpc_time_basis_def;

// Default: 20 Gaussians, 100 ms apart, 50 ms wide, the first at 50 ms; time constants 50 ms to 1 s.
cfpc_time_basis_def cfpc_default_time_basis_def(void);

// Fills `count` columns of a table (steps x stride), starting at `column`. Values below 1e-100 are
// set to 0.
cfpc_status cfpc_time_basis(const cfpc_time_basis_def *def, double step_s, int32_t steps,
                            int32_t stride, int32_t column, double *table);

// The first centre that centres the bases in a trial of steps · step_s.
double cfpc_centred_first_s(const cfpc_time_basis_def *def, double step_s, int32_t steps);

// ---- over an angle ---------------------------------------------------------------------------

// Raised cosines around a turn, 1/count apart, that reach width_turns to either side of their
// centres j/count (at most 0.5): (1 + cos(π z))/2, z the distance in widths. Where width_turns is a
// multiple of 1/count they add up to a constant at every angle. The table has 64 points per
// distance, so that interpolation is exact to (π/64)²/16 = 1.5e-4 at a width of 1/count.
cfpc_status cfpc_periodic_make(cfpc_periodic *periodic, int32_t count, double width_turns);
void cfpc_periodic_free(cfpc_periodic *periodic);

// ---- driven by a signal ----------------------------------------------------------------------

// x[n], x[n - d], x[n - 2d], …: a chain of delay lines of spacing_steps each.
cfpc_status cfpc_tapped_delay(cfpc_system *sys, double step_s, int32_t count,
                              int32_t spacing_steps);

// x and its derivatives by backward differences: x[n], (x[n] - x[n - 1])/step, …; at rest before
// the first step.
cfpc_status cfpc_derivatives(cfpc_system *sys, double step_s, int32_t count);

// A chain of first-order lags of unit DC gain, exact for an input that is held between steps.
cfpc_status cfpc_leaky_cascade(cfpc_system *sys, double step_s, int32_t count,
                               double time_constant_s);

// Discrete Laguerre network: √(1 - a²)/(1 - a z⁻¹), then all-passes (z⁻¹ - a)/(1 - a z⁻¹), where
// a = exp(-step/τ). The impulse responses of its outputs are orthonormal.
cfpc_status cfpc_laguerre(cfpc_system *sys, double step_s, int32_t count, double time_constant_s);

// ---- precondition ----------------------------------------------------------------------------
//
// The matrix P of a rule w += η P g that learns every direction of the weights at the
// same speed: with P close to the inverse of the Gram matrix HᵀH, the number of trials does not
// depend on how similar the bases are.

// out = (G + rho I)⁻¹ (n x n), symmetric, for a symmetric G (n x n) and rho at least 0.
// CFPC_BAD_VALUE if G + rho I has no inverse.
cfpc_status cfpc_preconditioner(int32_t n, const double *gram, double rho, double *out);

// The eigenvalues of a symmetric G (n x n), ascending (n), and its eigenvectors, of length 1, the
// rows of vectors (n x n). For many values of rho this is cheaper: (G + rho I)⁻¹ g = Σ v
// (vᵀg)/(value
// + rho). CFPC_BAD_VALUE if G is not finite.
cfpc_status cfpc_gram_spectrum(int32_t n, const double *gram, double *values, double *vectors);

#ifdef __cplusplus
}
#endif

#endif
