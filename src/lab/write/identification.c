// SPDX-License-Identifier: Apache-2.0
#include "write/identification.h"

#include <math.h>

#include "base/json.h"
#include "base/number.h"
#include "cfpc/config.h"

// Numbers of one row.
static void identification_put_row(FILE *file, int count, const double *values)
{
    for (int i = 0; i < count; i++)
        fprintf(file, "%s%s", i ? "," : "", lab_number(values[i]).text);
    fputc('\n', file);
}

// ---- tables ----------------------------------------------------------------------------------

static void put_simulation(FILE *file, const lab_identification *identification)
{
    const cfpc_identified *f = &identification->found;
    fputs("time_s,input,measured,simulated,held_back\n", file);
    for (int n = 0; n < identification->log.rows; n++)
        identification_put_row(file, 5,
                               (const double[]){n * identification->log.step_ms / 1e3,
                                                identification->log.input[n],
                                                identification->log.output[n], f->simulated[n],
                                                n >= f->first_held_back});
}

// The FIR with its standard deviation, and the model's.
static void put_response(FILE *file, const lab_identification *identification)
{
    const cfpc_identified *f = &identification->found;
    fputs("time_s,fir,deviation,model\n", file);
    for (int k = 0; k < f->taps; k++)
        identification_put_row(file, 4,
                               (const double[]){k * identification->log.step_ms / 1e3,
                                                f->response[k], f->deviation[k],
                                                identification->response[k]});
}

static void put_frequency(FILE *file, const lab_identification *identification)
{
    const cfpc_identified *f = &identification->found;
    fputs("hz,magnitude,radius,fir,excited\n", file);
    for (int k = 0; k < f->band.count; k++)
        identification_put_row(
            file, 5,
            (const double[]){f->band.hz[k], identification->magnitude[k], f->band.radius[k],
                             identification->fir[k],
                             f->band.hz[k] >= f->low_hz && f->band.hz[k] <= f->high_hz});
}

// Autocorrelation of negative lags is that of the positive ones.
static void put_residuals(FILE *file, const lab_identification *identification)
{
    const cfpc_identified *f = &identification->found;
    fputs("lag,autocorrelation,cross_correlation\n", file);
    for (int lag = -f->lags; lag <= f->lags; lag++)
        identification_put_row(file, 3,
                               (const double[]){lag, f->autocorrelation[lag < 0 ? -lag : lag],
                                                f->cross[lag + f->lags]});
}

// ---- identification.json ---------------------------------------------------------------------

static void identification_put_text(FILE *file, const char *key, const char *text)
{
    fprintf(file, ",\n  \"%s\": ", key);
    lab_json_text(file, text);
}

static void identification_put(FILE *file, const char *key, double value)
{
    fprintf(file, ",\n  \"%s\": ", key);
    lab_json_number(file, value);
}

void lab_identification_json(FILE *file, const lab_identification *identification)
{
    static const char *const steps[] = {
        [LAB_STEP_ASSUMED] = "assumed", [LAB_STEP_GIVEN] = "given", [LAB_STEP_LOGGED] = "log"};
    const cfpc_identified *f = &identification->found;
    fputs("{\n  \"version\": ", file);
    lab_json_text(file, CFPC_VERSION);
    identification_put_text(file, "log", identification->log.file);
    identification_put_text(file, "input", identification->log.input_name);
    identification_put_text(file, "output", identification->log.output_name);
    identification_put(file, "rows", identification->log.rows);
    identification_put(file, "step_ms", identification->log.step_ms);
    identification_put_text(file, "step_from", steps[identification->log.step_from]);
    identification_put_text(file, "method", lab_identify_method_name(f->method));
    identification_put(file, "order", f->order);
    identification_put(file, "dead_time_ms", f->dead_time_steps * identification->log.step_ms);
    identification_put(file, "fit", f->fit);
    identification_put(file, "fit_estimation", f->fit_estimation);
    identification_put(file, "fit_fir", f->fit_fir);
    identification_put(file, "first_held_back", f->first_held_back);
    identification_put(file, "noise", f->noise);
    identification_put(file, "low_hz", f->low_hz);
    identification_put(file, "high_hz", f->high_hz);
    identification_put(file, "confidence", identification->settings.confidence);
    identification_put(file, "relative_radius", f->radius);
    identification_put(file, "relative_radius_hz", f->radius_hz);
    identification_put(file, "whiteness", f->whiteness);
    identification_put(file, "unexplained", f->unexplained);
    identification_put(file, "feedback", f->feedback);
    fprintf(file, ",\n  \"feedback_allowed\": %s", identification->feedback ? "true" : "false");
    identification_put(file, "correlation_limit", f->limit);
    fputs("\n}\n", file);
}

// ---- the folder ------------------------------------------------------------------------------

lab_outcome lab_write_identification(lab_folder *folder, const lab_identification *identification,
                                     lab_why *why)
{
    static const struct {
        const char *name;
        void (*write)(FILE *file, const lab_identification *identification);
    } files[] = {{"identification.json", lab_identification_json},
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
        files[i].write(file, identification);
        outcome = lab_folder_close(folder, file, why);
    }
    return outcome;
}
