// SPDX-License-Identifier: Apache-2.0
// tables: the CSV files of a result and of a sweep.
#include <math.h>
#include <stdarg.h>

#include "base/arena.h"
#include "base/number.h"
#include "base/quoted.h"
#include "write/results.h"

// ---- a table ---------------------------------------------------------------------------------

// Values of a column, one per row.
typedef struct column {
    const double *values; // NULL: all NAN
    size_t stride;        // from one to the next
    bool blank;           // NAN is an empty field
} column;

// A table in the making: columns are named in its file when they are added, and their values follow
// when it ends. After a failure nothing more is done.
typedef struct table {
    lab_folder *folder;
    FILE *file;
    lab_arena arena;
    column *columns;
    int count; // of columns
    lab_outcome outcome;
} table;

// The first column counts the rows or is the time; it is not among the columns that may be added.
static table table_begin(lab_folder *folder, const char *name, const char *first, int columns,
                         lab_why *why)
{
    table table = {.folder = folder};
    table.columns = lab_take(&table.arena, (size_t)columns, sizeof *table.columns);
    table.outcome = table.columns ? lab_folder_create(folder, name, &table.file, why)
                                  : lab_no_memory(why, NULL);
    if (table.outcome == LAB_DONE)
        fputs(first, table.file);
    return table;
}

__attribute__((format(printf, 3, 4))) static void add(table *to, column column, const char *name,
                                                      ...)
{
    va_list arguments;
    if (to->outcome != LAB_DONE)
        return;
    fputc(',', to->file);
    va_start(arguments, name);
    vfprintf(to->file, name, arguments);
    va_end(arguments);
    to->columns[to->count++] = column;
}

static column column_of(const double *values)
{
    return (column){.values = values, .stride = 1};
}

// Writes the rows, by time or, where the step is 0, counted from 1.
static lab_outcome table_end(table *table, int rows, double step_s, lab_why *why)
{
    FILE *file = table->file;
    for (int n = 0; table->outcome == LAB_DONE && n < rows; n++) {
        if (step_s > 0)
            fprintf(file, "\n%s", lab_number(n * step_s).text);
        else
            fprintf(file, "\n%d", n + 1);
        for (int c = 0; c < table->count; c++) {
            const column *column = &table->columns[c];
            const double value = column->values ? column->values[(size_t)n * column->stride] : NAN;
            fprintf(file, ",%s", column->blank && isnan(value) ? "" : lab_number(value).text);
        }
    }
    if (table->outcome == LAB_DONE) {
        fputc('\n', file);
        table->outcome = lab_folder_close(table->folder, file, why);
    }
    lab_arena_free(&table->arena);
    return table->outcome;
}

// ---- step by step ----------------------------------------------------------------------------

