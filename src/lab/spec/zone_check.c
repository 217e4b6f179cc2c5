// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "spec/check_parts.h"

enum {
    MAX_LIST = 16,      // numbers of a list of the zone
    MAX_COUPLINGS = 64, //
    MAX_SIZE = 10000000 // of the cells or synapses in a list
};

#define REFUSE_ZONE(...) REFUSE(&spec->zone, __VA_ARGS__)

// Two numbers above 0, the second not below the first.
static lab_outcome zone_check_range(const lab_spec *spec, const char *key, const lab_numbers *range,
                                    lab_why *why)
{
    if (range->columns == 0)
        return LAB_DONE;
    if (range->columns != 2)
        return REFUSE_ZONE("'%s' of the zone has %d number%s; it needs two, the lowest and the "
                           "highest",
                           key, range->columns, range->columns == 1 ? "" : "s");
    const double low = range->values[0], high = range->values[1];
    if (!(low > 0) || !isfinite(high))
        return REFUSE_ZONE("'%s' of the zone must be above 0; [%g, %g] is not", key, low, high);
    if (low > high)
        return REFUSE_ZONE("the lowest '%s' of %g is above the highest of %g", key, low, high);
    return LAB_DONE;
}

static lab_outcome check_sizes(const lab_spec *spec, const char *key, const lab_numbers *sizes,
                               lab_why *why)
{
    if (sizes->columns > MAX_LIST)
        return REFUSE_ZONE("'%s' has %d numbers; it may have up to %d", key, sizes->columns,
                           MAX_LIST);
    for (int i = 0; i < sizes->columns; i++) {
        const double size = sizes->values[i];
        if (size != floor(size) || size > MAX_SIZE || !(size > (i > 0 ? sizes->values[i - 1] : 0)))
            return REFUSE_ZONE("'%s' must be increasing whole numbers from 1 to %d; %g is not", key,
                               MAX_SIZE, size);
    }
    return LAB_DONE;
}

static lab_outcome check_lists(const lab_spec *spec, lab_why *why)
{
    const lab_numbers *rates = &spec->zone.rate_fractions;
    lab_outcome outcome = check_sizes(spec, "other_cells", &spec->zone.other_cells, why);
    if (outcome == LAB_DONE)
        outcome = check_sizes(spec, "other_synapses", &spec->zone.other_synapses, why);
    if (outcome == LAB_DONE && rates->columns > MAX_LIST)
        return REFUSE_ZONE("'rate_fractions' has %d numbers; it may have up to %d", rates->columns,
                           MAX_LIST);
    for (int i = 0; outcome == LAB_DONE && i < rates->columns; i++)
        if (!(rates->values[i] > 0 && isfinite(rates->values[i])))
            outcome = REFUSE_ZONE("'rate_fractions' of the zone must be above 0; %g is not",
                                  rates->values[i]);
    return outcome;
}

// Two joints, whose inertias are coupled.
static lab_outcome check_joints(const lab_spec *spec, lab_why *why)
{
    const lab_zone_spec *zone = &spec->zone;
    const lab_numbers *couplings = &zone->couplings;
    const lab_rule_spec *rule = &lab_rules(spec)[spec->main_rule];
    if (zone->joints.count == 0 && couplings->columns == 0)
        return LAB_DONE;
    if (zone->joints.count != 2 || zone->cells != 2 || couplings->columns == 0 ||
        couplings->columns > MAX_COUPLINGS)
        return REFUSE_ZONE("an arm has 'cells: 2', two 'joints' and 1 to %d 'couplings'; this has "
                           "%d, %d and %d",
                           MAX_COUPLINGS, zone->cells, zone->joints.count, couplings->columns);
    for (int i = 0; i < couplings->columns; i++)
        if (!(couplings->values[i] >= 0 && couplings->values[i] < 1) ||
            (i > 0 && couplings->values[i] <= couplings->values[i - 1]))
            return REFUSE_ZONE("'couplings' must be increasing, from 0 to below 1; %g is not",
                               couplings->values[i]);
    if (zone->teacher_noise > 0 || zone->other_cells.columns > 0 ||
        zone->other_synapses.columns > 0)
        return REFUSE_ZONE("'joints' are run without 'teacher_noise', 'other_cells' and "
                           "'other_synapses': remove them");
    if (spec->loop.controller.kind != LAB_PID)
        return REFUSE_ZONE("'joints' need a controller of 'kind: pid'");
    if (rule->trace != LAB_TRACE_FORWARD_MODEL)
        return REFUSE_ZONE("'joints' are learned with 'trace: forward-model'; rule '%s' has '%s'",
                           rule->name, lab_name_of_trace(rule->trace));
    return LAB_DONE;
}

