// SPDX-License-Identifier: Apache-2.0
#include "microzone/zone_loops.h"

#include <math.h>
#include <string.h>

#include "cfpc/response.h"
#include "math/elementary.h"
#include "microzone/arm.h"
#include "plant/peak_gain.h"
#include "plant/systems.h"

// ---- where each loop lies --------------------------------------------------------------------

// The place of p among 0 … count - 1 when these are sorted by their binary digits, the lowest
// first: neighbours come to lie far apart. Before p are those that have a 0 where p has a 1, and
// the same digits below.
static int shuffled(int p, int count)
{
    int place = 0;
    for (int digit = 1; digit <= p; digit *= 2)
        if (p & digit)
            place += (count - (p & (digit - 1)) + 2 * digit - 1) / (2 * digit);
    return place;
}

static double share_of(int p, int count)
{
    return count > 1 ? p / (count - 1.0) : 0.5;
}

// The time constant of the first stage of the spec's plant; NAN: it has none.
static double own_time_ms(const lab_spec *spec)
{
    const lab_stage_spec *stages = spec->loop.plant.stages.items;
    return spec->loop.plant.kind == LAB_CHAIN ? stages[0].time_constant_ms : NAN;
}

lab_zone_loop lab_zone_loop_at(const lab_spec *spec, int p, int count)
{
    const lab_numbers *delay = &spec->zone.delay_ms, *time = &spec->zone.time_constant_ms;
    double delay_ms = spec->loop.delay_ms, time_ms = own_time_ms(spec);
    if (delay->columns > 0)
        delay_ms = delay->values[0] + (delay->values[1] - delay->values[0]) * share_of(p, count);
    if (time->columns > 0)
        time_ms = time->values[0] *
                  cfpci_pow(time->values[1] / time->values[0], share_of(shuffled(p, count), count));
    return (lab_zone_loop){.delay_steps = (int)lround(delay_ms / spec->step_ms),
                           .time_constant_ms = time_ms,
                           .gain = 1};
}

// ---- one loop --------------------------------------------------------------------------------

// What a loop is made of. joint: which, or NULL: the spec's plant.
static lab_outcome zone_loops_make_parts(lab_parts *parts, const lab_spec *spec,
                                         const lab_zone_loop *loop, const lab_joint_spec *joint,
                                         lab_why *why)
{
    double numbers[LAB_ARM_NUMBERS];
    lab_spec own = *spec;
    own.loop.delay_ms = loop->delay_steps * spec->step_ms;
    if (joint)
        lab_arm_alone(&own, joint, numbers);
    lab_outcome outcome = lab_parts_make(parts, &own, false, false, why);
    const double slower = loop->time_constant_ms / own_time_ms(spec);
    if (outcome == LAB_DONE && !joint && slower > 0 && slower != 1) {
        cfpc_system_free(&parts->plant);
        outcome = lab_plant_slower(&parts->plant, spec, 0, slower, why);
    }
    if (outcome == LAB_DONE)
        lab_scale_output(&parts->controller, loop->gain);
    return outcome;
}

// Its frequency response from error to output, opened.
static cfpc_status zone_loops_respond(lab_open_response *open, const lab_parts *parts)
{
    const int32_t late =
        parts->error_delay_steps + parts->command_delay_steps + parts->measurement_delay_steps;
    cfpc_system delay = {0};
    cfpc_status status = cfpc_delay(&delay, parts->step_s, late);
    const cfpc_system chain[] = {delay, parts->controller, parts->plant};
    if (status == CFPC_OK)
        status = lab_open_response_of(open, 3, chain, parts->step_s);
    cfpc_system_free(&delay);
    return status;
}

static lab_outcome open_up(lab_open_response *open, const lab_spec *spec, const lab_zone_loop *loop,
                           const lab_joint_spec *joint, lab_why *why)
{
    lab_parts parts;
    lab_outcome outcome = zone_loops_make_parts(&parts, spec, loop, joint, why);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(why, zone_loops_respond(open, &parts), spec->file);
    lab_parts_free(&parts);
    return outcome;
}

static const lab_joint_spec *joint_of(const lab_zone_loops *zone_loops, const lab_spec *spec, int p)
{
    return zone_loops->coupled > 1 ? &lab_zone_joints(&spec->zone)[p % zone_loops->coupled] : NULL;
}

