// SPDX-License-Identifier: Apache-2.0
#include "run/learned.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/order.h"

// Time constants of the functions after which their response is over, for the first function and
// for each one more: the i-th is about 2 i time constants longer.
enum { TAIL = 6, TAIL_MORE = 3 };

static int32_t steps_of(double ms, double step_ms)
{
    return (int32_t)cfpci_min(round(ms / step_ms), INT32_MAX / 4.0); // more is refused
}

// What cannot be learned so.
static lab_outcome learned_refuse(const lab_rig *rig, const cfpc_learned_def *def, lab_why *why)
{
    const lab_spec *spec = rig->spec;
    if (!(def->probe_rms > 0))
        return lab_spec_refuse(
            spec, spec->believed.place, why,
            "the probe is a fraction of a signal that is 0 without the cell (the "
            "input of the %s): without excitation no model can be learned; use "
            "another 'enters', or 'believed: given'",
            spec->enters == LAB_PLANT_INPUT        ? "plant"
            : spec->enters == LAB_CONTROLLER_INPUT ? "controller"
                                                   : "feed-forward path");
    if (spec->task.reset && def->horizon >= rig->steps)
        return lab_spec_refuse(spec, spec->believed.place, why,
                               "the learned model of %g ms is longer than a trial (%g ms): use a "
                               "smaller 'max_dead_time_ms' or 'decay_ms', or a longer trial",
                               def->horizon * spec->step_ms, rig->steps * spec->step_ms);
    if (cfpc_learned_size(def) == 0)
        return lab_spec_refuse(spec, spec->believed.place, why,
                               "the learned model cannot have these settings: use a smaller "
                               "'max_dead_time_ms', 'decay_ms' or 'memory_s'");
    return LAB_DONE;
}

lab_outcome lab_learned_settings(cfpc_learned_def *def, cfpc_teaching_filter *filter,
                                 const lab_rig *rig, double drive_rms, lab_why *why)
{
    const lab_believed_spec *b = &rig->spec->believed;
    const double step_ms = rig->spec->step_ms, rate_hz = 1e3 / step_ms;
    const double tail_ms = (TAIL + TAIL_MORE * b->functions) * b->decay_ms;
    *def = cfpc_default_learned_def();
    def->probe_rms = (cfpc_real)(b->probe * drive_rms);
    if (!isnan(b->probe_low_hz))
        def->probe_low = (cfpc_real)(b->probe_low_hz / rate_hz);
    if (!isnan(b->probe_high_hz))
        def->probe_high = (cfpc_real)(b->probe_high_hz / rate_hz);
    def->probe_least = (cfpc_real)b->probe_least;
    def->seed = (uint32_t)(b->seed + rig->spec->seed);
    def->dead_time_steps = steps_of(b->max_dead_time_ms, step_ms);
    def->horizon = def->dead_time_steps + 1 + steps_of(tail_ms, step_ms);
    def->functions = b->functions;
    def->decay_steps = (cfpc_real)(b->decay_ms / step_ms);
    def->whitening = b->whitening;
    def->memory_steps = steps_of(b->memory_s * 1e3, step_ms);
    def->share = (cfpc_real)b->share;
    const lab_outcome outcome = learned_refuse(rig, def, why);
    if (outcome != LAB_DONE)
        return outcome;
    *filter = (cfpc_teaching_filter){.horizon = def->horizon,
                                     .taps = calloc((size_t)def->horizon + 1, sizeof(double))};
    return filter->taps ? LAB_DONE : lab_no_memory(why, NULL);
}

cfpc_status lab_learned_make(cfpc_learned **learned, const cfpc_learned_def *def)
{
    const size_t bytes = cfpc_learned_size(def);
    void *mem = calloc(1, bytes + 1);
    *learned = NULL;
    const cfpc_status status = mem ? cfpc_learned_init(learned, mem, bytes, def) : CFPC_NO_MEMORY;
    if (status != CFPC_OK)
        free(mem);
    return status;
}

bool lab_learned_carries(const cfpc_learned_def *from, const cfpc_learned_def *to)
{
    return from->probe_low == to->probe_low && from->probe_high == to->probe_high &&
           from->probe_least == to->probe_least && from->seed == to->seed &&
           from->dead_time_steps == to->dead_time_steps && from->horizon == to->horizon &&
           from->functions == to->functions && from->decay_steps == to->decay_steps &&
           from->whitening == to->whitening && from->memory_steps == to->memory_steps &&
           from->share == to->share;
}

int lab_peak_of(const double *response, int steps)
{
    int peak = 0;
    for (int n = 1; n < steps; n++)
        peak = fabs(response[n]) > fabs(response[peak]) ? n : peak;
    return peak;
}

int lab_peak_of_model(const cfpc_learned *learned, int taps)
{
    const cfpc_real *model = cfpc_learned_estimate(learned);
    int peak = 0;
    for (int k = 1; k < taps; k++)
        peak = fabs((double)model[k]) > fabs((double)model[peak]) ? k : peak;
    return peak;
}
