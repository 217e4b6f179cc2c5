// SPDX-License-Identifier: Apache-2.0
// result: what a cfpc_result is: all that a run leaves. It borrows nothing of its experiment.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/experiment.h"
#include "draw/figures.h"
#include "report/report.h"
#include "run/gain.h"
#include "run/run.h"
#include "spec/constants.h"
#include "write/about.h"
#include "write/hash.h"
#include "write/standings.h"

struct cfpc_result {
    lab_spec spec; // as it was run, with the constants that were found
    lab_origin origin;
    lab_record record;
    lab_measures measures;
    lab_datasets sets;
    lab_about about;
    lab_hash_text hash;
    lab_result parts; // all of these, as the writers see them
};

void cfpc_result_free(cfpc_result *result)
{
    if (!result)
        return;
    lab_about_free(&result->about);
    lab_datasets_free(&result->sets);
    lab_measures_free(&result->measures);
    lab_record_free(&result->record);
    lab_origin_free(&result->origin);
    lab_spec_free(&result->spec);
    free(result);
}

// ---- from an experiment to it ----------------------------------------------------------------

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

static lab_outcome result_make(cfpc_result *result, const cfpc_experiment *experiment,
                               const lab_progress *progress, lab_why *why)
{
    lab_spec *spec = &result->spec;
    result->parts = (lab_result){.spec = spec,
                                 .origin = &result->origin,
                                 .record = &result->record,
                                 .measures = &result->measures};
    lab_outcome outcome = lab_spec_make(spec, &experiment->source, &experiment->settings, why);
    spec->runs = experiment->spec.runs;
    spec->seed = experiment->spec.seed;
    // The files that the spec reads are kept before the run, during which they may change.
    if (outcome == LAB_DONE)
        outcome = lab_origin_make(&result->origin, spec, why);
    if (outcome == LAB_DONE)
        outcome = lab_origin_keep(&result->origin, why);
    if (outcome == LAB_DONE)
        outcome = lab_run(&result->record, &experiment->plan, spec->runs, progress, why);
    if (outcome == LAB_DONE)
        outcome = lab_measures_make(&result->measures, &result->record, spec, why);
    if (outcome == LAB_DONE)
        outcome = note_tuned(result, why);
    if (outcome == LAB_DONE)
        outcome = lab_datasets_make(&result->sets, &result->parts, why);
    if (outcome == LAB_DONE)
        result->hash = lab_hash_in_hex(lab_hash_datasets(&result->sets));
    if (outcome == LAB_DONE && !lab_about_make(&result->about, spec, &result->origin))
        outcome = lab_no_memory(why, NULL);
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
    if (outcome != LAB_DONE)
        return lab_call_end(&call, outcome, why);
    cfpc_result *made = calloc(1, sizeof *made);
    outcome = made ? result_make(made, experiment, &call.progress, &call.why)
                   : lab_no_memory(&call.why, NULL);
    if (outcome == LAB_DONE)
        *result = made;
    else
        cfpc_result_free(made);
    return lab_call_end(&call, outcome, why);
}

// ---- what is in it ---------------------------------------------------------------------------

bool cfpc_result_array(const cfpc_result *result, int i, cfpc_array *array)
{
    if (!result || !array || i < 0 || i >= result->sets.count)
        return false;
    const lab_dataset *set = &result->sets.set[i];
    *array = (cfpc_array){.name = set->name,
                          .unit = set->unit,
                          .values = set->values,
                          .rank = set->rank,
                          .shape = {set->shape[0], set->shape[1]}};
    return true;
}

bool cfpc_result_measure(const cfpc_result *result, int i, cfpc_measure *measure)
{
    if (!result || !measure || i < 0 || i >= result->measures.count)
        return false;
    const lab_measure *of = &result->measures.measure[i];
    *measure = (cfpc_measure){.name = of->name, .unit = lab_unit(of->name), .value = of->value};
    return true;
}

bool cfpc_result_claim(const cfpc_result *result, int i, cfpc_claim *claim)
{
    if (!result || !claim || i < 0 || i >= result->measures.claims)
        return false;
    const lab_claim *of = &result->measures.claim[i];
    *claim = (cfpc_claim){.name = of->spec->name,
                          .says = of->spec->says,
                          .measure = of->spec->measure,
                          .low = of->spec->low,
                          .high = of->spec->high,
                          .measured = of->measured,
                          .applies = of->applies,
                          .holds = of->applies && of->pass};
    return true;
}

bool cfpc_result_rule(const cfpc_result *result, int i, cfpc_rule_result *rule)
{
    if (!result || !rule || i < 0 || i >= result->record.rules)
        return false;
    const lab_rule_record *record = &result->record.rule[i];
    *rule = (cfpc_rule_result){.name = record->name,
                               .rate = record->rate,
                               .diverged_at = record->diverged_at,
                               .no_optimum = record->nonlinear,
                               .taught_by = lab_teacher_name(record->teacher),
                               .weights = record->weights,
                               .count = (size_t)record->bases};
    return true;
}

