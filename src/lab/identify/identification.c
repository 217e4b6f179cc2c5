// SPDX-License-Identifier: Apache-2.0
#include "identify/identification.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/config.h"
#include "cfpc/loop.h"
#include "cfpc/response.h"
#include "math/elementary.h"
#include "math/order.h"

void lab_identification_free(lab_identification *identification)
{
    cfpc_identified_free(&identification->found);
    lab_log_free(&identification->log);
    free(identification->response);
    free(identification->magnitude);
    free(identification->fir);
    *identification = (lab_identification){0};
}

// ---- the log ---------------------------------------------------------------------------------

static lab_outcome check_log(const lab_log *log, const cfpc_log *given, double estimation,
                             lab_why *why)
{
    cfpc_log_flaw flaw;
    const cfpc_status status = cfpc_log_check(given, estimation, &flaw);
    const char *name = flaw.is_output ? log->output_name : log->input_name;
    if (status != CFPC_OK)
        return lab_from_status(why, status, log->file);
    switch (flaw.kind) {
    case CFPC_LOG_SOUND:
        break;
    case CFPC_LOG_SHORT:
        return lab_refuse(why,
                          "%s: %d rows are too few; identification needs at least %d, and several "
                          "times what the response lasts",
                          log->file, log->rows, CFPC_LOG_STEPS);
    case CFPC_LOG_MAGNITUDE:
        return lab_refuse(why,
                          "%s: '%s' goes up to %g, too %s to be computed with; use another unit",
                          log->file, name, flaw.value, flaw.value > 1 ? "large" : "small");
    case CFPC_LOG_CONSTANT: // each half needs a signal that moves
        return lab_refuse(
            why,
            "%s:%d: '%s' is constant (%g) in the %s half of the log, which %s: log for "
            "longer, or take a stretch in which it moves in both halves",
            log->file, log->csv.lines[flaw.step], name, flaw.value,
            flaw.is_held_back ? "second" : "first",
            flaw.is_held_back ? "is held back to judge the model" : "the model is estimated from");
    case CFPC_LOG_FREQUENCIES:
        return lab_refuse(why,
                          "%s: '%s' holds only one or two frequencies, from which no response can "
                          "be found; log while a probe is added to it (`cfpc excite` designs one)",
                          log->file, name);
    }
    return LAB_DONE;
}

// ---- what was found --------------------------------------------------------------------------

static lab_outcome identification_explain(const lab_identification *identification,
                                          cfpc_status status, lab_why *why)
{
    const lab_log *log = &identification->log;
    switch (status) {
    case CFPC_BAD_SHAPE:
        return lab_refuse(why,
                          "%s: %d rows are too few for a dead time of %g ms; log for longer, or "
                          "give a shorter --delay-ms",
                          log->file, log->rows,
                          cfpci_max(0, identification->settings.dead_time_steps) * log->step_ms);
    case CFPC_BAD_VALUE:
        return lab_refuse(why,
                          "%s: '%s' does not excite '%s': without offset and trend nothing that "
                          "moves is left of one of them; log while a probe is added to the input "
                          "(`cfpc excite` designs one)",
                          log->file, log->input_name, log->output_name);
    case CFPC_UNSTABLE:
        return lab_refuse(why,
                          "%s: no stable model from '%s' to '%s' was found; log the closed loop (r "
                          "and the measured output) instead of its parts, and for longer",
                          log->file, log->input_name, log->output_name);
    default:
        return lab_from_status(why, status, log->file);
    }
}

// What is no model, or that of the wrong thing, is refused.
static lab_outcome check_model(lab_identification *identification, bool feedback_allowed,
                               lab_why *why)
{
    const lab_log *log = &identification->log;
    const cfpc_identified *f = &identification->found;
    switch (cfpc_model_judge(f)) {
    case CFPC_MODEL_OUTLIER:
        return lab_refuse(
            why,
            "%s:%d: no model was found (fit of held-back data %.1f %%): '%s' of %g is "
            "an outlier, %.0f standard deviations from what is around it; take a "
            "stretch of the log without it",
            log->file, log->csv.lines[f->outlier_step], f->fit, log->output_name,
            log->output[f->outlier_step], f->outlier);
    case CFPC_MODEL_NO_FIT:
        return lab_refuse(
            why,
            "%s: no model from '%s' to '%s' was found (fit of held-back data %.1f %%): "
            "check the columns, log for longer, or with a larger probe",
            log->file, log->input_name, log->output_name, f->fit);
    case CFPC_MODEL_FEEDBACK: // a mixture of the plant and of minus the inverse of the controller
        identification->feedback = feedback_allowed;
        if (feedback_allowed)
            return LAB_DONE;
        return lab_refuse(
            why,
            "%s: '%s' reacts to '%s' (p = %.1g): it is the command of a closed loop%s, "
            "and the model would be wrong; log the reference r, or a probe that is added "
            "to it, with '%s' (--allow-feedback: identify anyway)",
            log->file, log->input_name, log->output_name, f->feedback,
            f->unexplained < CFPC_UNEXPLAINED_P ? ", or the response is longer than the log shows"
                                                : "",
            log->output_name);
    default:
        return LAB_DONE;
    }
}

