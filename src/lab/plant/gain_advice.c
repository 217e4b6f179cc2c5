// SPDX-License-Identifier: Apache-2.0
#include "plant/gain_advice.h"

#include <math.h>

#include "cfpc/system.h"
#include "math/elementary.h"

// Beyond rounding of a pole at 1: an integrator needs no gain.
#define UNSTABLE (1 + 1e-9)

static bool is_unstable_alone(const lab_parts *parts)
{
    cfpc_system sampled = {0};
    double radius = 0;
    const bool continuous = parts->plant.step_s == 0;
    if (continuous && cfpc_discretise(&sampled, &parts->plant, parts->step_s, CFPC_ZOH) != CFPC_OK)
        return false;
    const cfpc_status status = cfpc_spectral_radius(continuous ? &sampled : &parts->plant, &radius);
    cfpc_system_free(&sampled);
    return status == CFPC_OK && radius > UNSTABLE;
}

// ---- other gains -----------------------------------------------------------------------------

enum { TRIED = 8 }; // in each direction: up to 16 times, in steps of √2

static double gain_advice_factor(int k)
{
    return cfpci_pow(2, 0.5 * k);
}

// With factor(k) times the gain; the controller has `now` times its gain, and is changed to that.
static bool is_stable_with(lab_parts *parts, int k, double *now)
{
    cfpc_system closed = {0};
    lab_scale_output(&parts->controller, gain_advice_factor(k) / *now);
    *now = gain_advice_factor(k);
    const cfpc_status status = lab_parts_close(&closed, parts);
    cfpc_system_free(&closed);
    return status == CFPC_OK;
}

// The stable gains nearest to the present one, from `low` to `high`; false if there are none.
static bool find_stable(lab_parts *parts, int *low, int *high)
{
    double now = 1;
    int nearest = 0;
    for (int k = 1; nearest == 0 && k <= TRIED; k++)
        nearest = is_stable_with(parts, k, &now) ? k : is_stable_with(parts, -k, &now) ? -k : 0;
    *low = *high = nearest;
    const int away = nearest > 0 ? 1 : -1;
    int *far = nearest > 0 ? high : low;
    while (nearest != 0 && *far * away < TRIED && is_stable_with(parts, *far + away, &now))
        *far += away;
    return nearest != 0;
}

void lab_gain_advice(lab_why *advice, lab_parts *parts)
{
    int low, high;
    if (!is_unstable_alone(parts))
        lab_say(advice, "lower the gains or shorten the delays");
    else if (!find_stable(parts, &low, &high))
        lab_say(advice, "the plant is unstable by itself, and with no multiple of the controller's "
                        "gain is the loop stable; shorten the delays or use another controller");
    else if (low == high)
        lab_say(advice,
                "the plant is unstable by itself and needs enough gain, but not too much; use %.3g "
                "times the controller's gain, with which the loop is stable",
                gain_advice_factor(low));
    else
        lab_say(advice,
                "the plant is unstable by itself and needs enough gain, but not too much; use %.3g "
                "to %.3g times the controller's gain, with which the loop is stable",
                gain_advice_factor(low), gain_advice_factor(high));
}
