// SPDX-License-Identifier: Apache-2.0
#include "identify/identification.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/config.h"
#include "cfpc/loop.h"
#include "cfpc/response.h"
#include "identify/excitation.h"
#include "math/elementary.h"
#include "math/order.h"

enum { MIN_ROWS = 64 };

static const double feedback_limit = 1e-4;    // below this probability the log is of a closed loop
static const double unexplained_limit = 0.01; // below it the model lacks something
static const double least_fit = 5;            // in %, of held-back data: below, it is no model
static const double outlying = 20;            // standard deviations of a residual that is no noise
static const double worse_fit = 3;            // in %, of which the FIR may be better
static const double low_fit = 50;             // in %, of held-back data
static const double largest = 1e120;          // numbers whose powers can be computed with
static const double shown_magnitude = 0.1; // of the largest |T|: below, relative errors say little

void lab_identification_free(lab_identification *it)
{
    cfpc_identified_free(&it->found);
    lab_log_free(&it->log);
    free(it->response);
    free(it->magnitude);
    free(it->fir);
    *it = (lab_identification){0};
}

// ---- the settings ----------------------------------------------------------------------------

static lab_outcome choose(lab_identification *it, const lab_identify_options *options, lab_why *why)
{
    const double step_s = it->log.step_ms / 1e3;
    it->settings = cfpc_default_identify_settings();
    it->settings.order = options->order;
    if (it->log.rows < MIN_ROWS)
        return lab_refuse(why,
                          "%s: %d rows are too few; identification needs at least %d, and several "
                          "times what the response lasts",
                          it->log.file, it->log.rows, MIN_ROWS);
    if (isnan(options->dead_time_ms))
        return LAB_DONE;
    if (cfpc_steps_of(options->dead_time_ms / 1e3, step_s, &it->settings.dead_time_steps) !=
        CFPC_OK)
        return lab_refuse(why, "--delay-ms of %g is not a whole number of steps of %g ms",
                          options->dead_time_ms, it->log.step_ms);
    if (it->settings.dead_time_steps >= it->log.rows / 4)
        return lab_refuse(why, "--delay-ms of %g is more than a quarter of the log, which is %g ms",
                          options->dead_time_ms, it->log.rows * it->log.step_ms);
    return LAB_DONE;
}

// Each half needs a signal that moves: the first estimates, the second judges.
static lab_outcome check_half(const lab_identification *it, const double *x, const char *name,
                              int half, lab_why *why)
{
    const int middle = (int)(it->settings.estimation * it->log.rows);
    const int from = half == 0 ? 0 : middle, to = half == 0 ? middle : it->log.rows;
    for (int i = from + 1; i < to; i++)
        if (x[i] != x[from])
            return LAB_DONE;
    return lab_refuse(
        why,
        "%s:%d: '%s' is constant (%g) in the %s half of the log, which %s: log for "
        "longer, or take a stretch in which it moves in both halves",
        it->log.file, it->log.csv.lines[from], name, x[from], half == 0 ? "first" : "second",
        half == 0 ? "the model is estimated from" : "is held back to judge the model");
}

static lab_outcome check_halves(const lab_identification *it, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int half = 0; half < 2; half++) {
        if (outcome == LAB_DONE)
            outcome = check_half(it, it->log.input, it->log.input_name, half, why);
        if (outcome == LAB_DONE)
            outcome = check_half(it, it->log.output, it->log.output_name, half, why);
    }
    return outcome;
}

static lab_outcome check_numbers(const lab_log *log, const double *x, const char *name,
                                 lab_why *why)
{
    double most = 0;
    for (int i = 0; i < log->rows; i++)
        most = cfpci_max(most, fabs(x[i]));
    if (most == 0 || (most <= largest && most >= 1 / largest))
        return LAB_DONE;
    return lab_refuse(why, "%s: '%s' goes up to %g, too %s to be computed with; use another unit",
                      log->file, name, most, most > 1 ? "large" : "small");
}

// ---- what was found --------------------------------------------------------------------------

