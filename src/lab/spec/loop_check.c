// SPDX-License-Identifier: Apache-2.0
#include "spec/check_parts.h"

#include <math.h>
#include <string.h>

enum {
    MAX_VARIANTS = 32,
    MAX_STATES = 200 // of a plant or controller
};

// Delays are whole steps, those that are believed, too.
static lab_outcome loop_check_delays(const lab_spec *spec, lab_why *why)
{
    const lab_loop_spec *loop = &spec->loop;
    const lab_believed_spec *believed = &spec->believed;
    const struct {
        const lab_place *place;
        const char *key;
        double ms;
    } delays[] = {{&loop->place, "delay_ms", loop->delay_ms},
                  {&loop->place, "command_delay_ms", loop->command_delay_ms},
                  {&loop->place, "measurement_delay_ms", loop->measurement_delay_ms},
                  {&believed->place, "delay_ms", believed->delay_ms},
                  {&believed->place, "command_delay_ms", believed->command_delay_ms},
                  {&believed->place, "measurement_delay_ms", believed->measurement_delay_ms}};
    lab_outcome outcome = LAB_DONE;
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof delays / sizeof delays[0]; i++)
        if (delays[i].place->line > 0)
            outcome = lab_check_time(spec, *delays[i].place, delays[i].key, delays[i].ms, why);
    return outcome;
}

static lab_outcome check_system(const lab_spec *spec, const lab_system_spec *s, lab_why *why)
{
    if (s->place.line == 0)
        return LAB_DONE;

    // Matrices grow with the square of the order, and the work with its cube.
    const int stages = s->kind == LAB_CHAIN ? s->stages.count : 0;
    const int order = s->kind == LAB_STATE_SPACE         ? s->a.rows
                      : s->kind == LAB_TRANSFER_FUNCTION ? s->den.columns - 1
                                                         : 0;
    if (stages > MAX_STATES)
        return REFUSE(s, "'stages' has %d stages; the maximum is %d", stages, MAX_STATES);
    if (order > MAX_STATES)
        return REFUSE(s, "this system is of order %d; the maximum is %d", order, MAX_STATES);

    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < stages; i++)
        outcome = CHECK_NAME("stage", &s->stages, lab_stage_spec, i);
    const bool fits =
        s->a.rows == s->a.columns && s->b.columns == s->a.rows && s->c.columns == s->a.rows;
    if (s->kind == LAB_STATE_SPACE && !fits)
        return REFUSE(s,
                      "'a' is %d x %d, 'b' has %d and 'c' %d numbers; 'a' must be square, and 'b' "
                      "and 'c' need one number per state",
                      s->a.rows, s->a.columns, s->b.columns, s->c.columns);
    return outcome;
}

static lab_outcome check_systems(const lab_spec *spec, lab_why *why)
{
    const lab_system_spec *systems[] = {&spec->loop.plant, &spec->loop.controller,
                                        &spec->loop.feedforward, &spec->believed.plant,
                                        &spec->believed.controller};
    lab_outcome outcome = LAB_DONE;
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof systems / sizeof systems[0]; i++)
        outcome = check_system(spec, systems[i], why);
    return outcome;
}

static bool has_delay(double error_ms, double command_ms, double measurement_ms)
{
    return error_ms > 0 || command_ms > 0 || measurement_ms > 0;
}

static bool is_continuous(const lab_system_spec *s)
{
    return s->place.line == 0 || (s->kind != LAB_RESPONSE && s->kind != LAB_IDENTIFIED &&
                                  !(s->kind == LAB_STATE_SPACE && s->discrete));
}

static lab_outcome check_whole_loop(const lab_spec *spec, lab_why *why)
{
    const lab_loop_spec *loop = &spec->loop;
    const lab_believed_spec *believed = &spec->believed;
    if (loop->discretise != LAB_CLOSE_WHOLE_LOOP)
        return LAB_DONE;
    if (has_delay(loop->delay_ms, loop->command_delay_ms, loop->measurement_delay_ms) ||
        (believed->place.line > 0 &&
         has_delay(believed->delay_ms, believed->command_delay_ms, believed->measurement_delay_ms)))
        return REFUSE(loop, "'discretise: whole-loop' needs a loop without delays");
    if (!is_continuous(&loop->plant) || !is_continuous(&loop->controller) ||
        !is_continuous(&believed->plant) || !is_continuous(&believed->controller))
        return REFUSE(loop, "'discretise: whole-loop' needs a continuous plant and controller");
    if (loop->measurement_step > 0)
        return REFUSE(loop, "'discretise: whole-loop' needs a measurement without steps "
                            "(measurement_step: 0)");
    if (!isnan(loop->saturation.low) || !isnan(loop->saturation.high))
        return REFUSE(loop, "'discretise: whole-loop' needs a command without saturation");
    if (!isnan(loop->output.low) || !isnan(loop->output.high))
        return REFUSE(loop, "'discretise: whole-loop' needs an output without limits");
    return LAB_DONE;
}