bool cfpc_result_phase(const cfpc_result *result, int i, cfpc_phase *phase)
{
    const lab_spec *spec = result ? &result->spec : NULL;
    if (!spec || !phase || i < 0 || i >= spec->phases.count)
        return false;
    *phase = (cfpc_phase){.name = lab_phases(spec)[i].name, .first = 1};
    for (int before = 0; before < i; before++)
        phase->first += lab_phases(spec)[before].trials;
    phase->last = phase->first + lab_phases(spec)[i].trials - 1;
    return true;
}

int cfpc_result_repeats(const cfpc_result *result)
{
    return result ? result->record.repeats : 0;
}

const char *cfpc_result_hash(const cfpc_result *result)
{
    return result ? result->hash.text : NULL;
}

const char *cfpc_result_attribute(const cfpc_result *result, const char *name)
{
    if (!result || !name)
        return NULL;
    const lab_record *record = &result->record;
    if (strcmp(name, "taught_by") == 0)
        return lab_teacher_name(record->rule[record->main_rule].teacher);
    if (strcmp(name, "modified") == 0)
        return result->spec.modified ? "1" : "0";
    return lab_about_text(&result->about, name);
}

cfpc_outcome cfpc_result_check(const cfpc_result *result, cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, NULL);
    lab_outcome outcome = lab_check_given(result, "result", &call.why);
    if (outcome == LAB_DONE)
        outcome = lab_check_diverged(&result->measures, &result->record, &call.why);
    if (outcome == LAB_DONE && result->measures.failed > 0 && !result->spec.modified)
        outcome = lab_fail(&call.why, "%d of %d claims do not hold", result->measures.failed,
                           result->measures.applicable);
    return lab_call_end(&call, outcome, why);
}

// ---- its files -------------------------------------------------------------------------------

static lab_outcome result_fill(lab_folder *folder, const void *context, bool figures, lab_why *why)
{
    const cfpc_result *result = context;
    const lab_spec *spec = &result->spec;
    const lab_record *record = &result->record;
    // What is written, in this order, and whether.
    const struct {
        lab_outcome (*write)(lab_folder *folder, const lab_result *result, lab_why *why);
        bool asked;
    } files[] = {{lab_write_curves, true},
                 {lab_write_signals, true},
                 {lab_write_phases, true},
                 {lab_write_traces, true},
                 {lab_write_weights, true},
                 {lab_write_responses, lab_asks_responses(spec)},
                 {lab_write_gain, lab_asks_gain(spec)},
                 {lab_write_windows, lab_asks_windows(spec)},
                 {lab_write_models, lab_any_model(record)},
                 {lab_write_tuning, lab_any_tuned(record)},
                 {lab_write_scale, record->scale_sizes > 0},
                 {lab_write_population, record->population.count > 0},
                 {lab_write_zone, lab_has_cells(&record->zone)},
                 {lab_write_joints, record->zone.joints.count > 0},
                 {lab_write_standings, lab_asks_standings(spec)},
                 {lab_write_summary, true},
                 {lab_write_hashes, true},
                 {lab_write_hdf5, true}};
    lab_outcome outcome = lab_write_inputs(folder, &result->origin, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_spec(folder, &result->origin, why);
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof files / sizeof files[0]; i++)
        if (files[i].asked)
            outcome = files[i].write(folder, &result->parts, why);
    if (outcome == LAB_DONE && figures)
        outcome = lab_draw_figures(folder, &result->parts, why);
    return outcome;
}

cfpc_outcome cfpc_result_write(const cfpc_result *result, const char *folder,
                               const cfpc_write_options *options, cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, options ? options->progress : NULL);
    lab_outcome outcome = lab_check_both(result, "result", folder, "folder", &call.why);
    if (outcome == LAB_DONE)
        outcome = lab_write_into(folder, options, &call.progress, result_fill, result, &call.why);
    return lab_call_end(&call, outcome, why);
}

static lab_outcome result_put(FILE *to, const void *result, lab_why *why)
{
    (void)why;
    lab_put_result(to, &((const cfpc_result *)result)->parts);
    return LAB_DONE;
}

cfpc_outcome cfpc_result_text(const cfpc_result *result, char **text, cfpc_why *why)
{
    return lab_tell_program(text, result_put, result, "result", why);
}

static lab_outcome result_put_files(FILE *to, const void *context, lab_why *why)
{
    const lab_told_place *place = context;
    const cfpc_result *result = place->of;
    (void)why;
    lab_put_result_files(to, &result->parts, place->folder, place->figures);
    return LAB_DONE;
}

cfpc_outcome cfpc_result_files(const cfpc_result *result, const char *folder,
                               const cfpc_write_options *options, char **text, cfpc_why *why)
{
    const lab_told_place place = {result, folder, options && options->figures};
    return lab_tell_program(text, result_put_files, result && folder ? &place : NULL,
                            result ? "folder" : "result", why);
}
