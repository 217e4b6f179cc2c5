// SPDX-License-Identifier: Apache-2.0
#include "run/measures.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/measure_rows.h"

// ---- the list --------------------------------------------------------------------------------

enum { FIRST_ROOM = 64 }; // for measures; it doubles when it is full

static lab_measure *next_measure(lab_measures *measures)
{
    if (measures->count == measures->room) {
        const int room = measures->room > 0 ? 2 * measures->room : FIRST_ROOM;
        lab_measure *larger = realloc(measures->measure, (size_t)room * sizeof *larger);
        if (!larger)
            return NULL;
        measures->measure = larger;
        measures->room = room;
    }
    return &measures->measure[measures->count++];
}

// Adds every row of this kind that is there. Its name begins as the format says, "rules.NAME.".
__attribute__((format(printf, 4, 5))) static bool add_rows(lab_measures *measures,
                                                           lab_measured measured,
                                                           const lab_measured_at *at,
                                                           const char *format, ...)
{
    char prefix[LAB_MEASURE_NAME];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(prefix, sizeof prefix, format, arguments);
    va_end(arguments);
    for (int t = 0; lab_measure_tables[t]; t++)
        for (const lab_measure_row *row = lab_measure_tables[t]; row->name; row++) {
            if (row->of != measured || !row->is_there(at))
                continue;
            lab_measure *measure = next_measure(measures);
            if (!measure)
                return false;
            snprintf(measure->name, sizeof measure->name, "%s%s", prefix, row->name);
            measure->value = lab_measure_value(row, at);
        }
    return true;
}

// Of a rule: its own, the constants that were found for it, and those of each of several phases, of
// the first and the last trial of the phase.
static bool measures_add_rule(lab_measures *measures, lab_measured_at at)
{
    const lab_record *record = at.record;
    const char *name = record->rule[at.rule].name;
    const lab_tuning *tuning = lab_tuning_of(record, at.rule);
    bool whole = add_rows(measures, LAB_OF_RULE, &at, "rules.%s.", name);
    for (int i = 0; whole && tuning && i < tuning->constants; i++) {
        lab_measure *measure = next_measure(measures);
        if (!measure)
            return false;
        snprintf(measure->name, sizeof measure->name, "rules.%s.tuned.%s", name,
                 tuning->keys[i].text);
        measure->value = lab_found(tuning, i);
    }
    for (at.phase = 0; whole && record->phases > 1 && at.phase < record->phases; at.phase++) {
        at.first = 0;
        at.last = record->trials - 1;
        while (record->phase[at.first] != at.phase)
            at.first++;
        while (record->phase[at.last] != at.phase)
            at.last--;
        whole = add_rows(measures, LAB_OF_PHASE, &at, "rules.%s.%s.", name,
                         lab_phases(at.spec)[at.phase].name);
    }
    return whole;
}

// Those of all loops have no name of a group.
static bool add_population(lab_measures *measures, lab_measured_at at)
{
    const lab_population *population = &at.record->population;
    for (int group = 0; group < lab_population_groups(population); group++)
        for (int k = 0; k < LAB_CONTESTANT_COUNT; k++) {
            const lab_contestant which = (lab_contestant)k;
            if (lab_population_size(population, group) == 0)
                continue;
            if (lab_population_sum(&at.group, population, group, which) != CFPC_OK ||
                !add_rows(measures, LAB_OF_GROUP, &at, "population.%s%s%s.",
                          group > 0 ? lab_population_group(group).text : "", group > 0 ? "." : "",
                          lab_contestant_name(which)))
                return false;
        }
    return true;
}

