// SPDX-License-Identifier: Apache-2.0
#include "spec/spec_check.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "spec/identified_check.h"

enum {
    MAX_RULES = 64,
    MAX_VARIANTS = 32,
    MAX_DERIVATIVES = 8, // the signal included
    MAX_STATES = 200,    // of a plant or controller
    MAX_RATES = 64,
    LONGEST_TITLE = 32, // of a column
    MAX_SIZES = 16,
    MAX_SYNAPSES = 4000000,
    LONGEST_NAME = 40,        // characters
    LONGEST_TRIAL = 10000000, // steps
    MAX_TRIALS = 1000000,
    MAX_DELAYS = 10000 // of a scan
};

#define MAX_POPULATION_STEP_MS 40.0

#define REFUSE(node, ...) lab_spec_refuse(spec, (node)->place, why, __VA_ARGS__)

// ---- names and times -------------------------------------------------------------------------

static bool is_plain(const char *name)
{
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && !strchr("+-_", *name))
            return false;
    return true;
}

// A name that becomes a column, a dataset or a path: plain, and not used by an earlier one.
static lab_outcome check_name(const lab_spec *spec, lab_place place, const char *what,
                              const lab_listing *listing, size_t bytes, size_t name_at, int index,
                              lab_why *why)
{
    const char *items = listing->items;
    const char *name = *(char *const *)(items + (size_t)index * bytes + name_at);
    if (strlen(name) > LONGEST_NAME)
        return lab_spec_refuse(spec, place, why, "%s name '%.60s…' is longer than %d characters",
                               what, name, LONGEST_NAME);
    if (!is_plain(name))
        return lab_spec_refuse(spec, place, why,
                               "%s name '%.60s' may hold only letters, digits, '+', '-' and '_'",
                               what, name);
    for (int k = 0; k < index && *name; k++)
        if (strcmp(*(char *const *)(items + (size_t)k * bytes + name_at), name) == 0)
            return lab_spec_refuse(spec, place, why, "two %ss have the name '%.60s'", what, name);
    return LAB_DONE;
}

#define CHECK_NAME(what, listing, type, index)                                                     \
    check_name(spec, ((type *)(listing)->items)[index].place, what, listing, sizeof(type),         \
               offsetof(type, name), index, why)

static bool is_whole(double time_ms, double step_ms)
{
    const double steps = time_ms / step_ms;
    return fabs(steps - round(steps)) <= 1e-6;
}

// A delay of the spec must be a whole number of steps, and no longer than the longest trial; one
// that is left out is both.
static lab_outcome check_time(const lab_spec *spec, lab_place place, const char *key, double ms,
                              lab_why *why)
{
    if (ms / spec->step_ms > LONGEST_TRIAL)
        return lab_spec_refuse(spec, place, why,
                               "'%s' of %g ms is %.0f steps of %g ms; the maximum is %d", key, ms,
                               ms / spec->step_ms, spec->step_ms, LONGEST_TRIAL);
    if (isnan(ms) || is_whole(ms, spec->step_ms))
        return LAB_DONE;
    return lab_spec_refuse(spec, place, why,
                           "'%s' of %g ms is not a whole number of steps of %g ms", key, ms,
                           spec->step_ms);
}

// ---- the loop --------------------------------------------------------------------------------

// Matrices grow with the square of it, and the work with its cube.
static lab_outcome check_order(const lab_spec *spec, const lab_system_spec *s, lab_why *why)
{
    const int stages = s->kind == LAB_CHAIN ? s->stages.count : 0;
    const int order = s->kind == LAB_STATE_SPACE         ? s->a.rows
                      : s->kind == LAB_TRANSFER_FUNCTION ? s->den.columns - 1
                                                         : 0;
    if (stages > MAX_STATES)
        return REFUSE(s, "'stages' has %d stages; the maximum is %d", stages, MAX_STATES);
    if (order > MAX_STATES)
        return REFUSE(s, "this system is of order %d; the maximum is %d", order, MAX_STATES);
    return LAB_DONE;
}

