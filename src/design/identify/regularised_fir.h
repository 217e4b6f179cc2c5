// SPDX-License-Identifier: Apache-2.0
// regularised_fir: an impulse response from a log, y = Φ g + a + b n + v, with a prior that says
// that responses decay and are smooth: g ~ N(0, c K), v ~ N(0, σ²) (docs/theory.md, "From a log to
// a model").
//
// K of order 1 is the stable spline of first order (TC), K_ij = φ(max(i,j)) with φ(k) = λ^k; with
// order 2 the increments of g have that K. A slow part may be added to φ, which falls to 1/e² at
// the last tap: what decays quickly may go on faintly. Both are W Wᵀ with a W that only sums and
// scales: Wᵀ ΦᵀΦ W are sums of ΦᵀΦ, and every λ needs nothing but a scaling of them.
#ifndef CFPC_DESIGN_REGULARISED_FIR_H
#define CFPC_DESIGN_REGULARISED_FIR_H

#include <stdbool.h>
#include <stdint.h>

#include "cfpc/status.h"

// What the estimate needs of a log: products of the columns of Φ, which are the input 0, 1, 2, …
// steps late, and of y, over the rows first … end - 1, offset and trend projected out.
typedef struct cfpci_products {
    int32_t lags;  // columns of Φ
    int32_t rows;  // less the two that offset and trend take
    double *gram;  // ΦᵀΦ     (lags x lags)
    double *cross; // Φᵀy     (lags)
    double energy; // yᵀy
} cfpci_products;

// Before the log the input is 0.
cfpc_status cfpci_products_make(cfpci_products *products, int32_t first, int32_t end, int32_t lags,
                                const double *input, const double *output);
void cfpci_products_free(cfpci_products *products);

// The prior, and where the response starts.
typedef struct cfpci_prior {
    int32_t dead_time; // leading zeros of g
    int32_t taps;      // after them
    int32_t order;     // of the kernel, 1 or 2
    double decay;      // λ, per step
    double ratio;      // c/σ²
    double slow;       // variance of the slow part of g, relative to the other
} cfpci_prior;

// -2 log of the marginal likelihood, less a constant, with the likeliest σ²; the prior's random
// part moves at every `stride`-th tap only.
cfpc_status cfpci_prior_misfit(const cfpci_products *log, const cfpci_prior *prior, int32_t stride,
                               double *misfit);

// The likeliest order, decay and ratio, for a given dead time and number of taps, with strides if
// there are many taps.
cfpc_status cfpci_prior_search(const cfpci_products *log, cfpci_prior *prior);

// The likeliest ratio with every tap, for given others.
cfpc_status cfpci_prior_tune(const cfpci_products *log, cfpci_prior *prior);

// The likeliest dead time up to `most`, for a given decay, order and end (dead time + taps).
cfpc_status cfpci_prior_dead_time(const cfpci_products *log, cfpci_prior *prior, int32_t most);

// What the log tells about g, whose covariance is spreadᵀ spread.
typedef struct cfpci_posterior {
    int32_t taps;   // after the dead time
    double *mean;   // (taps)
    double *spread; // NULL if it was not asked for  (taps x taps)
    double noise;   // σ
} cfpci_posterior;

cfpc_status cfpci_posterior_make(cfpci_posterior *posterior, const cfpci_products *log,
                                 const cfpci_prior *prior, bool spread);
void cfpci_posterior_free(cfpci_posterior *posterior);

#endif