// ---- the responses ---------------------------------------------------------------------------

static double fir_magnitude(const cfpc_identified *f, double hz, double step_s)
{
    double re = 0, im = 0;
    for (int32_t k = f->dead_time_steps; k < f->taps; k++) {
        double sine, cosine;
        cfpci_sin_cos(CFPCI_TWO_PI * hz * step_s * k, &sine, &cosine);
        re += f->response[k] * cosine;
        im -= f->response[k] * sine;
    }
    return cfpci_hypot(re, im);
}

static lab_outcome find_responses(lab_identification *identification, lab_why *why)
{
    const cfpc_identified *f = &identification->found;
    const int32_t count = f->band.count;
    double *im = calloc((size_t)count + 1, sizeof *im);
    identification->magnitude = calloc((size_t)count + 1, sizeof *identification->magnitude);
    identification->fir = calloc((size_t)count + 1, sizeof *identification->fir);
    identification->response = calloc((size_t)f->taps + 1, sizeof *identification->response);
    cfpc_status status = CFPC_NO_MEMORY;
    if (im && identification->magnitude && identification->fir && identification->response)
        status = cfpc_impulse_response(&f->model, f->taps, identification->response);
    if (status == CFPC_OK)
        status =
            cfpc_frequency_response(&f->model, count, f->band.hz, identification->magnitude, im);
    for (int32_t k = 0; status == CFPC_OK && k < count; k++) {
        identification->magnitude[k] = cfpci_hypot(identification->magnitude[k], im[k]);
        identification->fir[k] = fir_magnitude(f, f->band.hz[k], identification->log.step_ms / 1e3);
    }
    free(im);
    return lab_from_status(why, status, identification->log.file);
}

lab_outcome lab_identify(lab_identification *identification, const char *file,
                         const lab_identify_options *options, lab_why *why)
{
    const lab_log *read = &identification->log;
    cfpc_identify_settings *set = &identification->settings;
    *identification = (lab_identification){.settings = cfpc_default_identify_settings()};
    lab_outcome outcome = lab_log_read(&identification->log, file, &options->log, why);
    if (outcome != LAB_DONE)
        return outcome;
    const cfpc_log log = {.steps = read->rows,
                          .step_s = read->step_ms / 1e3,
                          .input = read->input,
                          .output = read->output};
    outcome = check_log(read, &log, set->estimation, why);
    if (outcome != LAB_DONE)
        return outcome;
    set->order = options->order;
    const double dead_time_ms = options->dead_time_ms;
    if (!isnan(dead_time_ms) &&
        cfpc_steps_of(dead_time_ms / 1e3, log.step_s, &set->dead_time_steps) != CFPC_OK)
        return lab_refuse(why, "--delay-ms of %g is not a whole number of steps of %g ms",
                          dead_time_ms, read->step_ms);
    if (!isnan(dead_time_ms) && set->dead_time_steps >= read->rows / 4)
        return lab_refuse(why, "--delay-ms of %g is more than a quarter of the log, which is %g ms",
                          dead_time_ms, read->rows * read->step_ms);
    outcome = identification_explain(identification,
                                     cfpc_identify(&identification->found, &log, set), why);
    if (outcome == LAB_DONE)
        outcome = check_model(identification, options->allow_feedback, why);
    return outcome == LAB_DONE ? find_responses(identification, why) : outcome;
}

// ---- the model file --------------------------------------------------------------------------

// One row of numbers.
static bool make_numbers(lab_numbers *to, int rows, int columns)
{
    *to = (lab_numbers){.rows = rows,
                        .columns = columns,
                        .values = calloc((size_t)rows * (size_t)columns + 1, sizeof(double))};
    return to->values;
}

// The dead time is a line at the part's input or at its output, or there is none: where x enters
// the states, and from where they are read.
static cfpc_status take_matrices(lab_model_file *to, const cfpc_system *part)
{
    const int n = part->states, columns = cfpc_system_columns(part);
    const double *m = part->matrix;
    bool at_output = false;
    if (part->lines > 1 || part->inputs != 1 || part->outputs != 1)
        return CFPC_BAD_SHAPE;
    for (int j = 0; part->lines == 1 && j < n; j++)
        at_output |= m[(n + 1) * columns + j] != 0;
    const int from = part->lines == 1 && !at_output ? n + 1 : n; // column of x, or of the line
    const int to_row = at_output ? n + 1 : n;                    // row of y, or of the line
    if (!make_numbers(&to->a, n, n) || !make_numbers(&to->b, n > 0, n) ||
        !make_numbers(&to->c, n > 0, n))
        return CFPC_NO_MEMORY;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            to->a.values[i * n + j] = m[i * columns + j];
        to->b.values[i] = m[i * columns + from];
        to->c.values[i] = m[to_row * columns + i];
    }
    to->d = m[to_row * columns + from];
    to->dead_time_ms = part->lines == 1 ? part->delay_steps[0] * to->step_ms : 0;
    return CFPC_OK;
}

