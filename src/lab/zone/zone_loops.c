// SPDX-License-Identifier: Apache-2.0
#include "zone/zone_loops.h"

#include <math.h>
#include <string.h>

#include "cfpc/frequency.h"
#include "cfpc/transfer.h"
#include "plant/peak_gain.h"
#include "plant/systems.h"

// ---- where each loop lies --------------------------------------------------------------------

// The digits of k in base 2, behind the point in reverse: k = 0, 1, 2, 3 give 0, 1/2, 1/4, 3/4.
static double mirrored(int k)
{
    double value = 0, digit = 0.5;
    for (; k > 0; k /= 2, digit /= 2)
        value += digit * (k % 2);
    return value;
}

// The place of p among 0 … count - 1 when these are sorted by their mirrored digits.
static int shuffled(int p, int count)
{
    int place = 0;
    for (int k = 0; k < count; k++)
        place += mirrored(k) < mirrored(p);
    return place;
}

static double share_of(int p, int count)
{
    return count > 1 ? p / (count - 1.0) : 0.5;
}

lab_zone_loop lab_zone_loop_at(const lab_spec *spec, int p, int count)
{
    const double *delay = spec->zone.delay_ms.values, *time = spec->zone.time_constant_ms.values;
    const double delay_ms = delay[0] + (delay[1] - delay[0]) * share_of(p, count);
    return (lab_zone_loop){
        .delay_steps = (int)lround(delay_ms / spec->step_ms),
        .time_constant_ms = time[0] * pow(time[1] / time[0], share_of(shuffled(p, count), count)),
        .gain = 1};
}

// ---- one loop --------------------------------------------------------------------------------

// The parts of a loop in the order of the signal.
enum { ERROR_DELAY, CONTROLLER, COMMAND_DELAY, PLANT, MEASUREMENT_DELAY, PARTS };

static void free_parts(cfpc_system parts[PARTS])
{
    for (int i = 0; i < PARTS; i++)
        cfpc_system_free(&parts[i]);
}

static lab_outcome make_parts(cfpc_system parts[PARTS], const lab_spec *spec,
                              const lab_zone_loop *loop, const lab_parts *of, lab_why *why)
{
    const double own_ms = ((const lab_stage_spec *)spec->loop.plant.stages.items)[0].time_constant_ms;
    memset(parts, 0, PARTS * sizeof *parts);
    lab_outcome outcome =
        lab_plant_slower(&parts[PLANT], spec, 0, loop->time_constant_ms / own_ms, why);
    if (outcome != LAB_DONE)
        return outcome;
    cfpc_status status = cfpc_delay(&parts[ERROR_DELAY], of->step_s, loop->delay_steps);
    if (status == CFPC_OK)
        status = cfpc_series(&parts[CONTROLLER], 1, &of->controller);
    if (status == CFPC_OK)
        status = cfpc_delay(&parts[COMMAND_DELAY], of->step_s, of->command_delay_steps);
    if (status == CFPC_OK)
        status = cfpc_delay(&parts[MEASUREMENT_DELAY], of->step_s, of->measurement_delay_steps);
    if (status == CFPC_OK)
        lab_scale_output(&parts[CONTROLLER], loop->gain);
    return lab_from_status(why, status, spec->file);
}

// The most that the spec's own loop amplifies a disturbance.
static lab_outcome own_peak(double *peak, const lab_spec *spec, const lab_parts *of, lab_why *why)
{
    const lab_zone_loop own = {
        .delay_steps = of->error_delay_steps,
        .time_constant_ms =
            ((const lab_stage_spec *)spec->loop.plant.stages.items)[0].time_constant_ms,
        .gain = 1};
    cfpc_system parts[PARTS];
    lab_open_response open;
    lab_outcome outcome = make_parts(parts, spec, &own, of, why);
    if (outcome == LAB_DONE)
        outcome =
            lab_from_status(why, lab_open_response_of(&open, PARTS, parts, of->step_s), spec->file);
    *peak = outcome == LAB_DONE ? lab_peak(&open) : NAN;
    free_parts(parts);
    return outcome;
}

static lab_outcome set_gain(lab_zone_loop *loop, const lab_spec *spec, const lab_parts *of,
                            double peak, lab_why *why)
{
    cfpc_system parts[PARTS];
    lab_open_response open;
    lab_outcome outcome = make_parts(parts, spec, loop, of, why);
    if (outcome == LAB_DONE)
        outcome =
            lab_from_status(why, lab_open_response_of(&open, PARTS, parts, of->step_s), spec->file);
    if (outcome == LAB_DONE)
        loop->gain = lab_gain_for_peak(&open, peak);
    free_parts(parts);
    return outcome;
}

