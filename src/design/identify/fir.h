// SPDX-License-Identifier: Apache-2.0
// fir: the finite impulse response of a log, from its choice of lags to its deviations.
#ifndef CFPC_DESIGN_FIR_H
#define CFPC_DESIGN_FIR_H

#include "cfpc/certificate.h"
#include "identify/candidates.h"
#include "identify/regularised_fir.h"

typedef struct cfpci_fir {
    int32_t lags;          // that are considered
    int32_t max_dead_time; // likewise
    cfpci_products products;
    cfpci_prior prior;
    cfpci_posterior posterior;
} cfpci_fir;

void cfpci_fir_free(cfpci_fir *fir);

// A first estimate, from which models are made.
cfpc_status cfpci_fir_estimate(cfpci_fir *fir, const cfpci_split_log *log,
                               const cfpc_identify_settings *set);

// The final estimate starts somewhat earlier than the model, which may have the dead time too long,
// and allows for a slow part.
void cfpci_fir_start_earlier(cfpci_fir *fir, const cfpc_identify_settings *set, int32_t dead_time);

// The estimate with its deviations, now that a model has told the dead time, the rest of the
// response and what the noise is like: `white` for a filter that makes it white.
cfpc_status cfpci_fir_estimate_again(cfpci_fir *fir, const cfpci_split_log *log,
                                     const cfpci_candidate *model, bool white);

// The output of taps (count) that start after `dead` steps; before the log the input is its first.
void cfpci_fir_output(const cfpci_split_log *log, int32_t dead, int32_t count, const double *taps,
                      double *output);

// Puts response and deviation into what is found.
cfpc_status cfpci_fir_keep(cfpc_identified *found, const cfpci_fir *fir);

// ---- what is made of it ----------------------------------------------------------------------

// identify_models: candidates of every order: realised from the FIR, directly and through the open
// path, and found from there by least squares.
cfpc_status cfpci_identify_models(cfpci_candidates *candidates, const cfpci_split_log *log,
                                  const cfpc_identify_settings *set, const cfpci_fir *fir);

// identify_band: the band around `model`: with probability `confidence` the response that `fir`
// describes is inside, at all frequencies at once.
cfpc_status cfpci_identify_band(cfpc_band *band, const cfpc_system *model, const cfpci_fir *fir,
                                double confidence);

// The frequencies below which a hundredth of the input's power lies, and above which another. The
// lower one is at least that of one period in these steps: offset and trend are removed.
cfpc_status cfpci_excited(int32_t steps, double step_s, const double *input, double *low_hz,
                          double *high_hz);

#endif
