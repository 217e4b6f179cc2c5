// SPDX-License-Identifier: Apache-2.0
#include "write/identification.h"

#include <math.h>

#include "base/json.h"
#include "base/number.h"
#include "cfpc/config.h"

// Numbers of one row.
static void put_row(FILE *file, int count, const double *values)
{
    for (int i = 0; i < count; i++)
        fprintf(file, "%s%s", i ? "," : "", lab_number(values[i]).text);
    fputc('\n', file);
}

// ---- tables ----------------------------------------------------------------------------------

static void put_simulation(FILE *file, const lab_identification *it)
{
    const cfpc_identified *f = &it->found;
    fputs("time_s,input,measured,simulated,held_back\n", file);
    for (int n = 0; n < it->log.rows; n++)
        put_row(file, 5,
                (const double[]){n * it->log.step_ms / 1e3, it->log.input[n], it->log.output[n],
                                 f->simulated[n], n >= f->first_held_back});
}

// The FIR with its standard deviation, and the model's.
static void put_response(FILE *file, const lab_identification *it)
{
    const cfpc_identified *f = &it->found;
    fputs("time_s,fir,deviation,model\n", file);
    for (int k = 0; k < f->taps; k++)
        put_row(file, 4,
                (const double[]){k * it->log.step_ms / 1e3, f->response[k], f->deviation[k],
                                 it->response[k]});
}

static void put_frequency(FILE *file, const lab_identification *it)
{
    const cfpc_identified *f = &it->found;
    fputs("hz,magnitude,radius,fir,excited\n", file);
    for (int k = 0; k < f->band.count; k++)
        put_row(file, 5,
                (const double[]){f->band.hz[k], it->magnitude[k], f->band.radius[k], it->fir[k],
                                 f->band.hz[k] >= f->low_hz && f->band.hz[k] <= f->high_hz});
}

// Autocorrelation of negative lags is that of the positive ones.
static void put_residuals(FILE *file, const lab_identification *it)
{
    const cfpc_identified *f = &it->found;
    fputs("lag,autocorrelation,cross_correlation\n", file);
    for (int lag = -f->lags; lag <= f->lags; lag++)
        put_row(file, 3,
                (const double[]){lag, f->autocorrelation[lag < 0 ? -lag : lag],
                                 f->cross[lag + f->lags]});
}

// ---- identification.json ---------------------------------------------------------------------

static void put_text(FILE *file, const char *key, const char *text)
{
    fprintf(file, ",\n  \"%s\": ", key);
    lab_json_text(file, text);
}

static void put(FILE *file, const char *key, double value)
{
    fprintf(file, ",\n  \"%s\": ", key);
    lab_json_number(file, value);
}

static void put_json(FILE *file, const lab_identification *it)
{
    static const char *const steps[] = {
        [LAB_STEP_ASSUMED] = "assumed", [LAB_STEP_GIVEN] = "given", [LAB_STEP_LOGGED] = "log"};
    const cfpc_identified *f = &it->found;
    fputs("{\n  \"version\": ", file);
    lab_json_text(file, CFPC_VERSION);
    put_text(file, "log", it->log.file);
    put_text(file, "input", it->log.input_name);
    put_text(file, "output", it->log.output_name);
    put(file, "rows", it->log.rows);
    put(file, "step_ms", it->log.step_ms);
    put_text(file, "step_from", steps[it->log.step_from]);
    put_text(file, "method", lab_identify_method_name(f->method));
    put(file, "order", f->order);
    put(file, "dead_time_ms", f->dead_time_steps * it->log.step_ms);
    put(file, "fit", f->fit);
    put(file, "fit_estimation", f->fit_estimation);
    put(file, "fit_fir", f->fit_fir);
    put(file, "first_held_back", f->first_held_back);
    put(file, "noise", f->noise);
    put(file, "low_hz", f->low_hz);
    put(file, "high_hz", f->high_hz);
    put(file, "confidence", it->settings.confidence);
    put(file, "relative_radius", f->radius);
    put(file, "relative_radius_hz", f->radius_hz);
    put(file, "whiteness", f->whiteness);
    put(file, "unexplained", f->unexplained);
    put(file, "feedback", f->feedback);
    fprintf(file, ",\n  \"feedback_allowed\": %s", it->feedback ? "true" : "false");
    put(file, "correlation_limit", f->limit);
    fputs("\n}\n", file);
}

// ---- the folder ------------------------------------------------------------------------------

lab_outcome lab_write_identification(lab_folder *folder, const lab_identification *it, lab_why *why)
{
    static const struct {
        const char *name;
        void (*write)(FILE *file, const lab_identification *it);
    } files[] = {{"identification.json", put_json},
                 {"simulation.csv", put_simulation},
                 {"response.csv", put_response},
                 {"frequency.csv", put_frequency},
                 {"residuals.csv", put_residuals}};
    lab_outcome outcome = LAB_DONE;
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof files / sizeof files[0]; i++) {
        FILE *file;
        outcome = lab_folder_create(folder, files[i].name, &file, why);
        if (outcome != LAB_DONE)
            return outcome;
        files[i].write(file, it);
        outcome = lab_folder_close(folder, file, why);
    }
    return outcome;
}
