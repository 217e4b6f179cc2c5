// SPDX-License-Identifier: Apache-2.0
#include "base/interval.h"

#include <math.h>

// Student's t at 97.5 %, by degrees of freedom.
static double student(int freedom)
{
    static const double t[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                               2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                               2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                               2.060,  2.056, 2.052, 2.048, 2.045, 2.042};
    const int count = sizeof t / sizeof t[0];
    return freedom <= count ? t[freedom - 1] : 1.96 + 2.4 / freedom;
}

void lab_mean_add(double *mean, double *squares, double value, int count)
{
    const double away = value - *mean;
    *mean += away / count;
    *squares += away * (value - *mean);
}

double lab_half_width(double squares, int count)
{
    return student(count - 1) * sqrt(squares / (count - 1) / count);
}
