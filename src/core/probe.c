// SPDX-License-Identifier: Apache-2.0
#include "probe.h"

#include "numbers.h"

enum { MAX_STEPS = 1 << 30 }; // of an impulse response

#define TWO_PI ((cfpc_real)6.283185307179586)

// Fraction by which a first-order low-pass with this corner moves per step (backward Euler).
static cfpc_real probe_fraction_of(cfpc_real corner)
{
    return TWO_PI * corner / (1 + TWO_PI * corner);
}

// White noise, or an impulse, to the band.
static cfpc_real pass(cfpci_probe *probe, cfpc_real white)
{
    cfpc_real *s = probe->state;
    s[0] += probe->high * (white - s[0]);
    s[1] += probe->high * (s[0] - s[1]);
    s[2] += probe->low * (s[1] - s[2]);
    return s[1] - s[2];
}

// Energy of the impulse response: variance of the output for white noise of variance 1. Its last
// part decays as the slower of the two corners.
static cfpc_real response_energy(cfpci_probe probe)
{
    const cfpc_real slowest = probe.low > 0 && probe.low < probe.high ? probe.low : probe.high;
    const cfpc_real long_enough = 20 / slowest;
    const int32_t steps = long_enough < MAX_STEPS ? (int32_t)long_enough : MAX_STEPS;
    cfpc_real sum = 0, white = 1;
    for (int32_t n = 0; n < steps; n++, white = 0) {
        const cfpc_real out = pass(&probe, white);
        sum += out * out;
    }
    return sum;
}

cfpci_probe cfpci_probe_make(cfpc_real rms, cfpc_real low, cfpc_real high, uint32_t seed)
{
    cfpci_probe probe = {.random = seed * 2654435761u + 1, // neighbouring seeds lie far apart
                         .low = probe_fraction_of(low),
                         .high = probe_fraction_of(high)};
    probe.random = probe.random ? probe.random : 1;
    probe.gain = rms * cfpci_root(3 / response_energy(probe)); // uniform in [-1, 1): variance 1/3
    for (int k = 0; k < 16; k++)
        cfpci_probe_next(&probe); // the first numbers of a small seed are small
    return probe;
}

// Xorshift of 32 bits, in [-1, 1).
static cfpc_real uniform(uint32_t *random)
{
    uint32_t x = *random;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *random = x;
    return (cfpc_real)((int32_t)(x >> 1) - 0x40000000) / 0x40000000;
}

cfpc_real cfpci_probe_next(cfpci_probe *probe)
{
    return probe->gain * pass(probe, uniform(&probe->random));
}

// A floor of white noise under every stage, relative: what a signal without noise would leave is
// rounding.
#define FLOOR ((cfpc_real)1e-5)

cfpci_whitening cfpci_whitening_make(int32_t order, int32_t memory_steps)
{
    return (cfpci_whitening){.order = order, .keep = 1 - 1 / (cfpc_real)memory_steps};
}

static cfpc_real reflection(const cfpci_whitening *w, int32_t stage)
{
    return w->energies[stage] > 0 ? w->products[stage] / (w->energies[stage] * (1 + FLOOR)) : 0;
}

void cfpci_whitening_see(cfpci_whitening *w, cfpc_real t)
{
    cfpc_real forward = t, backward = t;
    w->weight = w->keep * w->weight + 1;
    w->energy = w->keep * w->energy + t * t;
    for (int32_t i = 0; i < w->order; i++) {
        const cfpc_real f = forward, b = w->behind[i], k = reflection(w, i);
        w->products[i] = w->keep * w->products[i] + 2 * f * b;
        w->energies[i] = w->keep * w->energies[i] + f * f + b * b;
        w->behind[i] = backward;
        forward = f - k * b;
        backward = b - k * f;
    }
}

void cfpci_whitening_settle(cfpci_whitening *w)
{
    w->energy = cfpci_settled(w->energy);
    cfpci_settle(w->products, (size_t)w->order);
    cfpci_settle(w->energies, (size_t)w->order);
}

cfpc_real cfpci_whitening_filter(const cfpci_whitening *w, cfpc_real *a)
{
    cfpc_real left = w->weight > 0 ? w->energy / w->weight : 0;
    for (int32_t i = 0; i < w->order; i++) { // Levinson's recursion from the reflections
        const cfpc_real k = reflection(w, i);
        for (int32_t j = 0; j < i / 2; j++) {
            const cfpc_real low = a[j], high = a[i - 1 - j];
            a[j] = low - k * high;
            a[i - 1 - j] = high - k * low;
        }
        if (i % 2 == 1)
            a[i / 2] -= k * a[i / 2];
        a[i] = k;
        left *= 1 - k * k;
    }
    return left;
}
