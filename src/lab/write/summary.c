// SPDX-License-Identifier: Apache-2.0
// summary: summary.json. A measure's dotted name becomes nested objects.
#include <string.h>

#include "base/json.h"
#include "cfpc/config.h"
#include "write/hash.h"

static void indent(FILE *file, int depth)
{
    fprintf(file, "%*s", 2 * depth, "");
}

// Length of the common prefix of two dotted names, up to and including a dot.
static size_t shared_path(const char *a, const char *b)
{
    size_t shared = 0;
    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        if (a[i] == '.')
            shared = i + 1;
    return shared;
}

static int summary_dots(const char *name, size_t from)
{
    int count = 0;
    for (const char *c = name + from; *c; c++)
        count += *c == '.';
    return count;
}

// The measures, in their order; those of one object are consecutive.
static void summary_put_measures(FILE *file, const lab_measures *measures)
{
    const char *before = "";
    for (int i = 0; i < measures->count; i++) {
        const char *name = measures->measure[i].name;
        const size_t shared = shared_path(before, name);
        int depth = 1 + summary_dots(before, 0);
        for (int close = summary_dots(before, shared); close > 0; close--) {
            fputc('\n', file);
            indent(file, --depth);
            fputc('}', file);
        }
        fputs(i > 0 ? ",\n" : "", file);
        const char *part = name + shared;
        for (const char *dot; (dot = strchr(part, '.')); part = dot + 1) {
            indent(file, depth++);
            fprintf(file, "\"%.*s\": {\n", (int)(dot - part), part);
        }
        indent(file, depth);
        fprintf(file, "\"%s\": ", part);
        lab_json_number(file, measures->measure[i].value);
        before = name;
    }
    for (int depth = summary_dots(before, 0); depth > 0; depth--) {
        fputc('\n', file);
        indent(file, depth);
        fputc('}', file);
    }
}

static void put_claims(FILE *file, const lab_measures *measures)
{
    fputs("  \"claims\": [", file);
    for (int i = 0; i < measures->claims; i++) {
        const lab_claim *claim = &measures->claim[i];
        fputs(i > 0 ? ",\n    {\"name\": " : "\n    {\"name\": ", file);
        lab_json_text(file, claim->spec->name);
        fputs(", \"says\": ", file);
        lab_json_text(file, claim->spec->says);
        fputs(", \"measure\": ", file);
        lab_json_text(file, claim->spec->measure);
        fputs(", \"measured\": ", file);
        lab_json_number(file, claim->measured);
        fputs(", \"low\": ", file);
        lab_json_number(file, claim->spec->low);
        fputs(", \"high\": ", file);
        lab_json_number(file, claim->spec->high);
        fprintf(file, ", \"pass\": %s}", !claim->applies ? "null" : claim->pass ? "true" : "false");
    }
    fputs(measures->claims > 0 ? "\n  ]\n" : "]\n", file);
}

// The settings that are in the spec, as path=value.
static void summary_put_settings(FILE *file, const lab_spec *spec)
{
    fputs("  \"settings\": [", file);
    for (int i = 0; i < spec->applied.count; i++) {
        fputs(i > 0 ? ", " : "", file);
        lab_json_text(file, spec->applied.items[i]);
    }
    fputs("],\n", file);
}

// The phases with their first and last trial, counted from 1.
static void summary_put_phases(FILE *file, const lab_result *result)
{
    const lab_spec *spec = result->spec;
    int first = 1;
    if (spec->phases.count == 0)
        return;
    fputs("  \"phases\": [", file);
    for (int i = 0; i < spec->phases.count; i++) {
        const lab_phase_spec *phase = &lab_phases(spec)[i];
        fputs(i > 0 ? ", {\"name\": " : "{\"name\": ", file);
        lab_json_text(file, phase->name);
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
    fprintf(file, "{\"trial\": %d, \"reason\": ", act->trial);
    lab_json_text(file, lab_guard_sentence(act->reason));
    fputs(", \"with_cell\": ", file);
    lab_json_number(file, act->with_cell);
    fputs(", \"alone\": ", file);
    lab_json_number(file, act->alone);
    fprintf(file, ", \"world_changed\": %s, \"weights\": \"%s\", \"frozen\": %s}",
            act->world_changed ? "true" : "false", act->to_zero ? "zero" : "best",
            act->froze ? "true" : "false");
}

static void put_guarded(FILE *file, const char *rule, int phase, const lab_guarded *guarded,
                        const char *before)
{
    fprintf(file, "%s\n    {\"rule\": ", before);
    lab_json_text(file, rule);
    fprintf(file, ", \"phase\": %d, \"pauses\": %d, \"times\": %d, \"acts\": [", phase + 1,
            guarded->pauses, guarded->acts);
    for (int k = 0; k < guarded->acts && k < LAB_GUARD_ACTS; k++) {
        fputs(k ? ", " : "", file);
        summary_put_act(file, &guarded->act[k]);
    }
    fputs("]}", file);
}

// Where the guard acted: rule by rule, phase by phase.
static void put_guard(FILE *file, const lab_result *result)
{
    const lab_record *record = result->record;
    const char *before = "";
    fprintf(file, "  \"guard\": {\"on\": %s, \"acted\": [",
            result->spec->guard.on ? "true" : "false");
    for (int i = 0; i < record->rules; i++)
        for (int p = 0; p < record->phases; p++) {
            const lab_guarded *guarded = &record->rule[i].guard[p];
            if (guarded->acts == 0 && guarded->pauses == 0)
                continue;
            put_guarded(file, record->rule[i].name, p, guarded, before);
            before = ",";
        }
    fputs(*before ? "\n  ]},\n" : "]},\n", file);
}

lab_outcome lab_write_summary(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_spec *spec = result->spec;
    FILE *file;
    uint64_t hash;
    lab_outcome outcome = lab_hash_result(&hash, result, why);
    if (outcome == LAB_DONE)
        outcome = lab_folder_create(folder, "summary.json", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    fputs("{\n  \"name\": ", file);
    lab_json_text(file, spec->name);
    fputs(",\n  \"title\": ", file);
    lab_json_text(file, spec->title);
    fputs(",\n  \"version\": ", file);
    lab_json_text(file, CFPC_VERSION);
    fprintf(file, ",\n  \"real\": \"%s\"", CFPC_REAL_IS_FLOAT ? "float" : "double");
    fprintf(file, ",\n  \"hash\": \"%s\"", lab_hash_in_hex(hash).text);
    fprintf(file, ",\n  \"mode\": \"%s\"", spec->learning.mode == LAB_ONLINE ? "online" : "batch");
    fprintf(file, ",\n  \"form\": \"%s\"",
            result->record->rule[result->record->main_rule].filter.is_adjoint ? "adjoint"
                                                                              : "traces");
    fputs(",\n  \"rule\": ", file);
    lab_json_text(file, lab_rules(spec)[spec->main_rule].name);
    fprintf(file, ",\n  \"trials\": %d", result->record->trials);
    fprintf(file, ",\n  \"repeats\": %d", result->record->repeats);
    fprintf(file, ",\n  \"modified\": %s,\n", spec->modified ? "true" : "false");
    summary_put_settings(file, spec);
    summary_put_phases(file, result);
    put_teachers(file, result->record);
    put_guard(file, result);
    summary_put_measures(file, result->measures);
    fputs(",\n", file);
    put_claims(file, result->measures);
    fputs("}\n", file);
    return lab_folder_close(folder, file, why);
}
