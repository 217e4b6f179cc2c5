// SPDX-License-Identifier: Apache-2.0
#include "plant/parts.h"

#include <math.h>

#include "cfpc/response.h"
#include "math/elementary.h"

void lab_parts_free(lab_parts *parts)
{
    cfpc_system_free(&parts->plant);
    cfpc_system_free(&parts->controller);
    cfpc_system_free(&parts->feedforward);
}

static cfpc_loop_def parts_def_of(const lab_parts *parts)
{
    cfpc_loop_def def = cfpc_default_loop_def();
    def.controller = &parts->controller;
    def.plant = &parts->plant;
    def.error_delay_steps = parts->error_delay_steps;
    def.command_delay_steps = parts->command_delay_steps;
    def.measurement_delay_steps = parts->measurement_delay_steps;
    return def;
}

cfpc_status lab_parts_close(cfpc_system *closed, const lab_parts *parts)
{
    const cfpc_loop_def def = parts_def_of(parts);
    return parts->whole_loop ? cfpc_close_loop_continuous(closed, &def, parts->step_s)
                             : cfpc_close_loop(closed, &def);
}

cfpc_status lab_parts_cut(cfpc_system *open, const lab_parts *parts)
{
    const cfpc_loop_def def = parts_def_of(parts);
    return cfpc_open_loop(open, &def);
}

void lab_scale_output(cfpc_system *sys, double by)
{
    const int32_t columns = cfpc_system_columns(sys);
    for (int32_t j = 0; j < columns; j++)
        sys->matrix[sys->states * columns + j] *= by;
}

// ---- advice ----------------------------------------------------------------------------------

// Beyond rounding of a pole at 1: an integrator needs no gain.
#define UNSTABLE (1 + 1e-9)

enum { TRIED = 8 }; // in each direction: up to 16 times, in steps of √2

// With 2^(k/2) times the gain; the controller has `now` times its gain, and is changed to that.
static bool is_stable_with(lab_parts *parts, int k, double *now)
{
    cfpc_system closed = {0};
    lab_scale_output(&parts->controller, cfpci_pow(2, 0.5 * k) / *now);
    *now = cfpci_pow(2, 0.5 * k);
    const cfpc_status status = lab_parts_close(&closed, parts);
    cfpc_system_free(&closed);
    return status == CFPC_OK;
}

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

void lab_gain_advice(lab_why *advice, lab_parts *parts)
{
    if (!is_unstable_alone(parts)) {
        lab_say(advice, "lower the gains or shorten the delays");
        return;
    }
    // The stable gain nearest to the present one, then the farthest in the same direction.
    double now = 1;
    int nearest = 0;
    for (int k = 1; nearest == 0 && k <= TRIED; k++)
        nearest = is_stable_with(parts, k, &now) ? k : is_stable_with(parts, -k, &now) ? -k : 0;
    const int away = nearest > 0 ? 1 : -1;
    int far = nearest;
    while (nearest != 0 && far * away < TRIED && is_stable_with(parts, far + away, &now))
        far += away;
    const double low = cfpci_pow(2, 0.5 * (nearest < far ? nearest : far));
    const double high = cfpci_pow(2, 0.5 * (nearest < far ? far : nearest));
    if (nearest == 0)
        lab_say(advice, "the plant is unstable by itself, and with no multiple of the controller's "
                        "gain is the loop stable; shorten the delays or use another controller");
    else if (far == nearest)
        lab_say(advice,
                "the plant is unstable by itself and needs enough gain, but not too much; use %.3g "
                "times the controller's gain, with which the loop is stable",
                low);
    else
        lab_say(advice,
                "the plant is unstable by itself and needs enough gain, but not too much; use %.3g "
                "to %.3g times the controller's gain, with which the loop is stable",
                low, high);
}