static lab_outcome check_system(const lab_spec *spec, const lab_system_spec *s, lab_why *why)
{
    if (s->place.line == 0)
        return LAB_DONE;
    if (check_order(spec, s, why) != LAB_DONE)
        return LAB_REFUSED;
    if (s->kind == LAB_CHAIN && s->stages.count == 0)
        return REFUSE(s, "'stages' is empty; a chain needs at least one stage");
    for (int i = 0; s->kind == LAB_CHAIN && i < s->stages.count; i++) {
        const lab_outcome outcome = CHECK_NAME("stage", &s->stages, lab_stage_spec, i);
        if (outcome != LAB_DONE)
            return outcome;
    }
    const bool fits =
        s->a.rows == s->a.columns && s->b.columns == s->a.rows && s->c.columns == s->a.rows;
    if (s->kind == LAB_STATE_SPACE && !fits)
        return REFUSE(s,
                      "'a' is %d x %d, 'b' has %d and 'c' %d numbers; 'a' must be square, and 'b' "
                      "and 'c' need one number per state",
                      s->a.rows, s->a.columns, s->b.columns, s->c.columns);
    return LAB_DONE;
}

static lab_outcome check_delays(const lab_spec *spec, lab_place place, double error_ms,
                                double command_ms, double measurement_ms, lab_why *why)
{
    lab_outcome outcome = check_time(spec, place, "delay_ms", error_ms, why);
    if (outcome == LAB_DONE)
        outcome = check_time(spec, place, "command_delay_ms", command_ms, why);
    if (outcome == LAB_DONE)
        outcome = check_time(spec, place, "measurement_delay_ms", measurement_ms, why);
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
    const bool saturates = !isnan(loop->saturation.low) || !isnan(loop->saturation.high);
    if (saturates)
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

// What of a loop is said although the model is learned; NULL: nothing.
static const char *said_of(const lab_believed_spec *believed)
{
    return believed->plant.place.line > 0           ? "plant"
           : believed->controller.place.line > 0    ? "controller"
           : !isnan(believed->delay_ms)             ? "delay_ms"
           : !isnan(believed->command_delay_ms)     ? "command_delay_ms"
           : !isnan(believed->measurement_delay_ms) ? "measurement_delay_ms"
           : believed->band.place.line > 0          ? "band"
                                                    : NULL;
}

static lab_outcome check_probe(const lab_spec *spec, lab_why *why)
{
    const lab_believed_spec *believed = &spec->believed;
    const double rate_hz = 1e3 / spec->step_ms;
    const double low = isnan(believed->probe_low_hz) ? rate_hz / 50 : believed->probe_low_hz;
    const double high = isnan(believed->probe_high_hz) ? rate_hz / 8 : believed->probe_high_hz;
    if (believed->probe == 0)
        return REFUSE(believed, "without a probe a model cannot be learned: 'probe' must be above "
                                "0, e.g. 0.03");
    if (high <= low || high > rate_hz / 2)
        return REFUSE(believed,
                      "the band of the probe from %g to %g Hz is not below the Nyquist frequency "
                      "of steps of %g ms (%g): change 'probe_low_hz' or 'probe_high_hz'",
                      low, high, spec->step_ms, rate_hz / 2);
    return LAB_DONE;
}

static lab_outcome check_learned(const lab_spec *spec, lab_why *why)
{
    const lab_believed_spec *believed = &spec->believed;
    if (believed->model != LAB_BELIEVED_LEARNED)
        return LAB_DONE;
    if (said_of(believed))
        return REFUSE(
            believed,
            "a learned model starts without knowledge: remove '%s', or use 'model: given'",
            said_of(believed));
    if (spec->teach.signal == LAB_TEACH_DISTURBANCE)
        return REFUSE(believed, "a disturbance teaches, which the probe does not change: there is "
                                "no model to learn; use 'believed: given'");
    if (believed->memory_s * 1e3 / spec->step_ms < 50)
        return REFUSE(believed, "'memory_s' of %g s is less than 50 steps of %g ms",
                      believed->memory_s, spec->step_ms);
    return check_probe(spec, why);
}

static lab_outcome check_teach_delays(const lab_spec *spec, lab_why *why)
{
    const lab_teach_spec *teach = &spec->teach;
    if (teach->reference_delay_ms > 0 && teach->signal != LAB_TEACH_MEASURED_ERROR)
        return REFUSE(teach, "'reference_delay_ms' is of the measured error: it needs 'signal: "
                             "measured-error'");
    const lab_outcome outcome = check_time(spec, teach->place, "delay_ms", teach->delay_ms, why);
    return outcome == LAB_DONE ? check_time(spec, teach->place, "reference_delay_ms",
                                            teach->reference_delay_ms, why)
                               : outcome;
}

static lab_outcome check_variant(const lab_spec *spec, int index, lab_why *why)
{
    const lab_variant_spec *variant = &lab_loop_variants(spec)[index];
    const lab_outcome outcome =
        CHECK_NAME("variant", &spec->believed.band.variants, lab_variant_spec, index);
    for (int i = 0; outcome == LAB_DONE && i < variant->set.count; i++)
        if (strncmp(variant->set.items[i].path, "loop.", 5) != 0)
            return REFUSE(variant,
                          "'set' of variant '%s' cannot change '%.60s': a variant is another loop "
                          "(loop.plant and so on)",
                          variant->name, variant->set.items[i].path);
    return outcome;
}

static lab_outcome check_band(const lab_spec *spec, lab_why *why)
{
    const lab_band_spec *band = &spec->believed.band;
    const int variants = lab_loop_variant_count(spec);
    if (spec->believed.place.line == 0 || band->place.line == 0)
        return LAB_DONE;
    if (isnan(band->relative) && variants == 0)
        return REFUSE(band, "a band needs 'relative', e.g. 0.2, or 'variants'");
    if (variants > MAX_VARIANTS)
        return REFUSE(band, "there are %d variants; the maximum is %d", variants, MAX_VARIANTS);
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < variants; i++)
        outcome = check_variant(spec, i, why);
    return outcome;
}

