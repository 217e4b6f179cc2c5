// SPDX-License-Identifier: Apache-2.0
#include "draw/story_panel.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "draw/gnuplot.h"
#include "math/order.h"
#include "spec/rows.h"
#include "spec/spec_story.h"

#define SEEN 0.02    // share of a trace's peak from which it is seen
#define ROOM 0.06    // share of the values' range that is left free above and below
#define QUIET 1e-6   // share of a disturbance's peak below which it is not there
#define MAX_PART 0.6 // of what is shown: a disturbance that is there longer is not marked

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

// Finds the rules, and makes room for as many lines as any kind of panel has, and one more entry
// of the key.
static bool story_make_room(maker *maker, lab_arena *arena)
{
    lab_panel *panel = maker->panel;
    const lab_spec *spec = maker->result->spec;
    const lab_record *record = maker->record;
    const int rules = lab_panel_rules(spec, maker->spec);
    const int lines = rules * (maker->spec->show.count + 1) + maker->spec->measures.count + 3;
    const lab_panel_family family = lab_family_of_panel(maker->spec->kind);
    const int rows = family == LAB_BY_TIME ? record->steps : record->trials;
    const int pushed = maker->spec->kind == LAB_PANEL_SIGNALS ? record->steps : 0;
    int names = record->trials;
    maker->rules = rules;
    maker->rule = lab_take(arena, (size_t)rules + 1, sizeof *maker->rule);
    for (int k = 0; maker->rule && k < rules; k++) {
        shown_rule *rule = &maker->rule[k];
        rule->index = lab_panel_rule(spec, maker->spec, k);
        rule->row = lab_row_of(spec, rule->index);
        rule->linetype = lab_gnuplot_linetype(rule->row);
        rule->record = &record->rule[rule->index];
        rule->name =
            maker->spec->names.count > 0 ? maker->spec->names.items[k] : rule->record->name;
        rule->signals = &rule->record->last[lab_panel_phase(spec, maker->spec)];
        rule->trace = &rule->record->shown[maker->spec - lab_panels(spec)];
        names += rule->signals->cues;
    }
    panel->line = lab_take(arena, (size_t)lines, sizeof *panel->line);
    panel->values = lab_take(arena, (size_t)lines * (size_t)rows, sizeof *panel->values);
    panel->name = lab_take(arena, (size_t)names + 1, sizeof *panel->name);
    panel->band = lab_take(arena, (size_t)pushed, sizeof *panel->band);
    return !arena->failed;
}

// Sets the horizontal axis, which begins with step or trial `from`.
static void set_axis(maker *maker, int from, int rows, double first, double step)
{
    lab_panel *panel = maker->panel;
    maker->from = from;
    panel->rows = rows;
    panel->first = first;
    panel->step = step;
    panel->last = first + (rows > 1 ? rows - 1 : 1) * step;
}

