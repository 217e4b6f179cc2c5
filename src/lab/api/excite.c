// SPDX-License-Identifier: Apache-2.0
// excite: the report of a probe.
#include "analyse/excite.h"

#include <math.h>

#include "api/report.h"

// A number above 0; 0 and NAN both say that none is given.
static lab_outcome read_excite_options(lab_excite_options *to, const cfpc_excite_options *options,
                                       lab_why *why)
{
    const cfpc_excite_options from = options ? *options : (cfpc_excite_options){0};
    *to = (lab_excite_options){from.seconds, from.rms,     from.noise,
                               from.low_hz,  from.high_hz, from.seed};
    const struct {
        double *value;
        const char *what;
    } numbers[] = {{&to->seconds, "the length"},
                   {&to->rms, "the rms"},
                   {&to->noise, "the noise"},
                   {&to->low_hz, "the lowest frequency"},
                   {&to->high_hz, "the highest frequency"}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        double *value = numbers[i].value;
        if (*value == 0 || isnan(*value))
            *value = NAN;
        else if (!isfinite(*value) || *value < 0)
            return lab_refuse(why, "%s must be a number above 0; this is %g", numbers[i].what,
                              *value);
    }
    return from.seed >= 0 ? LAB_DONE
                          : lab_refuse(why, "the seed must be at least 0; this is %d", from.seed);
}

cfpc_outcome cfpc_experiment_excite(cfpc_report **report, const cfpc_experiment *experiment,
                                    const cfpc_excite_options *options, cfpc_why *why)
{
    lab_call call;
    lab_excite_options how;
    lab_call_begin(&call, NULL);
    lab_outcome outcome =
        lab_report_begin(report, LAB_REPORT_PROBE, experiment, "experiment", &call.why);
    if (outcome == LAB_DONE)
        outcome = read_excite_options(&how, options, &call.why);
    if (outcome == LAB_DONE) {
        (*report)->spec = &experiment->spec;
        outcome = lab_excite(&(*report)->excitation, &experiment->plan, &how, &call.why);
    }
    return lab_call_end(&call, lab_report_end(report, outcome), why);
}
