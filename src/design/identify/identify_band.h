// SPDX-License-Identifier: Apache-2.0
// identify_band: the band around an identified model, and where its input excites.
#ifndef CFPC_DESIGN_IDENTIFY_BAND_H
#define CFPC_DESIGN_IDENTIFY_BAND_H

#include "cfpc/certificate.h"
#include "cfpc/system.h"
#include "identify/regularised_fir.h"

// The band around `model`: with probability `confidence` the response that `fir` (after dead_time
// steps) describes is inside, at all frequencies at once.
cfpc_status cfpci_identify_band(cfpc_band *band, const cfpc_system *model,
                                const cfpci_posterior *fir, int32_t dead_time, double confidence);

// The frequencies below which a hundredth of the input's power lies, and above which another. The
// lower one is at least that of one period in these steps: offset and trend are removed.
cfpc_status cfpci_excited(int32_t steps, double step_s, const double *input, double *low_hz,
                          double *high_hz);

#endif
