// SPDX-License-Identifier: Apache-2.0
// analyse_loop: the loop by itself, and with the cell in it.
#include <math.h>
#include <stdlib.h>

#include "analysis.h"
#include "dead_time.h"

typedef struct pole {
    double re, im;
} pole;

// The largest first; of a pair the upper one first.
static int compare_poles(const void *left, const void *right)
{
    const pole *a = left, *b = right;
    const double difference = hypot(b->re, b->im) - hypot(a->re, a->im);
    if (fabs(difference) > 1e-12)
        return difference > 0 ? 1 : -1;
    return (a->im < b->im) - (a->im > b->im);
}

static cfpc_status find_poles(lab_loop_analysis *it, const cfpc_system *closed)
{
    const size_t count = (size_t)cfpc_pole_count(closed);
    pole *sorted = calloc(count + 1, sizeof *sorted);
    it->pole_re = calloc(count + 1, sizeof *it->pole_re);
    it->pole_im = calloc(count + 1, sizeof *it->pole_im);
    cfpc_status status = sorted && it->pole_re && it->pole_im ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = cfpc_poles(closed, it->pole_re, it->pole_im);
    if (status == CFPC_OK) {
        for (size_t i = 0; i < count; i++)
            sorted[i] = (pole){it->pole_re[i], it->pole_im[i]};
        qsort(sorted, count, sizeof *sorted, compare_poles);
        for (size_t i = 0; i < count; i++) {
            it->pole_re[i] = sorted[i].re;
            it->pole_im[i] = sorted[i].im;
        }
        it->poles = (int)count;
        it->radius = count > 0 ? hypot(sorted[0].re, sorted[0].im) : 0;
    }
    free(sorted);
    return status;
}

// L, the loop cut open: minus the way of the command back to itself.
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
    if (!it->stable) // what an unstable loop would bear means nothing
        it->margins.gain = it->margins.gain_hz = it->margins.delay_s = NAN;
    cfpc_system_free(&open);
    return status;
}

// ---- from o to what it may come back by ------------------------------------------------------

// ---- all of it -------------------------------------------------------------------------------

static cfpc_status analyse(lab_loop_analysis *it, const lab_spec *spec, const lab_parts *parts,
                           const cfpc_system *closed)
{
    cfpc_system transfer = {0};
    double lag_steps = NAN;
    it->bandwidth_hz = it->lag_ms = it->radius_with_cell = NAN;
    cfpc_status status = find_poles(it, closed);
    if (status == CFPC_OK)
        status = find_margins(it, parts);
    if (status == CFPC_OK)
        status = lab_dead_time(&it->dead_time_steps, spec, closed);
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
    return status;
}

lab_outcome lab_analyse_loop(lab_loop_analysis *loop, const lab_spec *spec, lab_why *why)
{
    lab_parts parts;
    cfpc_system closed = {0};
    *loop = (lab_loop_analysis){0};
    lab_outcome outcome = lab_parts_make(&parts, spec, false, false, why);
    if (outcome == LAB_DONE) {
        cfpc_status status = lab_parts_close(&closed, &parts);
        loop->stable = status == CFPC_OK;
        if (status == CFPC_OK || status == CFPC_UNSTABLE)
            status = analyse(loop, spec, &parts, &closed);
        outcome = lab_from_status(why, status, spec->file);
    }
    cfpc_system_free(&closed);
    lab_parts_free(&parts);
    return outcome;
}
