// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cfpc/config.h"
#include "draw/figures.h"
#include "draw/gnuplot.h"
#include "run/gain.h"
#include "spec/constants.h"
#include "spec/idle_bank.h"
#include "spec/model_doubt.h"
#include "spec/rows.h"
#include "write/standings.h"

enum { COLUMN = 10, MAX_COLUMNS = 16 }; // of the table of rules

// A figure in a column of 12, or this word if there is none.
static void report_print_figure(FILE *to, double value, const char *none)
{
    if (isnan(value))
        fprintf(to, " %12s", none);
    else
        fprintf(to, " %12.4g", value);
}

// The rRMSE of a trial counted from 1.
static void report_print_rrmse(FILE *to, const lab_record *record, int rule, int trial)
{
    if (trial <= record->trials)
        report_print_figure(to, record->rule[rule].rrmse[trial - 1],
                            record->rule[rule].diverged_at > 0 ? "diverged" : "none");
    else
        report_print_figure(to, NAN, "none");
}

// Room for the names of all rules.
static int name_width(const lab_record *record)
{
    int width = 12;
    for (int i = 0; i < record->rules; i++) {
        const int length = (int)strlen(record->rule[i].name);
        width = length > width ? length : width;
    }
    return width;
}

static void print_heading(FILE *to, int trial)
{
    char heading[32];
    snprintf(heading, sizeof heading, "trial %d", trial);
    fprintf(to, " %12s", heading);
}

static void print_rules(FILE *to, const lab_result *result)
{
    const lab_record *record = result->record;
    const int last = record->trials, width = name_width(record);
    const int trials[] = {2, 7, last}; // those before the last, and it
    fprintf(to, "  %-*s", width, "rRMSE");
    for (int k = 0; k < 3; k++)
        if (k == 2 || trials[k] < last)
            print_heading(to, trials[k]);
    fputc('\n', to);
    for (int i = 0; i < record->rules; i++) {
        const lab_rule_record *rule = &record->rule[i];
        fprintf(to, "  %-*s", width, rule->name);
        for (int k = 0; k < 3; k++)
            if (k == 2 || trials[k] < last)
                report_print_rrmse(to, record, i, trials[k]);
        fputc('\n', to);
    }
    fprintf(to, "  %-*s%*s", width, "optimum", 13 * ((last > 2) + (last > 7)), "");
    if (record->nonlinear)
        fprintf(to, "   none: %s\n\n", record->nonlinear);
    else
        fprintf(to, " %12.4g\n\n", record->optimum[last - 1]);
}

// What repeats say of the last trial.
static void print_intervals(FILE *to, const lab_record *record)
{
    if (record->repeats < 2)
        return;
    fprintf(to, "  rRMSE of the last trial: mean of %d runs, and its 95 %% interval\n",
            record->repeats);
    for (int i = 0; i < record->rules; i++) {
        const lab_rule_record *rule = &record->rule[i];
        const double mean = rule->rrmse[record->trials - 1],
                     half_width = rule->half_width[record->trials - 1];
        if (isnan(mean))
            fprintf(to, "  %-*s diverged\n", name_width(record), rule->name);
        else
            fprintf(to, "  %-*s %12.4g ± %.2g\n", name_width(record), rule->name, mean, half_width);
    }
    fputc('\n', to);
}

// The part of a title that fits into a column, from `from` on; moves on to the next word.
static void print_part(FILE *to, const char *title, size_t *from)
{
    const char *part = title + *from;
    size_t length = strlen(part), next = length;
    if (length > COLUMN) {
        length = COLUMN;
        while (length > 0 && part[length] != ' ')
            length--;
        length = length > 0 ? length : COLUMN;
        next = length + (part[length] == ' ');
    }
    fprintf(to, " %*.*s", COLUMN, (int)length, part);
    *from += next;
}

static void print_titles(FILE *to, const lab_spec *spec, int in_case, int width)
{
    size_t from[MAX_COLUMNS] = {0};
    const int columns = spec->table.count < MAX_COLUMNS ? spec->table.count : MAX_COLUMNS;
    bool more = true;
    for (int line = 0; more; line++) {
        more = false;
        fprintf(to, "  %-*s", width,
                line > 0 || spec->cases.count == 0 ? "" : lab_cases(spec)[in_case].name);
        for (int c = 0; c < columns; c++) {
            print_part(to, lab_columns(spec)[c].title, &from[c]);
            more |= lab_columns(spec)[c].title[from[c]] != '\0';
        }
        fputc('\n', to);
    }
}

