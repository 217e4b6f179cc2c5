// SPDX-License-Identifier: Apache-2.0
#include "plant/response.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cfpc/response.h"
#include "cfpc/system.h"
#include "math/order.h"
#include "spec/beside.h"

lab_outcome lab_response_read(double **response, int *steps, const lab_spec *spec, lab_place place,
                              const char *file, const char *column, lab_why *why)
{
    lab_csv csv;
    int index = 0;
    *response = NULL;
    lab_outcome outcome = lab_read_beside(&csv, spec, place, file, column, &index, why);
    if (outcome == LAB_DONE && !(*response = calloc((size_t)csv.rows, sizeof **response)))
        outcome = lab_no_memory(why, NULL);
    for (int i = 0; outcome == LAB_DONE && i < csv.rows; i++)
        (*response)[i] = csv.values[(size_t)i * (size_t)csv.columns + (size_t)index];
    *steps = csv.rows;
    lab_csv_free(&csv);
    return outcome;
}

int lab_response_taps(int steps, const double *response, double tolerance)
{
    double most = 0;
    int first = 0;
    for (int n = 0; n < steps; n++)
        most = cfpci_max(most, fabs(response[n]));
    while (first < steps && fabs(response[first]) <= tolerance * most)
        first++;
    while (steps > first && fabs(response[steps - 1]) <= tolerance * most)
        steps--;
    return steps - first;
}

lab_outcome lab_response_explain(const lab_spec *spec, lab_place place, const char *what,
                                 int max_states, int taps, cfpc_status status, lab_why *why)
{
    char too_long[128] = "";
    if (status == CFPC_BAD_VALUE)
        return lab_spec_refuse(spec, place, why,
                               "%s: its response has a number that is not finite, or zeros only",
                               what);
    if (status == CFPC_OK || status == CFPC_NO_MEMORY || status == CFPC_BAD_DELAY)
        return lab_spec_from_status(spec, place, what, status, why);
    if (taps > 0)
        snprintf(too_long, sizeof too_long,
                 ", and %d steps after its dead time are too many to take it as it is (%d)", taps,
                 CFPC_FIR_MAX);
    return lab_spec_refuse(spec, place, why,
                           "%s: no stable system of up to %d states has this response%s; give one "
                           "that has died away at its end, raise 'tolerance' above its noise, or "
                           "change 'max_states'",
                           what, max_states, too_long);
}

// What decays by less than a tenth within the record may be an integrator, or a window that the
// record ends with: it does not tell where the response goes after it.
bool lab_has_response(const cfpc_system *sys, int steps, const double *response, double tolerance)
{
    const double most = cfpci_max(0.05, tolerance);
    double apart = 0, size = 0, radius = 1, *own = calloc((size_t)steps, sizeof *own);
    const bool known = own && cfpc_impulse_response(sys, steps, own) == CFPC_OK;
    for (int n = 0; known && n < steps; n++) {
        apart += (own[n] - response[n]) * (own[n] - response[n]);
        size += response[n] * response[n];
    }
    free(own);
    return known && apart <= most * most * size && cfpc_spectral_radius(sys, &radius) == CFPC_OK &&
           radius < 1 - 0.1 / steps;
}
