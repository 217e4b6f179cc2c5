// SPDX-License-Identifier: Apache-2.0
// spec_check: checks that involve more than one field of a spec.
#include <math.h>
#include <string.h>

#include "spec/check_parts.h"

enum {
    MAX_SIZES = 16,
    MAX_SYNAPSES = 4000000,
    MAX_DELAYS = 10000 // of a scan
};

#define MAX_POPULATION_STEP_MS 40.0

// Only what the blocks of very many synapses can do.
static lab_outcome check_scale(const lab_spec *spec, lab_why *why)
{
    const lab_scale_spec *scale = &spec->scale;
    if (scale->place.line == 0)
        return LAB_DONE;
    if (scale->sizes.columns == 0 || scale->sizes.columns > MAX_SIZES)
        return REFUSE(scale, "'sizes' has %d numbers; it needs 1 to %d", scale->sizes.columns,
                      MAX_SIZES);
    for (int i = 0; i < scale->sizes.columns; i++) {
        const double size = scale->sizes.values[i];
        if (size != floor(size) || size > MAX_SYNAPSES ||
            !(size > (i > 0 ? scale->sizes.values[i - 1] : 0)))
            return REFUSE(scale, "'sizes' must be increasing whole numbers, at most %d; %g is not",
                          MAX_SYNAPSES, size);
    }
    if (spec->basis.count != 1 || lab_banks(spec)[0].kind != LAB_GRANULE)
        return REFUSE(scale, "'scale' needs a single bank of granules (basis: {kind: granule, …})");
    if (lab_uses_angle(spec))
        return REFUSE(scale, "'scale' runs in blocks, without disturbances that depend on the "
                             "angle");
    if (spec->learning.mode != LAB_ONLINE || !spec->task.reset || spec->guard.on)
        return REFUSE(scale, "'scale' needs on-line learning, a reset between trials and no guard "
                             "(learning: {mode: online}, guard: off)");
    if (spec->teach.signal != LAB_TEACH_ERROR || spec->teach.delay_ms != 0 ||
        lab_has_noisy_teacher(spec))
        return REFUSE(scale, "'scale' needs the error r - y as its teaching signal, without a "
                             "delay and noise (teach: {})");
    return LAB_DONE;
}

// Bases that the step resolves.
static lab_outcome check_population(const lab_spec *spec, lab_why *why)
{
    const lab_population_spec *population = &spec->population;
    if (population->place.line == 0)
        return LAB_DONE;
    if (population->narrow_ms >= population->wide_ms)
        return REFUSE(population, "'narrow_ms' of %g is not below 'wide_ms' of %g",
                      population->narrow_ms, population->wide_ms);
    if (population->narrow_ms < spec->step_ms || spec->step_ms > MAX_POPULATION_STEP_MS)
        return REFUSE(population,
                      "'population' needs a step of at most %g ms, and 'narrow_ms' of at least a "
                      "step; 'step_ms' is %g",
                      MAX_POPULATION_STEP_MS, spec->step_ms);
    return LAB_DONE;
}

static lab_outcome check_scan(const lab_spec *spec, lab_why *why)
{
    const lab_scan_spec *scan = &spec->delay_scan;
    if (scan->place.line == 0)
        return LAB_DONE;
    if (scan->to_ms < scan->from_ms)
        return REFUSE(scan, "'to_ms' of %g is below 'from_ms' of %g", scan->to_ms, scan->from_ms);
    if ((scan->to_ms - scan->from_ms) / scan->step_ms > MAX_DELAYS)
        return REFUSE(scan, "more than %d delays; use a larger 'step_ms'", MAX_DELAYS);
    if (!lab_is_whole(scan->from_ms, spec->step_ms) || !lab_is_whole(scan->step_ms, spec->step_ms))
        return REFUSE(scan, "the delays are not whole numbers of steps of %g ms", spec->step_ms);
    return LAB_DONE;
}

static lab_outcome check_response(const lab_spec *spec, lab_why *why)
{
    const lab_response_spec *response = &spec->response;
    const double end_s = isnan(response->to_s) ? spec->task.trial_s : response->to_s;
    if (response->place.line == 0)
        return LAB_DONE;
    if (response->from_s >= end_s || end_s > spec->task.trial_s)
        return REFUSE(response, "'from_s' of %g to 'to_s' of %g is not within a trial of %g s",
                      response->from_s, end_s, spec->task.trial_s);
    if (response->signal == LAB_OUTPUT_RESPONSE && !spec->task.repeats)
        return REFUSE(response,
                      "the response of the output needs trials that repeat; use 'signal: cell'");
    return LAB_DONE;
}

static lab_outcome check_gain(const lab_spec *spec, lab_why *why)
{
    const lab_gain_spec *gain = &spec->gain;
    if (gain->place.line == 0 || gain->input != LAB_GAIN_OF_DISTURBANCE)
        return LAB_DONE;
    if (lab_disturbance_of(spec, gain->source) < 0)
        return REFUSE(gain,
                      "there is no disturbance '%.60s' among 'disturbances' to measure the "
                      "gain of",
                      gain->source);
    return lab_check_known(spec, gain->place, gain->source, "have a gain", why);
}

static lab_outcome check_windows(const lab_spec *spec, lab_why *why)
{
    const lab_windows_spec *windows = &spec->windows;
    if (windows->place.line == 0)
        return LAB_DONE;
    if (!lab_is_whole(windows->length_s * 1e3, spec->step_ms) ||
        !lab_is_whole(spec->task.trial_s, windows->length_s))
        return REFUSE(windows,
                      "a trial of %g s must be a whole number of windows of %g s, and these of "
                      "steps of %g ms",
                      spec->task.trial_s, windows->length_s, spec->step_ms);
    return LAB_DONE;
}

static lab_outcome check_claims(const lab_spec *spec, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < spec->claims.count; i++) {
        const lab_claim_spec *claim = &lab_claims(spec)[i];
        outcome = CHECK_NAME("claim", &spec->claims, lab_claim_spec, i);
        if (outcome == LAB_DONE && isnan(claim->low) && isnan(claim->high))
            outcome = REFUSE(claim, "claim '%s' needs 'low', 'high' or both", claim->name);
        else if (outcome == LAB_DONE && claim->low > claim->high)
            outcome = REFUSE(claim, "'low' of %g is above 'high' of %g", claim->low, claim->high);
    }
    return outcome;
}

static lab_check *const spec_checks[] = {
    lab_check_identified, lab_check_loop,  lab_check_task,   lab_check_events, lab_check_basis,
    lab_check_prediction, lab_check_cases, lab_check_table,  lab_check_tune,   lab_check_rules,
    lab_check_phases,     check_scale,     check_population, check_scan,       check_response,
    check_gain,           check_windows,   lab_check_zone,   check_claims,     NULL};

lab_outcome lab_spec_check(const lab_spec *spec, lab_why *why)
{
    if (strlen(spec->name) > LONGEST_NAME)
        return REFUSE(spec, "name '%.60s…' is longer than %d characters", spec->name, LONGEST_NAME);
    if (!lab_is_word(spec->name))
        return REFUSE(spec, "name '%.60s' may hold only letters, digits, '+', '-' and '_'",
                      spec->name);
    return lab_check_all(spec, spec_checks, why);
}
