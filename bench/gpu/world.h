// SPDX-License-Identifier: Apache-2.0
// world: what the cells of the GPU benchmark and of its check are in. Granule cells fire in bursts,
// at the same times in every trial. Every cell has a loop of its own: a first-order plant with a PI
// controller and a delay of 30 to 150 ms, whose reference moves there and back. Steps are 1 ms. The
// same code runs on the host and on the device.
#ifndef CFPC_BENCH_GPU_WORLD_H
#define CFPC_BENCH_GPU_WORLD_H

#include <math.h>
#include <stdint.h>

#ifdef __CUDACC__
#define WORLD_FUNCTION static __host__ __device__ inline
#else
#define WORLD_FUNCTION static inline
#endif

enum {
    WORLD_HORIZON = 768,   // M: longest response that a cell is taught with
    WORLD_TRIAL = 2500,    // steps of a trial, up to a multiple of the block
    WORLD_LONGEST = 150,   // longest delay
    WORLD_BURSTS = 2,      // of a granule cell per trial
    WORLD_HALF_LEAST = 40, // shortest half of a burst
    WORLD_HALF_RANGE = 80  // by how much halves differ
};

#define WORLD_PEAK 1.1 // largest gain of a closed loop at any frequency: 1.07 to 1.08

// A well-mixed number for every number.
WORLD_FUNCTION uint32_t world_hash(uint32_t k)
{
    k = (k ^ (k >> 16)) * 0x7feb352du;
    k = (k ^ (k >> 15)) * 0x846ca68bu;
    return k ^ (k >> 16);
}

// From 0 to below 1.
WORLD_FUNCTION float world_uniform(uint32_t k)
{
    return (float)(world_hash(k) >> 8) * (1.0f / 16777216.0f);
}

// ---- granule cells ---------------------------------------------------------------------------

typedef struct world_burst {
    int32_t centre; // step of the trial
    float half;     // steps
    float height;   //
} world_burst;

WORLD_FUNCTION world_burst world_burst_of(int32_t granule, int32_t number, int32_t trial)
{
    const uint32_t k = 3u * (WORLD_BURSTS * (uint32_t)granule + (uint32_t)number);
    world_burst burst;
    burst.centre = (int32_t)(world_hash(k) % (uint32_t)trial);
    burst.half = WORLD_HALF_LEAST + WORLD_HALF_RANGE * world_uniform(k + 1);
    burst.height = 0.5f + world_uniform(k + 2);
    return burst;
}

WORLD_FUNCTION float world_burst_at(const world_burst *burst, int32_t step, int32_t trial)
{
    int32_t away = step - burst->centre;
    away = away < -trial / 2 ? away + trial : away >= trial - trial / 2 ? away - trial : away;
    const float u = (float)away / burst->half, v = 1 - u * u;
    return v > 0 ? burst->height * v * v : 0;
}

// Input of a granule cell at a step of the trial.
WORLD_FUNCTION float world_input(int32_t granule, int32_t step, int32_t trial)
{
    float sum = 0;
    for (int32_t k = 0; k < WORLD_BURSTS; k++) {
        const world_burst burst = world_burst_of(granule, k, trial);
        sum += world_burst_at(&burst, step, trial);
    }
    return sum;
}

// A rate at half the limit of stability, about: the largest eigenvalue of the cells' learning is
// that of slow signals, for which all granule cells add up.
static inline double world_rate(int32_t synapses, int32_t trial)
{
    const double area = WORLD_BURSTS * 16.0 / 15 * (WORLD_HALF_LEAST + WORLD_HALF_RANGE / 2.0);
    return 0.5 / (WORLD_PEAK * WORLD_PEAK * synapses * area * area / trial);
}

// ---- loops -----------------------------------------------------------------------------------

typedef struct world_loop {
    float pole, gain; // plant: y ← pole y + gain u
    float kp, ki;     // controller
    int32_t delay;    // steps, before the controller
    float height;     // of the reference
    int32_t shift;    // of the reference in time, steps
} world_loop;

typedef struct world_state {
    float y, integral;
} world_state;

// The loop of a cell; the shortest delay is that of block_steps steps from its output to its error.
static inline world_loop world_loop_of(int32_t cell, int32_t block_steps)
{
    const uint32_t k = 0x40000000u + 4u * (uint32_t)cell;
    const int32_t least = block_steps - 1 > 30 ? block_steps - 1 : 30;
    const double tau = 50 + 250 * (double)world_uniform(k);
    world_loop loop;
    loop.delay = least + (int32_t)(world_hash(k + 1) % (uint32_t)(WORLD_LONGEST - least + 1));
    const double kp = tau / (1.7 * loop.delay); // the plant's pole cancelled, damping about 0.7
    loop.pole = (float)exp(-1 / tau);
    loop.gain = 1 - loop.pole;
    loop.kp = (float)kp;
    loop.ki = (float)(kp / tau);
    loop.height = 0.5f + world_uniform(k + 2);
    loop.shift = (int32_t)(world_hash(k + 3) % 400);
    return loop;
}

// What reaches the controller now: the drive, reference + output - y, of `delay` steps ago.
WORLD_FUNCTION void world_move(const world_loop *loop, world_state *state, float drive)
{
    state->integral += loop->ki * drive;
    state->y = loop->pole * state->y + loop->gain * (loop->kp * drive + state->integral);
}

// There in half a second, and back in the same time.
WORLD_FUNCTION float world_reference(const world_loop *loop, int32_t step, int32_t trial)
{
    const float at = (float)((step + loop->shift) % trial) - 500;
    const float up = fminf(fmaxf(at / 500, 0), 1), down = fminf(fmaxf((at - 1000) / 500, 0), 1);
    return loop->height * 0.5f * (cosf(3.14159265f * down) - cosf(3.14159265f * up));
}

// Response of y to a drive of 1 at step 0 (steps): what the cell is taught with.
static inline void world_response(const world_loop *loop, int32_t steps, double *response)
{
    double drive[WORLD_LONGEST + 1] = {0}; // a ring: of the last `delay` steps
    double y = 0, integral = 0;
    for (int32_t n = 0; n < steps; n++) {
        const double delayed = drive[n % loop->delay];
        response[n] = y;
        drive[n % loop->delay] = (n == 0) - y;
        integral += (double)loop->ki * delayed;
        y = (double)loop->pole * y + (double)loop->gain * ((double)loop->kp * delayed + integral);
    }
}

#endif
