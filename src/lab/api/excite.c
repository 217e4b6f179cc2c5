// SPDX-License-Identifier: Apache-2.0
// excite: the report of a probe.
#include "analyse/excite.h"

#include <math.h>

#include "api/report.h"
#include "draw/excitation_figure.h"
#include "draw/gnuplot.h"
#include "write/excitation.h"

static void probe_text(FILE *to, const cfpc_report *report)
{
    lab_put_excitation(to, &report->excitation);
}

static void probe_json(FILE *to, const cfpc_report *report)
{
    lab_excitation_json(to, &report->excitation);
}

static void probe_files(FILE *to, const cfpc_report *report, const char *folder, bool figures)
{
    (void)report;
    lab_put_excitation_files(to, folder, figures);
}

static lab_outcome probe_fill(lab_folder *folder, const cfpc_report *report, bool figures,
                              lab_why *why)
{
    lab_outcome outcome = lab_write_excitation(folder, &report->excitation, why);
    if (outcome == LAB_DONE && figures)
        outcome = lab_draw_excitation(folder, &report->excitation, lab_has_gnuplot(), why);
    return outcome;
}

static void probe_clear(cfpc_report *report)
{
    lab_excitation_free(&report->excitation);
}

static const lab_report_kind kind_of_probe = {.what = "a probe",
                                              .text = probe_text,
                                              .json = probe_json,
                                              .files = probe_files,
                                              .fill = probe_fill,
                                              .clear = probe_clear};

// ---- the call --------------------------------------------------------------------------------

static lab_outcome check_positive(double *value, const char *what, lab_why *why)
{
    if (*value == 0 || isnan(*value))
        *value = NAN;
    else if (!isfinite(*value) || *value < 0)
        return lab_refuse(why, "%s must be a number above 0; this is %g", what, *value);
    return LAB_DONE;
}

static lab_outcome read_excite_options(lab_excite_options *to, const cfpc_excite_options *options,
                                       lab_why *why)
{
    const cfpc_excite_options from = options ? *options : (cfpc_excite_options){0};
    *to = (lab_excite_options){from.seconds, from.rms,     from.noise,
                               from.low_hz,  from.high_hz, from.seed};
    lab_outcome outcome = check_positive(&to->seconds, "the length", why);
    if (outcome == LAB_DONE)
        outcome = check_positive(&to->rms, "the rms", why);
    if (outcome == LAB_DONE)
        outcome = check_positive(&to->noise, "the noise", why);
    if (outcome == LAB_DONE)
        outcome = check_positive(&to->low_hz, "the lowest frequency", why);
    if (outcome == LAB_DONE)
        outcome = check_positive(&to->high_hz, "the highest frequency", why);
    if (outcome == LAB_DONE && from.seed < 0)
        outcome = lab_refuse(why, "the seed must be at least 0; this is %d", from.seed);
    return outcome;
}

cfpc_outcome cfpc_experiment_excite(cfpc_report **report, const cfpc_experiment *experiment,
                                    const cfpc_excite_options *options, cfpc_why *why)
{
    lab_call call;
    lab_excite_options how;
    lab_call_begin(&call, NULL);
    lab_outcome outcome =
        lab_report_begin(report, &kind_of_probe, experiment, "experiment", &call.why);
    if (outcome == LAB_DONE)
        outcome = read_excite_options(&how, options, &call.why);
    if (outcome == LAB_DONE) {
        (*report)->spec = &experiment->spec;
        outcome = lab_excite(&(*report)->excitation, &experiment->plan, &how, &call.why);
    }
    return lab_call_end(&call, lab_report_end(report, outcome), why);
}
