// SPDX-License-Identifier: Apache-2.0
// delayed_integrator: y⁺ = y + gain (drive - y) with the error delayed. Its poles solve
// z^(delay+1) - z^delay + gain = 0, and it is stable below gain = 2 sin(π / (4 delay + 2)), where
// two poles leave the unit circle.
#ifndef CFPC_TESTS_DELAYED_INTEGRATOR_H
#define CFPC_TESTS_DELAYED_INTEGRATOR_H

#include "cfpc/loop.h"
#include "cfpc/system.h"
#include "harness.h"

static inline cfpc_status delayed_integrator(int32_t delay, double gain, cfpc_system *loop)
{
    const double one = 1;
    cfpc_system controller, plant;
    assert_ok(cfpc_gain(&controller, gain));
    assert_ok(cfpc_state_space(&plant, 1e-3, 1, &one, &one, &one, 0));
    cfpc_loop_def def = cfpc_default_loop_def();
    def.controller = &controller;
    def.plant = &plant;
    def.error_delay_steps = delay;
    const cfpc_status status = cfpc_close_loop(loop, &def);
    cfpc_system_free(&controller);
    cfpc_system_free(&plant);
    return status;
}

#endif
