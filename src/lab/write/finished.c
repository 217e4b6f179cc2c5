// SPDX-License-Identifier: Apache-2.0
#include "write/finished.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/text.h"
#include "spec/reader.h"

void lab_finished_free(lab_finished *run)
{
    for (int i = 0; run->rule && i < run->rules; i++)
        free(run->rule[i]);
    free(run->rule);
    free(run->rrmse);
    free(run->rate);
    free(run->diverged_at);
    free(run->folder);
    *run = (lab_finished){0};
}

double lab_finished_rrmse(const lab_finished *run, int rule, int trial)
{
    const bool has = trial >= 1 && trial <= run->trials;
    return has ? run->rrmse[(size_t)rule * (size_t)run->trials + (size_t)trial - 1] : NAN;
}

lab_outcome lab_finished_find_rule(const lab_finished *run, const char *name, int *rule,
                                   lab_why *why)
{
    for (*rule = 0; *rule < run->rules; (*rule)++)
        if (strcmp(run->rule[*rule], name) == 0)
            return LAB_DONE;
    return lab_refuse(why, "%s: has no rule '%.60s'; %s", run->folder, name,
                      lab_hint_among(name, (const char *const *)run->rule, run->rules).text);
}

// ---- curves.csv ------------------------------------------------------------------------------

// A line's end, or the text's.
static const char *finished_line_end(const char *at)
{
    return at + strcspn(at, "\n");
}

// Length of the field at `at`, up to a comma or the line's end.
static size_t field_length(const char *at)
{
    return strcspn(at, ",\n");
}

static bool is_field(const char *at, const char *text)
{
    return field_length(at) == strlen(text) && strncmp(at, text, strlen(text)) == 0;
}

// The first line is: trial, the rules, optimum, and half widths that are passed over.
static lab_outcome finished_read_names(lab_finished *run, const char *line, bool *good,
                                       lab_why *why)
{
    static const char half_width[] = ".half_width";
    const size_t tail = strlen(half_width);
    *good = is_field(line, "trial");
    bool ended = false;
    for (line += field_length(line); *good && *line == ','; line += field_length(line)) {
        const size_t length = field_length(++line);
        if (length > tail && strncmp(line + length - tail, half_width, tail) == 0)
            continue;
        *good = !ended;
        ended = is_field(line, "optimum");
        if (ended)
            continue;
        char **names = realloc(run->rule, ((size_t)run->rules + 1) * sizeof *names);
        char *name = strndup(line, length);
        if (names)
            run->rule = names;
        if (!names || !name) {
            free(name);
            return lab_no_memory(why, NULL);
        }
        run->rule[run->rules++] = name;
    }
    *good = *good && ended && run->rules > 0;
    return LAB_DONE;
}

// A row: its number, then as many numbers as there are rules; the rest is passed over.
static bool finished_read_row(lab_finished *run, const char *line, int trial)
{
    char *end;
    if (strtol(line, &end, 10) != trial)
        return false;
    for (int i = 0; i < run->rules; i++) {
        const char *field = end + 1;
        if (*end != ',' || field_length(field) == 0)
            return false;
        const double value = strtod(field, &end);
        if (end != field + field_length(field))
            return false;
        run->rrmse[(size_t)i * (size_t)run->trials + (size_t)trial - 1] = value;
    }
    return *end == ',';
}

static lab_outcome read_curves(lab_finished *run, const char *file, const char *text, lab_why *why)
{
    bool good = false;
    lab_outcome outcome = finished_read_names(run, text, &good, why);
    if (outcome != LAB_DONE)
        return outcome;
    run->trials = -1; // the first line is none
    for (const char *line = text; *line; run->trials++) {
        line = finished_line_end(line);
        line += *line == '\n';
    }
    if (!good || run->trials < 1)
        return lab_refuse(why, "%s: this file does not hold the curves of a run", file);
    run->rrmse = calloc((size_t)run->rules * (size_t)run->trials, sizeof *run->rrmse);
    if (!run->rrmse)
        return lab_no_memory(why, NULL);
    for (int trial = 1; trial <= run->trials; trial++) {
        text = finished_line_end(text) + 1;
        if (!finished_read_row(run, text, trial))
            return lab_refuse(why, "%s:%d: this is not a row of curves", file, trial + 1);
    }
    return LAB_DONE;
}

// ---- summary.json ----------------------------------------------------------------------------

const char *lab_summary_text(const lab_node *map, const char *key)
{
    const lab_node *node = lab_node_find(map, key);
    return node && node->kind == LAB_SCALAR ? node->text : NULL;
}