static void print_case(FILE *to, const lab_result *result, int in_case, int width)
{
    const lab_spec *spec = result->spec;
    print_titles(to, spec, in_case, width);
    for (int i = 0; i < result->record->rules; i++) {
        if (lab_case_of(spec, i) != in_case)
            continue;
        fprintf(to, "  %-*s", width, lab_bare_name(&lab_rules(spec)[i]));
        for (int c = 0; c < spec->table.count && c < MAX_COLUMNS; c++) {
            char text[32];
            lab_standing_text(text, sizeof text, lab_standing_of(result, i, c));
            fprintf(to, " %*s", COLUMN, text);
        }
        fputc('\n', to);
    }
    fputc('\n', to);
}

// The rules side by side, instead of three points of their curves.
static void print_standings(FILE *to, const lab_result *result)
{
    const lab_spec *spec = result->spec;
    int width = 12;
    for (int i = 0; i < spec->rules.count; i++) {
        const int length = (int)strlen(lab_bare_name(&lab_rules(spec)[i]));
        width = length > width ? length : width;
    }
    for (int k = 0; k < lab_case_count(spec); k++)
        print_case(to, result, k, width);
    fprintf(to, "  * the best of its column; + better than %s\n\n",
            lab_bare_name(&lab_rules(spec)[0]));
}

static void print_scale(FILE *to, const lab_record *record)
{
    if (record->scale_sizes == 0)
        return;
    fprintf(to, "  %10s %10s %12s %12s %12s %14s %8s\n", "synapses", "rate", "rRMSE", "B/synapse",
            "MB", "synapses/s", "x real time");
    for (int i = 0; i < record->scale_sizes; i++) {
        const lab_scale_point *point = &record->scale[i];
        fprintf(to, "  %10d %10.3g", point->synapses, point->rate);
        report_print_figure(to, point->rrmse[record->scale_trials - 1], "diverged");
        fprintf(to, " %12.4g %12.4g %14.3g %11.3g\n", point->bytes / point->synapses,
                point->bytes / 1e6, point->synapses * point->realtime / record->step_s,
                point->realtime);
    }
    fputc('\n', to);
}

static void print_share(FILE *to, const lab_result *result, const char *trace, const char *name)
{
    char measure[128];
    snprintf(measure, sizeof measure, "population.%s.%s", trace, name);
    const lab_measure *found = lab_measure_of(result->measures, measure);
    report_print_figure(to, found ? found->value : NAN, "-");
}

// Of all loops; summary.json has those of each kind and basis.
static void print_population(FILE *to, const lab_result *result)
{
    static const char *const names[] = {"arrived",  "trials",      "faster",     "worse",
                                        "diverges", "wrong_worse", "wrong_ratio"};
    const lab_population *population = &result->record->population;
    if (population->count == 0)
        return;
    fprintf(to, "  %-14s", "random loops");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        fprintf(to, " %12s", names[i]);
    for (int which = 0; which < LAB_CONTESTANT_COUNT; which++) {
        fprintf(to, "\n  %-14s", lab_contestant_name((lab_contestant)which));
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            print_share(to, result, lab_contestant_name((lab_contestant)which), names[i]);
    }
    fprintf(to,
            "\n  %d loop%s with narrow and with wide bases, %d trials; the columns: cfpc help "
            "measures\n\n",
            population->count / 2, population->count == 2 ? "" : "s", population->trials);
}

// One row per way to teach the cells of a zone.
static void print_zone(FILE *to, const lab_record *record)
{
    const lab_zone *zone = &record->zone;
    if (!lab_has_cells(zone))
        return;
    fprintf(to, "  %-14s %12s %12s %12s %14s\n", "zone", "best", "median", "worst",
            "worse than none");
    for (int way = 0; way < LAB_ZONE_WAY_COUNT; way++) {
        const lab_zone_result *result = &zone->way[way];
        if (!result->is_run)
            continue;
        fprintf(to, "  %-14s", lab_zone_way_name((lab_zone_way)way));
        report_print_figure(to, result->end.best, "diverged");
        report_print_figure(to, result->end.median, "diverged");
        report_print_figure(to, result->end.worst, "diverged");
        fprintf(to, " %12.3g %%\n", 100 * result->failed);
    }
    fprintf(to,
            "  rRMSE at trial %d of %d cells with %d synapses each; weights change after every %d "
            "steps\n\n",
            zone->trials, zone->cells, zone->synapses, zone->block_steps);
}

