// SPDX-License-Identifier: Apache-2.0
#include "analyse/analyse_loop.h"

#include <math.h>

#include "math/elementary.h"
#include "plant/banks.h"
#include "plant/dead_time.h"
#include "plant/systems.h"

enum {
    MAX_LISTED = 200, // poles that are all listed
    DOMINANT = 10     // of more, those of largest magnitude
};

static cfpc_status find_poles(lab_loop_analysis *it, lab_arena *arena, const cfpc_system *closed)
{
    it->pole_count = cfpc_pole_count(closed);
    const bool all = it->pole_count <= MAX_LISTED;
    const int32_t most = !all ? DOMINANT : it->pole_count > 0 ? (int32_t)it->pole_count : 1;
    it->pole_re = lab_take(arena, (size_t)most, sizeof *it->pole_re);
    it->pole_im = lab_take(arena, (size_t)most, sizeof *it->pole_im);
    if (arena->failed)
        return CFPC_NO_MEMORY;
    int32_t count = 0;
    const cfpc_status status = cfpc_dominant_poles(closed, most, it->pole_re, it->pole_im, &count);
    it->poles = count;
    it->radius = count > 0 ? cfpci_hypot(it->pole_re[0], it->pole_im[0]) : 0;
    return status;
}

// The open loop L: minus the path from the command back to itself.
static cfpc_status cut_open(cfpc_system *open, const lab_parts *parts)
{
    if (parts->whole_loop) {
        const cfpc_system both[2] = {parts->controller, parts->plant};
        return cfpc_series(open, 2, both);
    }
    cfpc_system cut = {0};
    cfpc_status status = lab_parts_cut(&cut, parts);
    if (status == CFPC_OK)
        status = cfpc_loop_path(open, &cut, CFPC_LOOP_APPLIED, CFPC_LOOP_U);
    if (status == CFPC_OK)
        lab_scale_output(open, -1);
    cfpc_system_free(&cut);
    return status;
}

static cfpc_status find_margins(lab_loop_analysis *it, const lab_parts *parts)
{
    cfpc_system open = {0};
    cfpc_status status = cut_open(&open, parts);
    if (status == CFPC_OK)
        status = cfpc_margins_of(&open, &it->margins);
    if (!it->stable) // an unstable loop has no margins
        it->margins.gain = it->margins.gain_hz = it->margins.gain_low = it->margins.gain_low_hz =
            it->margins.delay_s = NAN;
    cfpc_system_free(&open);
    return status;
}

// ---- all of it -------------------------------------------------------------------------------

static cfpc_status analyse(lab_loop_analysis *it, lab_arena *arena, const lab_spec *spec,
                           const lab_parts *parts, const cfpc_system *closed)
{
    cfpc_system transfer = {0}, from_o = {0};
    double lag_steps = NAN;
    it->bandwidth_hz = it->lag_ms = it->radius_with_cell = NAN;
    cfpc_status status = find_poles(it, arena, closed);
    if (status == CFPC_OK)
        status = find_margins(it, parts);
    if (status == CFPC_OK)
        status = lab_parts_from_o(&from_o, spec, parts, closed);
    if (status == CFPC_OK)
        status = lab_dead_time(&it->dead_time_steps, spec, &from_o);
    for (int i = 0; i < spec->basis.count; i++)
        it->hears_loop |= lab_hears_loop(&lab_banks(spec)[i]);
    if (status == CFPC_OK && it->stable) {
        status = cfpc_transfer(&transfer, closed);
        if (status == CFPC_OK)
            status = cfpc_bandwidth(&transfer, &it->bandwidth_hz);
        if (status == CFPC_OK)
            status = cfpc_centroid(&transfer, &lag_steps);
        it->lag_ms = lag_steps * spec->step_ms;
    }
    cfpc_system_free(&transfer);
    cfpc_system_free(&from_o);
    return status;
}

lab_outcome lab_analyse_loop(lab_loop_analysis *loop, lab_arena *arena, const lab_spec *spec,
                             lab_why *why)
{
    lab_parts parts;
    cfpc_system closed = {0};
    *loop = (lab_loop_analysis){0};
    lab_outcome outcome = lab_parts_make(&parts, spec, false, false, why);
    if (outcome == LAB_DONE) {
        cfpc_status status = lab_parts_close(&closed, &parts);
        loop->stable = status == CFPC_OK;
        if (status == CFPC_OK || status == CFPC_UNSTABLE)
            status = analyse(loop, arena, spec, &parts, &closed);
        outcome = lab_from_status(why, status, spec->file);
    }
    cfpc_system_free(&closed);
    lab_parts_free(&parts);
    return outcome;
}
