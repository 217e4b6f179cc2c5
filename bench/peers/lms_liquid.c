// SPDX-License-Identifier: Apache-2.0
// The same by liquid-dsp: its eqlms, which is normalised LMS in float. It starts to adapt when its
// buffer is full, and so is handed the taps - 1 samples before the first step beforehand.
//   peer_lms_liquid TAPS STEPS REPEATS
#include <complex.h>

#include <liquid/liquid.h>

#include "clock.h"
#include "lms_task.h"

static void adapt(eqlms_rrrf filter, int steps, float *x, const float *d)
{
    for (int n = 0; n < steps; n++) {
        float o;
        eqlms_rrrf_push(filter, x[n]);
        eqlms_rrrf_execute(filter, &o);
        eqlms_rrrf_step(filter, d[n], o);
    }
}

int main(int count, char **words)
{
    const int taps = count > 1 ? atoi(words[1]) : 256, steps = count > 2 ? atoi(words[2]) : 4000;
    const int repeats = count > 3 ? atoi(words[3]) : 11;
    if (taps < 16 || steps < 1 || repeats < 1)
        return 2;
    const size_t length = (size_t)taps - 1 + (size_t)steps;
    double *drawn = malloc((length + (size_t)steps) * sizeof *drawn);
    double *seconds = malloc((size_t)repeats * sizeof *seconds);
    float *x = malloc((length + (size_t)steps) * sizeof *x);
    float *w = calloc((size_t)taps, sizeof *w);
    if (!drawn || !seconds || !x || !w)
        return 1;
    lms_task(taps, steps, drawn, drawn + length);
    for (size_t n = 0; n < length + (size_t)steps; n++)
        x[n] = (float)drawn[n];
    for (int i = 0; i < repeats; i++) {
        for (int k = 0; k < taps; k++)
            w[k] = 0;
        eqlms_rrrf filter = eqlms_rrrf_create(w, (unsigned)taps);
        eqlms_rrrf_set_bw(filter, 0.5f);
        for (int n = 0; n < taps - 1; n++)
            eqlms_rrrf_push(filter, x[n]);
        const double start = now_s();
        adapt(filter, steps, x + taps - 1, x + length);
        seconds[i] = (now_s() - start) / steps;
        eqlms_rrrf_copy_coefficients(filter, w);
        eqlms_rrrf_destroy(filter);
    }
    for (int k = 0; k < taps; k++)
        drawn[k] = (double)w[k];
    lms_print(taps, median(repeats, seconds), drawn);
    free(drawn);
    free(seconds);
    free(x);
    free(w);
    return 0;
}