// One row per coupling of two joints.
static void print_joints(FILE *to, const lab_result *result)
{
    const lab_joints *joints = &result->record->zone.joints;
    if (joints->count == 0)
        return;
    fprintf(to, "  %-14s", "coupling");
    for (int rule = 0; rule < LAB_JOINT_RULE_COUNT; rule++)
        fprintf(to, " %12s %12s", lab_joint_rule_name((lab_joint_rule)rule), "at rate");
    fputc('\n', to);
    for (int i = 0; i < joints->count; i++) {
        fprintf(to, "  %-14g", joints->joint[i].coupling);
        for (int rule = 0; rule < LAB_JOINT_RULE_COUNT; rule++) {
            report_print_figure(to, joints->joint[i].score[rule].rrmse_last, "diverged");
            report_print_figure(to, joints->joint[i].score[rule].rate_fraction, "-");
        }
        fputc('\n', to);
    }
    fprintf(to,
            "  rRMSE of both errors at trial %d, each rule at its best rate of those tried, a "
            "fraction of 1/‖ZᵀH‖\n\n",
            result->spec->zone.trials);
}

// The rules whose numbers overflowed.
static void report_print_diverged(FILE *to, const lab_record *record)
{
    bool any = false;
    for (int i = 0; i < record->rules; i++)
        if (record->rule[i].diverged_at > 0) {
            fprintf(
                to,
                "  %s diverged at trial %d: its numbers overflowed; it has no results from then "
                "on\n",
                record->rule[i].name, record->rule[i].diverged_at);
            any = true;
        }
    for (int i = 0; i < record->scale_sizes; i++)
        if (record->scale[i].diverged_at > 0) {
            fprintf(to, "  %d synapses diverged at trial %d\n", record->scale[i].synapses,
                    record->scale[i].diverged_at);
            any = true;
        }
    if (any)
        fputc('\n', to);
}

// What taught each rule, where that differs.
static void print_teachers(FILE *to, const lab_record *record)
{
    if (lab_one_teacher(record))
        return;
    for (int i = 0; i < record->rules; i++)
        fprintf(to, "  %s: taught by %s\n", record->rule[i].name,
                lab_teacher_phrase(record->rule[i].teacher));
    fputc('\n', to);
}

// The rules in adjoint form, and their filters.
static void report_print_forms(FILE *to, const lab_record *record)
{
    bool any = false;
    for (int i = 0; i < record->rules; i++)
        if (record->rule[i].filter.is_adjoint) {
            fprintf(to, "  %s: %s\n", record->rule[i].name,
                    lab_filter_sentence(&record->rule[i].filter, record->step_s).text);
            any = true;
        }
    if (any)
        fputc('\n', to);
}

// How well the first stage of a cascade predicts.
static void print_predictions(FILE *to, const lab_record *record)
{
    bool any = false;
    for (int i = 0; i < record->rules; i++) {
        const lab_rule_record *rule = &record->rule[i];
        if (rule->predictors == 0 || rule->diverged_at > 0)
            continue;
        fprintf(to, "  %s: the prediction's error in the last trial is %.4g of the disturbance\n",
                rule->name, rule->prediction_error[record->phases - 1]);
        any = true;
    }
    if (any)
        fputc('\n', to);
}

// The models that were learned.
static void print_models(FILE *to, const lab_record *record)
{
    for (int i = 0; i < record->rules; i++)
        if (record->rule[i].model.peak_ms)
            fprintf(to, "  %s: %s\n", record->rule[i].name,
                    lab_model_sentence(&record->rule[i].model, record->trials - 1).text);
    if (lab_any_model(record))
        fputc('\n', to);
}

static void print_act(FILE *to, const char *rule, const lab_guard_act *act)
{
    fprintf(to, "  guard: %s, trial %d: %s", rule, act->trial, lab_guard_sentence(act->reason));
    if (isfinite(act->alone))
        fprintf(to, " (rms error %.4g against %.4g)", act->with_cell, act->alone);
    fprintf(to, "%s; %s, learning %s\n", act->world_changed ? ", which had changed" : "",
            act->to_zero ? "weights reset to 0" : "best weights restored",
            act->froze           ? "stopped"
            : act->world_changed ? "continues"
                                 : "continues at a lower rate");
}

