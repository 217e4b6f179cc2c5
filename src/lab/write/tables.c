// SPDX-License-Identifier: Apache-2.0
// tables: the CSV files of a result.
#include <math.h>

#include "base/number.h"
#include "write/results.h"

static void tables_put(FILE *file, double value, char end)
{
    fprintf(file, "%s%c", lab_number(value).text, end);
}

lab_outcome lab_write_curves(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_record *record = result->record;
    FILE *file;
    lab_outcome outcome = lab_folder_create(folder, "curves.csv", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    fputs("trial", file);
    for (int i = 0; i < record->rules; i++)
        fprintf(file, ",%s", record->rule[i].name);
    fputs(",optimum", file);
    for (int i = 0; record->repeats > 1 && i < record->rules; i++)
        fprintf(file, ",%s.half_width", record->rule[i].name);
    fputc('\n', file);
    for (int k = 0; k < record->trials; k++) {
        fprintf(file, "%d,", k + 1);
        for (int i = 0; i < record->rules; i++)
            tables_put(file, record->rule[i].rrmse[k], ',');
        fputs(lab_number(record->optimum[k]).text, file);
        for (int i = 0; record->repeats > 1 && i < record->rules; i++)
            fprintf(file, ",%s", lab_number(record->rule[i].half_width[k]).text);
        fputc('\n', file);
    }
    return lab_folder_close(folder, file, why);
}

static lab_outcome write_signals(lab_folder *folder, const char *name, const lab_record *record,
                                 const lab_signals *signals, lab_why *why)
{
    FILE *file;
    lab_outcome outcome = lab_folder_create(folder, name, &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    fputs("time_s,r,y_first,y_last,e_first,e_last,o_last,m_first,m_last\n", file);
    for (int n = 0; n < record->steps; n++) {
        tables_put(file, n * record->step_s, ',');
        tables_put(file, signals->r_last[n], ',');
        tables_put(file, signals->y_first[n], ',');
        tables_put(file, signals->y_last[n], ',');
        tables_put(file, signals->e_first[n], ',');
        tables_put(file, signals->e_last[n], ',');
        tables_put(file, signals->o_last[n], ',');
        tables_put(file, signals->m_first[n], ',');
        tables_put(file, signals->m_last[n], '\n');
    }
    return lab_folder_close(folder, file, why);
}

// Those of the main rule; if rules have their own loops or tasks, those of each.
lab_outcome lab_write_signals(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_record *record = result->record;
    const bool varied = lab_any_varied(record);
    lab_outcome outcome = write_signals(folder, "signals.csv", record, &record->signals, why);
    for (int i = 0; outcome == LAB_DONE && varied && i < record->rules; i++) {
        char name[96];
        snprintf(name, sizeof name, "signals-%s.csv", record->rule[i].name);
        outcome = write_signals(folder, name, record, &record->rule[i].signals, why);
    }
    return outcome;
}

static lab_outcome write_phase(lab_folder *folder, const lab_result *result, int phase,
                               lab_why *why)
{
    const lab_record *record = result->record;
    const lab_phase_signals *first = &record->rule[record->main_rule].last[phase];
    char name[96];
    FILE *file;
    snprintf(name, sizeof name, "phase-%.64s.csv", lab_phases(result->spec)[phase].name);
    lab_outcome outcome = lab_folder_create(folder, name, &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    fputs("time_s,r,d", file);
    for (int i = 0; i < record->rules; i++) {
        const char *rule = record->rule[i].name;
        fprintf(file, ",%s.y,%s.e,%s.o,%s.u,%s.e0", rule, rule, rule, rule, rule);
    }
    fputc('\n', file);
    for (int n = 0; n < record->steps; n++) {
        tables_put(file, n * record->step_s, ',');
        tables_put(file, first->r[n], ',');
        fputs(lab_number(first->d[n]).text, file);
        for (int i = 0; i < record->rules; i++) {
            const lab_phase_signals *last = &record->rule[i].last[phase];
            const double *const all[] = {last->y, last->e, last->o, last->u, last->e0};
            for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
                fprintf(file, ",%s", lab_number(all[k][n]).text);
        }
        fputc('\n', file);
    }
    return lab_folder_close(folder, file, why);
}

// The last trial of each phase, all rules side by side; r and d are the main rule's.
lab_outcome lab_write_phases(lab_folder *folder, const lab_result *result, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int p = 0; outcome == LAB_DONE && p < result->spec->phases.count; p++)
        outcome = write_phase(folder, result, p, why);
    return outcome;
}

lab_outcome lab_write_traces(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_record *record = result->record;
    const int bases = record->bases;
    FILE *file;
    lab_outcome outcome = lab_folder_create(folder, "traces.csv", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    fputs("time_s", file);
    for (int j = 1; j <= bases; j++)
        fprintf(file, ",x_%d", j);
    for (int j = 1; j <= bases; j++)
        fprintf(file, ",h_%d", j);
    fputc('\n', file);
    for (int n = 0; n < record->steps; n++) {
        const double *x = record->x + (size_t)n * (size_t)bases;
        const double *h = record->traces + (size_t)n * (size_t)bases;
        tables_put(file, n * record->step_s, ',');
        for (int j = 0; j < bases; j++)
            tables_put(file, x[j], ',');
        for (int j = 0; j < bases; j++)
            tables_put(file, h[j], j + 1 < bases ? ',' : '\n');
    }
    return lab_folder_close(folder, file, why);
}

// The weights of all rules with as many bases as this one, and the optimum, if requested.
static lab_outcome write_weights(lab_folder *folder, const char *name, const lab_record *record,
                                 int bases, bool optimum, lab_why *why)
{
    FILE *file;
    lab_outcome outcome = lab_folder_create(folder, name, &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    fputs("basis", file);
    for (int i = 0; i < record->rules; i++)
        if (record->rule[i].bases == bases)
            fprintf(file, ",%s", record->rule[i].name);
    fputs(optimum ? ",optimum\n" : "\n", file);
    for (int j = 0; j < bases; j++) {
        fprintf(file, "%d", j + 1);
        for (int i = 0; i < record->rules; i++)
            if (record->rule[i].bases == bases)
                fprintf(file, ",%s", lab_number(record->rule[i].weights[j]).text);
        if (optimum)
            fprintf(file, ",%s", lab_number(record->w_optimum[j]).text);
        fputc('\n', file);
    }
    return lab_folder_close(folder, file, why);
}

// Rules with another number of bases have separate files.
lab_outcome lab_write_weights(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_record *record = result->record;
    lab_outcome outcome =
        write_weights(folder, "weights.csv", record, record->bases, !record->nonlinear, why);
    for (int i = 0; outcome == LAB_DONE && i < record->rules; i++) {
        int first = 0; // with this number of bases
        while (record->rule[first].bases != record->rule[i].bases)
            first++;
        if (first < i || record->rule[i].bases == record->bases)
            continue;
        char name[96];
        snprintf(name, sizeof name, "weights-%s.csv", record->rule[i].name);
        outcome = write_weights(folder, name, record, record->rule[i].bases, false, why);
    }
    return outcome;
}

lab_outcome lab_write_responses(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_record *record = result->record;
    FILE *file;
    lab_outcome outcome = lab_folder_create(folder, "responses.csv", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    fputs("trial", file);
    for (int i = 0; i < record->rules; i++) {
        const char *name = record->rule[i].name;
        fprintf(file, ",%s.onset_ms,%s.peak_ms,%s.amplitude", name, name, name);
    }
    fputc('\n', file);
    for (int k = 0; k < record->trials; k++) {
        fprintf(file, "%d", k + 1);
        for (int i = 0; i < record->rules; i++) { // no response: empty times
            const lab_responses *r = &record->rule[i].responses;
            const bool there = !isnan(r->peak_ms[k]);
            fprintf(file, ",%s", there ? lab_number(r->onset_ms[k]).text : "");
            fprintf(file, ",%s", there ? lab_number(r->peak_ms[k]).text : "");
            fprintf(file, ",%s", lab_number(r->amplitude[k]).text);
        }
        fputc('\n', file);
    }
    return lab_folder_close(folder, file, why);
}

// One column per rule that has values, one row per trial.
static lab_outcome write_by_trial(lab_folder *folder, const char *name, const lab_record *record,
                                  const double *(*values_of)(const lab_rule_record *), lab_why *why)
{
    FILE *file;
    lab_outcome outcome = lab_folder_create(folder, name, &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    fputs("trial", file);
    for (int i = 0; i < record->rules; i++)
        fprintf(file, ",%s", record->rule[i].name);
    fputc('\n', file);
    for (int k = 0; k < record->trials; k++) {
        fprintf(file, "%d", k + 1);
        for (int i = 0; i < record->rules; i++) {
            const double *values = values_of(&record->rule[i]);
            fprintf(file, ",%s", lab_number(values ? values[k] : NAN).text);
        }
        fputc('\n', file);
    }
    return lab_folder_close(folder, file, why);
}

static const double *gain_of(const lab_rule_record *rule)
{
    return rule->gain;
}

static const double *worst_window_of(const lab_rule_record *rule)
{
    return rule->worst_window;
}

lab_outcome lab_write_gain(lab_folder *folder, const lab_result *result, lab_why *why)
{
    return write_by_trial(folder, "gain.csv", result->record, gain_of, why);
}

lab_outcome lab_write_windows(lab_folder *folder, const lab_result *result, lab_why *why)
{
    return write_by_trial(folder, "windows.csv", result->record, worst_window_of, why);
}

lab_outcome lab_write_models(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_record *record = result->record;
    FILE *file;
    lab_outcome outcome = lab_folder_create(folder, "models.csv", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    fputs("trial", file);
    for (int i = 0; i < record->rules; i++) {
        const char *name = record->rule[i].name;
        if (record->rule[i].model.peak_ms)
            fprintf(file, ",%s.peak_ms,%s.right_ms,%s.off_ms", name, name, name);
    }
    fputc('\n', file);
    for (int k = 0; k < record->trials; k++) {
        fprintf(file, "%d", k + 1);
        for (int i = 0; i < record->rules; i++) {
            const lab_model_record *model = &record->rule[i].model;
            const double *const columns[] = {model->peak_ms, model->right_ms, model->off_ms};
            for (int c = 0; model->peak_ms && c < 3; c++)
                fprintf(file, ",%s", lab_number(columns[c][k]).text);
        }
        fputc('\n', file);
    }
    return lab_folder_close(folder, file, why);
}