static bool add_zone(lab_measures *measures, lab_measured_at at)
{
    const lab_zone *zone = &at.record->zone;
    const lab_joints *joints = &zone->joints;
    if (zone->cells == 0)
        return true;
    bool whole = add_rows(measures, LAB_OF_ZONE, &at, "zone.");
    for (int way = 0; whole && way < LAB_ZONE_WAY_COUNT; way++) {
        at.way = (lab_zone_way)way;
        if (zone->way[way].is_run)
            whole = add_rows(measures, LAB_OF_WAY, &at, "zone.%s.", lab_zone_way_name(at.way));
    }
    for (int i = 0; whole && i < zone->cell_sizes; i++) {
        at.zone_size = &zone->by_cells[i];
        whole = add_rows(measures, LAB_OF_ZONE_SIZE, &at, "zone.cells.%d.", at.zone_size->cells);
    }
    for (int i = 0; whole && i < zone->synapse_sizes; i++) {
        at.zone_size = &zone->by_synapses[i];
        whole =
            add_rows(measures, LAB_OF_ZONE_SIZE, &at, "zone.synapses.%d.", at.zone_size->synapses);
    }
    if (whole && joints->count > 0)
        whole = add_rows(measures, LAB_OF_JOINTS, &at, "joints.");
    for (at.joint = 0; whole && at.joint < joints->count; at.joint++)
        for (int rule = 0; whole && rule < LAB_JOINT_RULE_COUNT; rule++) {
            at.joint_rule = (lab_joint_rule)rule;
            whole = add_rows(measures, LAB_OF_JOINT, &at, "joints.%s.%s.",
                             lab_coupling_name(joints->joint[at.joint].coupling).text,
                             lab_joint_rule_name(at.joint_rule));
        }
    return whole;
}

const char *lab_unit(const char *measure)
{
    const size_t length = strlen(measure);
    if (strstr(measure, "_ms_") || (length > 3 && strcmp(measure + length - 3, "_ms") == 0))
        return "ms";
    return strstr(measure, "rrmse") ? "rRMSE" : "1";
}

bool lab_is_of_clock(const char *measure)
{
    static const char *const ends[] = {"_seconds", "_per_second", "real_time"};
    const size_t length = strlen(measure);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const size_t end = strlen(ends[i]);
        if (length >= end && strcmp(measure + length - end, ends[i]) == 0)
            return true;
    }
    return false;
}

// ---- the claims ------------------------------------------------------------------------------

const lab_measure *lab_measure_of(const lab_measures *measures, const char *name)
{
    for (int k = 0; k < measures->count; k++)
        if (strcmp(measures->measure[k].name, name) == 0)
            return &measures->measure[k];
    return NULL;
}

lab_hint lab_measures_hint(const lab_measures *measures, const char *name)
{
    lab_hint hint = lab_hint_for(name);
    for (int k = 0; k < measures->count; k++)
        lab_hint_add(&hint, measures->measure[k].name);
    return hint;
}

bool lab_is_not_reached(const lab_record *record, const char *name)
{
    const char *under = strrchr(name, '_');
    char *end;
    const long trial = under ? strtol(under + 1, &end, 10) : 0;
    return under && end > under + 1 && !*end && trial > record->trials;
}

// A claim is about the experiment as it was written: what of it is gone or was not reached after
// settings, or is now another rule's, neither holds nor fails. Of the main rule are what it
// learned, and, where rules have their own, the figures of its loop.
static bool applies(const lab_record *record, const lab_spec *spec, const char *name)
{
    static const char *const learned[] = {"lag_last_ms", "lead_ms", "lead_offset_ms",
                                          "learning_rate"};
    bool is_main_rules = lab_any_varied(record) && !strchr(name, '.');
    for (size_t i = 0; i < sizeof learned / sizeof learned[0]; i++)
        is_main_rules |= strcmp(name, learned[i]) == 0;
    return !(spec->modified && lab_is_not_reached(record, name)) &&
           !(spec->main_rule != 0 && is_main_rules);
}

static lab_outcome measures_judge(lab_measures *measures, const lab_record *record,
                                  const lab_spec *spec, int i, lab_why *why)
{
    const lab_claim_spec *claim = &lab_claims(spec)[i];
    const lab_measure *found = lab_measure_of(measures, claim->measure);
    if (!found && !spec->modified)
        return lab_spec_refuse(spec, claim->place, why,
                               "claim '%s' names a measure '%.60s' that the run does not have; %s",
                               claim->name, claim->measure,
                               lab_measures_hint(measures, claim->measure).text);
    measures->claim[i] = (lab_claim){.spec = claim, .measured = NAN};
    if (!found || !applies(record, spec, claim->measure))
        return LAB_DONE;
    // A measure that is null lies in no range.
    const bool pass =
        !isnan(found->value) && !(found->value < claim->low) && !(found->value > claim->high);
    measures->claim[i] =
        (lab_claim){.spec = claim, .applies = true, .measured = found->value, .pass = pass};
    measures->applicable++;
    measures->failed += !pass;
    return LAB_DONE;
}