// ---- a group ---------------------------------------------------------------------------------

// Loops with these parts, closed, from o of each to y of each. With coupling the plant of each gets
// that times the command of the others.
static cfpc_status close_group(cfpc_system *closed, int count,
                               cfpc_system parts[LAB_MAX_COUPLED * PARTS], double coupling)
{
    enum { ALL = LAB_MAX_COUPLED * PARTS };
    double from_parts[ALL * ALL] = {0}, from_outside[ALL * LAB_MAX_COUPLED] = {0},
           to_outside[LAB_MAX_COUPLED * ALL] = {0};
    const int all = count * PARTS;
    for (int m = 0; m < count; m++) {
        const int at = m * PARTS;
        for (int i = 1; i < PARTS; i++)
            from_parts[(at + i) * all + at + i - 1] = 1;
        from_parts[(at + ERROR_DELAY) * all + at + MEASUREMENT_DELAY] = -1;
        for (int k = 0; k < count; k++)
            if (k != m)
                from_parts[(at + PLANT) * all + k * PARTS + COMMAND_DELAY] = coupling;
        from_outside[(at + ERROR_DELAY) * count + m] = 1;
        to_outside[m * all + at + PLANT] = 1;
    }
    const cfpc_wiring wiring = {count, count, from_parts, from_outside, to_outside};
    return cfpc_connect(closed, all, parts, &wiring);
}

// The closed group of the loops from number `first` on.
static lab_outcome make_group(cfpc_system *closed, const lab_zone_loops *it, int first,
                              const lab_spec *spec, const lab_parts *of, double coupling,
                              lab_why *why)
{
    cfpc_system parts[LAB_MAX_COUPLED * PARTS] = {0};
    lab_outcome outcome = LAB_DONE;
    for (int m = 0; outcome == LAB_DONE && m < it->coupled; m++)
        outcome = make_parts(parts + m * PARTS, spec, &it->loop[first + m], of, why);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(why, close_group(closed, it->coupled, parts, coupling),
                                  spec->file);
    for (int m = 0; m < LAB_MAX_COUPLED; m++)
        free_parts(parts + m * PARTS);
    return outcome;
}

static lab_outcome refuse_unstable(const lab_spec *spec, const lab_zone_loops *it, int first,
                                   double coupling, lab_why *why)
{
    if (it->coupled > 1)
        return lab_spec_refuse(spec, spec->zone.place, why,
                               "two loops with a coupling of %g are not stable without a cell: "
                               "use smaller 'couplings'",
                               coupling);
    return lab_spec_refuse(spec, spec->zone.place, why,
                           "the loop of cell %d (a delay of %g ms, a time constant of %g ms) is "
                           "not stable at any gain of its controller: use other ranges",
                           first + 1, it->loop[first].delay_steps * spec->step_ms,
                           it->loop[first].time_constant_ms);
}

static lab_outcome check_stable(const lab_spec *spec, const lab_zone_loops *it, int first,
                                double coupling, lab_why *why)
{
    bool stable = false;
    const cfpc_status status = cfpc_is_stable(&it->group[first / it->coupled], &stable);
    if (status != CFPC_OK)
        return lab_from_status(why, status, spec->file);
    return stable ? LAB_DONE : refuse_unstable(spec, it, first, coupling, why);
}

// ---- their errors ----------------------------------------------------------------------------

// The paths of a group, and the shortest dead time so far.
static cfpc_status make_paths(lab_zone_loops *it, int first)
{
    enum { LONGEST = 1000000 }; // steps: beyond all trials
    cfpc_status status = CFPC_OK;
    for (int p = 0; p < it->coupled; p++)
        for (int m = 0; status == CFPC_OK && m < it->coupled; m++) {
            cfpc_system *path = &it->path[(first + p) * it->coupled + m];
            int32_t dead = 0;
            status = cfpc_select(path, &it->group[first / it->coupled], p, m);
            if (status == CFPC_OK)
                status = cfpc_dead_time(path, LONGEST, &dead);
            it->dead_steps = dead < it->dead_steps ? dead : it->dead_steps;
        }
    return status;
}

