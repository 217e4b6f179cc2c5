// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

#include <math.h>

#include "math/elementary.h"

static uint64_t next(lab_random *random)
{
    uint64_t z = (random->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

lab_random lab_random_seed(int seed, int stream)
{
    lab_random random = {((uint64_t)(uint32_t)seed << 32) | (uint32_t)stream};
    next(&random);
    random.state = next(&random);
    return random;
}

double lab_uniform(lab_random *random)
{
    return (double)(next(random) >> 11) * 0x1p-53;
}

// Box and Muller, one of the pair: no state besides the generator's.
double lab_normal(lab_random *random)
{
    const double radius = sqrt(-2 * cfpci_log(1 - lab_uniform(random)));
    return radius * cfpci_cos(CFPCI_TWO_PI * lab_uniform(random));
}

#define LARGE_MEAN 500 // e^-mean is far from underflow, and the skew of 1/sqrt(mean) is small

double lab_poisson(lab_random *random, double mean)
{
    if (!(mean <= LARGE_MEAN)) {
        const double count = round(mean + sqrt(mean) * lab_normal(random));
        return count < 0 ? 0 : count;
    }
    // The smallest count whose cumulative probability is above a uniform number.
    const double u = lab_uniform(random);
    double probability = cfpci_exp(-mean), below = probability;
    int count = 0;
    while (below <= u && probability > 0) { // rounding may leave the sum of all below u
        probability *= mean / ++count;
        below += probability;
    }
    return count;
}
