// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "draw/gnuplot.h"

static void identification_print_model(FILE *to, const lab_identification *identification)
{
    static const char *const methods[] = {
        [CFPC_IDENTIFY_DIRECT] = "the response itself",
        [CFPC_IDENTIFY_OPEN_PATH] = "the open path T/(1 - T), closed again",
        [CFPC_IDENTIFY_LEAST_SQUARES] = "least squares in state space",
        [CFPC_IDENTIFY_LEAST_SQUARES_OPEN_PATH] =
            "least squares in state space, of the open path T/(1 - T)"};
    const cfpc_identified *f = &identification->found;
    fprintf(to, "  model\n    %-36s %g ms (%d step%s)%s\n", "dead time",
            f->dead_time_steps * identification->log.step_ms, f->dead_time_steps,
            lab_plural(f->dead_time_steps),
            identification->settings.dead_time_steps >= 0 ? ", as given" : "");
    fprintf(to, "    %-36s %d%s\n", "order", f->order,
            identification->settings.order > 0 ? ", as given" : "");
    fprintf(to, "    %-36s %s\n", "method", methods[f->method]);
    fprintf(to, "    %-36s %.1f %% (estimation %.1f %%, FIR %.1f %%)\n", "fit on held-back data",
            f->fit, f->fit_estimation, f->fit_fir);
    fprintf(to, "    %-36s %.3g\n\n", "noise, standard deviation", f->noise);
}

static void print_doubt(FILE *to, const lab_identification *identification)
{
    const cfpc_identified *f = &identification->found;
    fprintf(to, "  uncertainty\n    %-36s %.3g to %.3g Hz\n", "excited", f->low_hz, f->high_hz);
    if (isnan(f->radius))
        fprintf(to, "    %-36s unknown\n", "largest relative error");
    else
        fprintf(to, "    %-36s %.2g %% at %.3g Hz (%.0f %% confidence)\n", "largest relative error",
                100 * f->radius, f->radius_hz, 100 * identification->settings.confidence);
    fprintf(to, "    %-36s p = %.2g%s\n", "residuals are white", f->whiteness,
            f->whiteness < CFPC_WHITENESS_P ? ": no, the noise is coloured" : "");
    fprintf(to, "    %-36s p = %.2g%s\n", "input explains no more", f->unexplained,
            f->unexplained < CFPC_UNEXPLAINED_P ? ": NO" : "");
    fprintf(to, "    %-36s p = %.2g%s\n\n", "input does not react to the output", f->feedback,
            identification->feedback ? ": NO, allowed by --allow-feedback" : "");
}

void lab_put_identification(FILE *to, const lab_identification *identification, const char *model)
{
    static const char *const from[] = {
        [LAB_STEP_ASSUMED] = "assumed: there are no time stamps; --step-ms gives another",
        [LAB_STEP_GIVEN] = "as given",
        [LAB_STEP_LOGGED] = "of the time stamps"};
    const lab_log *log = &identification->log;
    lab_why advice = {0};
    fprintf(to, "%s: from %s to %s\n\n", log->file, log->input_name, log->output_name);
    fprintf(to, "  log\n    %-36s %d (%g s)\n", "rows", log->rows, log->rows * log->step_ms / 1e3);
    fprintf(to, "    %-36s %g ms (%s)\n\n", "step", log->step_ms, from[log->step_from]);
    identification_print_model(to, identification);
    print_doubt(to, identification);
    lab_identify_advice(identification, model ? model : "model.yaml", &advice);
    fprintf(to, "  %s\n\n", advice.text);
}

void lab_put_identification_files(FILE *to, const char *model, const char *folder, bool figures)
{
    if (model)
        fprintf(to, "  model:   %s\n", model);
    if (folder)
        fprintf(to,
                "  data:    %s/identification.json, simulation.csv, response.csv, frequency.csv, "
                "residuals.csv\n",
                folder);
    if (folder && figures && lab_has_gnuplot())
        fprintf(to, "  figure:  %s/fig-identify.png (and .svg)\n", folder);
}
