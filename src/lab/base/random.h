// SPDX-License-Identifier: Apache-2.0
// random: seeded numbers that are the same on every machine (splitmix64).
#ifndef CFPC_LAB_RANDOM_H
#define CFPC_LAB_RANDOM_H

#include <stdint.h>

typedef struct lab_random {
    uint64_t state;
} lab_random;

lab_random lab_random_seed(int seed, int stream); // streams of one seed do not overlap in practice
double lab_uniform(lab_random *random);           // in [0, 1)
double lab_normal(lab_random *random);            // mean 0, standard deviation 1

// A Poisson number, from one uniform one; of a mean above 500, the nearest whole number to a normal
// one of the same variance. Not finite where the mean is not.
double lab_poisson(lab_random *random, double mean);

#endif
