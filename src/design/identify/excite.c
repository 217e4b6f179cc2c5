// SPDX-License-Identifier: Apache-2.0
// excite: amplitudes from the path and the noise, phases for a small peak (Schroeder's, or at
// random, then clipping: van der Ouderaa, Schoukens and Renneboog, 1988), all of it deterministic.
#include "cfpc/identify.h"

#include <math.h>
#include <stdlib.h>

#include "algebra/fourier.h"
#include "cfpc/response.h"
#include "identify/statistics.h"
#include "math/complex_functions.h"
#include "math/elementary.h"
#include "math/order.h"
#include "system/decay.h"
#include "system/given.h"

enum {
    CLIPPINGS = 100,          // of a short period; fewer of a long one
    SHORT_PERIOD = 1 << 13,   // steps up to which all are made
    LONGEST_PERIOD = 1 << 26, // steps
    LEAST_PERIODS = 2         // so that one is left when the first, which settles, is left out
};

#define SETTLED 0.01 // of the peak of the path's response
#define SLOWER 2     // the path may settle this many times slower than believed
#define FIRST_CLIP 0.8
#define LAST_CLIP 0.97 // of the peak

cfpc_excite_settings cfpc_default_excite_settings(void)
{
    return (cfpc_excite_settings){.floor = 0.1, .estimation = 0.5};
}

void cfpc_excitation_free(cfpc_excitation *excitation)
{
    free(excitation->probe);
    free(excitation->hz);
    *excitation = (cfpc_excitation){0};
}

// ---- lines -----------------------------------------------------------------------------------

static cfpc_status find_settling(cfpc_excitation *excitation, const cfpc_system *path)
{
    cfpci_decay decay;
    cfpc_status status = cfpci_decay_make(&decay, path, SETTLED * SETTLED, INT32_MAX);
    double peak = 0;
    for (int32_t n = 0; status == CFPC_OK && n < decay.steps; n++)
        peak = cfpci_max(peak, fabs(decay.response[n]));
    for (int32_t n = 0; status == CFPC_OK && n < decay.steps; n++)
        if (fabs(decay.response[n]) > SETTLED * peak)
            excitation->settling = n + 1;
    cfpci_decay_free(&decay);
    return status;
}

// Rounding: a frequency that is a line but for the last bits is that line.
static const double nearly = 1e-9;

// The period, the number of periods, and the lines.
static cfpc_status choose_lines(cfpc_excitation *excitation, const cfpc_excite_settings *by,
                                int32_t *first)
{
    const double turn = ceil(1 / (by->low_hz * excitation->step_s) - nearly);
    const double least = cfpci_max(SLOWER * (double)excitation->settling, turn);
    excitation->least_steps =
        least < (double)(INT32_MAX / LEAST_PERIODS) ? LEAST_PERIODS * (int32_t)least : INT32_MAX;
    if (by->steps < excitation->least_steps)
        return CFPC_BAD_SIZE;
    excitation->periods = by->steps / (int32_t)least;
    excitation->period_steps = by->steps / excitation->periods;
    if (excitation->period_steps > LONGEST_PERIOD)
        return CFPC_TOO_LARGE;
    const double period_s = excitation->period_steps * excitation->step_s;
    const int32_t highest = (excitation->period_steps - 1) / 2; // below half the sampling rate
    const double last = cfpci_min(ceil(by->high_hz * period_s - nearly), highest);
    *first = (int32_t)floor(by->low_hz * period_s + nearly);
    excitation->lines = (int32_t)last - *first + 1;
    if (excitation->lines < 1)
        return CFPC_BAD_VALUE;
    const size_t lines = (size_t)excitation->lines;
    excitation->probe = calloc((size_t)excitation->period_steps, sizeof *excitation->probe);
    excitation->hz = calloc(6 * lines, sizeof *excitation->hz);
    if (!excitation->probe || !excitation->hz)
        return CFPC_NO_MEMORY;
    excitation->amplitude = excitation->hz + lines;
    excitation->re = excitation->amplitude + lines;
    excitation->im = excitation->re + lines;
    excitation->noise = excitation->im + lines;
    excitation->deviation = excitation->noise + lines;
    for (int32_t k = 0; k < excitation->lines; k++)
        excitation->hz[k] = (*first + k) / period_s;
    return CFPC_OK;
}

// √Φ of the noise at the lines.
static cfpc_status excite_find_noise(cfpc_excitation *excitation, int32_t noises,
                                     const cfpc_excite_noise *noise)
{
    double *re = calloc(2 * (size_t)excitation->lines, sizeof *re);
    double *im = re ? re + excitation->lines : NULL;
    cfpc_status status = re ? CFPC_OK : CFPC_NO_MEMORY;
    for (int32_t i = 0; status == CFPC_OK && i < noises; i++) {
        if (noise[i].path)
            status =
                cfpc_frequency_response(noise[i].path, excitation->lines, excitation->hz, re, im);
        for (int32_t k = 0; status == CFPC_OK && k < excitation->lines; k++)
            excitation->noise[k] =
                cfpci_hypot(excitation->noise[k],
                            noise[i].deviation * (noise[i].path ? cfpci_hypot(re[k], im[k]) : 1));
    }
    free(re);
    return status;
}

