// SPDX-License-Identifier: Apache-2.0
#include "analyse/pieces.h"

#include <math.h>

#include "math/elementary.h"
#include "plant/banks.h"
#include "plant/dead_time.h"
#include "plant/systems.h"

enum {
    MAX_LISTED = 200, // poles that are all listed
    DOMINANT = 10     // of more, those of largest magnitude
};

static cfpc_status analyse_loop_find_poles(lab_loop_analysis *analysis, lab_arena *arena,
                                           const cfpc_system *closed)
{
    analysis->pole_count = cfpc_pole_count(closed);
    const bool all = analysis->pole_count <= MAX_LISTED;
    const int32_t most = !all                       ? DOMINANT
                         : analysis->pole_count > 0 ? (int32_t)analysis->pole_count
                                                    : 1;
    analysis->pole_re = lab_take(arena, (size_t)most, sizeof *analysis->pole_re);
    analysis->pole_im = lab_take(arena, (size_t)most, sizeof *analysis->pole_im);
    if (arena->failed)
        return CFPC_NO_MEMORY;
    int32_t count = 0;
    const cfpc_status status =
        cfpc_dominant_poles(closed, most, analysis->pole_re, analysis->pole_im, &count);
    analysis->poles = count;
    analysis->radius = count > 0 ? cfpci_hypot(analysis->pole_re[0], analysis->pole_im[0]) : 0;
    return status;
}

// Of the open loop L: minus the path from the command back to itself. An unstable loop has none.
static cfpc_status find_margins(lab_loop_analysis *analysis, const lab_parts *parts)
{
    cfpc_system open = {0}, cut = {0};
    const cfpc_system both[2] = {parts->controller, parts->plant};
    cfpc_status status =
        parts->whole_loop ? cfpc_series(&open, 2, both) : lab_parts_cut(&cut, parts);
    if (status == CFPC_OK && !parts->whole_loop) {
        status = cfpc_loop_path(&open, &cut, CFPC_LOOP_APPLIED, CFPC_LOOP_U);
        if (status == CFPC_OK)
            lab_scale_output(&open, -1);
    }
    if (status == CFPC_OK)
        status = cfpc_margins_of(&open, &analysis->margins);
    if (!analysis->stable)
        analysis->margins.gain = analysis->margins.gain_hz = analysis->margins.gain_low =
            analysis->margins.gain_low_hz = analysis->margins.delay_s = NAN;
    cfpc_system_free(&cut);
    cfpc_system_free(&open);
    return status;
}

// ---- all of it -------------------------------------------------------------------------------

static cfpc_status analyse_loop_analyse(lab_loop_analysis *analysis, lab_arena *arena,
                                        const lab_spec *spec, const lab_parts *parts,
                                        const cfpc_system *closed)
{
    cfpc_system transfer = {0}, from_o = {0};
    double lag_steps = NAN;
    analysis->bandwidth_hz = analysis->lag_ms = analysis->radius_with_cell = NAN;
    cfpc_status status = analyse_loop_find_poles(analysis, arena, closed);
    if (status == CFPC_OK)
        status = find_margins(analysis, parts);
    if (status == CFPC_OK)
        status = lab_parts_from_o(&from_o, spec, parts, closed);
    if (status == CFPC_OK)
        status = lab_dead_time(&analysis->dead_time_steps, spec, &from_o);
    for (int i = 0; i < spec->basis.count; i++)
        analysis->hears_loop |= lab_hears_loop(&lab_banks(spec)[i]);
    if (status == CFPC_OK && analysis->stable) {
        status = cfpc_loop_transfer(&transfer, closed);
        if (status == CFPC_OK)
            status = cfpc_bandwidth(&transfer, &analysis->bandwidth_hz);
        if (status == CFPC_OK)
            status = cfpc_centroid(&transfer, &lag_steps);
        analysis->lag_ms = lag_steps * spec->step_ms;
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
            status = analyse_loop_analyse(loop, arena, spec, &parts, &closed);
        outcome = lab_from_status(why, status, spec->file);
    }
    cfpc_system_free(&closed);
    lab_parts_free(&parts);
    return outcome;
}
