// SPDX-License-Identifier: Apache-2.0
// tables: the CSV files of a result.
#include "number.h"
#include "results.h"

static void put(FILE *file, double value, char end)
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
    fputs(",optimum\n", file);
    for (int k = 0; k < record->trials; k++) {
        fprintf(file, "%d,", k + 1);
        for (int i = 0; i < record->rules; i++)
            put(file, record->rule[i].rrmse[k], ',');
        put(file, result->setup->problem.rrmse_optimum, '\n');
    }
    return lab_folder_close(folder, file, why);
}

lab_outcome lab_write_signals(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_setup *setup = result->setup;
    const lab_record *record = result->record;
    FILE *file;
    lab_outcome outcome = lab_folder_create(folder, "signals.csv", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    fputs("time_s,r,y_first,y_last,e_first,e_last,o_last\n", file);
    for (int n = 0; n < setup->steps; n++) {
        put(file, n * setup->step_s, ',');
        put(file, setup->r[n], ',');
        put(file, record->y_first[n], ',');
        put(file, record->y_last[n], ',');
        put(file, record->e_first[n], ',');
        put(file, record->e_last[n], ',');
        put(file, record->o_last[n], '\n');
    }
    return lab_folder_close(folder, file, why);
}

lab_outcome lab_write_traces(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_setup *setup = result->setup;
    const int bases = setup->bases;
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
    for (int n = 0; n < setup->steps; n++) {
        const double *x = setup->basis + (size_t)n * (size_t)bases;
        const double *h = result->record->traces + (size_t)n * (size_t)bases;
        put(file, n * setup->step_s, ',');
        for (int j = 0; j < bases; j++)
            put(file, x[j], ',');
        for (int j = 0; j < bases; j++)
            put(file, h[j], j + 1 < bases ? ',' : '\n');
    }
    return lab_folder_close(folder, file, why);
}