__attribute__((format(printf, 2, 3))) static bool is_claimed(const lab_measures *measures,
                                                             const char *format, ...)
{
    char name[LAB_MEASURE_NAME];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    for (int i = 0; i < measures->claims; i++)
        if (measures->claim[i].pass && strcmp(measures->claim[i].spec->measure, name) == 0)
            return true;
    return false;
}

lab_outcome lab_check_diverged(const lab_measures *measures, const lab_record *record, lab_why *why)
{
    const lab_rule_record *first = NULL;
    int count = 0;
    for (int i = 0; i < record->rules; i++) {
        const lab_rule_record *rule = &record->rule[i];
        if (rule->diverged_at == 0 ||
            is_claimed(measures, "rules.%s.diverged_at_trial", rule->name))
            continue;
        first = first ? first : rule;
        count++;
    }
    if (count > 0) {
        char others[32] = "";
        if (count > 1)
            snprintf(others, sizeof others, " (and %d more)", count - 1);
        return lab_fail(why, "rule %s diverged at trial %d%s", first->name, first->diverged_at,
                        others);
    }
    for (int i = 0; i < record->scale_sizes; i++) {
        const lab_scale_point *point = &record->scale[i];
        if (point->diverged_at > 0 &&
            !is_claimed(measures, "scale.%d.diverged_at_trial", point->synapses))
            return lab_fail(why, "scale: %d synapses diverged at trial %d", point->synapses,
                            point->diverged_at);
    }
    return LAB_DONE;
}

// The figures that a panel of the story shows must be there, and those of the table of rules.
static lab_outcome measures_check_shown(const lab_measures *measures, const lab_spec *spec,
                                        lab_why *why)
{
    for (int i = 0; i < lab_panel_count(spec); i++) {
        const lab_panel_spec *panel = &lab_panels(spec)[i];
        for (int k = 0; k < panel->measures.count; k++)
            if (!lab_measure_of(measures, panel->measures.items[k]))
                return lab_spec_refuse(
                    spec, panel->place, why,
                    "the panel names a measure '%.60s' that the run does not have; %s",
                    panel->measures.items[k],
                    lab_measures_hint(measures, panel->measures.items[k]).text);
    }
    for (int i = 0; i < spec->table.count; i++) {
        const lab_column_spec *column = &lab_columns(spec)[i];
        char name[LAB_MEASURE_NAME];
        snprintf(name, sizeof name, "rules.%s.%s", lab_rules(spec)[0].name, column->measure);
        if (!lab_measure_of(measures, name))
            return lab_spec_refuse(
                spec, column->place, why,
                "column '%.60s' names a measure '%.60s' that the run does not have; %s",
                column->title, name, lab_measures_hint(measures, name).text);
    }
    return LAB_DONE;
}

lab_outcome lab_measures_make(lab_measures *measures, const lab_record *record,
                              const lab_spec *spec, lab_why *why)
{
    lab_measured_at at = {.record = record, .spec = spec, .last = record->trials - 1};
    *measures = (lab_measures){.claims = spec->claims.count};
    measures->claim = calloc((size_t)measures->claims + 1, sizeof *measures->claim);
    bool whole = measures->claim && add_rows(measures, LAB_OF_RUN, &at, "%s", "");
    for (at.rule = 0; whole && at.rule < record->rules; at.rule++)
        whole = measures_add_rule(measures, at);
    for (at.size = 0; whole && at.size < record->scale_sizes; at.size++)
        whole = add_rows(measures, LAB_OF_SIZE, &at, "scale.%d.", record->scale[at.size].synapses);
    if (!whole || !add_population(measures, at) || !add_zone(measures, at))
        return lab_no_memory(why, NULL);
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < measures->claims; i++)
        outcome = measures_judge(measures, record, spec, i, why);
    return outcome == LAB_DONE ? measures_check_shown(measures, spec, why) : outcome;
}

void lab_measures_free(lab_measures *measures)
{
    free(measures->measure);
    free(measures->claim);
    *measures = (lab_measures){0};
}
