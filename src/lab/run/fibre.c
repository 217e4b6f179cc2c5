// SPDX-License-Identifier: Apache-2.0
#include "run/fibre.h"

lab_fibre lab_fibre_make(const lab_spec *spec)
{
    const lab_teach_spec *teach = &spec->teach;
    return (lab_fibre){.noise = teach->noise,
                       .expected = teach->spikes.rate_hz * spec->step_ms / 1e3,
                       .scale = teach->spikes.scale,
                       .seed = teach->seed + spec->seed};
}

// Streams from the last one down: the loop's noise, whose seed may be the same, has the first ones.
void lab_fibre_begin(lab_fibre *fibre, int trial)
{
    fibre->random = lab_random_seed(fibre->seed, -1 - trial);
}

double lab_fibre_blur(lab_fibre *fibre, double teaching)
{
    return fibre->noise > 0 ? teaching + fibre->noise * lab_normal(&fibre->random) : teaching;
}

// The count has the mean expected (1 + t/scale), so that its reading has the mean t.
double lab_fibre_spike(lab_fibre *fibre, double teaching)
{
    if (fibre->expected == 0)
        return teaching;
    const double mean = fibre->expected * (1 + teaching / fibre->scale);
    fibre->steps++;
    fibre->clipped += mean < 0;
    const double count = lab_poisson(&fibre->random, mean < 0 ? 0 : mean);
    return fibre->scale * (count / fibre->expected - 1);
}