static lab_outcome explain(const lab_identification *it, cfpc_status status, lab_why *why)
{
    const lab_log *log = &it->log;
    switch (status) {
    case CFPC_BAD_SHAPE:
        return lab_refuse(why,
                          "%s: %d rows are too few for a dead time of %g ms; log for longer, or "
                          "give a shorter --delay-ms",
                          log->file, log->rows,
                          cfpci_max(0, it->settings.dead_time_steps) * log->step_ms);
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

// A closed loop's command answers to the output: what is found is a mixture of the plant and of
// minus the inverse of the controller.
static lab_outcome check_feedback(lab_identification *it, bool allowed, lab_why *why)
{
    const bool closed = it->found.feedback < feedback_limit;
    it->feedback = closed && allowed;
    if (!closed || allowed)
        return LAB_DONE;
    return lab_refuse(why,
                      "%s: '%s' reacts to '%s' (p = %.1g): it is the command of a closed loop%s, "
                      "and the model would be wrong; log the reference r, or a probe that is added "
                      "to it, with '%s' (--allow-feedback: identify all the same)",
                      it->log.file, it->log.input_name, it->log.output_name, it->found.feedback,
                      it->found.unexplained < unexplained_limit
                          ? ", or the response is longer than the log shows"
                          : "",
                      it->log.output_name);
}

// The row whose residual is the largest, and how many standard deviations of the others it is.
static int find_outlier(const lab_identification *it, double *deviations)
{
    double most = 0, power = 0;
    int row = 0;
    for (int i = 0; i < it->log.rows; i++) {
        const double residual = fabs(it->log.output[i] - it->found.simulated[i]);
        const bool is_most = residual > most;
        power += is_most ? most * most : residual * residual; // of the others
        row = is_most ? i : row;
        most = cfpci_max(most, residual);
    }
    *deviations = power > 0 ? most / sqrt(power / (it->log.rows - 1)) : 0;
    return row;
}

static lab_outcome check_fit(const lab_identification *it, lab_why *why)
{
    const lab_log *log = &it->log;
    double deviations;
    if (it->found.fit >= least_fit)
        return LAB_DONE;
    const int row = find_outlier(it, &deviations);
    if (deviations > outlying)
        return lab_refuse(
            why,
            "%s:%d: no model was found (fit of held-back data %.1f %%): '%s' of %g is "
            "an outlier, %.0f standard deviations from what is around it; take a "
            "stretch of the log without it",
            log->file, log->csv.lines[row], it->found.fit, log->output_name, log->output[row],
            deviations);
    return lab_refuse(why,
                      "%s: no model from '%s' to '%s' was found (fit of held-back data %.1f %%): "
                      "check the columns, log for longer, or with a larger probe",
                      log->file, log->input_name, log->output_name, it->found.fit);
}

// Too few frequencies determine no response, whatever is assumed of it.
static lab_outcome check_excitation(const lab_identification *it, lab_why *why)
{
    bool is = false;
    const lab_outcome outcome = lab_is_persistent(&is, it->log.rows, it->log.input, why);
    if (outcome != LAB_DONE || is)
        return outcome;
    return lab_refuse(why,
                      "%s: '%s' holds only one or two frequencies, from which no response can be "
                      "found; log while a probe is added to it (`cfpc excite` designs one)",
                      it->log.file, it->log.input_name);
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

static void find_radius(lab_identification *it)
{
    const cfpc_identified *f = &it->found;
    double most = 0;
    it->radius = it->radius_hz = NAN;
    for (int32_t k = 0; k < f->band.count; k++)
        most = cfpci_max(most, it->magnitude[k]);
    for (int32_t k = 0; k < f->band.count; k++) {
        const double hz = f->band.hz[k], radius = f->band.radius[k] / it->magnitude[k];
        if (hz < f->low_hz || hz > f->high_hz || it->magnitude[k] < shown_magnitude * most ||
            radius <= it->radius)
            continue;
        it->radius = radius;
        it->radius_hz = hz;
    }
}

static lab_outcome find_responses(lab_identification *it, lab_why *why)
{
    const cfpc_identified *f = &it->found;
    const int32_t count = f->band.count;
    double *im = calloc((size_t)count + 1, sizeof *im);
    it->magnitude = calloc((size_t)count + 1, sizeof *it->magnitude);
    it->fir = calloc((size_t)count + 1, sizeof *it->fir);
    it->response = calloc((size_t)f->taps + 1, sizeof *it->response);
    cfpc_status status = CFPC_NO_MEMORY;
    if (im && it->magnitude && it->fir && it->response)
        status = cfpc_response(&f->model, f->taps, it->response);
    if (status == CFPC_OK)
        status = cfpc_frequency_response(&f->model, count, f->band.hz, it->magnitude, im);
    for (int32_t k = 0; status == CFPC_OK && k < count; k++) {
        it->magnitude[k] = cfpci_hypot(it->magnitude[k], im[k]);
        it->fir[k] = fir_magnitude(f, f->band.hz[k], it->log.step_ms / 1e3);
    }
    free(im);
    if (status == CFPC_OK)
        find_radius(it);
    return lab_from_status(why, status, it->log.file);
}

lab_outcome lab_identify(lab_identification *it, const char *file,
                         const lab_identify_options *options, lab_why *why)
{
    *it = (lab_identification){0};
    lab_outcome outcome = lab_log_read(&it->log, file, &options->log, why);
    if (outcome == LAB_DONE)
        outcome = choose(it, options, why);
    if (outcome != LAB_DONE)
        return outcome;
    const cfpc_log log = {.steps = it->log.rows,
                          .step_s = it->log.step_ms / 1e3,
                          .input = it->log.input,
                          .output = it->log.output};
    outcome = check_numbers(&it->log, it->log.input, it->log.input_name, why);
    if (outcome == LAB_DONE)
        outcome = check_numbers(&it->log, it->log.output, it->log.output_name, why);
    if (outcome == LAB_DONE)
        outcome = check_halves(it, why);
    if (outcome == LAB_DONE)
        outcome = check_excitation(it, why);
    if (outcome == LAB_DONE)
        outcome = explain(it, cfpc_identify(&it->found, &log, &it->settings), why);
    if (outcome == LAB_DONE)
        outcome = check_fit(it, why);
    if (outcome == LAB_DONE)
        outcome = check_feedback(it, options->allow_feedback, why);
    return outcome == LAB_DONE ? find_responses(it, why) : outcome;
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

static bool take_band(lab_model_file *to, const cfpc_band *band)
{
    if (!make_numbers(&to->band, band->count, 2))
        return false;
    for (int32_t k = 0; k < band->count; k++) {
        to->band.values[2 * k] = band->hz[k];
        to->band.values[2 * k + 1] = band->radius[k];
    }
    return true;
}

lab_outcome lab_model_of(lab_model_file *model, const lab_identification *it, lab_why *why)
{
    const cfpc_identified *f = &it->found;
    const char *slash = strrchr(it->log.file, '/');
    *model = (lab_model_file){.version = LAB_MODEL_VERSION,
                              .made_by = strdup("cfpc " CFPC_VERSION),
                              .log = strdup(slash ? slash + 1 : it->log.file),
                              .input = strdup(it->log.input_name),
                              .output = strdup(it->log.output_name),
                              .rows = it->log.rows,
                              .step_ms = it->log.step_ms,
                              .method = f->method,
                              .fit = f->fit,
                              .fit_estimation = f->fit_estimation,
                              .noise = f->noise,
                              .low_hz = f->low_hz,
                              .high_hz = f->high_hz,
                              .confidence = it->settings.confidence,
                              .whiteness = f->whiteness,
                              .unexplained = f->unexplained,
                              .feedback = f->feedback,
                              .feedback_allowed = it->feedback};
    if (!model->made_by || !model->log || !model->input || !model->output ||
        !take_band(model, &f->band))
        return lab_no_memory(why, it->log.file);
    return lab_from_status(why, take_matrices(model, &f->part), it->log.file);
}

// ---- advice ----------------------------------------------------------------------------------

void lab_identify_advice(const lab_identification *it, const char *model_file, lab_why *advice)
{
    const cfpc_identified *f = &it->found;
    if (it->feedback)
        lab_say(advice,
                "'%s' reacts to '%s': the model may be far from the truth. Log the reference, or a "
                "probe added to it, instead.",
                it->log.input_name, it->log.output_name);
    else if (f->fit < f->fit_fir - worse_fit)
        lab_say(advice,
                "No model of few states was found that fits as well as the FIR (%.1f %%): give "
                "--delay-ms or --order, log for longer, or use the FIR (response.csv) as `plant: "
                "{kind: response, …}`.",
                f->fit_fir);
    else if (f->unexplained < unexplained_limit)
        lab_say(advice,
                "The residuals still depend on the input (p = %.1g): the system is not linear, "
                "changes with time, or has more dynamics than the model. Log with a smaller "
                "input, or for longer; then use the model with care.",
                f->unexplained);
    else if (isnan(it->radius))
        lab_say(advice,
                "How far the model may be wrong is not known: at the frequencies that '%s' "
                "excites, %.3g to %.3g Hz, it hardly responds. Log with a probe at those where it "
                "does (`cfpc excite` designs one).",
                it->log.input_name, f->low_hz, f->high_hz);
    else if (!(it->radius <= 0.5))
        lab_say(advice,
                "At %.3g Hz the model is known to %.0f %% only: log for longer, or with a larger "
                "probe (`cfpc excite` says how accurate it will be).",
                it->radius_hz, 100 * it->radius);
    else if (!(f->fit >= low_fit))
        lab_say(advice,
                "The fit of held-back data is only %.0f %%: the rest of '%s' is noise, a "
                "disturbance, or a change with time. Log with a larger probe, or for longer; then "
                "use the model with care.",
                f->fit, it->log.output_name);
    else
        lab_say(advice,
                "Of a closed loop (from r): `believed: {model: identified, file: %s}` in a spec "
                "with `step_ms: %g`; of a plant: `plant: {kind: identified, file: %s}`. Then `cfpc "
                "analyse` says what it is good for.",
                model_file, it->log.step_ms, model_file);
}