// ---- a group ---------------------------------------------------------------------------------

// The parts of each loop in the order of the signal, but the plant, which all loops share.
enum { ERROR_DELAY, CONTROLLER, COMMAND_DELAY, MEASUREMENT_DELAY, PARTS };

// Loops with these parts and a plant of all, closed, from o of each to y of each.
static cfpc_status connect(cfpc_system *closed, int count, const cfpc_system *parts)
{
    enum { MOST = LAB_MAX_COUPLED * (PARTS + 1) };
    double from_parts[MOST * MOST] = {0}, from_outside[MOST * LAB_MAX_COUPLED] = {0},
                             to_outside[LAB_MAX_COUPLED * MOST] = {0};
    const int all = count * (PARTS + 1);
    for (int m = 0; m < count; m++) {
        const int at = m * PARTS, plant = count * PARTS + m;
        from_parts[(at + CONTROLLER) * all + at + ERROR_DELAY] = 1;
        from_parts[(at + COMMAND_DELAY) * all + at + CONTROLLER] = 1;
        from_parts[plant * all + at + COMMAND_DELAY] = 1;
        from_parts[(at + MEASUREMENT_DELAY) * all + plant] = 1;
        from_parts[(at + ERROR_DELAY) * all + at + MEASUREMENT_DELAY] = -1;
        from_outside[(at + ERROR_DELAY) * count + m] = 1;
        to_outside[m * all + plant] = 1;
    }
    const cfpc_wiring wiring = {count, count, from_parts, from_outside, to_outside};
    return cfpc_connect(closed, count * PARTS + 1, parts, &wiring);
}

static cfpc_status close_group(cfpc_system *closed, const lab_spec *spec, int count,
                               const lab_parts *of, double coupling)
{
    cfpc_system parts[LAB_MAX_COUPLED * PARTS + 1] = {0}, arm = {0};
    cfpc_status status = CFPC_OK;
    for (int m = 0; status == CFPC_OK && m < count; m++) {
        cfpc_system *at = parts + m * PARTS;
        at[CONTROLLER] = of[m].controller;
        status = cfpc_delay(&at[ERROR_DELAY], of[m].step_s, of[m].error_delay_steps);
        if (status == CFPC_OK)
            status = cfpc_delay(&at[COMMAND_DELAY], of[m].step_s, of[m].command_delay_steps);
        if (status == CFPC_OK)
            status =
                cfpc_delay(&at[MEASUREMENT_DELAY], of[m].step_s, of[m].measurement_delay_steps);
    }
    if (status == CFPC_OK && count > 1)
        status = lab_arm_plant(&arm, lab_zone_joints(&spec->zone), coupling, of[0].step_s);
    parts[count * PARTS] = count > 1 ? arm : of[0].plant;
    if (status == CFPC_OK)
        status = connect(closed, count, parts);
    cfpc_system_free(&arm);
    for (int m = 0; m < count; m++) {
        cfpc_system_free(&parts[m * PARTS + ERROR_DELAY]);
        cfpc_system_free(&parts[m * PARTS + COMMAND_DELAY]);
        cfpc_system_free(&parts[m * PARTS + MEASUREMENT_DELAY]);
    }
    return status;
}

static lab_outcome refuse_unstable(const lab_spec *spec, const lab_zone_loops *zone_loops,
                                   int first, double coupling, lab_why *why)
{
    if (zone_loops->coupled > 1 && coupling == 0)
        return lab_spec_refuse(spec, spec->zone.place, why,
                               "two joints without coupling are not stable with the gain of their "
                               "controllers: use other 'joints'");
    if (zone_loops->coupled > 1)
        return lab_spec_refuse(spec, spec->zone.place, why,
                               "two joints with a coupling of %g are not stable without a cell: "
                               "use smaller 'couplings'",
                               coupling);
    return lab_spec_refuse(spec, spec->zone.place, why,
                           "the loop of cell %d (a delay of %g ms, a time constant of %g ms) is "
                           "not stable with the gain of its controller: use other ranges",
                           first + 1, zone_loops->loop[first].delay_steps * spec->step_ms,
                           zone_loops->loop[first].time_constant_ms);
}

