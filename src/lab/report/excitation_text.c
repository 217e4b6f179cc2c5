// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <math.h>
#include <stdio.h>

#include "draw/gnuplot.h"

static void print_limit(FILE *to, const char *key, double limit, bool exceeded)
{
    if (exceeded)
        fprintf(to,
                "    WARNING: the command exceeds loop.saturation.%s, %g; a saturated loop is not "
                "linear: lower --rms\n",
                key, limit);
}

static void print_effect(FILE *to, const lab_excitation *excitation)
{
    const lab_saturation_spec *limits = &excitation->spec->loop.saturation;
    fputs("  effect, if the loop is as believed\n", to);
    fprintf(to, "    %-36s %.4g", "rms of the output", excitation->output_rms);
    if (excitation->task_rms > 0)
        fprintf(to, " (%.3g %% of the task's)",
                100 * excitation->output_rms / excitation->task_rms);
    fprintf(to, "\n    %-36s %.4g\n", "peak of the output", excitation->y_peak);
    if (excitation->u)
        fprintf(to, "    %-36s %.4g to %.4g\n", "command", excitation->u_low, excitation->u_high);
    else
        fprintf(to, "    %-36s not known: the loop was identified as a whole\n", "command");
    print_limit(to, "low", limits->low, excitation->u_low < limits->low);
    print_limit(to, "high", limits->high, excitation->u_high > limits->high);
    fputc('\n', to);
}

typedef struct percentage {
    char text[32];
} percentage;

// Three digits, without an exponent.
static percentage percent(double share)
{
    percentage to;
    snprintf(to.text, sizeof to.text, share >= 10 && share < 1e6 ? "%.0f" : "%.3g", 100 * share);
    return to;
}

static void print_accuracy(FILE *to, const lab_excitation *excitation)
{
    const cfpc_excitation *d = &excitation->design;
    fputs("  expected accuracy of the identified path T, from half of the log\n", to);
    if (!excitation->noise_from) {
        fputs(
            "    unknown: set loop.noise in the spec, or give --noise, the standard deviation of\n"
            "    the measured value while the loop is at rest\n\n",
            to);
        return;
    }
    fprintf(to, "    %-36s %.4g (rms), from %s\n", "noise within the band", excitation->noise_rms,
            excitation->noise_from);
    fprintf(to, "    %-36s %s %%\n", "error over the band, relative to T", percent(d->error).text);
    fprintf(to, "    %-36s ", "relative error of a line");
    if (d->relative_max < 1.001 * d->relative_rms)
        fprintf(to, "%s %% at every line\n", percent(d->relative_max).text);
    else
        fprintf(to, "%s %% at most, at %.3g Hz\n", percent(d->relative_max).text, d->relative_hz);
    int unknown = 0;
    for (int k = 0; k < d->lines; k++)
        unknown += d->deviation[k] * d->deviation[k] >= d->re[k] * d->re[k] + d->im[k] * d->im[k];
    if (unknown > 0)
        fprintf(to, "    %-36s %d of %d, where |T| is small\n", "lines with an error above 100 %",
                unknown, d->lines);
    fputc('\n', to);
}

void lab_put_excitation(FILE *to, const lab_excitation *excitation)
{
    const lab_spec *spec = excitation->spec;
    const cfpc_excitation *d = &excitation->design;
    const double period_s = d->period_steps * d->step_s;
    const char *input = excitation->at_plant ? "probe" : "r";
    fprintf(to, "%s: %s\n  a probe of the path from o to the measured value\n\n", spec->name,
            spec->title);
    fprintf(to, "  probe\n    %-36s %s\n", "add it to",
            excitation->at_plant ? "the command" : "the reference");
    fprintf(to, "    %-36s %.4g to %.4g Hz%s\n", "band", excitation->low_hz, excitation->high_hz,
            excitation->band_given ? "" : ", where the basis signals have power");
    fprintf(to, "    %-36s %d, %.4g Hz apart\n", "lines", d->lines, 1 / period_s);
    fprintf(to, "    %-36s %d periods of %.6g s: %.6g s, %d steps\n", "length", d->periods,
            period_s, excitation->steps * d->step_s, excitation->steps);
    fprintf(to, "    %-36s %.4g, peak %.4g (crest factor %.3g)\n\n", "rms", d->rms, d->peak,
            d->peak / d->rms);
    print_effect(to, excitation);
    print_accuracy(to, excitation);
    fprintf(to,
            "  Let the loop rest, add the probe to %s, and log %s and y at every step. Then:\n"
            "    cfpc identify LOG.csv --input %s --output y --step-ms %g --out model.yaml\n\n",
            excitation->at_plant ? "its command" : "its reference",
            excitation->at_plant ? "the probe" : "r", input, spec->step_ms);
}

void lab_put_excitation_files(FILE *to, const char *folder, bool figures)
{
    fprintf(to, "  data:    %s/probe.csv, probe.h (C table), probe.json\n", folder);
    if (figures && lab_has_gnuplot())
        fprintf(to, "  figures: %s/fig-probe.png (and .svg)\n", folder);
}
