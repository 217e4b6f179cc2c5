// SPDX-License-Identifier: Apache-2.0
// LMS on the Cortex-M4F, for QEMU with -icount shift=0: instructions per step of our cell, without
// and with the guard, and of CMSIS-DSP called with one sample at a time. Each side gets one sample
// per step and keeps the taps itself. Prints one line of JSON; fails if the weights differ.
#include <string.h>

#include "arm_math.h"
#include "cfpc/core.h"
#include "lms_task.h"
#include "port.h"

enum { MAX_TAPS = 256, STEPS = 4000, SAMPLES = STEPS + MAX_TAPS - 1 };
#define AGREEMENT 1e-5f // both in float; the sums are in different orders

static double drawn[SAMPLES + STEPS];
static float samples[STEPS], desired[STEPS];
static float ours[MAX_TAPS], theirs[MAX_TAPS];
static _Alignas(8) unsigned char model_memory[4096], data_memory[32768];

typedef struct kind {
    const char *name;
    int taps;
    bool normalised, guarded;
} kind;

static float rate(const kind *it)
{
    return it->normalised ? 0.5f : 0.5f / (float)it->taps;
}

static void draw(int taps)
{
    lms_task(taps, STEPS, drawn, drawn + taps - 1 + STEPS);
    for (int n = 0; n < STEPS; n++) {
        samples[n] = (float)drawn[taps - 1 + n];
        desired[n] = (float)drawn[taps - 1 + STEPS + n];
    }
}

static uint64_t instructions_of_cmsis_plain(const kind *it)
{
    static float state[MAX_TAPS];
    arm_lms_instance_f32 filter;
    float o, e;
    arm_lms_init_f32(&filter, (uint16_t)it->taps, theirs, state, rate(it), 1);
    const uint64_t start = port_instructions();
    for (int n = 0; n < STEPS; n++)
        arm_lms_f32(&filter, &samples[n], &desired[n], &o, &e, 1);
    return port_instructions() - start;
}

static uint64_t instructions_of_cmsis_normalised(const kind *it)
{
    static float state[MAX_TAPS];
    arm_lms_norm_instance_f32 filter;
    float o, e;
    arm_lms_norm_init_f32(&filter, (uint16_t)it->taps, theirs, state, rate(it), 1);
    const uint64_t start = port_instructions();
    for (int n = 0; n < STEPS; n++)
        arm_lms_norm_f32(&filter, &samples[n], &desired[n], &o, &e, 1);
    return port_instructions() - start;
}

static cfpc_data *make(const kind *it, const cfpc_model **model)
{
    cfpc_data *data;
    cfpc_model_def def = cfpc_default_model_def();
    def.synapses = it->taps;
    def.rule.rate = rate(it);
    def.rule.normaliser = it->normalised ? FLT_EPSILON : 0; // as theirs
    def.guard = it->guarded ? cfpc_default_guard() : (cfpc_guard){0};
    if (it->guarded)
        def.response = cfpc_trace_none(); // o is taken off the error as it is
    if (cfpc_model_init(model, model_memory, sizeof model_memory, &def) != CFPC_OK ||
        cfpc_data_init(&data, data_memory, sizeof data_memory, *model) != CFPC_OK)
        return NULL;
    return data;
}

// The taps are a window, oldest first, that slides over a line of twice their length; every sample
// is written twice. The guard's first round, in which nothing is learned, is not counted.
static uint64_t instructions_of_cfpc(const kind *it)
{
    static float line[2 * MAX_TAPS];
    const cfpc_model *model;
    cfpc_data *data = make(it, &model);
    if (!data)
        return 0;
    memset(line, 0, sizeof line);
    for (int n = 0; n < STEPS && cfpc_guard_paused(data); n++)
        cfpc_learn(model, data, desired[n] - cfpc_act(model, data, line));
    const uint64_t start = port_instructions();
    for (int n = 0, at = 0; n < STEPS; n++) {
        line[at] = line[at + it->taps] = samples[n];
        at = at + 1 < it->taps ? at + 1 : 0;
        cfpc_learn(model, data, desired[n] - cfpc_act(model, data, line + at));
    }
    const uint64_t count = port_instructions() - start;
    memcpy(ours, cfpc_weights(data), (size_t)it->taps * sizeof *ours);
    return cfpc_flags(data) || cfpc_guard_paused(data) || cfpc_guard_pauses(data) > 0 ? 0 : count;
}

static bool is_same(int taps)
{
    for (int k = 0; k < taps; k++)
        if (!(fabsf(ours[k] - theirs[k]) <= AGREEMENT * fmaxf(1, fabsf(theirs[k]))))
            return false;
    return true;
}

static bool measure(const kind *it)
{
    draw(it->taps);
    memset(theirs, 0, sizeof theirs);
    const uint64_t cmsis =
        it->normalised ? instructions_of_cmsis_normalised(it) : instructions_of_cmsis_plain(it);
    kind guarded = *it;
    guarded.guarded = true;
    const uint64_t with = instructions_of_cfpc(&guarded), bare = instructions_of_cfpc(it);
    printf("\"%s\": {\"cfpc\": %.1f, \"guarded\": %.1f, \"cmsis\": %.1f, \"same\": %s}", it->name,
           (double)bare / STEPS, (double)with / STEPS, (double)cmsis / STEPS,
           is_same(it->taps) ? "true" : "false");
    return bare && with && is_same(it->taps);
}

// A loop of two instructions, for the counter itself: 2 per round.
static double counted_loop(void)
{
    uint32_t rounds = 1000000;
    const uint64_t start = port_instructions();
    __asm__ volatile("1: subs %0, #1\n\tbne 1b" : "+r"(rounds) : : "cc");
    return (double)(port_instructions() - start) / 1000000;
}

int main(void)
{
    static const kind kinds[] = {{"plain_20", 20, false, false},
                                 {"plain_256", 256, false, false},
                                 {"normalised_20", 20, true, false},
                                 {"normalised_256", 256, true, false}};
    bool good = true;
    printf("{\"known_loop\": %.4f", counted_loop());
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        printf(", ");
        good = measure(&kinds[i]) && good;
    }
    printf("}\n");
    return !good;
}
