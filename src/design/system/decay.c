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

void cfpci_decay_free(cfpci_decay *it)
{
    free(it->response);
    *it = (cfpci_decay){0};
}

// The radius is computed when it is first needed: that takes long for an FIR filter, which ends.
static cfpc_status measure(cfpci_decay *it, const cfpc_system *sys, double *radius)
{
    const int32_t half = it->steps / 2;
    const double late = cfpci_energy(it->steps - half, it->response + half);
    cfpc_status status = CFPC_OK;
    it->tail = 0;
    it->energy = late + cfpci_energy(half, it->response);
    if (late == 0)
        return isnormal(it->energy) ? CFPC_OK : CFPC_BAD_VALUE;
    if (isnan(*radius))
        status = cfpc_spectral_radius(sys, radius);
    if (status != CFPC_OK || *radius >= 1)
        return status == CFPC_OK ? CFPC_UNSTABLE : status;
    const double growth = it->steps * cfpci_log(*radius); // log q
    it->tail = late * cfpci_exp(growth) / -cfpci_expm1(growth);
    it->energy += it->tail;
    return isnormal(it->energy) ? CFPC_OK : CFPC_BAD_VALUE;
}

// One run from rest.
static cfpc_status run(cfpci_decay *it, const cfpc_system *sys, double *radius)
{
    free(it->response);
    it->response = malloc((size_t)it->steps * sizeof *it->response);
    cfpc_status status =
        it->response ? cfpc_response(sys, it->steps, it->response) : CFPC_NO_MEMORY;
    return status == CFPC_OK ? measure(it, sys, radius) : status;
}

cfpc_status cfpci_decay_make(cfpci_decay *it, const cfpc_system *sys, double negligible,
                             int64_t max_steps)
{
    double radius = NAN;
    *it = (cfpci_decay){.steps = SHORTEST};
    if (!cfpci_given(sys))
        return CFPC_MISSING;
    while (it->steps < 4 * (cfpc_pole_count(sys) + 1) && it->steps < LONGEST)
        it->steps *= 2;
    if (it->steps < 2 * (cfpc_pole_count(sys) + 1))
        return CFPC_TOO_LARGE;
    cfpc_status status = run(it, sys, &radius);
    while (status == CFPC_OK && it->tail > negligible * it->energy && it->steps < max_steps &&
           it->steps < LONGEST) {
        it->steps *= 2;
        status = run(it, sys, &radius);
    }
    return status;
}
