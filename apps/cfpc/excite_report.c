// SPDX-License-Identifier: Apache-2.0
#include "excite_report.h"

#include <math.h>
#include <stdio.h>

#include "draw/gnuplot.h"

static void print_probe(const lab_excitation *excitation)
{
    const cfpc_excitation *d = &excitation->design;
    printf("  probe\n    %-36s %s\n", "add it to",
           excitation->at_plant ? "the command" : "the reference");
    printf("    %-36s %.4g to %.4g Hz%s\n", "band", excitation->low_hz, excitation->high_hz,
           excitation->band_given ? "" : ", where the basis signals have power");
    printf("    %-36s %d, %.4g Hz apart\n", "lines", d->lines, 1 / (d->period_steps * d->step_s));
    printf("    %-36s %d periods of %.6g s: %.6g s, %d steps\n", "length", d->periods,
           d->period_steps * d->step_s, excitation->steps * d->step_s, excitation->steps);
    printf("    %-36s %.4g, peak %.4g (crest factor %.3g)\n\n", "rms", d->rms, d->peak,
           d->peak / d->rms);
}

static void print_limit(const char *key, double limit, bool exceeded)
{
    if (exceeded)
        printf("    WARNING: the command exceeds loop.saturation.%s, %g; a saturated loop is not "
               "linear: lower --rms\n",
               key, limit);
}

static void print_effect(const lab_excitation *excitation)
{
    const lab_saturation_spec *limits = &excitation->spec->loop.saturation;
    puts("  effect, if the loop is as believed");
    printf("    %-36s %.4g", "rms of the output", excitation->output_rms);
    if (excitation->task_rms > 0)
        printf(" (%.3g %% of the task's)", 100 * excitation->output_rms / excitation->task_rms);
    printf("\n    %-36s %.4g\n", "peak of the output", excitation->y_peak);
    if (excitation->u)
        printf("    %-36s %.4g to %.4g\n", "command", excitation->u_low, excitation->u_high);
    else
        printf("    %-36s not known: the loop was identified as a whole\n", "command");
    print_limit("low", limits->low, excitation->u_low < limits->low);
    print_limit("high", limits->high, excitation->u_high > limits->high);
    puts("");
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

static void print_lines(const cfpc_excitation *d)
{
    int unknown = 0;
    for (int k = 0; k < d->lines; k++)
        unknown += d->deviation[k] * d->deviation[k] >= d->re[k] * d->re[k] + d->im[k] * d->im[k];
    printf("    %-36s ", "relative error of a line");
    if (d->relative_max < 1.001 * d->relative_rms)
        printf("%s %% at every line\n", percent(d->relative_max).text);
    else
        printf("%s %% at most, at %.3g Hz\n", percent(d->relative_max).text, d->relative_hz);
    if (unknown > 0)
        printf("    %-36s %d of %d, where |T| is small\n", "lines with an error above 100 %",
               unknown, d->lines);
}

static void print_accuracy(const lab_excitation *excitation)
{
    const cfpc_excitation *d = &excitation->design;
    puts("  expected accuracy of the identified path T, from half of the log");
    if (!excitation->noise_from) {
        puts("    unknown: set loop.noise in the spec, or give --noise, the standard deviation of\n"
             "    the measured value while the loop is at rest\n");
        return;
    }
    printf("    %-36s %.4g (rms), from %s\n", "noise within the band", excitation->noise_rms,
           excitation->noise_from);
    printf("    %-36s %s %%\n", "error over the band, relative to T", percent(d->error).text);
    print_lines(d);
    puts("");
}

void app_report_excitation(const lab_excitation *excitation, const char *folder, bool figures)
{
    const lab_spec *spec = excitation->spec;
    const char *input = excitation->at_plant ? "probe" : "r";
    printf("%s: %s\n  a probe of the path from o to the measured value\n\n", spec->name,
           spec->title);
    print_probe(excitation);
    print_effect(excitation);
    print_accuracy(excitation);
    printf("  Let the loop rest, add the probe to %s, and log %s and y at every step. Then:\n"
           "    cfpc identify LOG.csv --input %s --output y --step-ms %g --out model.yaml\n\n",
           excitation->at_plant ? "its command" : "its reference",
           excitation->at_plant ? "the probe" : "r", input, spec->step_ms);
    printf("  data:    %s/probe.csv, probe.h (C table), probe.json\n", folder);
    if (figures && lab_has_gnuplot())
        printf("  figures: %s/fig-probe.png (and .svg)\n", folder);
}
