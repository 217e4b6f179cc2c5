// SPDX-License-Identifier: Apache-2.0
// residuals: what is left of an output after a model, and what it tells: noise only, or something
// that the model does not explain, or an input that reacts to it.
#ifndef CFPC_DESIGN_RESIDUALS_H
#define CFPC_DESIGN_RESIDUALS_H

#include <stdbool.h>
#include <stdint.h>

#include "cfpc/status.h"

// Correlation of a[n] and b[n - lag], lag from `from` to `to`, of signals (steps) around their
// means, 1 at most: out (to - from + 1).
void cfpci_correlation(int32_t steps, const double *a, const double *b, int32_t from, int32_t to,
                       double *out);

// Ljung and Box: the probability of such correlations (of lag 1 to lags) if there are none.
double cfpci_whiteness(int32_t steps, int32_t lags, const double *autocorrelation);

// The probability that earlier inputs, up to `horizon` steps, explain as much of the residuals as
// they do, if they explain nothing. unit: variance of what they explain by chance, relative to that
// with the true model; 1 for that one.
cfpc_status cfpci_unexplained(int32_t steps, const double *residual, const double *input,
                              int32_t horizon, double unit, double *probability);

// The probability that the input is correlated with earlier residuals, up to `horizon` steps, as it
// is, if it does not react to them; at_once: also with those of the same step.
cfpc_status cfpci_feedback(int32_t steps, const double *residual, const double *input,
                           int32_t horizon, bool at_once, double *probability);

#endif