static lab_outcome check_loop(const lab_spec *spec, lab_why *why)
{
    const lab_loop_spec *loop = &spec->loop;
    const lab_believed_spec *believed = &spec->believed;
    lab_outcome outcome = check_delays(spec, loop->place, loop->delay_ms, loop->command_delay_ms,
                                       loop->measurement_delay_ms, why);
    if (outcome == LAB_DONE && believed->place.line > 0)
        outcome = check_delays(spec, believed->place, believed->delay_ms,
                               believed->command_delay_ms, believed->measurement_delay_ms, why);
    const lab_system_spec *systems[] = {&loop->plant, &loop->controller, &loop->feedforward,
                                        &believed->plant, &believed->controller};
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof systems / sizeof systems[0]; i++)
        outcome = check_system(spec, systems[i], why);
    if (outcome == LAB_DONE)
        outcome = check_feedforward(spec, why);
    if (outcome == LAB_DONE)
        outcome = check_whole_loop(spec, why);
    if (outcome == LAB_DONE)
        outcome = check_limits(spec, why);
    if (outcome == LAB_DONE)
        outcome = check_learned(spec, why);
    if (outcome == LAB_DONE)
        outcome = check_band(spec, why);
    return outcome == LAB_DONE ? check_teach_delays(spec, why) : outcome;
}

// ---- signals ---------------------------------------------------------------------------------

static lab_outcome check_columns(const lab_spec *spec, lab_place place, const char *key,
                                 const lab_numbers *rows, int columns, const char *example,
                                 lab_why *why)
{
    return rows->columns == columns
               ? LAB_DONE
               : lab_spec_refuse(spec, place, why, "'%s' must be rows of %d numbers, as %s", key,
                                 columns, example);
}

