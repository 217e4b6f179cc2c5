// SPDX-License-Identifier: Apache-2.0
// The paper's loop from its parts, timed: discretised, closed with its delay of 50 steps, and
// analysed: poles, margins, impulse response. Prints one line of JSON: the seconds for all of this
// (the median of the repeats) and the results.
//   bench_loop REPEATS
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cfpc/response.h"
#include "clock.h"
#include "paper_loop.h"

enum { MAX_POLES = 64 };

typedef struct analysed {
    double radius; // largest pole magnitude
    cfpc_margins margins;
    double response[PAPER_STEPS];
} analysed;

static cfpc_status poles_of(const cfpc_system *sys, double *radius)
{
    double re[MAX_POLES], im[MAX_POLES];
    const int64_t count = cfpc_pole_count(sys);
    if (count > MAX_POLES)
        return CFPC_TOO_LARGE;
    const cfpc_status status = cfpc_poles(sys, re, im);
    *radius = 0;
    for (int64_t k = 0; status == CFPC_OK && k < count; k++)
        *radius = fmax(*radius, hypot(re[k], im[k]));
    return status;
}

// L = C P with its delay, in a chain.
static cfpc_status margins_of(const cfpc_system *plant, const cfpc_system *controller,
                              cfpc_margins *margins)
{
    cfpc_system chain[3] = {{0}, *controller, *plant}, open = {0};
    cfpc_status status = cfpc_delay(&chain[0], PAPER_STEP_S, PAPER_DELAY);
    status = status ? status : cfpc_series(&open, 3, chain);
    status = status ? status : cfpc_margins_of(&open, margins);
    cfpc_system_free(&chain[0]);
    cfpc_system_free(&open);
    return status;
}

static cfpc_status analyse(analysed *out)
{
    cfpc_system plant = {0}, controller = {0}, loop = {0}, transfer = {0};
    cfpc_status status = paper_parts(&plant, &controller);
    cfpc_loop_def def = cfpc_default_loop_def();
    def.controller = &controller;
    def.plant = &plant;
    def.error_delay_steps = PAPER_DELAY;
    status = status ? status : cfpc_close_loop(&loop, &def);
    status = status ? status : cfpc_loop_transfer(&transfer, &loop);
    status = status ? status : poles_of(&transfer, &out->radius);
    status = status ? status : margins_of(&plant, &controller, &out->margins);
    status = status ? status : cfpc_impulse_response(&transfer, PAPER_STEPS, out->response);
    cfpc_system_free(&plant);
    cfpc_system_free(&controller);
    cfpc_system_free(&loop);
    cfpc_system_free(&transfer);
    return status;
}

static void print(double seconds, const analysed *out)
{
    printf("{\"seconds\": %.9g, \"radius\": %.17g, \"gain\": %.17g, \"phase\": %.17g, "
           "\"response\": [",
           seconds, out->radius, out->margins.gain, out->margins.phase_deg);
    for (int n = 0; n < PAPER_STEPS; n++)
        printf("%s%.17g", n ? ", " : "", out->response[n]);
    printf("]}\n");
}

int main(int count, char **words)
{
    const int repeats = count > 1 ? atoi(words[1]) : 11;
    static analysed out;
    double *seconds = calloc((size_t)(repeats > 0 ? repeats : 1), sizeof *seconds);
    for (int i = 0; seconds && i < repeats; i++) {
        const double start = now_s();
        const cfpc_status status = analyse(&out);
        seconds[i] = now_s() - start;
        if (status != CFPC_OK) {
            fprintf(stderr, "bench_loop: %s\n", cfpc_status_message(status));
            return 1;
        }
    }
    if (!seconds || repeats < 1)
        return 1;
    print(median(repeats, seconds), &out);
    free(seconds);
    return 0;
}
