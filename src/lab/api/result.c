// SPDX-License-Identifier: Apache-2.0
#include "api/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/given.h"

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

static lab_outcome result_check(const cfpc_result *result, lab_why *why)
{
    const lab_outcome outcome = lab_check_diverged(&result->measures, &result->record, why);
    if (outcome == LAB_DONE && result->measures.failed > 0 && !result->spec.modified)
        return lab_fail(why, "%d of %d claims do not hold", result->measures.failed,
                        result->measures.applicable);
    return outcome;
}

cfpc_outcome cfpc_result_check(const cfpc_result *result, cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, NULL);
    lab_outcome outcome = lab_check_given(result, "result", &call.why);
    if (outcome == LAB_DONE)
        outcome = result_check(result, &call.why);
    return lab_call_end(&call, outcome, why);
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
