// SPDX-License-Identifier: Apache-2.0
// excite: the report of a probe.
#include "analyse/excite.h"

#include <math.h>

#include "api/report.h"

cfpc_outcome cfpc_experiment_excite(cfpc_report **report, const cfpc_experiment *experiment,
                                    const cfpc_excite_options *options, cfpc_why *why)
{
    const cfpc_excite_options from = options ? *options : (cfpc_excite_options){0};
    lab_excite_options how = {from.seconds, from.rms,     from.noise,
                              from.low_hz,  from.high_hz, from.seed};
    const struct {
        double *value;
        const char *what;
    } numbers[] = {{&how.seconds, "the length"},
                   {&how.rms, "the rms"},
                   {&how.noise, "the noise"},
                   {&how.low_hz, "the lowest frequency"},
                   {&how.high_hz, "the highest frequency"}};
    lab_call call;
    lab_call_begin(&call, NULL);
    lab_outcome outcome =
        lab_report_begin(report, LAB_REPORT_PROBE, experiment, "experiment", &call.why);
    // Each is a number above 0; 0 and NAN both say that none is given.
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof numbers / sizeof numbers[0]; i++) {
        double *value = numbers[i].value;
        if (*value == 0 || isnan(*value))
            *value = NAN;
        else if (!isfinite(*value) || *value < 0)
            outcome = lab_refuse(&call.why, "%s must be a number above 0; this is %g",
                                 numbers[i].what, *value);
    }
    if (outcome == LAB_DONE && from.seed < 0)
        outcome = lab_refuse(&call.why, "the seed must be at least 0; this is %d", from.seed);
    if (outcome == LAB_DONE) {
        (*report)->spec = &experiment->spec;
        outcome = lab_excite(&(*report)->excitation, &experiment->plan, &how, &call.why);
    }
    return lab_call_end(&call, lab_report_end(report, outcome), why);
}
