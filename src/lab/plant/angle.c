// SPDX-License-Identifier: Apache-2.0
#include "plant/angle.h"

#include <math.h>

lab_angle lab_angle_make(const lab_spec *spec)
{
    return (lab_angle){
        .spec = &spec->angle, .step_s = spec->step_ms / 1e3, .turns = spec->angle.start};
}

void lab_angle_reset(lab_angle *angle)
{
    angle->turns = angle->spec->start;
}

void lab_angle_advance(lab_angle *angle, double y)
{
    const lab_angle_spec *angle_spec = angle->spec;
    angle->turns = angle_spec->output == LAB_OUTPUT_IS_POSITION
                       ? angle_spec->start + angle_spec->turns * y
                       : angle->turns + angle->step_s * angle_spec->turns * y;
}

double lab_angle_read(const lab_angle *angle)
{
    const double phase = angle->turns - floor(angle->turns);
    const int counts = angle->spec->counts;
    return counts > 0 ? floor(phase * counts) / counts : phase;
}