static lab_outcome check_forward(const lab_spec *spec, lab_place place, const char *key,
                                 const lab_numbers *rows, lab_why *why)
{
    for (int i = 1; i < rows->rows; i++) {
        const double before = rows->values[(i - 1) * rows->columns];
        const double now = rows->values[i * rows->columns];
        if (now < before)
            return lab_spec_refuse(spec, place, why,
                                   "'%s' must go forward in time; %g s comes after %g s", key, now,
                                   before);
    }
    return LAB_DONE;
}

static lab_outcome check_moves(const lab_spec *spec, lab_place place, const lab_numbers *moves,
                               lab_why *why)
{
    for (int i = 0; i < moves->rows; i++) {
        const double *move = moves->values + (size_t)i * 3;
        if (!(move[1] > 0))
            return lab_spec_refuse(spec, place, why, "a movement's duration must be above 0 s");
        if (i > 0 && move[0] < move[-3] + move[-2])
            return lab_spec_refuse(spec, place, why,
                                   "the movement at %g s begins before the one at %g s has ended",
                                   move[0], move[-3]);
    }
    return LAB_DONE;
}

static lab_outcome check_signal(const lab_spec *spec, lab_place place, const lab_signal_spec *s,
                                lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    switch (s->kind) {
    case LAB_PIECEWISE_LINEAR:
        outcome = check_columns(spec, place, "points", &s->points, 2, "[0.5, 1]", why);
        return outcome == LAB_DONE ? check_forward(spec, place, "points", &s->points, why)
                                   : outcome;
    case LAB_MINIMUM_JERK:
        outcome = check_columns(spec, place, "moves", &s->moves, 3, "[0.5, 0.3, 1]", why);
        return outcome == LAB_DONE ? check_moves(spec, place, &s->moves, why) : outcome;
    case LAB_SINUSOIDS:
        return check_columns(spec, place, "components", &s->components, 3, "[0.5, 1, 0]", why);
    case LAB_BAND_NOISE:
        if (s->high_hz <= s->low_hz)
            return lab_spec_refuse(spec, place, why, "'high_hz' of %g is not above 'low_hz' of %g",
                                   s->high_hz, s->low_hz);
        if (s->high_hz > 500 / spec->step_ms)
            return lab_spec_refuse(
                spec, place, why,
                "'high_hz' of %g is above the Nyquist frequency of steps of %g ms (%g)", s->high_hz,
                spec->step_ms, 500 / spec->step_ms);
        return LAB_DONE;
    case LAB_STEP:
    case LAB_CSV_SIGNAL:
        return LAB_DONE;
    }
    return LAB_DONE;
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

static lab_outcome check_task(const lab_spec *spec, lab_why *why)
{
    const lab_task_spec *task = &spec->task;
    if (!is_whole(task->trial_s * 1e3, spec->step_ms))
        return REFUSE(task, "'trial_s' of %g s is not a whole number of steps of %g ms",
                      task->trial_s, spec->step_ms);
    if (task->trial_s * 1e3 / spec->step_ms > LONGEST_TRIAL)
        return REFUSE(task, "a trial of %g steps is too long; the maximum is %d",
                      task->trial_s * 1e3 / spec->step_ms, LONGEST_TRIAL);
    if (!task->reset && spec->learning.mode != LAB_ONLINE)
        return REFUSE(task, "without a reset between trials learning must be on line "
                            "(learning: {mode: online})");
    lab_outcome outcome =
        check_time(spec, spec->olive.place, "delay_ms", spec->olive.delay_ms, why);
    if (outcome == LAB_DONE)
        outcome = check_spikes(spec, why);
    if (outcome == LAB_DONE)
        outcome = check_teacher(spec, why);
    return outcome == LAB_DONE ? check_signal(spec, task->place, &task->reference, why) : outcome;
}

static lab_outcome check_events(const lab_spec *spec, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < spec->disturbances.count; i++) {
        const lab_disturbance_spec *disturbance = &lab_disturbances(spec)[i];
        outcome = CHECK_NAME("disturbance", &spec->disturbances, lab_disturbance_spec, i);
        if (outcome == LAB_DONE)
            outcome = check_signal(spec, disturbance->place, &disturbance->signal, why);
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

// ---- basis -----------------------------------------------------------------------------------

static bool has_cue(const lab_spec *spec, const char *name)
{
    for (int i = 0; i < spec->cues.count; i++)
        if (strcmp(lab_cues(spec)[i].name, name) == 0)
            return true;
    return false;
}

static bool has_disturbance(const lab_spec *spec, const char *name)
{
    for (int i = 0; i < spec->disturbances.count; i++)
        if (strcmp(lab_disturbances(spec)[i].name, name) == 0)
            return true;
    return false;
}

static lab_outcome check_time_bank(const lab_spec *spec, const lab_basis_spec *bank, lab_why *why)
{
    const lab_basis_family family = lab_family_of_basis(bank->kind);
    const bool spaced = family == LAB_DECAYING || family == LAB_SCATTERED;
    if (spaced && !isnan(bank->first_ms) && !(bank->first_ms > 0))
        return REFUSE(bank, "'first_ms' is a time constant here and must be above 0");
    if (spaced && bank->first_ms > bank->last_ms)
        return REFUSE(bank, "'first_ms' of %g is above 'last_ms' of %g", bank->first_ms,
                      bank->last_ms);
    if (family != LAB_SCATTERED && *bank->cue && !has_cue(spec, bank->cue))
        return REFUSE(bank, "there is no cue '%.60s' among 'cues'", bank->cue);
    return LAB_DONE;
}

static lab_outcome check_driven_bank(const lab_spec *spec, const lab_basis_spec *bank, lab_why *why)
{
    if (bank->kind == LAB_TAPPED_DELAY && bank->spacing_ms < spec->step_ms)
        return REFUSE(bank, "'spacing_ms' of %g is less than a step of %g ms", bank->spacing_ms,
                      spec->step_ms);
    if (bank->kind == LAB_TAPPED_DELAY &&
        check_time(spec, bank->place, "spacing_ms", bank->spacing_ms, why) != LAB_DONE)
        return LAB_REFUSED;
    if (bank->kind == LAB_DERIVATIVES && bank->count > MAX_DERIVATIVES)
        return REFUSE(bank, "'count' of %d is too large for derivatives; the maximum is %d",
                      bank->count, MAX_DERIVATIVES);
    if (bank->preview_ms > 0 && bank->input != LAB_FROM_REFERENCE)
        return REFUSE(bank, "'preview_ms' needs 'input: reference': only the reference is known "
                            "ahead of time");
    if (check_time(spec, bank->place, "preview_ms", bank->preview_ms, why) != LAB_DONE)
        return LAB_REFUSED;
    if (bank->input == LAB_FROM_CUE &&
        (*bank->source ? !has_cue(spec, bank->source) : spec->cues.count == 0))
        return REFUSE(bank, "there is no cue '%.60s' among 'cues' to drive it", bank->source);
    if (bank->input == LAB_FROM_DISTURBANCE &&
        (*bank->source ? !has_disturbance(spec, bank->source) : spec->disturbances.count == 0))
        return REFUSE(bank, "there is no disturbance '%.60s' among 'disturbances' to drive it",
                      bank->source);
    return LAB_DONE;
}

static lab_outcome check_bank(const lab_spec *spec, const lab_basis_spec *bank, lab_why *why)
{
    switch (lab_family_of_basis(bank->kind)) {
    case LAB_CENTRED:
    case LAB_DECAYING:
    case LAB_SCATTERED:
        return check_time_bank(spec, bank, why);
    case LAB_DRIVEN:
        return check_driven_bank(spec, bank, why);
    case LAB_PER_STEP:
    case LAB_PER_COLUMN:
        break;
    }
    return LAB_DONE;
}

static lab_outcome check_basis(const lab_spec *spec, lab_why *why)
{
    if (spec->basis.count < 1)
        return REFUSE(spec, "'basis' is empty; it needs at least one bank");
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < spec->basis.count; i++)
        outcome = check_bank(spec, &lab_banks(spec)[i], why);
    if (outcome == LAB_DONE && lab_hears_prediction(spec) && spec->prediction.place.line == 0)
        return REFUSE(&lab_banks(spec)[0], "a bank is driven by the prediction, but there is none: "
                                           "describe its first stage under 'prediction'");
    return outcome;
}

// What is predicted from does not depend on the loop: so neither does the prediction.
static lab_outcome check_predictor(const lab_spec *spec, const lab_basis_spec *bank, lab_why *why)
{
    const bool of_world = lab_family_of_basis(bank->kind) != LAB_DRIVEN ||
                          bank->input == LAB_FROM_REFERENCE || bank->input == LAB_FROM_CUE ||
                          bank->input == LAB_FROM_DISTURBANCE;
    if (!of_world)
        return REFUSE(bank, "a disturbance is predicted from the reference, a cue or a "
                            "disturbance, not from the loop: change 'input'");
    return check_bank(spec, bank, why);
}

static lab_outcome check_prediction(const lab_spec *spec, lab_why *why)
{
    const lab_prediction_spec *of = &spec->prediction;
    if (of->place.line == 0)
        return LAB_DONE;
    if (lab_disturbance_of(spec, of->source) < 0)
        return *of->source
                   ? REFUSE(of, "there is no disturbance '%.60s' among 'disturbances' to predict",
                            of->source)
                   : REFUSE(of, "there are no 'disturbances' to predict");
    if (of->basis.count < 1)
        return REFUSE(of, "'basis' of the prediction is empty; it needs at least one bank");
    if (of->lead_ms >= spec->task.trial_s * 1e3)
        return REFUSE(of, "'lead_ms' of %g ms is not shorter than a trial of %g s", of->lead_ms,
                      spec->task.trial_s);
    lab_outcome outcome = check_time(spec, of->place, "lead_ms", of->lead_ms, why);
    for (int i = 0; outcome == LAB_DONE && i < of->basis.count; i++)
        outcome = check_predictor(spec, &((lab_basis_spec *)of->basis.items)[i], why);
    return outcome;
}

// ---- learning --------------------------------------------------------------------------------

bool lab_is_of_all(const char *path)
{
    static const char *const common[] = {"rules", "cases",  "tune", "table", "scale", "population",
                                         "story", "claims", "rule", "runs",  "seed",  "applied"};
    const size_t length = strcspn(path, ".");
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++)
        if (strlen(common[i]) == length && strncmp(path, common[i], length) == 0)
            return true;
    return false;
}