static void report_print_guard(FILE *to, const lab_result *result)
{
    const lab_record *record = result->record;
    bool any = false;
    for (int i = 0; i < record->rules; i++)
        for (int p = 0; p < record->phases; p++) {
            const lab_guarded *guarded = &record->rule[i].guard[p];
            for (int k = 0; k < guarded->acts && k < LAB_GUARD_ACTS; k++)
                print_act(to, record->rule[i].name, &guarded->act[k]);
            if (guarded->acts > LAB_GUARD_ACTS)
                fprintf(to, "  guard: %s: %d more times\n", record->rule[i].name,
                        guarded->acts - LAB_GUARD_ACTS);
            any |= guarded->acts > 0;
        }
    if (any)
        fputc('\n', to);
}

// What was found for every rule that was tuned.
static void print_tuning(FILE *to, const lab_result *result)
{
    const lab_spec *spec = result->spec;
    const lab_record *record = result->record;
    if (!lab_any_tuned(record))
        return;
    fprintf(to, "  %-30s %12s %10s   found\n", "tuned", "evaluations", "rRMSE");
    for (int i = 0; i < record->rules; i++) {
        const lab_tuning *tuning = lab_tuning_of(record, i);
        if (!tuning)
            continue;
        fprintf(to, "  %-30s %12d %10.4g  ", record->rule[i].name, tuning->evaluations,
                tuning->error[tuning->best]);
        for (int k = 0; k < tuning->constants; k++) {
            const lab_rule_spec *rule = &lab_rules(spec)[i];
            const bool at_end =
                rule->tune.count > 0 &&
                lab_constant_at_end(spec, &lab_constants(rule)[k], lab_found(tuning, k));
            fprintf(to, " %s %.4g%s%s", tuning->keys[k].text, lab_found(tuning, k),
                    at_end ? " (at the end of its range)" : "",
                    k + 1 < tuning->constants ? "," : "\n");
        }
    }
    fputc('\n', to);
}

static void say_range(char *to, size_t size, const lab_claim_spec *claim)
{
    if (isnan(claim->high))
        snprintf(to, size, "at least %g", claim->low);
    else if (isnan(claim->low))
        snprintf(to, size, "at most %g", claim->high);
    else
        snprintf(to, size, "%g to %g", claim->low, claim->high);
}

// Bytes of a text that fill this many columns: a letter of several bytes has one column.
static int bytes_for(const char *text, int columns)
{
    for (const char *c = text; *c; c++)
        columns += ((unsigned char)*c & 0xC0) == 0x80;
    return columns;
}

static void print_claims(FILE *to, const lab_result *result)
{
    const lab_measures *measures = result->measures;
    if (measures->claims == 0)
        return;
    fprintf(to, "  %-62s %12s   %-17s %s\n", "claim", "measured", "range", "verdict");
    for (int i = 0; i < measures->claims; i++) {
        const lab_claim *claim = &measures->claim[i];
        char measured[48], range[64];
        const bool is_ms = strcmp(lab_unit(claim->spec->measure), "ms") == 0;
        if (isnan(claim->measured))
            snprintf(measured, sizeof measured, "none");
        else
            snprintf(measured, sizeof measured, "%.4g%s", claim->measured, is_ms ? " ms" : "");
        say_range(range, sizeof range, claim->spec);
        const char *says = claim->spec->says;
        fprintf(to, "  %-*s %12s   %-17s %s\n", bytes_for(says, 62), says, measured, range,
                !claim->applies ? "not applicable"
                : claim->pass   ? "holds"
                                : "FAILS");
    }
    fprintf(to, "\n  %d of %d claims hold", measures->applicable - measures->failed,
            measures->applicable);
    if (measures->applicable < measures->claims)
        fprintf(to, ", %d not applicable", measures->claims - measures->applicable);
    fprintf(to, "%s\n",
            result->spec->modified ? " (on a modified spec: shown, not required)\n" : "\n");
}

static void print_spikes(FILE *to, const lab_record *record)
{
    bool any = false;
    for (int i = 0; i < record->rules; i++) {
        const lab_rule_record *rule = &record->rule[i];
        any |= rule->spike_steps > 0;
        if (rule->spike_steps > 0)
            fprintf(to,
                    "  %s: taught by spikes, clipped in %ld of %ld steps, where their rate would "
                    "have been below 0\n",
                    rule->name, rule->spikes_clipped, rule->spike_steps);
    }
    if (any)
        fputc('\n', to);
}

