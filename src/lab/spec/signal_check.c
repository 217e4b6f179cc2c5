// SPDX-License-Identifier: Apache-2.0
#include "spec/check_parts.h"

#include <float.h>
#include <math.h>

#include "math/order.h"

// Whether a movement begins before the last one has ended, and not by the rounding of decimal
// fractions: two times, a duration and a sum, each by half a unit in the last place.
static bool overlaps(const double *move)
{
    const double end = move[-3] + move[-2];
    return end - move[0] > 3 * DBL_EPSILON * cfpci_max(fabs(end), fabs(move[-3]));
}

static lab_outcome signal_check_moves(const lab_spec *spec, lab_place place,
                                      const lab_numbers *moves, lab_why *why)
{
    for (int i = 0; i < moves->rows; i++) {
        const double *move = moves->values + (size_t)i * 3;
        if (!(move[1] > 0))
            return lab_spec_refuse(spec, place, why, "a movement's duration must be above 0 s");
        if (i > 0 && overlaps(move))
            return lab_spec_refuse(spec, place, why,
                                   "the movement at %g s begins before the one at %g s has ended",
                                   move[0], move[-3]);
    }
    return LAB_DONE;
}

static lab_outcome check_signal(const lab_spec *spec, lab_place place, const lab_signal_spec *s,
                                lab_why *why)
{
    static const struct rows {
        const char *key;
        int columns;
        const char *example;
    } points = {"points", 2, "[0.5, 1]"}, moves = {"moves", 3, "[0.5, 0.3, 1]"},
      components = {"components", 3, "[0.5, 1, 0]"}, harmonics = {"harmonics", 3, "[12, 0.02, 90]"};
    const struct rows *needed = NULL;
    int columns = 0;
    switch (s->kind) {
    case LAB_PIECEWISE_LINEAR:
        needed = &points;
        columns = s->points.columns;
        break;
    case LAB_MINIMUM_JERK:
        needed = &moves;
        columns = s->moves.columns;
        break;
    case LAB_SINUSOIDS:
        needed = &components;
        columns = s->components.columns;
        break;
    case LAB_HARMONICS:
        needed = &harmonics;
        columns = s->harmonics.columns;
        break;
    case LAB_BAND_NOISE:
    case LAB_STEP:
    case LAB_CSV_SIGNAL:
        break; // they have no rows
    }
    if (needed && columns != needed->columns)
        return lab_spec_refuse(spec, place, why, "'%s' must be rows of %d numbers, as %s",
                               needed->key, needed->columns, needed->example);
    if (s->kind == LAB_MINIMUM_JERK)
        return signal_check_moves(spec, place, &s->moves, why);
    for (int i = 1; s->kind == LAB_PIECEWISE_LINEAR && i < s->points.rows; i++) {
        const double before = s->points.values[2 * (i - 1)], now = s->points.values[2 * i];
        if (now < before)
            return lab_spec_refuse(spec, place, why,
                                   "'points' must go forward in time; %g s comes after %g s", now,
                                   before);
    }
    if (s->kind == LAB_BAND_NOISE && s->high_hz <= s->low_hz)
        return lab_spec_refuse(spec, place, why, "'high_hz' of %g is not above 'low_hz' of %g",
                               s->high_hz, s->low_hz);
    if (s->kind == LAB_BAND_NOISE && s->high_hz > 500 / spec->step_ms)
        return lab_spec_refuse(
            spec, place, why,
            "'high_hz' of %g is above the Nyquist frequency of steps of %g ms (%g)", s->high_hz,
            spec->step_ms, 500 / spec->step_ms);
    return LAB_DONE;
}

lab_outcome lab_check_known(const lab_spec *spec, lab_place place, const char *source,
                            const char *doing, lab_why *why)
{
    const int index = lab_disturbance_of(spec, source);
    return index < 0 || !lab_is_angular(&lab_disturbances(spec)[index])
               ? LAB_DONE
               : lab_spec_refuse(spec, place, why,
                                 "disturbance '%.60s' depends on the angle, not on time: it cannot "
                                 "%s; periodic basis signals learn it from the error",
                                 lab_disturbances(spec)[index].name, doing);
}