// The closed group of the loops from number `first` on.
static lab_outcome make_group(const lab_zone_loops *zone_loops, int first, const lab_spec *spec,
                              double coupling, lab_why *why)
{
    cfpc_system *closed = &zone_loops->group[first / zone_loops->coupled];
    lab_parts parts[LAB_MAX_COUPLED] = {0};
    bool stable = false;
    lab_outcome outcome = LAB_DONE;
    for (int m = 0; outcome == LAB_DONE && m < zone_loops->coupled; m++)
        outcome = zone_loops_make_parts(&parts[m], spec, &zone_loops->loop[first + m],
                                        joint_of(zone_loops, spec, m), why);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(
            why, close_group(closed, spec, zone_loops->coupled, parts, coupling), spec->file);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(why, cfpc_is_stable(closed, &stable), spec->file);
    if (outcome == LAB_DONE && !stable)
        outcome = refuse_unstable(spec, zone_loops, first, coupling, why);
    for (int m = 0; m < zone_loops->coupled; m++)
        lab_parts_free(&parts[m]);
    return outcome;
}

// ---- their errors ----------------------------------------------------------------------------

// The paths of a group, and the shortest dead time so far. A path that is 0 has none.
static cfpc_status make_paths(lab_zone_loops *zone_loops, int first)
{
    cfpc_status status = CFPC_OK;
    for (int p = 0; p < zone_loops->coupled; p++)
        for (int m = 0; status == CFPC_OK && m < zone_loops->coupled; m++) {
            cfpc_system *path = &zone_loops->path[(first + p) * zone_loops->coupled + m];
            int32_t dead = 0;
            status = cfpc_select(path, &zone_loops->group[first / zone_loops->coupled], p, m);
            if (status == CFPC_OK)
                status = cfpc_dead_time(path, zone_loops->steps, &dead);
            zone_loops->dead_steps = dead < zone_loops->dead_steps ? dead : zone_loops->dead_steps;
        }
    return status;
}

static double zone_loops_part_of(const lab_zone_loops *zone_loops, const lab_spec *spec, int p)
{
    const lab_joint_spec *joint = joint_of(zone_loops, spec, p);
    return joint ? joint->follows : 1;
}

// e0 of loop m of the group: r_m - Σ_p T_pm r_p.
static cfpc_status make_error(lab_zone_loops *zone_loops, const lab_spec *spec, int first, int m,
                              const double *r)
{
    const int steps = zone_loops->steps;
    double *work = zone_loops->work, *e0 = zone_loops->e0 + (size_t)(first + m) * (size_t)steps,
           sum = 0;
    cfpc_status status = CFPC_OK;
    for (int n = 0; n < steps; n++)
        e0[n] = zone_loops_part_of(zone_loops, spec, m) * r[n];
    for (int p = 0; status == CFPC_OK && p < zone_loops->coupled; p++) {
        status =
            cfpc_apply(&zone_loops->path[(first + p) * zone_loops->coupled + m], steps, 1, r, work);
        for (int n = 0; n < steps; n++)
            e0[n] -= zone_loops_part_of(zone_loops, spec, p) * work[n];
    }
    for (int n = 0; n < steps; n++)
        sum += e0[n] * e0[n];
    zone_loops->e0_norm[first + m] = sqrt(sum);
    return status;
}

static lab_outcome make_errors(lab_zone_loops *zone_loops, const lab_spec *spec, int first,
                               const double *r, lab_why *why)
{
    double square = 0;
    cfpc_status status = make_paths(zone_loops, first);
    for (int m = 0; status == CFPC_OK && m < zone_loops->coupled; m++) {
        status = make_error(zone_loops, spec, first, m, r);
        square += zone_loops->e0_norm[first + m] * zone_loops->e0_norm[first + m];
    }
    for (int m = 0; m < zone_loops->coupled; m++)
        zone_loops->baseline[first + m] = sqrt(square);
    if (status == CFPC_OK && !(square > 0))
        return lab_spec_refuse(spec, spec->zone.place, why,
                               "the loop of cell %d has no error to learn from", first + 1);
    return lab_from_status(why, status, spec->file);
}

// ---- all -------------------------------------------------------------------------------------

