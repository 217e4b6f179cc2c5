// SPDX-License-Identifier: Apache-2.0
#include "run/measure_rows.h"

const lab_measure_row *const lab_measure_tables[] = {
    lab_run_measures,  lab_rule_measures,       lab_kernel_measures, lab_phase_measures,
    lab_size_measures, lab_population_measures, lab_zone_measures,   NULL};

// The struct that has the members which are measures of this kind.
static const void *measured_struct(lab_measured measured, const lab_measured_at *at)
{
    const lab_zone *zone = &at->record->zone;
    switch (measured) {
    case LAB_OF_RUN:
        return at->record;
    case LAB_OF_RULE:
    case LAB_OF_PHASE:
        return lab_measured_rule(at);
    case LAB_OF_SIZE:
        return &at->record->scale[at->size];
    case LAB_OF_GROUP:
        return &at->group;
    case LAB_OF_ZONE:
        return zone;
    case LAB_OF_WAY:
        return &zone->way[at->way];
    case LAB_OF_ZONE_SIZE:
        return at->zone_size;
    case LAB_OF_JOINTS:
        return &zone->joints;
    case LAB_OF_JOINT:
        return &zone->joints.joint[at->joint].score[at->joint_rule];
    }
    return NULL;
}

double lab_measure_value(const lab_measure_row *row, const lab_measured_at *at)
{
    const lab_measured_value value = row->value;
    if (value.found == LAB_COMPUTED)
        return value.compute(at);
    const void *member = (const char *)measured_struct(row->of, at) + value.offset;
    switch (value.found) {
    case LAB_AN_INT:
        return *(const int *)member;
    case LAB_OF_FIRST_TRIAL:
        return (*(double *const *)member)[at->first];
    case LAB_OF_LAST_TRIAL:
        return (*(double *const *)member)[at->last];
    default:
        return *(const double *)member;
    }
}

void lab_measure_reference(FILE *file)
{
    static const char *const prefixes[] = {[LAB_OF_RUN] = "",
                                           [LAB_OF_RULE] = "rules.RULE.",
                                           [LAB_OF_PHASE] = "rules.RULE.PHASE.",
                                           [LAB_OF_SIZE] = "scale.SYNAPSES.",
                                           [LAB_OF_GROUP] = "population.KIND-BASIS.TRACE.",
                                           [LAB_OF_ZONE] = "zone.",
                                           [LAB_OF_WAY] = "zone.WAY.",
                                           [LAB_OF_ZONE_SIZE] = "zone.SIZE.NUMBER.",
                                           [LAB_OF_JOINTS] = "joints.",
                                           [LAB_OF_JOINT] = "joints.COUPLING.RULE."};
    _Static_assert(sizeof prefixes / sizeof prefixes[0] == LAB_OF_JOINT + 1, "each has one");
    fputs(
        "# The measures of a run\n\n"
        "`cfpc run` writes them to `summary.json`; claims, tables and bars of a spec name them. "
        "`cfpc help measures` prints\nthis page. A measure that a run does not define is null, "
        "such as `rrmse_7` of a run with 5 trials; a claim on it fails. Measures of a\nphase are "
        "there if the spec "
        "has several phases, those of the response and the gain if it has `response` and "
        "`gain`, those of a\nteaching filter if the rule learns in adjoint form.\n\n"
        "rRMSE is the rms error of a trial over that of the loop alone in the same phase, all its "
        "trials together. If the loop alone\nmakes no error in a phase, it is over that of "
        "another phase.\n\n"
        "| measure | meaning |\n| --- | --- |\n",
        file);
    for (int t = 0; lab_measure_tables[t]; t++)
        for (const lab_measure_row *row = lab_measure_tables[t]; row->name; row++)
            fprintf(file, "| `%s%s` | %s |\n", prefixes[row->of], row->name, row->says);
}
