// SPDX-License-Identifier: Apache-2.0
#include "microzone/zone_loops.h"

#include <math.h>
#include <string.h>

#include "cfpc/response.h"
#include "math/elementary.h"
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

// ---- an arm ----------------------------------------------------------------------------------

// Two joints with coupled inertias,
//
//     M q'' + V q' + K q = u,   M = [m1 c; c m2],   c = κ √(m1 m2),   V and K diagonal.
//
// States q1, q2, q1', q2'; rows of the block matrix: those and both outputs; columns: those and
// both inputs.
enum { JOINTS = LAB_MAX_COUPLED, STATES = 2 * JOINTS, COLUMNS = STATES + JOINTS };

// From both torques to both angles, for torques that are held between steps.
static cfpc_status arm_plant(cfpc_system *plant, const lab_joint_spec *joint, double coupling,
                             double step_s)
{
    const double m1 = joint[0].inertia, m2 = joint[1].inertia, c = coupling * sqrt(m1 * m2);
    const double under = m1 * m2 - c * c;
    const double inverse[JOINTS][JOINTS] = {{m2 / under, -c / under}, {-c / under, m1 / under}};
    cfpc_system arm = {0};
    cfpc_status status = cfpc_system_make(&arm, 0, STATES, JOINTS, JOINTS, 0);
    for (int i = 0; status == CFPC_OK && i < JOINTS; i++) {
        double *speed = arm.matrix + i * COLUMNS, *force = speed + JOINTS * COLUMNS;
        speed[JOINTS + i] = 1;
        for (int k = 0; k < JOINTS; k++) {
            force[k] = -inverse[i][k] * joint[k].stiffness;
            force[JOINTS + k] = -inverse[i][k] * joint[k].viscosity;
            force[STATES + k] = inverse[i][k];
        }
        arm.matrix[(STATES + i) * COLUMNS + i] = 1;
    }
    if (status == CFPC_OK)
        status = cfpc_discretise(plant, &arm, step_s, CFPC_ZOH);
    cfpc_system_free(&arm);
    return status;
}

// ---- one loop --------------------------------------------------------------------------------

// What a loop is made of. joint: NULL: the spec's plant; else a joint without coupling, and a PID
// with kp : ki : kd as V : K : m, which cancels it.
static lab_outcome zone_loops_make_parts(lab_parts *parts, const lab_spec *spec,
                                         const lab_zone_loop *loop, const lab_joint_spec *joint,
                                         lab_why *why)
{
    double one = 1, den[3];
    lab_spec own = *spec;
    own.loop.delay_ms = loop->delay_steps * spec->step_ms;
    if (joint) {
        lab_system_spec *plant = &own.loop.plant, *controller = &own.loop.controller;
        den[0] = controller->kd_s = joint->inertia;
        den[1] = controller->kp = joint->viscosity;
        den[2] = controller->ki_per_s = joint->stiffness;
        plant->kind = LAB_TRANSFER_FUNCTION;
        plant->num = (lab_numbers){1, 1, &one};
        plant->den = (lab_numbers){1, 3, den};
    }
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
static lab_outcome open_up(lab_open_response *open, const lab_spec *spec, const lab_zone_loop *loop,
                           const lab_joint_spec *joint, lab_why *why)
{
    lab_parts parts;
    cfpc_system delay = {0};
    lab_outcome outcome = zone_loops_make_parts(&parts, spec, loop, joint, why);
    const int32_t late =
        parts.error_delay_steps + parts.command_delay_steps + parts.measurement_delay_steps;
    if (outcome == LAB_DONE)
        outcome = lab_from_status(why, cfpc_delay(&delay, parts.step_s, late), spec->file);
    const cfpc_system chain[] = {delay, parts.controller, parts.plant};
    if (outcome == LAB_DONE)
        outcome =
            lab_from_status(why, lab_open_response_of(open, 3, chain, parts.step_s), spec->file);
    cfpc_system_free(&delay);
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
        const int32_t delays[PARTS] = {[ERROR_DELAY] = of[m].error_delay_steps,
                                       [COMMAND_DELAY] = of[m].command_delay_steps,
                                       [MEASUREMENT_DELAY] = of[m].measurement_delay_steps};
        at[CONTROLLER] = of[m].controller;
        for (int i = 0; status == CFPC_OK && i < PARTS; i++)
            if (i != CONTROLLER)
                status = cfpc_delay(&at[i], of[m].step_s, delays[i]);
    }
    if (status == CFPC_OK && count > 1)
        status = arm_plant(&arm, lab_zone_joints(&spec->zone), coupling, of[0].step_s);
    parts[count * PARTS] = count > 1 ? arm : of[0].plant;
    if (status == CFPC_OK)
        status = connect(closed, count, parts);
    cfpc_system_free(&arm);
    for (int i = 0; i < count * PARTS; i++)
        if (i % PARTS != CONTROLLER)
            cfpc_system_free(&parts[i]);
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

// The paths and errors of a group, and the shortest dead time so far. A path that is 0 has none.
static lab_outcome make_errors(lab_zone_loops *zone_loops, const lab_spec *spec, int first,
                               const double *r, lab_why *why)
{
    const int k = zone_loops->coupled;
    double square = 0;
    cfpc_status status = CFPC_OK;
    for (int i = 0; status == CFPC_OK && i < k * k; i++) {
        cfpc_system *path = &zone_loops->path[first * k + i];
        int32_t dead = 0;
        status = cfpc_select(path, &zone_loops->group[first / k], i / k, i % k);
        if (status == CFPC_OK)
            status = cfpc_dead_time(path, zone_loops->steps, &dead);
        zone_loops->dead_steps = dead < zone_loops->dead_steps ? dead : zone_loops->dead_steps;
    }
    for (int m = 0; status == CFPC_OK && m < k; m++) {
        status = make_error(zone_loops, spec, first, m, r);
        square += zone_loops->e0_norm[first + m] * zone_loops->e0_norm[first + m];
    }
    for (int m = 0; m < k; m++)
        zone_loops->baseline[first + m] = sqrt(square);
    if (status == CFPC_OK && !(square > 0))
        return lab_spec_refuse(spec, spec->zone.place, why,
                               "the loop of cell %d has no error to learn from", first + 1);
    return lab_from_status(why, status, spec->file);
}

// ---- all -------------------------------------------------------------------------------------

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
    const size_t count = (size_t)zone_loops->count, n = (size_t)zone_loops->steps;
    zone_loops->loop = lab_take(arena, count, sizeof *zone_loops->loop);
    zone_loops->group = lab_take(arena, count, sizeof *zone_loops->group);
    zone_loops->path =
        lab_take(arena, count * (size_t)zone_loops->coupled, sizeof *zone_loops->path);
    zone_loops->e0 = lab_take(arena, count * n, sizeof *zone_loops->e0);
    zone_loops->e0_norm = lab_take(arena, count, sizeof *zone_loops->e0_norm);
    zone_loops->baseline = lab_take(arena, count, sizeof *zone_loops->baseline);
    zone_loops->work = lab_take(arena, n, sizeof *zone_loops->work);
    if (arena->failed)
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