// ---- amplitudes ------------------------------------------------------------------------------

static double size_at(const cfpc_excitation *excitation, int32_t k)
{
    return cfpci_hypot(excitation->re[k], excitation->im[k]);
}

// a ∝ √Φ / |T|, neither below its floor; scaled to the rms of the output.
static cfpc_status choose_amplitudes(cfpc_excitation *excitation, const cfpc_excite_settings *by)
{
    double most = 0, loudest = 0, power = 0;
    for (int32_t k = 0; k < excitation->lines; k++) {
        most = cfpci_max(most, size_at(excitation, k));
        loudest = cfpci_max(loudest, excitation->noise[k]);
    }
    if (!isnormal(most) || !isfinite(loudest))
        return CFPC_BAD_VALUE;
    for (int32_t k = 0; k < excitation->lines; k++) {
        const double noise = loudest > 0 ? cfpci_max(excitation->noise[k] / loudest, by->floor) : 1;
        excitation->amplitude[k] = noise / cfpci_max(size_at(excitation, k) / most, by->floor);
        power += cfpci_pow(excitation->amplitude[k] * size_at(excitation, k), 2) / 2;
    }
    const double scale = by->rms / sqrt(power);
    for (int32_t k = 0; k < excitation->lines; k++)
        excitation->amplitude[k] *= scale;
    return isnormal(scale) ? CFPC_OK : CFPC_BAD_VALUE;
}

// ---- phases ----------------------------------------------------------------------------------

// The period of what is added up: x[k] becomes u[n].
typedef struct shape {
    cfpci_transform transform;
    int32_t first;     // line
    double *phase;     // of each line                      (lines)
    double *best;      // likewise, of the smallest peak    (lines)
    double complex *x; // (period_steps)
} shape;

// Schroeder: the group delay of a line grows with the power of those below it. Or at random, as the
// seed says.
static void first_phases(shape *s, const cfpc_excitation *excitation, uint32_t seed)
{
    double total = 0, below = 0, phase = 0;
    uint64_t state = seed;
    for (int32_t k = 0; k < excitation->lines; k++)
        total += excitation->amplitude[k] * excitation->amplitude[k];
    for (int32_t k = 0; k < excitation->lines; k++) {
        s->phase[k] =
            seed ? CFPCI_TWO_PI * (double)(cfpci_next_bits(&state) >> 11) * 0x1p-53 : phase;
        below += excitation->amplitude[k] * excitation->amplitude[k] / total;
        phase = remainder(phase - CFPCI_TWO_PI * below, CFPCI_TWO_PI);
    }
}

// u from these phases: x becomes Σ_k a_k e^(-i (φ_k + 2π kn/period)), whose real part is u.
static void synthesise(const shape *s, cfpc_excitation *excitation, const double *phase)
{
    for (int32_t n = 0; n < excitation->period_steps; n++)
        s->x[n] = 0;
    for (int32_t k = 0; k < excitation->lines; k++)
        s->x[s->first + k] = excitation->amplitude[k] * cfpci_unit(-phase[k]);
    cfpci_transform_run(&s->transform, s->x);
    excitation->peak = 0;
    for (int32_t n = 0; n < excitation->period_steps; n++) {
        excitation->probe[n] = creal(s->x[n]);
        excitation->peak = cfpci_max(excitation->peak, fabs(excitation->probe[n]));
    }
}

// The probe with the smallest peak of all that it comes by: the phases of the clipped probe are
// those of the next, with the same amplitudes. What is clipped becomes less from turn to turn.
static void lower_peak(const shape *s, cfpc_excitation *excitation)
{
    const int turns = excitation->period_steps <= SHORT_PERIOD
                          ? CLIPPINGS
                          : (int)((int64_t)CLIPPINGS * SHORT_PERIOD / excitation->period_steps) + 1;
    double lowest = INFINITY;
    for (int turn = 0; turn <= turns; turn++) {
        synthesise(s, excitation, s->phase);
        for (int32_t k = 0; excitation->peak < lowest && k < excitation->lines; k++)
            s->best[k] = s->phase[k];
        lowest = cfpci_min(lowest, excitation->peak);
        const double limit =
            excitation->peak * (FIRST_CLIP + (LAST_CLIP - FIRST_CLIP) * turn / turns);
        for (int32_t n = 0; n < excitation->period_steps; n++)
            s->x[n] = cfpci_min(cfpci_max(excitation->probe[n], -limit), limit);
        cfpci_transform_run(&s->transform, s->x);
        for (int32_t k = 0; k < excitation->lines; k++)
            s->phase[k] = cfpci_atan2(cimag(s->x[s->first + k]), creal(s->x[s->first + k]));
    }
    synthesise(s, excitation, s->best);
}