static lab_outcome check_rule(const lab_spec *spec, const lab_rule_spec *rule, lab_why *why)
{
    if (strcmp(rule->name, "trial") == 0 || strcmp(rule->name, "optimum") == 0)
        return REFUSE(rule, "a rule cannot be named '%s': curves.csv has a column of that name",
                      rule->name);
    int in_case = 0;
    while (in_case < spec->cases.count && strcmp(lab_cases(spec)[in_case].name, rule->in_case) != 0)
        in_case++;
    if (in_case == spec->cases.count && (spec->cases.count > 0 || *rule->in_case))
        return REFUSE(rule, "rule '%s' is in the case '%.60s', which is not in 'cases'", rule->name,
                      rule->in_case);
    if (rule->weight_low >= rule->weight_high)
        return REFUSE(rule, "'weight_low' of %g is not below 'weight_high' of %g", rule->weight_low,
                      rule->weight_high);
    for (int i = 0; i < rule->set.count; i++)
        if (lab_is_of_all(rule->set.items[i].path))
            return REFUSE(rule, "'set' of rule '%s' cannot change '%.60s'", rule->name,
                          rule->set.items[i].path);
    return rule->trace == LAB_TRACE_DELAY
               ? check_time(spec, rule->place, "delay_ms", rule->delay_ms, why)
               : LAB_DONE;
}