// Adds a line of these values, scaled. The caller names its column of the data.
static lab_line *add_line(maker *maker, const double *values, double scale, lab_pen pen,
                          const char *title)
{
    lab_panel *panel = maker->panel;
    double *to = panel->values + (size_t)panel->count * (size_t)panel->rows;
    lab_line *line = &panel->line[panel->count++];
    for (int n = 0; n < panel->rows; n++)
        to[n] = values[maker->from + n] * scale;
    line->pen = pen;
    snprintf(line->title, sizeof line->title, "%.150s", title);
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

// The step at a time of the spec, or this one if it gives none.
static int step_at(const maker *maker, double at_s, int otherwise)
{
    const lab_record *record = maker->record;
    return isnan(at_s) ? otherwise
                       : (int)cfpci_min(record->steps - 1, round(at_s / record->step_s));
}

// The axis: these steps, or the part that the spec asks for.
static void set_time_axis(maker *maker, int from, int to)
{
    const double step_s = maker->record->step_s;
    const int first = step_at(maker, maker->spec->from_s, from),
              last = step_at(maker, maker->spec->to_s, to);
    set_axis(maker, first, last > first ? last - first + 1 : 1, first * step_s, step_s);
}

// Of one rule each signal has its colour, of several each rule.
static void add_signal(maker *maker, int s, int k)
{
    const shown_rule *rule = &maker->rule[k];
    const lab_phase_signals *from = rule->signals;
    const struct {
        const char *name;
        const double *values;
        int linetype;
        bool is_learned;
    } all[] = {{"r", from->r, LAB_BLACK, false}, {"d", from->d, LAB_GREY, false},
               {"y", from->y, 1, true},          {"e", from->e, 1, true},
               {"o", from->o, 3, true},          {"e0", from->e0, 2, false},
               {"reactive", from->r, 2, false}}; // less e0
    const lab_texts *names = &maker->spec->signal_names;
    const char *name = maker->spec->show.items[s];
    const bool own = maker->rules > 1 && !lab_is_of_world(name);
    lab_panel *panel = maker->panel;
    size_t i = 0;
    while (strcmp(all[i].name, name) != 0)
        i++;
    lab_pen pen = {.linetype = own ? rule->linetype : all[i].linetype};
    for (int n = 0; !own && n < panel->count; n++) // y and e
        pen.linetype += panel->line[n].pen.linetype == pen.linetype ? 3 : 0;
    const char *title = own ? rule->name : names->count > 0 ? names->items[s] : name;
    double *to = panel->values + (size_t)panel->count * (size_t)panel->rows;
    lab_line *line = add_line(maker, all[i].values, 1, pen, title);
    snprintf(line->column, sizeof line->column, "%.60s.%.20s", rule->record->name, name);
    for (int n = 0; strcmp(name, "reactive") == 0 && n < panel->rows; n++)
        to[n] -= from->e0[maker->from + n];
    if (all[i].is_learned)
        note_diverged(maker, line, rule->index);
}

// Once, for the first rule that has it; it has that rule's colour unless all have it.
static void add_cue(maker *maker, int k, const lab_cue_mark *cue)
{
    const double first = maker->panel->first, last = maker->panel->last;
    int earlier = 0, all = 0;
    for (int i = 0; i < maker->rules; i++) {
        const lab_phase_signals *signals = maker->rule[i].signals;
        bool has = false;
        for (int c = 0; c < signals->cues; c++)
            has |=
                signals->cue[c].at_s == cue->at_s && strcmp(signals->cue[c].name, cue->name) == 0;
        earlier += has && i < k;
        all += has;
    }
    if (earlier == 0 && cue->at_s >= first && cue->at_s <= last)
        add_name(maker, cue->at_s, first, last,
                 all == maker->rules ? LAB_GREY : maker->rule[k].linetype, cue->name);
}

// Marks where the first rule's plant is pushed, unless that is most of what is shown.
static void add_bands(maker *maker)
{
    lab_panel *panel = maker->panel;
    const double *d = maker->rule[0].signals->d, step_s = maker->record->step_s;
    const int end = maker->from + panel->rows;
    double peak = 0;
    int length = 0;
    for (int n = 0; n < maker->record->steps; n++)
        peak = cfpci_max(peak, fabs(d[n]));
    for (int n = maker->from, from; n < end; n++) {
        for (from = n; n < end && fabs(d[n]) > QUIET * peak;)
            n++;
        if (n == from)
            continue;
        panel->band[panel->bands][0] = from * step_s;
        panel->band[panel->bands++][1] = n * step_s;
        length += n - from;
    }
    if (length > MAX_PART * panel->rows)
        panel->bands = 0;
}

static void show_signals(maker *maker)
{
    const lab_texts *show = &maker->spec->show;
    set_time_axis(maker, 0, maker->record->steps - 1);
    for (int s = 0; s < show->count; s++)
        for (int k = 0; k < (lab_is_of_world(show->items[s]) ? 1 : maker->rules); k++)
            add_signal(maker, s, k);
    for (int k = 0; k < maker->rules; k++)
        for (int c = 0; c < maker->rule[k].signals->cues; c++)
            add_cue(maker, k, &maker->rule[k].signals->cue[c]);
    add_bands(maker);
}

static double story_peak_of(const maker *maker, const double *values)
{
    double most = 0;
    for (int n = 0; n < maker->record->steps; n++)
        most = cfpci_max(most, fabs(values[n]));
    return most > 0 && isfinite(most) ? most : 1;
}

// Adds a line relative to its own peak: what matters here is when, not how much.
static lab_line *add_to_peak(maker *maker, const double *values, lab_pen pen, const char *title)
{
    return add_line(maker, values, 1 / story_peak_of(maker, values), pen, title);
}

static void show_traces(maker *maker)
{
    const bool pulse = maker->spec->pulse;
    const lab_shown_trace *first = maker->rule[0].trace;
    lab_line *line;
    // the steps at which a basis signal or a trace can be seen, or all
    const int end = maker->record->steps - 1;
    int from = end, to = 0;
    for (int k = 0; k < 2 * maker->rules; k++) {
        const lab_shown_trace *trace = maker->rule[k / 2].trace;
        const double *values = k % 2 == 0 ? trace->x : trace->h;
        const double seen = SEEN * story_peak_of(maker, values);
        for (int n = 0; n <= end; n++)
            if (fabs(values[n]) > seen) {
                from = n < from ? n : from;
                to = n > to ? n : to;
            }
    }
    set_time_axis(maker, from < to ? from : 0, from < to ? to : end);
    if (maker->spec->effect) {
        const lab_pen pen = {.linetype = LAB_LIGHT, .area = true};
        line = add_to_peak(maker, first->effect, pen, "effect on the output");
        snprintf(line->column, sizeof line->column, "effect_%d", first->basis);
    }
    if (!pulse) {
        line = add_to_peak(maker, first->x, (lab_pen){.linetype = LAB_BLACK}, "basis signal");
        snprintf(line->column, sizeof line->column, "%.60s.x_%d", maker->rule[0].record->name,
                 first->basis);
    }
    for (int k = 0; k < maker->rules; k++) {
        const shown_rule *rule = &maker->rule[k];
        const lab_pen pen = {.linetype = rule->linetype,
                             .dash = pulse && k > 0 ? k + 1 : 0}; // kernels may coincide
        line = add_to_peak(maker, rule->trace->h, pen, rule->name);
        snprintf(line->column, sizeof line->column, "%.60s.h_%d", rule->record->name,
                 rule->trace->basis);
    }
}

// ---- by trial, and bars ----------------------------------------------------------------------

static void name_phases(maker *maker)
{
    const lab_record *record = maker->record;
    const lab_spec *spec = maker->result->spec;
    lab_panel *panel = maker->panel;
    for (int k = 0, end; spec->phases.count > 1 && k < record->trials; k = end) {
        for (end = k + 1; end < record->trials && record->phase[end] == record->phase[k];)
            end++;
        const double from = cfpci_max(k + 0.5, panel->first),
                     to = cfpci_min(end + 0.5, panel->last);
        if (to > from)
            add_name(maker, (from + to) / 2, from, to, LAB_GREY,
                     lab_phases(spec)[record->phase[k]].name);
    }
    if (panel->names == 1) // there is nothing to tell apart
        panel->names = 0;
}

static void show_trials(maker *maker)
{
    const lab_panel_spec *spec = maker->spec;
    const lab_record *record = maker->record;
    const int trials = spec->to_trial > 0 ? spec->to_trial : record->trials;
    set_axis(maker, spec->from_trial - 1, trials - (spec->from_trial - 1), spec->from_trial, 1);
    const double *right = maker->rule[0].record->model.right_ms;
    if (spec->kind == LAB_PANEL_MODEL && right) { // where the peak should be
        lab_line *line = add_line(maker, right, 1, (lab_pen){0}, "right");
        snprintf(line->column, sizeof line->column, "right");
    }
    for (int k = 0; k < maker->rules; k++) {
        const shown_rule *rule = &maker->rule[k];
        const double *const values[] = {[LAB_PANEL_CURVES] = rule->record->rrmse,
                                        [LAB_PANEL_RESPONSES] = rule->record->responses.amplitude,
                                        [LAB_PANEL_GAIN] = rule->record->gain,
                                        [LAB_PANEL_WINDOWS] = rule->record->worst_window,
                                        [LAB_PANEL_MODEL] = rule->record->model.peak_ms};
        const lab_pen pen = {.linetype = rule->linetype, .point = rule->row % 4 * 2 + 5};
        if (!values[spec->kind]) // the rule does not measure it
            continue;
        lab_line *line = add_line(maker, values[spec->kind], 1, pen, rule->name);
        snprintf(line->column, sizeof line->column, "%.60s", rule->record->name);
        note_diverged(maker, line, rule->index);
    }
    name_phases(maker);
}

// The colour of a bar: its rule's, if it is a figure of one.
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
static void show_bars(maker *maker)
{
    const lab_texts *measures = &maker->spec->measures, *names = &maker->spec->names;
    set_axis(maker, 0, 1, 1, 1);
    for (int k = 0; k < measures->count; k++) {
        const char *measure = measures->items[k];
        const lab_measure *found = lab_measure_of(maker->result->measures, measure);
        const lab_pen pen = {.linetype = bar_linetype(maker, measure)};
        lab_line *line = add_line(maker, found ? &found->value : &(double){NAN}, 1, pen,
                                  names->count > 0 ? names->items[k] : measure);
        snprintf(line->column, sizeof line->column, "%.150s", measure);
    }
}

// ---- all kinds -------------------------------------------------------------------------------

// The axis of the values: of curves the loop alone is shown as well, of bars their start at 0.
static void story_find_range(lab_panel *panel)
{
    const lab_panel_spec *spec = panel->spec;
    const bool is_log = spec->kind == LAB_PANEL_CURVES;
    const bool has_start = is_log || spec->kind == LAB_PANEL_BARS;
    const double start = is_log ? 1 : 0;
    double low = has_start ? start : INFINITY, high = has_start ? start : -INFINITY;
    for (size_t i = 0; i < (size_t)panel->rows * (size_t)panel->count; i++) {
        const double value = panel->values[i];
        if (fabs(value) < 1e200 && (!is_log || value > 1e-200)) {
            low = cfpci_min(low, value);
            high = cfpci_max(high, value);
        }
    }
    if (!(low <= high))
        low = high = 0;
    const double range = high > low ? high - low : 1;
    panel->low = is_log ? 0.7 * low : low - ROOM * range;
    panel->high = is_log ? 1.5 * high : high + ROOM * range;
    if (!isnan(spec->low))
        panel->low = spec->low;
    if (!isnan(spec->high))
        panel->high = spec->high;
    if (!(panel->low < panel->high))
        panel->high = is_log ? 10 * panel->low : panel->low + 1;
}

lab_outcome lab_panel_make(lab_panel *panel, lab_arena *arena, const lab_panel_spec *spec,
                           const lab_result *result, lab_why *why)
{
    maker maker = {.panel = panel, .spec = spec, .result = result, .record = result->record};
    *panel = (lab_panel){.spec = spec};
    if (!story_make_room(&maker, arena))
        return lab_no_memory(why, NULL);
    if (spec->kind == LAB_PANEL_SIGNALS)
        show_signals(&maker);
    else if (spec->kind == LAB_PANEL_TRACES)
        show_traces(&maker);
    else if (spec->kind == LAB_PANEL_BARS)
        show_bars(&maker);
    else
        show_trials(&maker);
    story_find_range(panel);
    return LAB_DONE;
}

void lab_panel_data(FILE *file, const void *context)
{
    const lab_panel *panel = context;
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
            lab_put_number(file, panel->values[(size_t)k * (size_t)panel->rows + (size_t)n]);
    }
    fputc('\n', file);
}
