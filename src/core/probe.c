// SPDX-License-Identifier: Apache-2.0
#include "probe.h"

#include "root.h"

enum { MAX_STEPS = 1 << 30 }; // of an impulse response

#define TWO_PI ((cfpc_real)6.283185307179586)

// Fraction by which a first-order low-pass with this corner moves per step (backward Euler).
static cfpc_real fraction_of(cfpc_real corner)
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
                         .low = fraction_of(low),
                         .high = fraction_of(high)};
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