static lab_outcome check_rules(const lab_spec *spec, lab_why *why)
{
    if (spec->rules.count < 1 || spec->rules.count > MAX_RULES)
        return REFUSE(spec, "'rules' has %d entries; it needs 1 to %d", spec->rules.count,
                      MAX_RULES);
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < spec->rules.count; i++) {
        outcome = CHECK_NAME("rule", &spec->rules, lab_rule_spec, i);
        if (outcome == LAB_DONE)
            outcome = check_rule(spec, &lab_rules(spec)[i], why);
    }
    return outcome;
}

// Whether the rules were written out; if not, check_rules says why.
static bool are_written_out(const lab_spec *spec)
{
    for (int k = 0; k < spec->rules.count; k++)
        if (!*lab_rules(spec)[k].in_case)
            return false;
    return true;
}

static lab_outcome check_cases(const lab_spec *spec, lab_why *why)
{
    for (int i = 0; i < spec->cases.count; i++) {
        const lab_outcome outcome = CHECK_NAME("case", &spec->cases, lab_case_spec, i);
        int rules = 0;
        for (int k = 0; k < spec->rules.count; k++)
            rules += strcmp(lab_rules(spec)[k].in_case, lab_cases(spec)[i].name) == 0;
        if (outcome != LAB_DONE)
            return outcome;
        if (rules == 0 && are_written_out(spec))
            return REFUSE(&lab_cases(spec)[i], "no rule runs in the case '%.60s'",
                          lab_cases(spec)[i].name);
    }
    return LAB_DONE;
}

