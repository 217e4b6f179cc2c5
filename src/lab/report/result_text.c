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
#include "spec/cautions.h"
#include "spec/constants.h"
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

static void print_rules(FILE *to, const lab_result *result)
{
    const lab_record *record = result->record;
    const int last = record->trials, width = name_width(record);
    const int all[] = {2, 7}; // of them those before the last, and it
    int trials[3], count = 0;
    for (int k = 0; k < 2; k++)
        if (all[k] < last)
            trials[count++] = all[k];
    trials[count++] = last;
    fprintf(to, "  %-*s", width, "rRMSE");
    for (int k = 0; k < count; k++) {
        char heading[32];
        snprintf(heading, sizeof heading, "trial %d", trials[k]);
        fprintf(to, " %12s", heading);
    }
    fputc('\n', to);
    for (int i = 0; i < record->rules; i++) {
        const lab_rule_record *rule = &record->rule[i];
        fprintf(to, "  %-*s", width, rule->name);
        for (int k = 0; k < count; k++)
            report_print_figure(to, rule->rrmse[trials[k] - 1],
                                rule->diverged_at > 0 ? "diverged" : "none");
        fputc('\n', to);
    }
    fprintf(to, "  %-*s%*s", width, "optimum", 13 * (count - 1), "");
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

// A heading of several lines with the columns' titles, then the rules of a case.
static void print_case(FILE *to, const lab_result *result, int in_case, int width)
{
    const lab_spec *spec = result->spec;
    const int columns = spec->table.count < MAX_COLUMNS ? spec->table.count : MAX_COLUMNS;
    const char *name = spec->cases.count > 0 ? lab_cases(spec)[in_case].name : "";
    size_t from[MAX_COLUMNS] = {0};
    for (bool more = true; more; name = "") {
        more = false;
        fprintf(to, "  %-*s", width, name);
        for (int c = 0; c < columns; c++) {
            print_part(to, lab_columns(spec)[c].title, &from[c]);
            more |= lab_columns(spec)[c].title[from[c]] != '\0';
        }
        fputc('\n', to);
    }
    for (int i = 0; i < result->record->rules; i++) {
        if (lab_case_of(spec, i) != in_case)
            continue;
        fprintf(to, "  %-*s", width, lab_bare_name(&lab_rules(spec)[i]));
        for (int c = 0; c < columns; c++) {
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
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            char measure[128];
            snprintf(measure, sizeof measure, "population.%s.%s",
                     lab_contestant_name((lab_contestant)which), names[i]);
            const lab_measure *found = lab_measure_of(result->measures, measure);
            report_print_figure(to, found ? found->value : NAN, "-");
        }
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

// ---- what there is to say of a rule ----------------------------------------------------------

// Each returns the number of its lines.
typedef int say_of(FILE *to, const lab_record *record, int i);

// What taught each rule, where that differs.
static int say_teacher(FILE *to, const lab_record *record, int i)
{
    if (lab_one_teacher(record))
        return 0;
    fprintf(to, "  %s: taught by %s\n", record->rule[i].name,
            lab_teacher_phrase(record->rule[i].teacher));
    return 1;
}

static int say_spikes(FILE *to, const lab_record *record, int i)
{
    const lab_rule_record *rule = &record->rule[i];
    if (rule->spike_steps == 0)
        return 0;
    fprintf(to,
            "  %s: taught by spikes, clipped in %ld of %ld steps, where their rate would have been "
            "below 0\n",
            rule->name, rule->spikes_clipped, rule->spike_steps);
    return 1;
}

// Its filter, if it is in adjoint form.
static int say_form(FILE *to, const lab_record *record, int i)
{
    const lab_rule_record *rule = &record->rule[i];
    if (rule->filter.is_adjoint)
        fprintf(to, "  %s: %s\n", rule->name,
                lab_filter_sentence(&rule->filter, record->step_s).text);
    return rule->filter.is_adjoint;
}

// How well the first stage of a cascade predicts.
static int say_prediction(FILE *to, const lab_record *record, int i)
{
    const lab_rule_record *rule = &record->rule[i];
    if (rule->predictors == 0 || rule->diverged_at > 0)
        return 0;
    fprintf(to, "  %s: the prediction's error in the last trial is %.4g of the disturbance\n",
            rule->name, rule->prediction_error[record->phases - 1]);
    return 1;
}

// The model that it learned.
static int say_model(FILE *to, const lab_record *record, int i)
{
    const lab_rule_record *rule = &record->rule[i];
    if (!rule->model.peak_ms)
        return 0;
    fprintf(to, "  %s: %s\n", rule->name,
            lab_model_sentence(&rule->model, record->trials - 1).text);
    return 1;
}

// Whether its numbers overflowed; after the last rule, those of other sizes.
static int say_diverged(FILE *to, const lab_record *record, int i)
{
    const lab_rule_record *rule = &record->rule[i];
    int lines = rule->diverged_at > 0;
    if (rule->diverged_at > 0)
        fprintf(to,
                "  %s diverged at trial %d: its numbers overflowed; it has no results from then "
                "on\n",
                rule->name, rule->diverged_at);
    for (int k = 0; i == record->rules - 1 && k < record->scale_sizes; k++)
        if (record->scale[k].diverged_at > 0) {
            fprintf(to, "  %d synapses diverged at trial %d\n", record->scale[k].synapses,
                    record->scale[k].diverged_at);
            lines++;
        }
    return lines;
}

// What the guard did.
static int say_guard(FILE *to, const lab_record *record, int i)
{
    const lab_rule_record *rule = &record->rule[i];
    int acts = 0;
    for (int p = 0; p < record->phases; p++) {
        const lab_guarded *guarded = &rule->guard[p];
        for (int k = 0; k < guarded->acts && k < LAB_GUARD_ACTS; k++) {
            const lab_guard_act *act = &guarded->act[k];
            fprintf(to, "  guard: %s, trial %d: %s", rule->name, act->trial,
                    lab_guard_sentence(act->reason));
            if (isfinite(act->alone))
                fprintf(to, " (rms error %.4g against %.4g)", act->with_cell, act->alone);
            fprintf(to, "%s; %s, learning %s\n", act->world_changed ? ", which had changed" : "",
                    act->to_zero ? "weights reset to 0" : "best weights restored",
                    act->froze           ? "stopped"
                    : act->world_changed ? "continues"
                                         : "continues at a lower rate");
        }
        if (guarded->acts > LAB_GUARD_ACTS)
            fprintf(to, "  guard: %s: %d more times\n", rule->name, guarded->acts - LAB_GUARD_ACTS);
        acts += guarded->acts;
    }
    return acts;
}

// A paragraph of each kind, with the rules of which there is something to say.
static void print_notes(FILE *to, const lab_record *record)
{
    static say_of *const kinds[] = {say_teacher, say_spikes,   say_form, say_prediction,
                                    say_model,   say_diverged, say_guard};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        int lines = 0;
        for (int i = 0; i < record->rules; i++)
            lines += kinds[k](to, record, i);
        if (lines > 0)
            fputc('\n', to);
    }
}

// ---- tuning and claims -----------------------------------------------------------------------

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
        if (isnan(claim->spec->high))
            snprintf(range, sizeof range, "at least %g", claim->spec->low);
        else if (isnan(claim->spec->low))
            snprintf(range, sizeof range, "at most %g", claim->spec->high);
        else
            snprintf(range, sizeof range, "%g to %g", claim->spec->low, claim->spec->high);
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

// ---- all of it -------------------------------------------------------------------------------

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
    print_notes(to, record);
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