// A rate of spikes has a sign of its own: what is below the baseline.
static lab_outcome check_spikes(const lab_spec *spec, lab_why *why)
{
    const lab_spikes_spec *spikes = &spec->teach.spikes;
    if (!lab_has_spikes(spec))
        return LAB_DONE;
    if (isnan(spikes->scale))
        return REFUSE(spikes, "'spikes' needs 'scale', the teaching signal that doubles the rate");
    if (spec->teach.sign == LAB_RECTIFIED)
        return REFUSE(spikes,
                      "'spikes' carry a signed teaching signal around 'rate_hz': use 'sign: "
                      "signed'; what is below -scale is clipped");
    return LAB_DONE;
}

// A disturbance does not answer to o: only a prediction can be learned from it.
static lab_outcome check_teacher(const lab_spec *spec, lab_why *why)
{
    const lab_teach_spec *teach = &spec->teach;
    if (teach->signal != LAB_TEACH_DISTURBANCE)
        return LAB_DONE;
    if (lab_disturbance_of(spec, teach->source) < 0)
        return *teach->source
                   ? REFUSE(teach, "there is no disturbance '%.60s' among 'disturbances' to teach",
                            teach->source)
                   : REFUSE(teach, "a disturbance is to teach, but there are no 'disturbances'");
    if (lab_check_known(spec, teach->place, teach->source, "teach", why) != LAB_DONE)
        return LAB_REFUSED;
    if (spec->olive.gain == 0)
        return REFUSE(teach,
                      "a disturbance teaches a prediction: the cell's output must be subtracted "
                      "from it (olive: {gain: 1, delay_ms: how early the prediction comes})");
    for (int i = 0; i < spec->rules.count; i++)
        if (lab_rules(spec)[i].trace == LAB_TRACE_RESPONSE)
            return REFUSE(&lab_rules(spec)[i], "if a disturbance teaches there is no response to "
                                               "measure; use trace: forward-model or delay");
    return LAB_DONE;
}

lab_outcome lab_check_task(const lab_spec *spec, lab_why *why)
{
    const lab_task_spec *task = &spec->task;
    if (!lab_is_whole(task->trial_s * 1e3, spec->step_ms))
        return REFUSE(task, "'trial_s' of %g s is not a whole number of steps of %g ms",
                      task->trial_s, spec->step_ms);
    if (task->trial_s * 1e3 / spec->step_ms > LONGEST_TRIAL)
        return REFUSE(task, "a trial of %g steps is too long; the maximum is %d",
                      task->trial_s * 1e3 / spec->step_ms, LONGEST_TRIAL);
    if (!task->reset && spec->learning.mode != LAB_ONLINE)
        return REFUSE(task, "without a reset between trials learning must be on line "
                            "(learning: {mode: online})");
    if (task->reference.kind == LAB_HARMONICS)
        return REFUSE(task, "a reference is a function of time, not of the angle: use 'kind: "
                            "sinusoids'");
    lab_outcome outcome =
        lab_check_time(spec, spec->olive.place, "delay_ms", spec->olive.delay_ms, why);
    if (outcome == LAB_DONE)
        outcome = check_spikes(spec, why);
    if (outcome == LAB_DONE)
        outcome = check_teacher(spec, why);
    return outcome == LAB_DONE ? check_signal(spec, task->place, &task->reference, why) : outcome;
}

lab_outcome lab_check_events(const lab_spec *spec, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < spec->disturbances.count; i++) {
        const lab_disturbance_spec *disturbance = &lab_disturbances(spec)[i];
        outcome = CHECK_NAME("disturbance", &spec->disturbances, lab_disturbance_spec, i);
        if (outcome == LAB_DONE)
            outcome = check_signal(spec, disturbance->place, &disturbance->signal, why);
        if (outcome == LAB_DONE && lab_is_angular(disturbance) && spec->angle.place.line == 0)
            outcome = REFUSE(disturbance, "a disturbance that depends on the angle needs 'angle', "
                                          "which says how the plant's output turns the machine: "
                                          "e.g. angle: {turns: 1}");
    }
    for (int i = 0; outcome == LAB_DONE && i < spec->cues.count; i++) {
        const lab_cue_spec *cue = &lab_cues(spec)[i];
        outcome = CHECK_NAME("cue", &spec->cues, lab_cue_spec, i);
        if (outcome == LAB_DONE && cue->at_s >= spec->task.trial_s)
            outcome = REFUSE(cue, "cue '%s' at %g s is after the end of the trial at %g s",
                             cue->name, cue->at_s, spec->task.trial_s);
    }
    return outcome;
}