lab_outcome lab_model_of(lab_model_file *model, const lab_identification *identification,
                         lab_why *why)
{
    const cfpc_identified *f = &identification->found;
    const char *slash = strrchr(identification->log.file, '/');
    *model = (lab_model_file){.version = LAB_MODEL_VERSION,
                              .made_by = strdup("cfpc " CFPC_VERSION),
                              .log = strdup(slash ? slash + 1 : identification->log.file),
                              .input = strdup(identification->log.input_name),
                              .output = strdup(identification->log.output_name),
                              .rows = identification->log.rows,
                              .step_ms = identification->log.step_ms,
                              .method = f->method,
                              .fit = f->fit,
                              .fit_estimation = f->fit_estimation,
                              .noise = f->noise,
                              .low_hz = f->low_hz,
                              .high_hz = f->high_hz,
                              .confidence = identification->settings.confidence,
                              .whiteness = f->whiteness,
                              .unexplained = f->unexplained,
                              .feedback = f->feedback,
                              .feedback_allowed = identification->feedback};
    if (!model->made_by || !model->log || !model->input || !model->output ||
        !make_numbers(&model->band, f->band.count, 2))
        return lab_no_memory(why, identification->log.file);
    for (int32_t k = 0; k < f->band.count; k++) {
        model->band.values[2 * k] = f->band.hz[k];
        model->band.values[2 * k + 1] = f->band.radius[k];
    }
    return lab_from_status(why, take_matrices(model, &f->part), identification->log.file);
}

// ---- advice ----------------------------------------------------------------------------------

void lab_identify_advice(const lab_identification *identification, const char *model_file,
                         lab_why *advice)
{
    const cfpc_identified *f = &identification->found;
    const char *input = identification->log.input_name, *output = identification->log.output_name;
    switch (cfpc_model_judge(f)) {
    case CFPC_MODEL_OUTLIER: // refused
    case CFPC_MODEL_NO_FIT:
        break;
    case CFPC_MODEL_FEEDBACK:
        lab_say(advice,
                "'%s' reacts to '%s': the model may be far from the truth. Log the reference, or a "
                "probe added to it, instead.",
                input, output);
        break;
    case CFPC_MODEL_CHANGES:
        lab_say(advice,
                "The fit of held-back data is only %.0f %%, and %.0f %% of the data it was "
                "estimated from: the system changes with time, or the log is too short. Log for "
                "longer; then use the model with care.",
                f->fit, f->fit_estimation);
        break;
    case CFPC_MODEL_FIR_BETTER:
        lab_say(advice,
                "No model of few states was found that fits as well as the FIR (%.1f %%): give "
                "--delay-ms or --order, log for longer, or use the FIR (response.csv) as `plant: "
                "{kind: response, …}`.",
                f->fit_fir);
        break;
    case CFPC_MODEL_LACKS:
        lab_say(advice,
                "The residuals still depend on the input (p = %.1g): the system is not linear, "
                "changes with time, or has more dynamics than the model. Log with a smaller "
                "input, or for longer; then use the model with care.",
                f->unexplained);
        break;
    case CFPC_MODEL_UNKNOWN:
        lab_say(advice,
                "How far the model may be wrong is not known: at the frequencies that '%s' "
                "excites, %.3g to %.3g Hz, it hardly responds. Log with a probe at those where it "
                "does (`cfpc excite` designs one).",
                input, f->low_hz, f->high_hz);
        break;
    case CFPC_MODEL_UNCERTAIN:
        lab_say(advice,
                "At %.3g Hz the model may be wrong by %.0f %%: log for longer, or with a larger "
                "probe (`cfpc excite` says how accurate it will be).",
                f->radius_hz, 100 * f->radius);
        break;
    case CFPC_MODEL_LOW_FIT:
        lab_say(advice,
                "The fit of held-back data is only %.0f %%: the rest of '%s' is noise, a "
                "disturbance, or a change with time. Log with a larger probe, or for longer; then "
                "use the model with care.",
                f->fit, output);
        break;
    case CFPC_MODEL_SOUND:
        lab_say(advice,
                "Of a closed loop (from r): `believed: {model: identified, file: %s}` in a spec "
                "with `step_ms: %g`; of a plant: `plant: {kind: identified, file: %s}`. Then `cfpc "
                "analyse` says what it is good for.",
                model_file, identification->log.step_ms, model_file);
        break;
    }
}
