// SPDX-License-Identifier: Apache-2.0
#include "draw/story_panel.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "draw/gnuplot.h"
#include "math/order.h"
#include "spec/rows.h"
#include "spec/spec_story.h"

#define SEEN 0.02 // share of a trace's peak from which it is seen
#define ROOM 0.06 // share of the values' range that is left free above and below

// A rule of a panel.
typedef struct shown_rule {
    int index;
    const char *name; // in the key
    int row;          // and so its colour: the same in every panel, and in every case
    int linetype;
    const lab_rule_record *record;
    const lab_phase_signals *signals;
    const lab_shown_trace *trace;
} shown_rule;

// A panel in the making.
typedef struct maker {
    lab_panel *panel;
    const lab_panel_spec *spec;
    const lab_result *result;
    const lab_record *record;
    int rules; // shown
    shown_rule *rule;
    int from; // first step or trial that is shown, from 0
} maker;

// ---- lines -----------------------------------------------------------------------------------

static bool find_rules(maker *maker)
{
    const lab_panel_spec *panel = maker->spec;
    const lab_spec *spec = maker->result->spec;
    maker->rules = lab_panel_rules(spec, panel);
    maker->rule = calloc((size_t)maker->rules + 1, sizeof *maker->rule);
    for (int k = 0; maker->rule && k < maker->rules; k++) {
        const int index = lab_panel_rule(spec, panel, k), row = lab_row_of(spec, index);
        const lab_rule_record *record = &maker->record->rule[index];
        maker->rule[k] =
            (shown_rule){.index = index,
                         .name = panel->names.count > 0 ? panel->names.items[k] : record->name,
                         .row = row,
                         .linetype = lab_gnuplot_linetype(row),
                         .record = record,
                         .signals = &record->last[lab_panel_phase(spec, panel)],
                         .trace = &record->shown[panel - lab_panels(spec)]};
    }
    return maker->rule;
}

// For as many lines as any kind of panel has, and one more entry of the key.
static bool story_make_room(maker *maker, int rows)
{
    lab_panel *panel = maker->panel;
    const int lines =
        maker->rules * (maker->spec->show.count + 1) + maker->spec->measures.count + 3;
    int names = maker->record->trials;
    for (int k = 0; k < maker->rules; k++)
        names += maker->rule[k].signals->cues;
    panel->rows = rows;
    panel->line = calloc((size_t)lines, sizeof *panel->line);
    panel->values = calloc((size_t)lines * (size_t)rows, sizeof *panel->values);
    panel->name = calloc((size_t)names + 1, sizeof *panel->name);
    return panel->line && panel->values && panel->name;
}

// One more line of these values, scaled; the format is of its column in the data.
__attribute__((format(printf, 6, 7))) static lab_line *add_line(maker *maker, const double *values,
                                                                double scale, lab_pen pen,
                                                                const char *title,
                                                                const char *format, ...)
{
    lab_panel *panel = maker->panel;
    double *to = panel->values + (size_t)panel->count * (size_t)panel->rows;
    lab_line *line = &panel->line[panel->count++];
    va_list arguments;
    for (int n = 0; n < panel->rows; n++)
        to[n] = values[maker->from + n] * scale;
    line->pen = pen;
    snprintf(line->title, sizeof line->title, "%.150s", title);
    va_start(arguments, format);
    vsnprintf(line->column, sizeof line->column, format, arguments);
    va_end(arguments);
    return line;
}

// A rule that diverged has no curve or signal to see from there on.
static void note_diverged(const maker *maker, lab_line *line, int rule)
{
    const size_t length = strlen(line->title);
    snprintf(line->title + length, sizeof line->title - length, "%s",
             lab_diverged_text(maker->record, rule).text);
}

static void add_name(maker *maker, double at, double from, double to, int linetype,
                     const char *text)
{
    lab_above *name = &maker->panel->name[maker->panel->names++];
    *name = (lab_above){.at = at, .from = from, .to = to, .linetype = linetype};
    snprintf(name->text, sizeof name->text, "%.63s", text);
}

// ---- by time ---------------------------------------------------------------------------------

static int step_at(const maker *maker, double at_s)
{
    return (int)cfpci_min(maker->record->steps - 1, round(at_s / maker->record->step_s));
}

