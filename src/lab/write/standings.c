// SPDX-License-Identifier: Apache-2.0
#include "write/standings.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "spec/rows.h"

enum { MAX_BEST = 3 }; // if more than this are equally good, none is marked

bool lab_asks_standings(const lab_spec *spec)
{
    return spec->table.count > 0;
}

int lab_case_count(const lab_spec *spec)
{
    return spec->cases.count > 0 ? spec->cases.count : 1;
}

int lab_case_of(const lab_spec *spec, int rule)
{
    for (int i = 0; i < spec->cases.count; i++)
        if (strcmp(lab_cases(spec)[i].name, lab_rules(spec)[rule].in_case) == 0)
            return i;
    return 0;
}

// ---- the values ------------------------------------------------------------------------------

static double standings_value_of(const lab_result *result, int rule, int column)
{
    char name[192];
    snprintf(name, sizeof name, "rules.%s.%s", result->record->rule[rule].name,
             lab_columns(result->spec)[column].measure);
    const lab_measure *measure = lab_measure_of(result->measures, name);
    return measure ? measure->value : NAN;
}

// Above this, or missing.
static bool standings_diverges(double value)
{
    return !(fabs(value) < 1e6);
}

// Whether one value is better than another by more than a fraction; divergence is worst.
static bool beats(int better, double a, double b, double share)
{
    if (better == LAB_NEITHER || standings_diverges(a))
        return false;
    if (standings_diverges(b))
        return true;
    return better == LAB_LOW_IS_BETTER ? a < b - share * fabs(b) : a > b + share * fabs(b);
}

static bool standings_has_diverged(const lab_record *record, int rule)
{
    return record->rule[rule].diverged_at > 0;
}

lab_standing lab_standing_of(const lab_result *result, int rule, int column)
{
    const lab_spec *spec = result->spec;
    const int better = lab_columns(spec)[column].better;
    int first = 0; // rule of the case
    while (lab_case_of(spec, first) != lab_case_of(spec, rule))
        first++;
    lab_standing standing = {.value = standings_value_of(result, rule, column)};
    if (standings_has_diverged(result->record, rule) && isnan(standing.value))
        standing.value = INFINITY;
    standing.best = better != LAB_NEITHER && !standings_diverges(standing.value);
    standing.better =
        beats(better, standing.value, standings_value_of(result, first, column), 0.01) &&
        rule != first;
    int as_good = 0;
    for (int i = 0; i < result->record->rules; i++) {
        if (lab_case_of(spec, i) != lab_case_of(spec, rule) ||
            standings_has_diverged(result->record, i))
            continue;
        const double other = standings_value_of(result, i, column);
        if (beats(better, other, standing.value, 0.01))
            standing.best = false;
        as_good += !beats(better, standing.value, other, 0.01);
    }
    const bool counts = !standings_has_diverged(result->record, rule);
    standing.best &= counts && as_good <= MAX_BEST;
    standing.better &= counts;
    return standing;
}

void lab_standing_text(char *text, size_t size, lab_standing standing)
{
    const char *mark = standing.best ? "*" : standing.better ? "+" : "";
    if (isnan(standing.value))
        snprintf(text, size, "-");
    else if (standings_diverges(standing.value))
        snprintf(text, size, "diverges");
    else if (fabs(standing.value) < 1e-4 && standing.value != 0)
        snprintf(text, size, "< 0.0001%s", mark);
    else // whole numbers in full
        snprintf(text, size, "%.*g%s", standing.value == round(standing.value) ? 6 : 3,
                 standing.value, mark);
}

// ---- the tables ------------------------------------------------------------------------------

static lab_outcome write_csv(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_spec *spec = result->spec;
    FILE *file;
    lab_outcome outcome = lab_folder_create(folder, "table.csv", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    fputs("case,rule", file);
    for (int c = 0; c < spec->table.count; c++)
        fprintf(file, ",%s", lab_columns(spec)[c].measure);
    fputc('\n', file);
    for (int i = 0; i < result->record->rules; i++) {
        const lab_rule_spec *rule = &lab_rules(spec)[i];
        fprintf(file, "%s,%s", rule->in_case, lab_bare_name(rule));
        for (int c = 0; c < spec->table.count; c++)
            fprintf(file, ",%s", lab_number(standings_value_of(result, i, c)).text);
        fputc('\n', file);
    }
    return lab_folder_close(folder, file, why);
}

static void put_rows(FILE *file, const lab_result *result, int in_case)
{
    const lab_spec *spec = result->spec;
    for (int i = 0; i < result->record->rules; i++) {
        if (lab_case_of(spec, i) != in_case)
            continue;
        fprintf(file, "| %s |", lab_bare_name(&lab_rules(spec)[i]));
        for (int c = 0; c < spec->table.count; c++) {
            const lab_standing standing = lab_standing_of(result, i, c);
            char text[32];
            lab_standing_text(text, sizeof text, standing);
            for (char *mark = text; *mark; mark++) // avoids Markdown emphasis
                if (*mark == '*')
                    *mark = '\0';
            fprintf(file, standing.best ? " **%s** |" : " %s |", text);
        }
        fputc('\n', file);
    }
}

static lab_outcome write_md(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_spec *spec = result->spec;
    FILE *file;
    lab_outcome outcome = lab_folder_create(folder, "table.md", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    for (int k = 0; k < lab_case_count(spec); k++) {
        fprintf(file, "%s| %s |", k ? "\n" : "", spec->cases.count ? lab_cases(spec)[k].name : "");
        for (int c = 0; c < spec->table.count; c++)
            fprintf(file, " %s |", lab_columns(spec)[c].title);
        fputs("\n| --- |", file);
        for (int c = 0; c < spec->table.count; c++)
            fputs(" ---: |", file);
        fputc('\n', file);
        put_rows(file, result, k);
    }
    fprintf(file, "\n**Bold** is the best of its column, + better than %s.\n",
            lab_bare_name(&lab_rules(spec)[0]));
    return lab_folder_close(folder, file, why);
}

lab_outcome lab_write_standings(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_outcome outcome = write_csv(folder, result, why);
    return outcome == LAB_DONE ? write_md(folder, result, why) : outcome;
}