// e0 of loop m of the group: r - Σ_p T_pm r. work: (N)
static cfpc_status make_error(lab_zone_loops *it, int first, int m, const double *r, double *work)
{
    const int steps = it->steps;
    double *e0 = it->e0 + (size_t)(first + m) * (size_t)steps, sum = 0;
    cfpc_status status = CFPC_OK;
    memcpy(e0, r, (size_t)steps * sizeof *e0);
    for (int p = 0; status == CFPC_OK && p < it->coupled; p++) {
        status = cfpc_apply(&it->path[(first + p) * it->coupled + m], steps, 1, r, work);
        for (int n = 0; n < steps; n++)
            e0[n] -= work[n];
    }
    for (int n = 0; n < steps; n++)
        sum += e0[n] * e0[n];
    it->e0_norm[first + m] = sqrt(sum);
    return status;
}

static lab_outcome make_errors(lab_zone_loops *it, const lab_spec *spec, int first, const double *r,
                               double *work, lab_why *why)
{
    cfpc_status status = make_paths(it, first);
    for (int m = 0; status == CFPC_OK && m < it->coupled; m++)
        status = make_error(it, first, m, r, work);
    lab_outcome outcome = lab_from_status(why, status, spec->file);
    for (int m = 0; outcome == LAB_DONE && m < it->coupled; m++)
        if (!(it->e0_norm[first + m] > 0))
            outcome = lab_spec_refuse(spec, spec->zone.place, why,
                                      "the loop of cell %d has no error to learn from",
                                      first + m + 1);
    return outcome;
}

// ---- all -------------------------------------------------------------------------------------

static double *take(lab_zone_loops *it, lab_arena *arena)
{
    const size_t count = (size_t)it->count, n = (size_t)it->steps;
    it->loop = lab_take(arena, count, sizeof *it->loop);
    it->group = lab_take(arena, count, sizeof *it->group);
    it->path = lab_take(arena, count * (size_t)it->coupled, sizeof *it->path);
    it->e0 = lab_take(arena, count * n, sizeof *it->e0);
    it->e0_norm = lab_take(arena, count, sizeof *it->e0_norm);
    return lab_take(arena, n, sizeof(double));
}

static lab_outcome place_loops(lab_zone_loops *it, const lab_spec *spec, const lab_parts *of,
                               lab_why *why)
{
    double peak;
    lab_outcome outcome = own_peak(&peak, spec, of, why);
    for (int p = 0; outcome == LAB_DONE && p < it->count; p++) {
        it->loop[p] = lab_zone_loop_at(spec, p, it->count);
        outcome = set_gain(&it->loop[p], spec, of, peak, why);
        if (outcome == LAB_DONE && !isfinite(it->loop[p].gain))
            outcome = refuse_unstable(spec, it, p, 0, why);
    }
    return outcome;
}

static lab_outcome make(lab_zone_loops *it, lab_arena *arena, const lab_spec *spec,
                        double coupling, const double *r, lab_why *why)
{
    lab_parts of;
    double *work = take(it, arena);
    if (!work)
        return lab_no_memory(why, NULL);
    lab_outcome outcome = lab_parts_make(&of, spec, false, false, why);
    it->step_s = of.step_s;
    if (outcome == LAB_DONE)
        outcome = place_loops(it, spec, &of, why);
    for (int p = 0; outcome == LAB_DONE && p < it->count; p += it->coupled) {
        outcome = make_group(&it->group[p / it->coupled], it, p, spec, &of, coupling, why);
        if (outcome == LAB_DONE)
            outcome = check_stable(spec, it, p, coupling, why);
        if (outcome == LAB_DONE)
            outcome = make_errors(it, spec, p, r, work, why);
    }
    lab_parts_free(&of);
    return outcome;
}

lab_outcome lab_zone_loops_make(lab_zone_loops *it, lab_arena *arena, const lab_spec *spec,
                                int count, const double *r, int steps, lab_why *why)
{
    *it = (lab_zone_loops){.count = count, .coupled = 1, .steps = steps, .dead_steps = steps};
    return make(it, arena, spec, 0, r, why);
}

lab_outcome lab_zone_joints_make(lab_zone_loops *it, lab_arena *arena, const lab_spec *spec,
                                 double coupling, const double *r, int steps, lab_why *why)
{
    *it = (lab_zone_loops){.count = LAB_MAX_COUPLED,
                           .coupled = LAB_MAX_COUPLED,
                           .steps = steps,
                           .dead_steps = steps};
    return make(it, arena, spec, coupling, r, why);
}

void lab_zone_loops_free(lab_zone_loops *it)
{
    for (int p = 0; it->group && p < it->count; p++)
        cfpc_system_free(&it->group[p]);
    for (int p = 0; it->path && p < it->count * it->coupled; p++)
        cfpc_system_free(&it->path[p]);
    *it = (lab_zone_loops){0};
}
