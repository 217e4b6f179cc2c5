// SPDX-License-Identifier: Apache-2.0
// run: from an experiment to a result.
#include <stdlib.h>

#include "api/call.h"
#include "api/given.h"
#include "api/result.h"
#include "run/run.h"
#include "spec/constants.h"

// The spec of the result has the constants that were found.
static lab_outcome note_tuned(cfpc_result *result, lab_why *why)
{
    const lab_record *record = &result->record;
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < record->rules; i++) {
        const lab_tuning *tuning = lab_tuning_of(record, i);
        if (tuning)
            outcome = lab_constants_note(
                &result->spec, i, tuning->values + (size_t)tuning->best * (size_t)tuning->constants,
                why);
    }
    return outcome == LAB_DONE && record->tuning ? lab_origin_update(&result->origin, why)
                                                 : outcome;
}

// The files that the spec reads are kept before the run, during which they may change.
static lab_outcome run_begin(cfpc_result *result, const cfpc_experiment *experiment, lab_why *why)
{
    result->parts = (lab_result){.spec = &result->spec,
                                 .origin = &result->origin,
                                 .record = &result->record,
                                 .measures = &result->measures};
    lab_outcome outcome = lab_experiment_respec(experiment, &result->spec, why);
    if (outcome == LAB_DONE)
        outcome = lab_origin_make(&result->origin, &result->spec, why);
    if (outcome == LAB_DONE)
        outcome = lab_origin_keep(&result->origin, why);
    return outcome;
}

static lab_outcome run_finish(cfpc_result *result, lab_why *why)
{
    lab_outcome outcome = lab_measures_make(&result->measures, &result->record, &result->spec, why);
    if (outcome == LAB_DONE)
        outcome = note_tuned(result, why);
    if (outcome == LAB_DONE)
        outcome = lab_datasets_make(&result->sets, &result->parts, why);
    if (outcome == LAB_DONE)
        result->hash = lab_hash_in_hex(lab_hash_datasets(&result->sets));
    if (outcome == LAB_DONE && !lab_about_make(&result->about, &result->spec, &result->origin))
        outcome = lab_no_memory(why, NULL);
    return outcome;
}

static lab_outcome run(cfpc_result **result, const cfpc_experiment *experiment,
                       const lab_progress *progress, lab_why *why)
{
    cfpc_result *made = calloc(1, sizeof *made);
    if (!made)
        return lab_no_memory(why, NULL);
    lab_outcome outcome = run_begin(made, experiment, why);
    if (outcome == LAB_DONE)
        outcome = lab_run(&made->record, &experiment->plan, made->spec.runs, progress, why);
    if (outcome == LAB_DONE)
        outcome = run_finish(made, why);
    if (outcome == LAB_DONE)
        *result = made;
    else
        cfpc_result_free(made);
    return outcome;
}

cfpc_outcome cfpc_experiment_run(cfpc_result **result, const cfpc_experiment *experiment,
                                 const cfpc_progress *progress, cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, progress);
    if (result)
        *result = NULL;
    lab_outcome outcome =
        lab_check_both(experiment, "experiment", result, "place for the result", &call.why);
    if (outcome == LAB_DONE)
        outcome = run(result, experiment, &call.progress, &call.why);
    return lab_call_end(&call, outcome, why);
}