static bool has_limits(const lab_loop_spec *loop)
{
    return !isnan(loop->saturation.low) || !isnan(loop->saturation.high) ||
           !isnan(loop->output.low) || !isnan(loop->output.high);
}

// Loops that are linear, known, and differ only in the keys of the zone.
static lab_outcome check_loops(const lab_spec *spec, lab_why *why)
{
    const lab_loop_spec *loop = &spec->loop;
    if (loop->model != LAB_LOOP_OF_PARTS)
        return REFUSE_ZONE("'zone' needs a loop of plant and controller; this is identified as a "
                           "whole");
    if (loop->plant.kind != LAB_CHAIN && spec->zone.time_constant_ms.columns > 0)
        return REFUSE_ZONE("'time_constant_ms' is that of the first stage of a plant of 'kind: "
                           "chain', which this is not");
    if (loop->discretise == LAB_CLOSE_WHOLE_LOOP || lab_has_feedforward(spec) || has_limits(loop) ||
        loop->noise.process > 0 || loop->noise.measurement > 0 || loop->measurement_step > 0)
        return REFUSE_ZONE("'zone' needs a linear loop of plant, controller and delays: no "
                           "feedforward, saturation, limits, noise or measurement_step, and not "
                           "discretised as a whole");
    if (spec->enters != LAB_CONTROLLER_INPUT || spec->disturbances.count > 0 ||
        spec->believed.place.line > 0 || spec->olive.gain != 0)
        return REFUSE_ZONE("'zone' needs 'enters: controller-input', and no disturbances, "
                           "'believed' and 'olive'");
    return LAB_DONE;
}

static lab_outcome zone_check_learning(const lab_spec *spec, lab_why *why)
{
    const lab_rule_spec *rule = &lab_rules(spec)[spec->main_rule];
    if (spec->basis.count != 1 || lab_banks(spec)[0].kind != LAB_GRANULE)
        return REFUSE_ZONE("'zone' needs a single bank of granules (basis: {kind: granule, …})");
    if (spec->learning.mode != LAB_ONLINE || spec->learning.frozen || !spec->task.reset ||
        !spec->task.repeats)
        return REFUSE_ZONE("'zone' needs on-line learning, and trials that repeat with a reset "
                           "between them (learning: {mode: online})");
    if (spec->guard.on)
        return REFUSE_ZONE("'zone' compares ways to teach, and a guard would stop the worse ones: "
                           "turn it off (guard: off)");
    if (spec->teach.signal != LAB_TEACH_ERROR || spec->teach.delay_ms != 0 ||
        lab_has_noisy_teacher(spec))
        return REFUSE_ZONE("'zone' needs the error r - y as its teaching signal, without a delay; "
                           "its noise is 'zone.teacher_noise' (teach: {})");
    if (rule->trace != LAB_TRACE_FORWARD_MODEL && !lab_is_filtered(rule->trace))
        return REFUSE_ZONE("the cells of a zone have a forward-model, a whitened or a "
                           "phase-matched trace, as rule '%s' has '%s'; choose another 'rule'",
                           rule->name, lab_name_of_trace(rule->trace));
    if (rule->update != LAB_PLAIN)
        return REFUSE_ZONE("'zone' needs a plain update; rule '%s' has another", rule->name);
    return LAB_DONE;
}

// Loops with a dead time, the effect of which ends within a trial.
static lab_outcome zone_check_delays(const lab_spec *spec, lab_why *why)
{
    const lab_numbers *delay = &spec->zone.delay_ms;
    const lab_outcome outcome = zone_check_range(spec, "delay_ms", delay, why);
    if (outcome != LAB_DONE)
        return outcome;
    if (delay->columns > 0 && delay->values[0] < spec->step_ms)
        return REFUSE_ZONE("the lowest 'delay_ms' of %g is below a step of %g ms: the zone needs a "
                           "dead time",
                           delay->values[0], spec->step_ms);
    if (delay->columns > 0 && delay->values[1] >= spec->task.trial_s * 1e3)
        return REFUSE_ZONE("the highest 'delay_ms' of %g must be below the length of a trial, %g "
                           "ms",
                           delay->values[1], spec->task.trial_s * 1e3);
    return zone_check_range(spec, "time_constant_ms", &spec->zone.time_constant_ms, why);
}

static lab_check *const zone_checks[] = {zone_check_delays,   check_lists,  check_loops,
                                         zone_check_learning, check_joints, NULL};

lab_outcome lab_check_zone(const lab_spec *spec, lab_why *why)
{
    return spec->zone.place.line > 0 ? lab_check_all(spec, zone_checks, why) : LAB_DONE;
}
