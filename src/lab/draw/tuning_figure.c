// SPDX-License-Identifier: Apache-2.0
// fig-tuning: the error of each rule at each rate, and the selected rate; tuning.csv has the
// values.
#include <math.h>

#include "base/number.h"
#include "draw/gnuplot.h"
#include "draw/tuning_figure.h"
#include "spec/rows.h"
#include "write/standings.h"

#define CEILING 10. // rRMSE; above, a rule has diverged

static void put_header(FILE *file, const lab_record *record)
{
    fputs("rate", file);
    for (int i = 0; i < record->rules; i++)
        if (record->rule[i].tuning)
            fprintf(file, ",%s", record->rule[i].name);
    fputc('\n', file);
}

// One row per rate: its multiple, then the rRMSE of every tuned rule, clipped at the ceiling.
static void put_values(FILE *file, const lab_result *result, double ceiling)
{
    const lab_record *record = result->record;
    const lab_numbers *rates = &result->spec->tune.rates;
    put_header(file, record);
    for (int k = 0; k < rates->columns; k++) {
        fputs(lab_number(rates->values[k]).text, file);
        for (int i = 0; i < record->rules; i++)
            if (record->rule[i].tuning)
                fprintf(file, ",%s", lab_number(fmin(ceiling, record->rule[i].tuning[k])).text);
        fputc('\n', file);
    }
}

lab_outcome lab_write_tuning(lab_folder *folder, const lab_result *result, lab_why *why)
{
    FILE *file;
    lab_outcome outcome = lab_folder_create(folder, "tuning.csv", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    put_values(file, result, INFINITY);
    return lab_folder_close(folder, file, why);
}

static void data(FILE *file, const void *context)
{
    put_values(file, context, CEILING);
}

// The tuned rules of a case, each with its selected rate marked by a dot.
static void put_case(FILE *file, const lab_result *result, int in_case)
{
    const lab_record *record = result->record;
    const lab_spec *spec = result->spec;
    int column = 1, line = 0;
    fputs("plot ", file);
    for (int i = 0; i < record->rules; i++) {
        const lab_rule_record *rule = &record->rule[i];
        column += rule->tuning != NULL;
        if (!rule->tuning || lab_case_of(spec, i) != in_case)
            continue;
        const int linetype = lab_gnuplot_linetype(lab_row_of(spec, i));
        line++;
        fprintf(file, "%s\"fig-tuning.csv\" skip 1 using 1:%d with lines linetype %d title ",
                line > 1 ? ", \\\n     " : "", column, linetype);
        lab_gnuplot_text(file, lab_bare_name(&lab_rules(spec)[i]));
        fprintf(file,
                " noenhanced, \\\n     \"\" skip 1 every ::%d::%d using 1:%d with points linetype "
                "%d pointtype 7 pointsize 0.9 notitle",
                rule->tuned, rule->tuned, column, linetype);
    }
    fputs(line ? "\n" : "NaN notitle\n", file);
}

static void script(FILE *file, const void *context)
{
    const lab_result *result = context;
    const lab_spec *spec = result->spec;
    const lab_numbers *rates = &spec->tune.rates;
    fprintf(file,
            "set multiplot layout 1,%d\nset logscale xy\nset format y \"%%g\"\n"
            "set xrange [%g:%g]\nset yrange [0.001:%g]\n"
            "set xlabel \"learning rate, in units of 1/λmax\"\n"
            "set ylabel \"rRMSE at trial %d (cut off at %g)\"\n"
            "set key outside right top vertical reverse Left samplen 1.5\n",
            lab_case_count(spec), rates->values[0] * (rates->columns > 1 ? 1 : 0.5),
            rates->values[rates->columns - 1] * (rates->columns > 1 ? 1 : 2), CEILING,
            spec->phases.count ? lab_phases(spec)[0].trials : spec->learning.trials, CEILING);
    for (int k = 0; k < lab_case_count(spec); k++) {
        if (spec->cases.count) {
            fputs("set title ", file);
            lab_gnuplot_text(file, lab_cases(spec)[k].name);
            fputs(" noenhanced\n", file);
        }
        put_case(file, result, k);
    }
    fputs("unset multiplot\n", file);
}

lab_outcome lab_draw_tuning(lab_folder *folder, const lab_result *result, bool can_draw,
                            lab_why *why)
{
    const lab_figure figure = {.name = "fig-tuning",
                               .width = 480 * lab_case_count(result->spec),
                               .height = 380,
                               .data = data,
                               .script = script};
    return lab_gnuplot_figure(folder, &figure, result, can_draw, why);
}
