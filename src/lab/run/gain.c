// SPDX-License-Identifier: Apache-2.0
#include "run/gain.h"

#include <math.h>

bool lab_asks_gain(const lab_spec *spec)
{
    return spec->gain.place.line > 0;
}

double lab_measure_gain(const lab_world *world, int trial, const double *y)
{
    const lab_gain_spec *gain = &world->spec->gain;
    const bool of_disturbance = gain->input == LAB_GAIN_OF_DISTURBANCE;
    const int which = of_disturbance ? lab_disturbance_of(world->spec, gain->source) : -1;
    double product = 0, square = 0;
    for (int n = 0; n < world->steps; n++) {
        const double s = of_disturbance ? lab_world_disturbance(world, which, trial, n)
                                        : lab_world_reference(world, trial, n);
        product += s * y[n];
        square += s * s;
    }
    return square > 0 ? product / square : NAN;
}