static bool zone_loops_take(lab_zone_loops *zone_loops, lab_arena *arena)
{
    const size_t count = (size_t)zone_loops->count, n = (size_t)zone_loops->steps;
    zone_loops->loop = lab_take(arena, count, sizeof *zone_loops->loop);
    zone_loops->group = lab_take(arena, count, sizeof *zone_loops->group);
    zone_loops->path =
        lab_take(arena, count * (size_t)zone_loops->coupled, sizeof *zone_loops->path);
    zone_loops->e0 = lab_take(arena, count * n, sizeof *zone_loops->e0);
    zone_loops->e0_norm = lab_take(arena, count, sizeof *zone_loops->e0_norm);
    zone_loops->baseline = lab_take(arena, count, sizeof *zone_loops->baseline);
    zone_loops->work = lab_take(arena, n, sizeof *zone_loops->work);
    return !arena->failed;
}

// Every loop amplifies a disturbance as much as the spec's does.
static lab_outcome place_loops(lab_zone_loops *zone_loops, const lab_spec *spec, lab_why *why)
{
    const lab_zone_loop own = {.delay_steps = (int)lround(spec->loop.delay_ms / spec->step_ms),
                               .time_constant_ms = own_time_ms(spec),
                               .gain = 1};
    lab_open_response open;
    lab_outcome outcome = open_up(&open, spec, &own, NULL, why);
    const double peak = outcome == LAB_DONE ? lab_peak(&open) : NAN;
    for (int p = 0; outcome == LAB_DONE && p < zone_loops->count; p++) {
        zone_loops->loop[p] = lab_zone_loop_at(spec, p, zone_loops->count);
        outcome = open_up(&open, spec, &zone_loops->loop[p], joint_of(zone_loops, spec, p), why);
        if (outcome == LAB_DONE)
            zone_loops->loop[p].gain = lab_gain_for_peak(&open, peak);
        if (outcome == LAB_DONE && !isfinite(zone_loops->loop[p].gain))
            outcome = refuse_unstable(spec, zone_loops, p, 0, why);
    }
    return outcome;
}

lab_outcome lab_zone_loops_close(lab_zone_loops *zone_loops, const lab_spec *spec, double coupling,
                                 const double *r, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int p = 0; outcome == LAB_DONE && p < zone_loops->count; p += zone_loops->coupled) {
        outcome = make_group(zone_loops, p, spec, coupling, why);
        if (outcome == LAB_DONE)
            outcome = make_errors(zone_loops, spec, p, r, why);
    }
    return outcome;
}

static lab_outcome zone_loops_make(lab_zone_loops *zone_loops, lab_arena *arena,
                                   const lab_spec *spec, double coupling, const double *r,
                                   lab_why *why)
{
    if (!zone_loops_take(zone_loops, arena))
        return lab_no_memory(why, NULL);
    zone_loops->step_s = spec->step_ms / 1e3;
    const lab_outcome outcome = place_loops(zone_loops, spec, why);
    return outcome == LAB_DONE ? lab_zone_loops_close(zone_loops, spec, coupling, r, why) : outcome;
}

lab_outcome lab_zone_loops_make(lab_zone_loops *zone_loops, lab_arena *arena, const lab_spec *spec,
                                int count, const double *r, int steps, lab_why *why)
{
    *zone_loops =
        (lab_zone_loops){.count = count, .coupled = 1, .steps = steps, .dead_steps = steps};
    return zone_loops_make(zone_loops, arena, spec, 0, r, why);
}

lab_outcome lab_zone_joints_make(lab_zone_loops *zone_loops, lab_arena *arena, const lab_spec *spec,
                                 double coupling, const double *r, int steps, lab_why *why)
{
    *zone_loops = (lab_zone_loops){
        .count = LAB_MAX_COUPLED, .coupled = LAB_MAX_COUPLED, .steps = steps, .dead_steps = steps};
    return zone_loops_make(zone_loops, arena, spec, coupling, r, why);
}

void lab_zone_loops_free(lab_zone_loops *zone_loops)
{
    for (int p = 0; zone_loops->group && p < zone_loops->count; p++)
        cfpc_system_free(&zone_loops->group[p]);
    for (int p = 0; zone_loops->path && p < zone_loops->count * zone_loops->coupled; p++)
        cfpc_system_free(&zone_loops->path[p]);
    *zone_loops = (lab_zone_loops){0};
}