static cfpc_status make_probe(cfpc_excitation *excitation, int32_t first, uint32_t seed)
{
    const int32_t steps = excitation->period_steps;
    int32_t start = 0;
    shape s = {.first = first};
    s.phase = calloc(2 * (size_t)excitation->lines, sizeof *s.phase);
    s.x = calloc((size_t)steps, sizeof *s.x);
    cfpc_status status = cfpci_transform_make(&s.transform, steps);
    if (status == CFPC_OK && !(s.phase && s.x))
        status = CFPC_NO_MEMORY;
    if (status == CFPC_OK) {
        s.best = s.phase + excitation->lines;
        first_phases(&s, excitation, seed);
        lower_peak(&s, excitation);
    }
    // Turned so that it starts where it is smallest: it comes out of rest, and ends, without a
    // jump.
    for (int32_t n = 0; status == CFPC_OK && n < steps; n++) {
        s.x[n] = excitation->probe[n];
        if (fabs(excitation->probe[n]) < fabs(excitation->probe[start]))
            start = n;
    }
    for (int32_t n = 0; status == CFPC_OK && n < steps; n++)
        excitation->probe[n] = creal(s.x[(n + start) % steps]);
    cfpci_transform_free(&s.transform);
    free(s.phase);
    free(s.x);
    return status;
}

// ---- accuracy --------------------------------------------------------------------------------

// E|T̂ - T|² = 4 Φ / (n a²)
static void expect_accuracy(cfpc_excitation *excitation, bool noisy, double estimation)
{
    const double n = estimation * excitation->period_steps * excitation->periods;
    double errors = 0, sizes = 0, squares = 0, power = 0;
    excitation->relative_max = excitation->relative_hz = 0;
    for (int32_t k = 0; k < excitation->lines; k++) {
        excitation->deviation[k] = 2 * excitation->noise[k] / (excitation->amplitude[k] * sqrt(n));
        const double relative = excitation->deviation[k] / size_at(excitation, k);
        errors += cfpci_pow(excitation->deviation[k], 2);
        sizes += cfpci_pow(size_at(excitation, k), 2);
        squares += relative * relative;
        power += cfpci_pow(excitation->amplitude[k], 2) / 2;
        if (relative >
            excitation->relative_max * (1 + nearly)) { // the first of those that are equal
            excitation->relative_max = relative;
            excitation->relative_hz = excitation->hz[k];
        }
    }
    excitation->rms = sqrt(power);
    excitation->error = noisy ? sqrt(errors / sizes) : NAN;
    excitation->relative_rms = noisy ? sqrt(squares / excitation->lines) : NAN;
    if (!noisy)
        excitation->relative_max = excitation->relative_hz = NAN;
}

// ---- all of it -------------------------------------------------------------------------------

static cfpc_status excite_check(const cfpc_system *path, int32_t noises,
                                const cfpc_excite_noise *noise, const cfpc_excite_settings *by)
{
    if (!cfpci_given(path) || !by || (noises > 0 && !noise))
        return CFPC_MISSING;
    if (path->inputs != 1 || path->outputs != 1 || !(path->step_s > 0))
        return CFPC_BAD_SHAPE;
    for (int32_t i = 0; i < noises; i++)
        if (!(noise[i].deviation >= 0 && isfinite(noise[i].deviation)))
            return CFPC_BAD_VALUE;
    const bool has_band = by->low_hz > 0 && by->high_hz >= by->low_hz &&
                          by->high_hz <= 0.5 / path->step_s * (1 + nearly);
    return has_band && by->rms > 0 && isfinite(by->rms) && by->floor > 0 && by->floor <= 1 &&
                   by->estimation > 0 && by->estimation <= 1
               ? CFPC_OK
               : CFPC_BAD_VALUE;
}

cfpc_status cfpc_excite(cfpc_excitation *excitation, const cfpc_system *path, int32_t noises,
                        const cfpc_excite_noise *noise, const cfpc_excite_settings *settings)
{
    int32_t first = 0;
    *excitation = (cfpc_excitation){0};
    cfpc_status status = excite_check(path, noises, noise, settings);
    if (status != CFPC_OK)
        return status;
    excitation->step_s = path->step_s;
    status = find_settling(excitation, path);
    if (status == CFPC_OK)
        status = choose_lines(excitation, settings, &first);
    if (status == CFPC_OK)
        status = cfpc_frequency_response(path, excitation->lines, excitation->hz, excitation->re,
                                         excitation->im);
    if (status == CFPC_OK)
        status = excite_find_noise(excitation, noises, noise);
    if (status == CFPC_OK)
        status = choose_amplitudes(excitation, settings);
    if (status == CFPC_OK)
        status = make_probe(excitation, first, settings->seed);
    if (status == CFPC_OK)
        expect_accuracy(excitation, noises > 0, settings->estimation);
    return status;
}
