// SPDX-License-Identifier: Apache-2.0
// decay: no pole decays slower than r^n, with r the spectral radius. So a response that has the
// energy E between n/2 and n has at most about E q + E q² + ... = E q / (1 - q) after n, q = r^n.
// It is run for several times the number of poles, so that neither a delay nor an echo of a line is
// overlooked; a response that is zero from n/2 to n then is zero for ever.
#include "system/decay.h"

#include <math.h>
#include <stdlib.h>

#include "cfpc/response.h"
#include "math/elementary.h"
#include "system/given.h"

enum {
    SHORTEST = 64,
    LONGEST = 1 << 24 // steps
};

void cfpci_decay_free(cfpci_decay *decay)
{
    free(decay->response);
    *decay = (cfpci_decay){0};
}

// One run from rest. The radius is computed when it is first needed: that takes long for an FIR
// filter, which ends.
static cfpc_status decay_run(cfpci_decay *decay, const cfpc_system *sys, double *radius)
{
    const int32_t steps = decay->steps, half = steps / 2;
    free(decay->response);
    decay->response = malloc((size_t)steps * sizeof *decay->response);
    cfpc_status status =
        decay->response ? cfpc_impulse_response(sys, steps, decay->response) : CFPC_NO_MEMORY;
    if (status != CFPC_OK)
        return status;
    const double late = cfpci_energy(steps - half, decay->response + half);
    decay->tail = 0;
    decay->energy = late + cfpci_energy(half, decay->response);
    if (late != 0) {
        if (isnan(*radius))
            status = cfpc_spectral_radius(sys, radius);
        if (status != CFPC_OK || *radius >= 1)
            return status == CFPC_OK ? CFPC_UNSTABLE : status;
        const double growth = steps * cfpci_log(*radius); // log q
        decay->tail = late * cfpci_exp(growth) / -cfpci_expm1(growth);
        decay->energy += decay->tail;
    }
    return isnormal(decay->energy) ? CFPC_OK : CFPC_BAD_VALUE;
}

cfpc_status cfpci_decay_make(cfpci_decay *decay, const cfpc_system *sys, double negligible,
                             int64_t max_steps)
{
    double radius = NAN;
    *decay = (cfpci_decay){.steps = SHORTEST};
    if (!cfpci_given(sys))
        return CFPC_MISSING;
    while (decay->steps < 4 * (cfpc_pole_count(sys) + 1) && decay->steps < LONGEST)
        decay->steps *= 2;
    if (decay->steps < 2 * (cfpc_pole_count(sys) + 1))
        return CFPC_TOO_LARGE;
    cfpc_status status = decay_run(decay, sys, &radius);
    while (status == CFPC_OK && decay->tail > negligible * decay->energy &&
           decay->steps < max_steps && decay->steps < LONGEST) {
        decay->steps *= 2;
        status = decay_run(decay, sys, &radius);
    }
    return status;
}