static lab_outcome check_limits(const lab_spec *spec, lab_why *why)
{
    const lab_saturation_spec *s = &spec->loop.saturation;
    const lab_limits_spec *output = &spec->loop.output;
    if (s->low >= s->high)
        return REFUSE(s, "'low' of %g is not below 'high' of %g", s->low, s->high);
    if (output->low >= output->high)
        return REFUSE(output, "'low' of %g is not below 'high' of %g", output->low, output->high);
    return LAB_DONE;
}

static lab_outcome check_feedforward(const lab_spec *spec, lab_why *why)
{
    if (spec->enters == LAB_FEEDFORWARD_INPUT && !lab_has_feedforward(spec))
        return REFUSE(&spec->loop, "'enters: feedforward-input' needs a feed-forward path "
                                   "(loop.feedforward), e.g. {kind: p, kp: 1}");
    if (lab_has_feedforward(spec) && spec->believed.model == LAB_BELIEVED_IDENTIFIED)
        return REFUSE(&spec->believed,
                      "a loop with a feed-forward path was identified with it, but o does not take "
                      "the same paths as r: use 'model: given', or remove 'loop.feedforward'");
    return LAB_DONE;
}

// A model that is learned: nothing is said of it, the probe has a band, and what teaches answers.
static lab_outcome check_learned(const lab_spec *spec, lab_why *why)
{
    const lab_believed_spec *believed = &spec->believed;
    if (believed->model != LAB_BELIEVED_LEARNED)
        return LAB_DONE;
    const char *part = lab_part_believed(believed);
    const char *said = part ? part : believed->band.place.line > 0 ? "band" : NULL;
    if (said)
        return REFUSE(
            believed,
            "a learned model starts without knowledge: remove '%s', or use 'model: given'", said);
    if (spec->teach.signal == LAB_TEACH_DISTURBANCE)
        return REFUSE(believed, "a disturbance teaches, which the probe does not change: there is "
                                "no model to learn; use 'believed: given'");
    if (believed->memory_s * 1e3 / spec->step_ms < 50)
        return REFUSE(believed, "'memory_s' of %g s is less than 50 steps of %g ms",
                      believed->memory_s, spec->step_ms);
    if (believed->probe == 0)
        return REFUSE(believed, "without a probe a model cannot be learned: 'probe' must be above "
                                "0, e.g. 0.03");
    const double rate_hz = 1e3 / spec->step_ms;
    const double low = isnan(believed->probe_low_hz) ? rate_hz / 50 : believed->probe_low_hz;
    const double high = isnan(believed->probe_high_hz) ? rate_hz / 8 : believed->probe_high_hz;
    if (high <= low || high > rate_hz / 2)
        return REFUSE(believed,
                      "the band of the probe from %g to %g Hz is not below the Nyquist frequency "
                      "of steps of %g ms (%g): change 'probe_low_hz' or 'probe_high_hz'",
                      low, high, spec->step_ms, rate_hz / 2);
    return LAB_DONE;
}

static lab_outcome check_teach_delays(const lab_spec *spec, lab_why *why)
{
    const lab_teach_spec *teach = &spec->teach;
    if (teach->reference_delay_ms > 0 && teach->signal != LAB_TEACH_MEASURED_ERROR)
        return REFUSE(teach, "'reference_delay_ms' is of the measured error: it needs 'signal: "
                             "measured-error'");
    const lab_outcome outcome =
        lab_check_time(spec, teach->place, "delay_ms", teach->delay_ms, why);
    return outcome == LAB_DONE ? lab_check_time(spec, teach->place, "reference_delay_ms",
                                                teach->reference_delay_ms, why)
                               : outcome;
}

static lab_outcome loop_check_band(const lab_spec *spec, lab_why *why)
{
    const lab_band_spec *band = &spec->believed.band;
    const int variants = lab_loop_variant_count(spec);
    if (!lab_gives_band(spec))
        return LAB_DONE;
    if (isnan(band->relative) && variants == 0)
        return REFUSE(band, "a band needs 'relative', e.g. 0.2, or 'variants'");
    if (variants > MAX_VARIANTS)
        return REFUSE(band, "there are %d variants; the maximum is %d", variants, MAX_VARIANTS);
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < variants; i++) {
        const lab_variant_spec *variant = &lab_loop_variants(spec)[i];
        outcome = CHECK_NAME("variant", &band->variants, lab_variant_spec, i);
        for (int k = 0; outcome == LAB_DONE && k < variant->set.count; k++)
            if (strncmp(variant->set.items[k].path, "loop.", 5) != 0)
                outcome = REFUSE(variant,
                                 "'set' of variant '%s' cannot change '%.60s': a variant is "
                                 "another loop (loop.plant and so on)",
                                 variant->name, variant->set.items[k].path);
    }
    return outcome;
}

static lab_check *const loop_checks[] = {loop_check_delays, check_systems,      check_feedforward,
                                         check_whole_loop,  check_limits,       check_learned,
                                         loop_check_band,   check_teach_delays, NULL};

lab_outcome lab_check_loop(const lab_spec *spec, lab_why *why)
{
    return lab_check_all(spec, loop_checks, why);
}