static lab_outcome write_signals(lab_folder *folder, const char *name, const lab_record *record,
                                 const lab_signals *signals, lab_why *why)
{
    table table = table_begin(folder, name, "time_s", 8, why);
    add(&table, column_of(signals->r_last), "r");
    add(&table, column_of(signals->y_first), "y_first");
    add(&table, column_of(signals->y_last), "y_last");
    add(&table, column_of(signals->e_first), "e_first");
    add(&table, column_of(signals->e_last), "e_last");
    add(&table, column_of(signals->o_last), "o_last");
    add(&table, column_of(signals->m_first), "m_first");
    add(&table, column_of(signals->m_last), "m_last");
    return table_end(&table, record->steps, record->step_s, why);
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

// The last trial of each phase, all rules side by side; r and d are the main rule's.
lab_outcome lab_write_phases(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_record *record = result->record;
    lab_outcome outcome = LAB_DONE;
    for (int p = 0; outcome == LAB_DONE && p < result->spec->phases.count; p++) {
        const lab_phase_signals *first = &record->rule[record->main_rule].last[p];
        char name[96];
        snprintf(name, sizeof name, "phase-%.64s.csv", lab_phases(result->spec)[p].name);
        table table = table_begin(folder, name, "time_s", 2 + 5 * record->rules, why);
        add(&table, column_of(first->r), "r");
        add(&table, column_of(first->d), "d");
        for (int i = 0; i < record->rules; i++) {
            const lab_phase_signals *last = &record->rule[i].last[p];
            const char *rule = record->rule[i].name;
            add(&table, column_of(last->y), "%s.y", rule);
            add(&table, column_of(last->e), "%s.e", rule);
            add(&table, column_of(last->o), "%s.o", rule);
            add(&table, column_of(last->u), "%s.u", rule);
            add(&table, column_of(last->e0), "%s.e0", rule);
        }
        outcome = table_end(&table, record->steps, record->step_s, why);
    }
    return outcome;
}

lab_outcome lab_write_traces(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_record *record = result->record;
    const size_t bases = (size_t)record->bases;
    table table = table_begin(folder, "traces.csv", "time_s", 2 * record->bases, why);
    for (size_t j = 0; j < bases; j++)
        add(&table, (column){.values = record->x + j, .stride = bases}, "x_%zu", j + 1);
    for (size_t j = 0; j < bases; j++)
        add(&table, (column){.values = record->traces + j, .stride = bases}, "h_%zu", j + 1);
    return table_end(&table, record->steps, record->step_s, why);
}

// ---- synapse by synapse ----------------------------------------------------------------------

// The weights of all rules with as many bases as this one, and the optimum, if requested.
static lab_outcome write_weights(lab_folder *folder, const char *name, const lab_record *record,
                                 int bases, bool optimum, lab_why *why)
{
    table table = table_begin(folder, name, "basis", record->rules + 1, why);
    for (int i = 0; i < record->rules; i++)
        if (record->rule[i].bases == bases)
            add(&table, column_of(record->rule[i].weights), "%s", record->rule[i].name);
    if (optimum)
        add(&table, column_of(record->w_optimum), "optimum");
    return table_end(&table, bases, 0, why);
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

// ---- trial by trial --------------------------------------------------------------------------

lab_outcome lab_write_curves(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_record *record = result->record;
    table table = table_begin(folder, "curves.csv", "trial", 2 * record->rules + 1, why);
    for (int i = 0; i < record->rules; i++)
        add(&table, column_of(record->rule[i].rrmse), "%s", record->rule[i].name);
    add(&table, column_of(record->optimum), "optimum");
    for (int i = 0; record->repeats > 1 && i < record->rules; i++)
        add(&table, column_of(record->rule[i].half_width), "%s.half_width", record->rule[i].name);
    return table_end(&table, record->trials, 0, why);
}

// Where there is no response, its times are empty.
lab_outcome lab_write_responses(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_record *record = result->record;
    table table = table_begin(folder, "responses.csv", "trial", 3 * record->rules, why);
    for (int i = 0; i < record->rules; i++) {
        const lab_responses *r = &record->rule[i].responses;
        const char *rule = record->rule[i].name;
        add(&table, (column){r->onset_ms, 1, true}, "%s.onset_ms", rule);
        add(&table, (column){r->peak_ms, 1, true}, "%s.peak_ms", rule);
        add(&table, column_of(r->amplitude), "%s.amplitude", rule);
    }
    return table_end(&table, record->trials, 0, why);
}

lab_outcome lab_write_gain(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_record *record = result->record;
    table table = table_begin(folder, "gain.csv", "trial", record->rules, why);
    for (int i = 0; i < record->rules; i++)
        add(&table, column_of(record->rule[i].gain), "%s", record->rule[i].name);
    return table_end(&table, record->trials, 0, why);
}

lab_outcome lab_write_windows(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_record *record = result->record;
    table table = table_begin(folder, "windows.csv", "trial", record->rules, why);
    for (int i = 0; i < record->rules; i++)
        add(&table, column_of(record->rule[i].worst_window), "%s", record->rule[i].name);
    return table_end(&table, record->trials, 0, why);
}

lab_outcome lab_write_models(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_record *record = result->record;
    table table = table_begin(folder, "models.csv", "trial", 3 * record->rules, why);
    for (int i = 0; i < record->rules; i++) {
        const lab_model_record *model = &record->rule[i].model;
        const char *rule = record->rule[i].name;
        if (!model->peak_ms)
            continue;
        add(&table, column_of(model->peak_ms), "%s.peak_ms", rule);
        add(&table, column_of(model->right_ms), "%s.right_ms", rule);
        add(&table, column_of(model->off_ms), "%s.off_ms", rule);
    }
    return table_end(&table, record->trials, 0, why);
}

// ---- point by point --------------------------------------------------------------------------

// sweep.csv, one row per point.
lab_outcome lab_write_sweep_table(lab_folder *folder, const lab_swept *swept, lab_why *why)
{
    const lab_grid *grid = swept->sweep->grid;
    FILE *file;
    lab_outcome outcome = lab_folder_create(folder, "sweep.csv", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    for (int i = 0; i < grid->count; i++) {
        lab_put_field(file, grid->axes[i].key);
        fputc(',', file);
    }
    fputs("status,why", file);
    for (int i = 0; i < swept->columns; i++)
        fprintf(file, ",%s", swept->names[i]);
    fputc('\n', file);
    for (int p = 0; p < swept->sweep->points; p++) {
        const lab_point *point = &swept->sweep->point[p];
        for (int i = 0; i < grid->count; i++) {
            lab_put_field(file, grid->axes[i].texts[lab_grid_index(grid, i, p)]);
            fputc(',', file);
        }
        fprintf(file, "%s,", lab_point_status(point));
        lab_put_quoted(file, point->why);
        for (int i = 0; i < swept->columns; i++)
            fprintf(file, ",%s", lab_number(lab_swept_column(swept, i)[p]).text);
        fputc('\n', file);
    }
    return lab_folder_close(folder, file, why);
}