static lab_outcome check_table(const lab_spec *spec, lab_why *why)
{
    for (int i = 0; i < spec->table.count; i++) {
        const lab_column_spec *column = &lab_columns(spec)[i];
        if (strlen(column->title) > LONGEST_TITLE)
            return REFUSE(column, "title '%.40s…' is longer than %d characters", column->title,
                          LONGEST_TITLE);
        if (column->low <= 0 || column->high <= 0 || column->low >= column->high)
            return REFUSE(column, "'low' and 'high' must be above 0, and 'low' below 'high': the "
                                  "axis is logarithmic");
    }
    return LAB_DONE;
}

static bool has_constants(const lab_spec *spec)
{
    for (int i = 0; i < spec->rules.count; i++)
        if (lab_rules(spec)[i].tune.count > 0)
            return true;
    return false;
}

static lab_outcome check_tune(const lab_spec *spec, lab_why *why)
{
    const lab_tune_spec *tune = &spec->tune;
    if (tune->place.line == 0)
        return LAB_DONE;
    if (tune->rates.columns == 0 && !has_constants(spec))
        return REFUSE(tune,
                      "'tune' needs 'rates' to try, or a rule with a 'tune' of its own, which "
                      "lists constants");
    if (tune->rates.columns > MAX_RATES)
        return REFUSE(tune, "'rates' has %d numbers; the maximum is %d", tune->rates.columns,
                      MAX_RATES);
    for (int i = 0; i < tune->rates.columns; i++)
        if (!(tune->rates.values[i] > (i > 0 ? tune->rates.values[i - 1] : 0)))
            return REFUSE(tune, "'rates' must be above 0 and increase; %g does not",
                          tune->rates.values[i]);
    return LAB_DONE;
}

// The phase that another is compared with comes before it.
static lab_outcome check_against(const lab_spec *spec, int phase, lab_why *why)
{
    const lab_phase_spec *of = &lab_phases(spec)[phase];
    if (*of->against && lab_against(spec, phase) < 0)
        return REFUSE(of, "there is no phase '%.60s' before '%s' to compare it with", of->against,
                      of->name);
    return LAB_DONE;
}

// What a phase cannot change, as it belongs to the whole run.
static bool is_of_run(const char *path)
{
    return strcmp(path, "learning.trials") == 0 || strncmp(path, "phases", 6) == 0 ||
           (lab_is_of_all(path) && strncmp(path, "rules", 5) != 0);
}