// The axis: these steps, or the part that the spec asks for.
static bool make_by_time(maker *maker, int from, int to)
{
    maker->from = isnan(maker->spec->from_s) ? from : step_at(maker, maker->spec->from_s);
    const int last = isnan(maker->spec->to_s) ? to : step_at(maker, maker->spec->to_s);
    maker->panel->step = maker->record->step_s;
    maker->panel->first = maker->from * maker->record->step_s;
    return story_make_room(maker, last > maker->from ? last - maker->from + 1 : 1);
}

// Of one rule each signal has its colour, of several each rule.
static void add_signal(maker *maker, int s, int k)
{
    const lab_phase_signals *from = maker->rule[k].signals;
    const struct {
        const char *name;
        const double *values;
        int linetype;
        bool is_learned;
    } all[] = {{"r", from->r, LAB_BLACK, false}, {"d", from->d, LAB_GREY, false},
               {"y", from->y, 1, true},          {"e", from->e, 1, true},
               {"o", from->o, 3, true},          {"e0", from->e0, 2, false},
               {"reactive", from->r, 2, false}}; // less e0
    const char *name = maker->spec->show.items[s];
    const bool own = maker->rules > 1 && !lab_is_of_world(name);
    size_t i = 0;
    while (strcmp(all[i].name, name) != 0)
        i++;
    lab_pen pen = {.linetype = own ? maker->rule[k].linetype : all[i].linetype};
    for (int n = 0; !own && n < maker->panel->count; n++) // y and e
        pen.linetype += maker->panel->line[n].pen.linetype == pen.linetype ? 3 : 0;
    const char *title = own                                   ? maker->rule[k].name
                        : maker->spec->signal_names.count > 0 ? maker->spec->signal_names.items[s]
                                                              : name;
    double *to = maker->panel->values + (size_t)maker->panel->count * (size_t)maker->panel->rows;
    lab_line *line = add_line(maker, all[i].values, 1, pen, title, "%.60s.%.20s",
                              maker->rule[k].record->name, name);
    for (int n = 0; strcmp(name, "reactive") == 0 && n < maker->panel->rows; n++)
        to[n] -= from->e0[maker->from + n];
    if (all[i].is_learned)
        note_diverged(maker, line, maker->rule[k].index);
}

static bool story_has_cue(const lab_phase_signals *signals, const lab_cue_mark *cue)
{
    for (int c = 0; c < signals->cues; c++)
        if (signals->cue[c].at_s == cue->at_s && strcmp(signals->cue[c].name, cue->name) == 0)
            return true;
    return false;
}

// Once, for the first rule that has it; it has that rule's colour unless all have it.
static void add_cue(maker *maker, int k, const lab_cue_mark *cue)
{
    const double first = maker->panel->first, last = lab_panel_last(maker->panel);
    int earlier = 0, all = 0;
    for (int i = 0; i < maker->rules; i++) {
        const bool has = story_has_cue(maker->rule[i].signals, cue);
        earlier += has && i < k;
        all += has;
    }
    if (earlier == 0 && cue->at_s >= first && cue->at_s <= last)
        add_name(maker, cue->at_s, first, last,
                 all == maker->rules ? LAB_GREY : maker->rule[k].linetype, cue->name);
}

static bool story_make_signals(maker *maker)
{
    const lab_texts *show = &maker->spec->show;
    if (!make_by_time(maker, 0, maker->record->steps - 1))
        return false;
    for (int s = 0; s < show->count; s++)
        for (int k = 0; k < (lab_is_of_world(show->items[s]) ? 1 : maker->rules); k++)
            add_signal(maker, s, k);
    for (int k = 0; k < maker->rules; k++)
        for (int c = 0; c < maker->rule[k].signals->cues; c++)
            add_cue(maker, k, &maker->rule[k].signals->cue[c]);
    return true;
}

static double story_peak_of(const maker *maker, const double *values)
{
    double most = 0;
    for (int n = 0; n < maker->record->steps; n++)
        most = cfpci_max(most, fabs(values[n]));
    return most > 0 && isfinite(most) ? most : 1;
}

// The steps at which a basis signal or a trace can be seen.
static void seen_steps(const maker *maker, int *first, int *last)
{
    const int end = maker->record->steps - 1;
    *first = end;
    *last = 0;
    for (int k = 0; k < 2 * maker->rules; k++) {
        const lab_shown_trace *trace = maker->rule[k / 2].trace;
        const double *values = k % 2 == 0 ? trace->x : trace->h;
        const double seen = SEEN * story_peak_of(maker, values);
        for (int n = 0; n <= end; n++)
            if (fabs(values[n]) > seen) {
                *first = n < *first ? n : *first;
                *last = n > *last ? n : *last;
            }
    }
    if (*first >= *last) {
        *first = 0;
        *last = end;
    }
}

