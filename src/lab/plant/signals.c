// SPDX-License-Identifier: Apache-2.0
#include "plant/signals.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "math/elementary.h"
#include "math/order.h"
#include "plant/response.h"

enum { NOISE_PARTS = 64 };

struct lab_noise_part {
    double frequency, phase;       // rad/s, rad
    double cosine[LAB_SIGNAL_ROW]; // of the angle by which it turns in k steps
    double sine[LAB_SIGNAL_ROW];
};

// Linear between the corners, constant before the first and after the last.
static double piecewise_linear(const lab_numbers *points, double t)
{
    const double *p = points->values;
    if (t <= p[0])
        return p[1];
    for (int i = 1; i < points->rows; i++, p += 2)
        if (t < p[2])
            return p[1] + (p[3] - p[1]) * ((t - p[0]) / (p[2] - p[0]));
    return p[1];
}

// From one place to the next along 10 s³ - 15 s⁴ + 6 s⁵, s the share of the movement's duration.
static double minimum_jerk(const lab_signal_spec *spec, double t)
{
    double at = spec->from;
    for (int i = 0; i < spec->moves.rows; i++) {
        const double *move = spec->moves.values + (size_t)i * 3;
        const double s = cfpci_min(cfpci_max((t - move[0]) / move[1], 0), 1);
        at += (move[2] - at) * s * s * s * (10 + s * (6 * s - 15));
    }
    return at;
}

// The sum of sinusoids, (frequency, amplitude, phase in degrees) each, on top of a value.
static double sinusoids(const lab_numbers *numbers, double sum, double at)
{
    for (int i = 0; i < numbers->rows; i++) {
        const double *c = numbers->values + (size_t)i * 3;
        sum += c[1] * cfpci_sin(CFPCI_TWO_PI * (c[0] * at + c[2] / 360));
    }
    return sum;
}

double lab_signal_at_angle(const lab_signal *signal, double turns)
{
    return sinusoids(&signal->spec->harmonics, 0, turns - floor(turns));
}

static double signals_value_at(const lab_signal *signal, long n)
{
    const lab_signal_spec *spec = signal->spec;
    const double t = (double)n * signal->step_s;
    switch (spec->kind) {
    case LAB_PIECEWISE_LINEAR:
        return piecewise_linear(&spec->points, t);
    case LAB_STEP:
        return t + signal->step_s / 1e6 < spec->at_s ? spec->from : spec->to;
    case LAB_MINIMUM_JERK:
        return minimum_jerk(spec, t);
    case LAB_SINUSOIDS:
        return sinusoids(&spec->components, spec->offset, t);
    case LAB_HARMONICS:  // not a function of time
    case LAB_BAND_NOISE: // computed by the row
        return 0;
    case LAB_CSV_SIGNAL:
        return spec->scale * signal->samples[n < signal->count ? n : signal->count - 1];
    }
    return 0;
}

// sin(a + b) = sin a cos b + cos a sin b: a is the angle at the row's first step, b how far it
// turns from there.
static void noise_row(const lab_signal *signal, long first, double *value)
{
    const double t = (double)first * signal->step_s;
    double sum[LAB_SIGNAL_ROW] = {0};
    for (int i = 0; i < NOISE_PARTS; i++) {
        const lab_noise_part *part = signal->noise + i;
        double sine, cosine;
        cfpci_sin_cos(part->frequency * t + part->phase, &sine, &cosine);
        for (int k = 0; k < LAB_SIGNAL_ROW; k++)
            sum[k] += sine * part->cosine[k] + cosine * part->sine[k];
    }
    const double size = signal->spec->rms * sqrt(2.0 / NOISE_PARTS);
    for (int k = 0; k < LAB_SIGNAL_ROW; k++)
        value[k] = size * sum[k];
}

double lab_signal_at(const lab_signal *signal, long n)
{
    if (signal->rows == 0)
        return signals_value_at(signal, n);
    // The row that step n is in, kept since it was last needed.
    const long row = n / LAB_SIGNAL_ROW, slot = row % signal->rows, first = row * LAB_SIGNAL_ROW;
    double *value = signal->kept + slot * LAB_SIGNAL_ROW;
    if (signal->kept_step[slot] != first) {
        signal->kept_step[slot] = first;
        if (signal->noise)
            noise_row(signal, first, value);
        for (int k = 0; k < LAB_SIGNAL_ROW && !signal->noise; k++)
            value[k] = signals_value_at(signal, first + k);
    }
    return value[n % LAB_SIGNAL_ROW];
}

// Sinusoids of equal strength, one in each sixty-fourth of the band, with random phases: within the
// band exactly, the same for every step, and without a period.
static lab_outcome draw_noise(lab_signal *signal, int offset, lab_why *why)
{
    const lab_signal_spec *spec = signal->spec;
    signal->noise = calloc(NOISE_PARTS, sizeof *signal->noise);
    if (!signal->noise)
        return lab_no_memory(why, NULL);
    lab_random random = lab_random_seed(spec->seed + offset, 0);
    for (int i = 0; i < NOISE_PARTS; i++) {
        lab_noise_part *part = signal->noise + i;
        const double share = (i + lab_uniform(&random)) / NOISE_PARTS;
        part->frequency = CFPCI_TWO_PI * (spec->low_hz + (spec->high_hz - spec->low_hz) * share);
        part->phase = CFPCI_TWO_PI * lab_uniform(&random);
        for (int k = 0; k < LAB_SIGNAL_ROW; k++)
            cfpci_sin_cos(part->frequency * (k * signal->step_s), part->sine + k, part->cosine + k);
    }
    return LAB_DONE;
}

lab_outcome lab_signal_make(lab_signal *signal, const lab_spec *spec,
                            const lab_signal_spec *signal_spec, int steps, lab_place place,
                            lab_why *why)
{
    *signal = (lab_signal){.spec = signal_spec, .step_s = spec->step_ms / 1e3};
    lab_outcome outcome = LAB_DONE;
    if (signal_spec->kind == LAB_BAND_NOISE)
        outcome = draw_noise(signal, spec->seed, why);
    if (signal_spec->kind == LAB_CSV_SIGNAL)
        outcome = lab_response_read(&signal->samples, &signal->count, spec, place,
                                    signal_spec->file, signal_spec->column, why);
    if (outcome != LAB_DONE ||
        (signal_spec->kind != LAB_BAND_NOISE && signal_spec->kind != LAB_SINUSOIDS))
        return outcome;
    // Room for the values of one trial, so that a trial that repeats needs its sines once. It may
    // begin within a row.
    const int rows = steps / LAB_SIGNAL_ROW + 2;
    signal->kept_step = calloc((size_t)rows, sizeof *signal->kept_step);
    signal->kept = calloc((size_t)rows * LAB_SIGNAL_ROW, sizeof *signal->kept);
    if (!signal->kept_step || !signal->kept)
        return lab_no_memory(why, NULL);
    signal->rows = rows;
    for (int i = 0; i < rows; i++)
        signal->kept_step[i] = -1;
    return LAB_DONE;
}

void lab_signal_free(lab_signal *signal)
{
    free(signal->samples);
    free(signal->noise);
    free(signal->kept_step);
    free(signal->kept);
    *signal = (lab_signal){0};
}
