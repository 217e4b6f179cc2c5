// SPDX-License-Identifier: Apache-2.0
// texts: what can be said of an experiment before it is run, of files, of the lab and the machine.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/analyse.h"
#include "api/call.h"
#include "api/check_text.h"
#include "api/experiment.h"
#include "api/given.h"
#include "api/told.h"
#include "base/nearest.h"
#include "draw/gnuplot.h"
#include "math/arithmetic.h"
#include "report/report.h"
#include "run/measure_rows.h"
#include "spec/spec_print.h"
#include "write/certificate_json.h"

// ---- an experiment ---------------------------------------------------------------------------

static lab_outcome texts_put_spec(FILE *to, const void *experiment, lab_why *why)
{
    (void)why;
    lab_spec_print(to, &((const cfpc_experiment *)experiment)->spec);
    return LAB_DONE;
}

cfpc_outcome cfpc_experiment_text(const cfpc_experiment *experiment, char **text, cfpc_why *why)
{
    return lab_tell_program(text, texts_put_spec, experiment, "experiment", why);
}

static lab_outcome texts_put_check(FILE *to, const void *experiment, lab_why *why)
{
    return lab_check_text(to, experiment, why);
}

cfpc_outcome cfpc_experiment_check(const cfpc_experiment *experiment, char **text, cfpc_why *why)
{
    return lab_tell_program(text, texts_put_check, experiment, "experiment", why);
}

static lab_outcome texts_put_certificate(FILE *to, const void *analysis, lab_why *why)
{
    (void)why;
    lab_certificate_json(to, analysis);
    return LAB_DONE;
}

cfpc_outcome cfpc_experiment_certificate(const cfpc_experiment *experiment, char **json,
                                         const cfpc_progress *progress, cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, progress);
    const lab_analyse_options how = {.progress = &call.progress};
    lab_analysis analysis = {0};
    if (json)
        *json = NULL;
    lab_outcome outcome =
        lab_check_both(experiment, "experiment", json, "place for the text", &call.why);
    if (outcome == LAB_DONE)
        outcome = lab_analyse(&analysis, &experiment->plan, &how, &call.why);
    if (outcome == LAB_DONE)
        outcome = lab_tell(json, texts_put_certificate, &analysis, &call.why);
    lab_analysis_free(&analysis);
    return lab_call_end(&call, outcome, why);
}

void cfpc_text_free(char *text)
{
    free(text);
}

// ---- files -----------------------------------------------------------------------------------

static lab_outcome texts_put_file(FILE *to, const void *path, lab_why *why)
{
    return lab_put_inspected(to, path, why);
}

cfpc_outcome cfpc_inspect(const char *path, char **text, cfpc_why *why)
{
    return lab_tell_program(text, texts_put_file, path, "file", why);
}

// ---- the lab ---------------------------------------------------------------------------------

static lab_outcome texts_put_keys(FILE *to, const void *none, lab_why *why)
{
    (void)none;
    (void)why;
    lab_spec_reference(to);
    return LAB_DONE;
}

cfpc_outcome cfpc_spec_reference(char **text, cfpc_why *why)
{
    return lab_tell_program(text, texts_put_keys, "", "spec", why);
}

static lab_outcome texts_put_measures(FILE *to, const void *none, lab_why *why)
{
    (void)none;
    (void)why;
    lab_measure_reference(to);
    return LAB_DONE;
}

cfpc_outcome cfpc_measure_reference(char **text, cfpc_why *why)
{
    return lab_tell_program(text, texts_put_measures, "", "measure", why);
}

cfpc_hint cfpc_hint_among(const char *word, const char *const *names, size_t count)
{
    cfpc_hint to;
    const lab_hint hint =
        lab_hint_among(word ? word : "", names, names && count < INT_MAX ? (int)count : 0);
    memcpy(to.text, hint.text, sizeof to.text);
    return to;
}

bool cfpc_has_hdf5(void)
{
    return lab_has_hdf5();
}

bool cfpc_has_gnuplot(void)
{
    return lab_has_gnuplot();
}

const char *cfpc_arithmetic_fault(void)
{
    return cfpci_arithmetic_fault();
}
