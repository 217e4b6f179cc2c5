// SPDX-License-Identifier: Apache-2.0
// texts: what can be said of an experiment before it is run, and of the machine.
#include <stdlib.h>

#include "analyse/analyse.h"
#include "api/call.h"
#include "api/check_text.h"
#include "api/experiment.h"
#include "api/given.h"
#include "base/text.h"
#include "math/arithmetic.h"
#include "spec/spec_print.h"
#include "write/certificate_json.h"

// What writes such a text.
typedef lab_outcome teller(FILE *file, const cfpc_experiment *it, const lab_progress *progress,
                           lab_why *why);

static lab_outcome spec_text(FILE *file, const cfpc_experiment *experiment,
                             const lab_progress *progress, lab_why *why)
{
    (void)progress;
    (void)why;
    lab_spec_print(file, &experiment->spec);
    return LAB_DONE;
}

static lab_outcome texts_check_text(FILE *file, const cfpc_experiment *experiment,
                                    const lab_progress *progress, lab_why *why)
{
    (void)progress;
    return lab_check_text(file, experiment, why);
}

static lab_outcome certificate(FILE *file, const cfpc_experiment *experiment,
                               const lab_progress *progress, lab_why *why)
{
    const lab_analyse_options how = {.progress = progress};
    lab_analysis analysis;
    const lab_outcome outcome = lab_analyse(&analysis, &experiment->plan, &how, why);
    if (outcome == LAB_DONE)
        lab_certificate_json(file, &analysis);
    lab_analysis_free(&analysis);
    return outcome;
}

static lab_outcome texts_write_text(char **text, teller *tell, const cfpc_experiment *experiment,
                                    const lab_progress *progress, lab_why *why)
{
    lab_written to;
    lab_written_open(&to);
    lab_outcome outcome =
        to.file ? tell(to.file, experiment, progress, why) : lab_no_memory(why, NULL);
    *text = lab_written_close(&to);
    if (outcome == LAB_DONE && !*text)
        outcome = lab_no_memory(why, NULL);
    if (outcome != LAB_DONE) {
        free(*text);
        *text = NULL;
    }
    return outcome;
}

static cfpc_outcome texts_tell(char **text, teller *how, const cfpc_experiment *experiment,
                               const cfpc_progress *progress, cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, progress);
    if (text)
        *text = NULL;
    lab_outcome outcome =
        lab_check_both(experiment, "experiment", text, "place for the text", &call.why);
    if (outcome == LAB_DONE)
        outcome = texts_write_text(text, how, experiment, &call.progress, &call.why);
    return lab_call_end(&call, outcome, why);
}

cfpc_outcome cfpc_experiment_text(const cfpc_experiment *experiment, char **text, cfpc_why *why)
{
    return texts_tell(text, spec_text, experiment, NULL, why);
}

cfpc_outcome cfpc_experiment_check(const cfpc_experiment *experiment, char **text, cfpc_why *why)
{
    return texts_tell(text, texts_check_text, experiment, NULL, why);
}

cfpc_outcome cfpc_experiment_certificate(const cfpc_experiment *experiment, char **json,
                                         const cfpc_progress *progress, cfpc_why *why)
{
    return texts_tell(json, certificate, experiment, progress, why);
}

void cfpc_text_free(char *text)
{
    free(text);
}

const char *cfpc_arithmetic_fault(void)
{
    return cfpci_arithmetic_fault();
}
