// SPDX-License-Identifier: Apache-2.0
#include "run/fibre.h"

lab_fibre lab_fibre_make(const lab_spec *spec)
{
    return (lab_fibre){.noise = spec->teach.noise, .seed = spec->teach.seed + spec->seed};
}

// Streams from the last one down: the loop's noise, whose seed may be the same, has the first ones.
void lab_fibre_begin(lab_fibre *fibre, int trial)
{
    fibre->random = lab_random_seed(fibre->seed, -1 - trial);
}

double lab_fibre_carry(lab_fibre *fibre, double teaching)
{
    return fibre->noise > 0 ? teaching + fibre->noise * lab_normal(&fibre->random) : teaching;
}