// NAN for null.
static bool number_at(const lab_node *map, const char *key, double *number)
{
    const char *text = lab_summary_text(map, key);
    char *end;
    *number = NAN;
    if (!text || strcmp(text, "null") == 0)
        return text != NULL;
    *number = strtod(text, &end);
    return end != text && *end == '\0';
}

// How many claims apply, and how many of them hold.
static bool read_claims(lab_finished *run, const lab_node *root)
{
    const lab_node *claims = lab_node_find(root, "claims");
    if (!claims || claims->kind != LAB_LIST)
        return false;
    for (const lab_node *claim = claims->child; claim; claim = claim->next) {
        const char *pass = claim->kind == LAB_MAP ? lab_summary_text(claim, "pass") : NULL;
        if (!pass)
            return false;
        run->claims += strcmp(pass, "null") != 0; // else it does not apply
        run->held += strcmp(pass, "true") == 0;
    }
    return true;
}

static lab_outcome finished_read_summary(lab_finished *run, const char *file, const lab_node *root,
                                         lab_why *why)
{
    const size_t rules = (size_t)run->rules;
    double trials, rate;
    const char *rule = lab_summary_text(root, "rule");
    if (!rule || !number_at(root, "trials", &trials) || !number_at(root, "learning_rate", &rate) ||
        !number_at(root, "rrmse_optimum", &run->optimum) || !read_claims(run, root))
        return lab_refuse(why, "%s: this is not the summary of a run", file);
    if (trials != run->trials)
        return lab_refuse(why, "%s: speaks of %g trials, curves.csv of %d", file, trials,
                          run->trials);
    const lab_outcome outcome = lab_finished_find_rule(run, rule, &run->main_rule, why);
    if (outcome != LAB_DONE)
        return outcome;
    run->rate = calloc(rules, sizeof *run->rate);
    run->diverged_at = calloc(rules, sizeof *run->diverged_at);
    if (!run->rate || !run->diverged_at)
        return lab_no_memory(why, NULL);

    // Of each rule; what an older result does not tell is left out.
    const lab_node *all = lab_node_find(root, "rules");
    for (int i = 0; i < run->rules; i++) {
        const lab_node *of = all && all->kind == LAB_MAP ? lab_node_find(all, run->rule[i]) : NULL;
        double trial = NAN;
        run->rate[i] = NAN;
        if (of && of->kind == LAB_MAP) {
            number_at(of, "rate", &run->rate[i]);
            number_at(of, "diverged_at_trial", &trial);
        }
        run->diverged_at[i] = trial >= 1 && trial <= run->trials ? (int)trial : 0;
    }
    run->rate[run->main_rule] = rate;
    return LAB_DONE;
}

// ---- the run ---------------------------------------------------------------------------------

lab_outcome lab_result_text(char **file, char **text, const char *folder, const char *name,
                            const char *takes, lab_why *why)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    lab_why reason;
    *text = NULL;
    *file = malloc(size);
    if (!*file)
        return lab_no_memory(why, NULL);
    snprintf(*file, size, "%s/%s", folder, name);
    const lab_outcome outcome = lab_read_regular(text, *file, LAB_CSV_BYTES, &reason);
    if (outcome == LAB_REFUSED)
        return lab_refuse(why, "%.900s; %s that 'cfpc run' has left", reason.text, takes);
    if (outcome != LAB_DONE)
        *why = reason;
    return outcome;
}

lab_outcome lab_result_summary(char **file, lab_node **root, const char *folder, const char *takes,
                               lab_why *why)
{
    char *text;
    lab_why reason;
    *root = NULL;
    lab_outcome outcome = lab_result_text(file, &text, folder, "summary.json", takes, why);
    if (outcome == LAB_DONE) { // JSON is YAML: what reads spec files reads this too
        outcome = lab_parse(root, *file, text, strlen(text), &reason);
        if (outcome == LAB_REFUSED)
            lab_say(why, "%s: this is not the summary of a run", *file);
        else if (outcome != LAB_DONE)
            *why = reason;
    }
    free(text);
    return outcome;
}

lab_outcome lab_finished_read(lab_finished *run, const char *folder, lab_why *why)
{
    static const char takes[] = "compare takes folders";
    char *file, *text;
    lab_node *root;
    *run = (lab_finished){.folder = strdup(folder)};
    if (!run->folder)
        return lab_no_memory(why, NULL);
    lab_outcome outcome = lab_result_text(&file, &text, folder, "curves.csv", takes, why);
    if (outcome == LAB_DONE)
        outcome = read_curves(run, file, text, why);
    free(text);
    free(file);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = lab_result_summary(&file, &root, folder, takes, why);
    if (outcome == LAB_DONE)
        outcome = finished_read_summary(run, file, root, why);
    lab_node_free(root);
    free(file);
    return outcome;
}
