// SPDX-License-Identifier: Apache-2.0
// The motor of experiments/anticogging.yaml, four times as finely as the controller steps. Without
// libm, so that it computes the same bits everywhere.
#include "motor.h"

enum { FINER = 4 };

static const float step_s = 0.001f / FINER;
static const float gain = 1592.0f / 1000; // turns/s² per mN m: 1/(2 pi 1e-4 kg m²)
static const float friction = 1 / 0.5f;   // per second: a time constant of 0.5 s
static const float harmonics[][3] = {     // cycles per turn, mN m, phase in turns
    {12, 8, 0},
    {14, 12, 70 / 360.0f},
    {24, 4, 200 / 360.0f},
    {84, 4, 30 / 360.0f}};

static float turns, velocity; // the angle is within one turn

// The sine of an angle in turns, by its series: correct to 2e-4.
static float sine(float at)
{
    at -= (float)(int32_t)at;
    at = at > 0.75f ? at - 1 : at > 0.25f ? 0.5f - at : at;
    const float x = 6.2831853f * at, square = x * x;
    return x * (1 - square / 6 * (1 - square / 20 * (1 - square / 42)));
}

static float cogging(void)
{
    float sum = 0;
    for (unsigned i = 0; i < sizeof harmonics / sizeof harmonics[0]; i++)
        sum += harmonics[i][1] * sine(harmonics[i][0] * turns + harmonics[i][2]);
    return sum;
}

void motor_reset(void)
{
    turns = velocity = 0;
}

void motor_run(float torque)
{
    for (int i = 0; i < FINER; i++) {
        velocity += step_s * (gain * (torque + cogging()) - friction * velocity);
        turns += step_s * velocity;
        turns -= turns >= 1 ? 1 : turns < 0 ? -1 : 0;
    }
}

int32_t motor_count(void)
{
    return (int32_t)(turns * COUNTS);
}

float motor_velocity(void)
{
    return velocity;
}
