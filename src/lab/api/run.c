// SPDX-License-Identifier: Apache-2.0
// run: from an experiment to a result.
#include <stdlib.h>

#include "api/call.h"
#include "api/given.h"
#include "api/result.h"
#include "run/run.h"
#include "spec/constants.h"

// The spec of the result has the constants that were found.
static lab_outcome note_tuned(cfpc_result *it, lab_why *why)
{
    const lab_record *record = &it->record;
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < record->rules; i++) {
        const lab_tuning *tuning = lab_tuning_of(record, i);
        if (tuning)
            outcome = lab_constants_note(
                &it->spec, i, tuning->values + (size_t)tuning->best * (size_t)tuning->constants,
                why);
    }
    return outcome == LAB_DONE && record->tuning ? lab_origin_update(&it->origin, why) : outcome;
}

// The files that the spec reads are kept before the run, during which they may change.
static lab_outcome begin(cfpc_result *it, const cfpc_experiment *of, lab_why *why)
{
    it->parts = (lab_result){
        .spec = &it->spec, .origin = &it->origin, .record = &it->record, .measures = &it->measures};
    lab_outcome outcome = lab_experiment_respec(of, &it->spec, why);
    if (outcome == LAB_DONE)
        outcome = lab_origin_make(&it->origin, &it->spec, why);
    if (outcome == LAB_DONE)
        outcome = lab_origin_keep(&it->origin, why);
    return outcome;
}

static lab_outcome finish(cfpc_result *it, lab_why *why)
{
    lab_outcome outcome = lab_measures_make(&it->measures, &it->record, &it->spec, why);
    if (outcome == LAB_DONE)
        outcome = note_tuned(it, why);
    if (outcome == LAB_DONE)
        outcome = lab_datasets_make(&it->sets, &it->parts, why);
    if (outcome == LAB_DONE)
        it->hash = lab_hash_in_hex(lab_hash_datasets(&it->sets));
    if (outcome == LAB_DONE && !lab_about_make(&it->about, &it->spec, &it->origin))
        outcome = lab_no_memory(why, NULL);
    return outcome;
}

static lab_outcome run(cfpc_result **result, const cfpc_experiment *of,
                       const lab_progress *progress, lab_why *why)
{
    cfpc_result *it = calloc(1, sizeof *it);
    if (!it)
        return lab_no_memory(why, NULL);
    lab_outcome outcome = begin(it, of, why);
    if (outcome == LAB_DONE)
        outcome = lab_run(&it->record, &of->plan, it->spec.runs, progress, why);
    if (outcome == LAB_DONE)
        outcome = finish(it, why);
    if (outcome == LAB_DONE)
        *result = it;
    else
        cfpc_result_free(it);
    return outcome;
}

cfpc_outcome cfpc_experiment_run(const cfpc_experiment *experiment, cfpc_result **result,
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
