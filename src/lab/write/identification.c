// SPDX-License-Identifier: Apache-2.0
#include "write/identification.h"

#include <math.h>

#include "base/number.h"
#include "cfpc/config.h"
#include "write/entries.h"

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

void lab_identification_json(FILE *file, const lab_identification *identification)
{
    static const char next[] = ",\n  ";
    static const char *const steps[] = {
        [LAB_STEP_ASSUMED] = "assumed", [LAB_STEP_GIVEN] = "given", [LAB_STEP_LOGGED] = "log"};
    const cfpc_identified *f = &identification->found;
    const lab_log *log = &identification->log;
    lab_entry_text(file, "{\n  ", "version", CFPC_VERSION);
    lab_entry_text(file, next, "log", log->file);
    lab_entry_text(file, next, "input", log->input_name);
    lab_entry_text(file, next, "output", log->output_name);
    lab_entry_number(file, next, "rows", log->rows);
    lab_entry_number(file, next, "step_ms", log->step_ms);
    lab_entry_text(file, next, "step_from", steps[log->step_from]);
    lab_entry_text(file, next, "method", lab_identify_method_name(f->method));
    lab_entry_number(file, next, "order", f->order);
    lab_entry_number(file, next, "dead_time_ms", f->dead_time_steps * log->step_ms);
    lab_entry_number(file, next, "fit", f->fit);
    lab_entry_number(file, next, "fit_estimation", f->fit_estimation);
    lab_entry_number(file, next, "fit_fir", f->fit_fir);
    lab_entry_number(file, next, "first_held_back", f->first_held_back);
    lab_entry_number(file, next, "noise", f->noise);
    lab_entry_number(file, next, "low_hz", f->low_hz);
    lab_entry_number(file, next, "high_hz", f->high_hz);
    lab_entry_number(file, next, "confidence", identification->settings.confidence);
    lab_entry_number(file, next, "relative_radius", f->radius);
    lab_entry_number(file, next, "relative_radius_hz", f->radius_hz);
    lab_entry_number(file, next, "whiteness", f->whiteness);
    lab_entry_number(file, next, "unexplained", f->unexplained);
    lab_entry_number(file, next, "feedback", f->feedback);
    lab_entry_truth(file, next, "feedback_allowed", identification->feedback);
    lab_entry_number(file, next, "correlation_limit", f->limit);
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