// Each to its own peak: what matters here is when, not how much.
static bool story_make_traces(maker *maker)
{
    int from, to;
    const bool pulse = maker->spec->pulse;
    const lab_shown_trace *first = maker->rule[0].trace;
    seen_steps(maker, &from, &to);
    if (!make_by_time(maker, from, to))
        return false;
    if (maker->spec->effect)
        add_line(maker, first->effect, 1 / story_peak_of(maker, first->effect),
                 (lab_pen){.linetype = LAB_LIGHT, .area = true}, "effect on the output",
                 "effect_%d", first->basis);
    if (!pulse)
        add_line(maker, first->x, 1 / story_peak_of(maker, first->x),
                 (lab_pen){.linetype = LAB_BLACK}, "basis signal", "%.60s.x_%d",
                 maker->rule[0].record->name, first->basis);
    for (int k = 0; k < maker->rules; k++) {
        const lab_shown_trace *trace = maker->rule[k].trace;
        const lab_pen pen = {.linetype = maker->rule[k].linetype,
                             .dash = pulse && k > 0 ? k + 1 : 0}; // kernels may coincide
        add_line(maker, trace->h, 1 / story_peak_of(maker, trace->h), pen, maker->rule[k].name,
                 "%.60s.h_%d", maker->rule[k].record->name, trace->basis);
    }
    return true;
}

// ---- by trial --------------------------------------------------------------------------------

static void name_phases(maker *maker)
{
    const lab_record *record = maker->record;
    lab_panel *panel = maker->panel;
    const double last = lab_panel_last(panel);
    for (int k = 0, end; maker->result->spec->phases.count > 1 && k < record->trials; k = end) {
        for (end = k + 1; end < record->trials && record->phase[end] == record->phase[k];)
            end++;
        const double from = cfpci_max(k + 0.5, panel->first), to = cfpci_min(end + 0.5, last);
        if (to > from)
            add_name(maker, (from + to) / 2, from, to, LAB_GREY,
                     lab_phases(maker->result->spec)[record->phase[k]].name);
    }
    if (panel->names == 1) // there is nothing to tell apart
        panel->names = 0;
}

// NULL: the rule does not measure it.
static const double *by_trial(lab_panel_kind kind, const lab_rule_record *rule)
{
    switch (kind) {
    case LAB_PANEL_CURVES:
        return rule->rrmse;
    case LAB_PANEL_RESPONSES:
        return rule->responses.amplitude;
    case LAB_PANEL_GAIN:
        return rule->gain;
    case LAB_PANEL_WINDOWS:
        return rule->worst_window;
    case LAB_PANEL_MODEL:
        return rule->model.peak_ms;
    case LAB_PANEL_SIGNALS:
    case LAB_PANEL_TRACES:
    case LAB_PANEL_BARS:
        break;
    }
    return NULL;
}

static bool make_by_trial(maker *maker)
{
    const lab_panel_spec *spec = maker->spec;
    const int last = spec->to_trial > 0 ? spec->to_trial : maker->record->trials;
    maker->from = spec->from_trial - 1;
    maker->panel->step = 1;
    maker->panel->first = spec->from_trial;
    if (!story_make_room(maker, last - maker->from))
        return false;
    const double *right = maker->rule[0].record->model.right_ms;
    if (spec->kind == LAB_PANEL_MODEL && right) // where the peak should be
        add_line(maker, right, 1, (lab_pen){0}, "right", "right");
    for (int k = 0; k < maker->rules; k++) {
        const shown_rule *rule = &maker->rule[k];
        const double *values = by_trial(spec->kind, rule->record);
        const lab_pen pen = {.linetype = rule->linetype, .point = rule->row % 4 * 2 + 5};
        if (values)
            note_diverged(maker,
                          add_line(maker, values, 1, pen, rule->name, "%.60s", rule->record->name),
                          rule->index);
    }
    name_phases(maker);
    return true;
}

// ---- bars ------------------------------------------------------------------------------------

// A figure of a rule has its rule's colour.
static int bar_linetype(const maker *maker, const char *measure)
{
    for (int i = 0; i < maker->record->rules; i++) {
        const char *name = maker->record->rule[i].name;
        const size_t length = strlen(name);
        if (strncmp(measure, "rules.", 6) == 0 && strncmp(measure + 6, name, length) == 0 &&
            measure[6 + length] == '.')
            return lab_gnuplot_linetype(lab_row_of(maker->result->spec, i));
    }
    return lab_gnuplot_linetype(0);
}