static lab_outcome check_phase(const lab_spec *spec, const lab_phase_spec *phase, lab_why *why)
{
    for (int i = 0; i < phase->set.count; i++)
        if (is_of_run(phase->set.items[i].path))
            return REFUSE(phase, "'set' of phase '%s' cannot change '%.60s'", phase->name,
                          phase->set.items[i].path);
    return LAB_DONE;
}

static lab_outcome check_phases(const lab_spec *spec, lab_why *why)
{
    double trials = 0;
    for (int i = 0; i < spec->phases.count; i++) {
        lab_outcome outcome = CHECK_NAME("phase", &spec->phases, lab_phase_spec, i);
        if (outcome == LAB_DONE)
            outcome = check_against(spec, i, why);
        if (outcome == LAB_DONE)
            outcome = check_phase(spec, &lab_phases(spec)[i], why);
        if (outcome != LAB_DONE)
            return outcome;
        trials += lab_phases(spec)[i].trials;
    }
    if (trials > MAX_TRIALS)
        return REFUSE(spec, "the phases have %.0f trials together; the maximum is %d", trials,
                      MAX_TRIALS);
    return LAB_DONE;
}

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
    if (!is_whole(scan->from_ms, spec->step_ms) || !is_whole(scan->step_ms, spec->step_ms))
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
    if (gain->place.line > 0 && gain->input == LAB_GAIN_OF_DISTURBANCE &&
        lab_disturbance_of(spec, gain->source) < 0)
        return REFUSE(gain,
                      "there is no disturbance '%.60s' among 'disturbances' to measure the "
                      "gain of",
                      gain->source);
    return LAB_DONE;
}

static lab_outcome check_windows(const lab_spec *spec, lab_why *why)
{
    const lab_windows_spec *windows = &spec->windows;
    if (windows->place.line == 0)
        return LAB_DONE;
    if (!is_whole(windows->length_s * 1e3, spec->step_ms) ||
        !is_whole(spec->task.trial_s, windows->length_s))
        return REFUSE(windows,
                      "a trial of %g s must be a whole number of windows of %g s, and these of "
                      "steps of %g ms",
                      spec->task.trial_s, windows->length_s, spec->step_ms);
    return LAB_DONE;
}

static lab_outcome check_claims(const lab_spec *spec, lab_why *why)
{
    const lab_claim_spec *claims = lab_claims(spec);
    for (int i = 0; i < spec->claims.count; i++) {
        const lab_outcome outcome = CHECK_NAME("claim", &spec->claims, lab_claim_spec, i);
        if (outcome != LAB_DONE)
            return outcome;
        if (isnan(claims[i].low) && isnan(claims[i].high))
            return REFUSE(&claims[i], "claim '%s' needs 'low', 'high' or both", claims[i].name);
        if (claims[i].low > claims[i].high)
            return REFUSE(&claims[i], "'low' of %g is above 'high' of %g", claims[i].low,
                          claims[i].high);
    }
    return LAB_DONE;
}

lab_outcome lab_spec_check(const lab_spec *spec, lab_why *why)
{
    static lab_outcome (*const checks[])(const lab_spec *, lab_why *) = {
        lab_check_identified, check_loop,    check_task,       check_events, check_basis,
        check_prediction,     check_cases,   check_table,      check_tune,   check_rules,
        check_phases,         check_scale,   check_population, check_scan,   check_response,
        check_gain,           check_windows, check_claims};
    if (strlen(spec->name) > LONGEST_NAME)
        return REFUSE(spec, "name '%.60s…' is longer than %d characters", spec->name, LONGEST_NAME);
    if (!is_plain(spec->name))
        return REFUSE(spec, "name '%.60s' may hold only letters, digits, '+', '-' and '_'",
                      spec->name);
    lab_outcome outcome = LAB_DONE;
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof checks / sizeof checks[0]; i++)
        outcome = checks[i](spec, why);
    return outcome;
}