void lab_put_result(FILE *to, const lab_result *result)
{
    const lab_spec *spec = result->spec;
    const lab_record *record = result->record;
    lab_why doubt;
    fprintf(to, "%s%s: %s\n", spec->name, spec->modified ? " (modified)" : "", spec->title);
    for (int i = 0; i < spec->applied.count; i++)
        fprintf(to, "%s%s", i > 0 ? ", " : "  with ", spec->applied.items[i]);
    if (spec->applied.count > 0)
        fputc('\n', to);
    fprintf(to, "  %d trial%s of %g s, %d %s, learning %s at rate %.4g", record->trials,
            lab_plural(record->trials), spec->task.trial_s, record->bases,
            record->bases == 1 ? "basis" : "bases",
            spec->learning.mode == LAB_ONLINE ? "on line" : "in batch",
            record->rule[record->main_rule].rate);
    if (lab_one_teacher(record))
        fprintf(to, ", taught by %s", lab_teacher_phrase(record->rule[0].teacher));
    if (record->repeats > 1)
        fprintf(to, ", mean of %d runs", record->repeats);
    fputs("\n\n", to);
    if (lab_is_doubtful(spec, &doubt))
        fprintf(to, "  CAUTION: %s\n\n", doubt.text);
    if (lab_has_idle_bank(spec, &doubt))
        fprintf(to, "  CAUTION: %s\n\n", doubt.text);
    if (lab_asks_standings(spec))
        print_standings(to, result);
    else
        print_rules(to, result);
    print_intervals(to, record);
    print_tuning(to, result);
    print_scale(to, record);
    print_population(to, result);
    print_zone(to, record);
    print_joints(to, result);
    print_teachers(to, record);
    print_spikes(to, record);
    report_print_forms(to, record);
    print_predictions(to, record);
    print_models(to, record);
    report_print_diverged(to, record);
    report_print_guard(to, result);
    print_claims(to, result);
}

void lab_put_result_files(FILE *to, const lab_result *result, const char *folder, bool figures)
{
    const lab_spec *spec = result->spec;
    const lab_record *record = result->record;
    fprintf(to, "  spec:    %s/spec.yaml repeats this run\n", folder);
    fprintf(
        to,
        "  data:    %s/curves.csv, signals.csv, traces.csv, weights.csv, "
        "%s%s%s%s%s%s%s%s%s%s%ssummary.json, hashes.csv%s\n",
        folder, spec->phases.count > 0 ? "phase-NAME.csv, " : "",
        lab_asks_responses(spec) ? "responses.csv, " : "", lab_asks_gain(spec) ? "gain.csv, " : "",
        lab_asks_windows(spec) ? "windows.csv, " : "", lab_any_model(record) ? "models.csv, " : "",
        lab_any_tuned(record) ? "tuning.csv, " : "",
        lab_asks_standings(spec) ? "table.csv, table.md, " : "",
        record->scale_sizes > 0 ? "scale.csv, speed.csv, " : "",
        record->population.count > 0 ? "population.csv, " : "",
        lab_has_cells(&record->zone) ? "zone.csv, " : "",
        record->zone.joints.count > 0 ? "joints.csv, " : "", lab_has_hdf5() ? ", result.h5" : "");
    if (!lab_has_hdf5())
        fputs("           no result.h5: this cfpc was built without HDF5 (Debian: libhdf5-dev)\n",
              to);
    if (figures && lab_has_gnuplot())
        fprintf(to,
                "  figures: %s/%s%s%sfig-learning.png, fig-traces.png%s%s%s%s%s%s%s (and "
                ".svg)\n",
                folder, lab_panel_count(spec) > 0 ? "fig-story.png, " : "",
                lab_asks_standings(spec) ? "fig-standings.png, " : "",
                lab_shows_behaviour(record) ? "fig-behaviour.png, " : "",
                record->scan_count > 0 ? ", fig-delays.png" : "",
                lab_asks_responses(spec) ? ", fig-responses.png" : "",
                lab_any_tuned(record) ? ", fig-tuning.png" : "",
                record->scale_sizes > 0 ? ", fig-scale.png" : "",
                record->population.count > 0 ? ", fig-population.png, fig-wrong.png" : "",
                lab_has_cells(&record->zone) ? ", fig-zone.png" : "",
                record->zone.joints.count > 0 ? ", fig-joints.png" : "");
    else if (figures)
        fputs("  figures: not drawn, as gnuplot is not installed (Debian: gnuplot-nox); to draw "
              "them later: gnuplot fig-*.gp\n",
              to);
}