// One line a bar, each of one value.
static bool make_bars(maker *maker)
{
    const lab_texts *measures = &maker->spec->measures, *names = &maker->spec->names;
    maker->panel->first = 1;
    maker->panel->step = 1;
    if (!story_make_room(maker, 1))
        return false;
    for (int k = 0; k < measures->count; k++) {
        const char *measure = measures->items[k];
        const lab_measure *found = lab_measure_of(maker->result->measures, measure);
        const lab_pen pen = {.linetype = bar_linetype(maker, measure)};
        add_line(maker, found ? &found->value : &(double){NAN}, 1, pen,
                 names->count > 0 ? names->items[k] : measure, "%.150s", measure);
    }
    return true;
}

// ---- all kinds -------------------------------------------------------------------------------

static void story_find_range(maker *maker)
{
    lab_panel *panel = maker->panel;
    const bool is_log = maker->spec->kind == LAB_PANEL_CURVES;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < (size_t)panel->rows * (size_t)panel->count; i++) {
        const double value = panel->values[i];
        if (fabs(value) < 1e200 && (!is_log || value > 1e-200)) {
            low = cfpci_min(low, value);
            high = cfpci_max(high, value);
        }
    }
    if (is_log) // the loop alone is shown as well
        low = cfpci_min(low, 1), high = cfpci_max(high, 1);
    if (maker->spec->kind == LAB_PANEL_BARS || !(low <= high))
        low = cfpci_min(low, 0), high = cfpci_max(high, 0);
    const double range = high > low ? high - low : 1;
    panel->low = is_log ? 0.7 * low : low - ROOM * range;
    panel->high = is_log ? 1.5 * high : high + ROOM * range;
    if (!isnan(maker->spec->low))
        panel->low = maker->spec->low;
    if (!isnan(maker->spec->high))
        panel->high = maker->spec->high;
    if (!(panel->low < panel->high))
        panel->high = is_log ? 10 * panel->low : panel->low + 1;
}

double lab_panel_last(const lab_panel *panel)
{
    return panel->first + (panel->rows > 1 ? panel->rows - 1 : 1) * panel->step;
}

// Only bars may be of no rule.
static bool make_kind(maker *maker)
{
    const lab_panel_family family = lab_family_of_panel(maker->spec->kind);
    if (maker->rules < 1 && family != LAB_BY_MEASURE)
        return true;
    switch (family) {
    case LAB_BY_TIME:
        return maker->spec->kind == LAB_PANEL_SIGNALS ? story_make_signals(maker)
                                                      : story_make_traces(maker);
    case LAB_BY_TRIAL:
        return make_by_trial(maker);
    case LAB_BY_MEASURE:
        return make_bars(maker);
    }
    return false;
}

lab_outcome lab_panel_make(lab_panel *panel, const lab_panel_spec *spec, const lab_result *result,
                           lab_why *why)
{
    *panel = (lab_panel){.spec = spec};
    maker maker = {.panel = panel, .spec = spec, .result = result, .record = result->record};
    const bool made = find_rules(&maker) && make_kind(&maker);
    free(maker.rule);
    if (!made)
        return lab_no_memory(why, NULL);
    story_find_range(&maker);
    return LAB_DONE;
}

void lab_panel_free(lab_panel *panel)
{
    free(panel->line);
    free(panel->values);
    free(panel->name);
    *panel = (lab_panel){0};
}

void lab_panel_data(FILE *file, const lab_panel *panel)
{
    const lab_panel_family family = lab_family_of_panel(panel->spec->kind);
    if (family == LAB_BY_MEASURE) {
        fputs("bar,value,measure\n", file);
        for (int k = 0; k < panel->count; k++)
            fprintf(file, "%d,%s,%s\n", k + 1, lab_number(panel->values[k]).text,
                    panel->line[k].column);
        return;
    }
    fputs(family == LAB_BY_TIME ? "time_s" : "trial", file);
    for (int k = 0; k < panel->count; k++)
        fprintf(file, ",%s", panel->line[k].column);
    for (int n = 0; n < panel->rows; n++) {
        fprintf(file, "\n%s", lab_number(panel->first + n * panel->step).text);
        for (int k = 0; k < panel->count; k++)
            fprintf(file, ",%s",
                    lab_number(panel->values[(size_t)k * (size_t)panel->rows + (size_t)n]).text);
    }
    fputc('\n', file);
}
