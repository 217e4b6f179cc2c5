// SPDX-License-Identifier: Apache-2.0
// summary: summary.json. A measure's dotted name becomes nested objects.
#include <string.h>

#include "cfpc/config.h"
#include "write/entries.h"
#include "write/hash.h"

static int summary_dots(const char *name)
{
    int count = 0;
    for (; *name; name++)
        count += *name == '.';
    return count;
}

// Closes so many objects, of which the innermost has this depth.
static void close_objects(FILE *file, int count, int depth)
{
    for (; count > 0; count--)
        fprintf(file, "\n%*s}", 2 * depth--, "");
}

// The measures, in their order; those of one object are consecutive.
static void summary_put_measures(FILE *file, const lab_measures *measures)
{
    const char *before = "";
    for (int i = 0; i < measures->count; i++) {
        const char *name = measures->measure[i].name;
        size_t shared = 0; // with the name before, up to and including a dot
        for (size_t k = 0; before[k] && before[k] == name[k]; k++)
            if (name[k] == '.')
                shared = k + 1;
        const int closed = summary_dots(before + shared);
        int depth = 1 + summary_dots(before) - closed;
        close_objects(file, closed, summary_dots(before));
        fputs(i > 0 ? ",\n" : "", file);
        const char *part = name + shared;
        for (const char *dot; (dot = strchr(part, '.')); part = dot + 1)
            fprintf(file, "%*s\"%.*s\": {\n", 2 * depth++, "", (int)(dot - part), part);
        fprintf(file, "%*s", 2 * depth, "");
        lab_entry_number(file, "", part, measures->measure[i].value);
        before = name;
    }
    close_objects(file, summary_dots(before), summary_dots(before));
}

static void put_claims(FILE *file, const lab_measures *measures)
{
    fputs("  \"claims\": [", file);
    for (int i = 0; i < measures->claims; i++) {
        const lab_claim *claim = &measures->claim[i];
        lab_entry_text(file, i > 0 ? ",\n    {" : "\n    {", "name", claim->spec->name);
        lab_entry_text(file, ", ", "says", claim->spec->says);
        lab_entry_text(file, ", ", "measure", claim->spec->measure);
        lab_entry_number(file, ", ", "measured", claim->measured);
        lab_entry_number(file, ", ", "low", claim->spec->low);
        lab_entry_number(file, ", ", "high", claim->spec->high);
        fprintf(file, ", \"pass\": %s}", !claim->applies ? "null" : claim->pass ? "true" : "false");
    }
    fputs(measures->claims > 0 ? "\n  ]\n" : "]\n", file);
}

// The phases with their first and last trial, counted from 1.
static void summary_put_phases(FILE *file, const lab_spec *spec)
{
    int first = 1;
    if (spec->phases.count == 0)
        return;
    fputs("  \"phases\": [", file);
    for (int i = 0; i < spec->phases.count; i++) {
        const lab_phase_spec *phase = &lab_phases(spec)[i];
        lab_entry_text(file, i > 0 ? ", {" : "{", "name", phase->name);
        fprintf(file, ", \"first\": %d, \"last\": %d}", first, first + phase->trials - 1);
        first += phase->trials;
    }
    fputs("],\n", file);
}

// What taught each rule.
static void put_teachers(FILE *file, const lab_record *record)
{
    fputs("  \"taught_by\": {", file);
    for (int i = 0; i < record->rules; i++) {
        fputs(i > 0 ? ", " : "", file);
        lab_json_text(file, record->rule[i].name);
        fprintf(file, ": \"%s\"", lab_teacher_name(record->rule[i].teacher));
    }
    fputs("},\n", file);
}

static void summary_put_act(FILE *file, const lab_guard_act *act)
{
    fprintf(file, "{\"trial\": %d", act->trial);
    lab_entry_text(file, ", ", "reason", lab_guard_sentence(act->reason));
    lab_entry_number(file, ", ", "with_cell", act->with_cell);
    lab_entry_number(file, ", ", "alone", act->alone);
    lab_entry_truth(file, ", ", "world_changed", act->world_changed);
    lab_entry_text(file, ", ", "weights", act->to_zero ? "zero" : "best");
    lab_entry_truth(file, ", ", "frozen", act->froze);
    fputc('}', file);
}

// Where the guard acted: rule by rule, phase by phase.
static void put_guard(FILE *file, const lab_result *result)
{
    const lab_record *record = result->record;
    bool any = false;
    lab_entry_truth(file, "  \"guard\": {", "on", result->spec->guard.on);
    fputs(", \"acted\": [", file);
    for (int i = 0; i < record->rules; i++)
        for (int p = 0; p < record->phases; p++) {
            const lab_guarded *guarded = &record->rule[i].guard[p];
            if (guarded->acts == 0 && guarded->pauses == 0)
                continue;
            lab_entry_text(file, any ? ",\n    {" : "\n    {", "rule", record->rule[i].name);
            fprintf(file, ", \"phase\": %d, \"pauses\": %d, \"times\": %d, \"acts\": [", p + 1,
                    guarded->pauses, guarded->acts);
            for (int k = 0; k < guarded->acts && k < LAB_GUARD_ACTS; k++) {
                fputs(k ? ", " : "", file);
                summary_put_act(file, &guarded->act[k]);
            }
            fputs("]}", file);
            any = true;
        }
    fputs(any ? "\n  ]},\n" : "]},\n", file);
}

lab_outcome lab_write_summary(lab_folder *folder, const lab_result *result, lab_why *why)
{
    static const char next[] = ",\n  ";
    const lab_spec *spec = result->spec;
    const lab_record *record = result->record;
    const bool adjoint = record->rule[record->main_rule].filter.is_adjoint;
    FILE *file;
    uint64_t hash;
    lab_outcome outcome = lab_hash_result(&hash, result, why);
    if (outcome == LAB_DONE)
        outcome = lab_folder_create(folder, "summary.json", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    lab_entry_text(file, "{\n  ", "name", spec->name);
    lab_entry_text(file, next, "title", spec->title);
    lab_entry_text(file, next, "version", CFPC_VERSION);
    lab_entry_text(file, next, "real", CFPC_REAL_IS_FLOAT ? "float" : "double");
    lab_entry_text(file, next, "hash", lab_hash_in_hex(hash).text);
    lab_entry_text(file, next, "mode", spec->learning.mode == LAB_ONLINE ? "online" : "batch");
    lab_entry_text(file, next, "form", adjoint ? "adjoint" : "traces");
    lab_entry_text(file, next, "rule", lab_rules(spec)[spec->main_rule].name);
    lab_entry_number(file, next, "trials", record->trials);
    lab_entry_number(file, next, "repeats", record->repeats);
    lab_entry_truth(file, next, "modified", spec->modified);
    fputs(",\n  \"settings\": [", file); // that are in the spec, as path=value
    for (int i = 0; i < spec->applied.count; i++) {
        fputs(i > 0 ? ", " : "", file);
        lab_json_text(file, spec->applied.items[i]);
    }
    fputs("],\n", file);
    summary_put_phases(file, spec);
    put_teachers(file, record);
    put_guard(file, result);
    summary_put_measures(file, result->measures);
    fputs(",\n", file);
    put_claims(file, result->measures);
    fputs("}\n", file);
    return lab_folder_close(folder, file, why);
}
