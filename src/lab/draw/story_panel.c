// SPDX-License-Identifier: Apache-2.0
#include "draw/story_panel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "draw/gnuplot.h"
#include "math/order.h"
#include "spec/rows.h"
#include "spec/spec_story.h"

enum {
    BLACK = 9, // linetypes of gnuplot.c
    GREY = 8,
    LIGHT = 10,
    MAX_CUES = 64 // in one panel
};

#define SEEN 0.02 // share of a trace's peak from which it is seen
#define ROOM 0.06 // share of the values' range that is left free above and below

// A panel in the making.
typedef struct maker {
    lab_panel *panel;
    const lab_panel_spec *spec;
    const lab_result *result;
    const lab_record *record;
    int rules; // shown
    int from;  // first step or trial that is shown, from 0
} maker;

// ---- lines -----------------------------------------------------------------------------------

static bool make_room(maker *it, int lines, int rows)
{
    lab_panel *panel = it->panel;
    panel->rows = rows;
    panel->line = calloc((size_t)lines + 1, sizeof *panel->line);
    panel->values = calloc((size_t)lines * (size_t)rows + 1, sizeof *panel->values);
    panel->name = calloc((size_t)it->record->trials + MAX_CUES, sizeof *panel->name);
    return panel->line && panel->values && panel->name;
}

static int rule_at(const maker *it, int k)
{
    return lab_panel_rule(it->result->spec, it->spec, k);
}

// Whether a panel shows a rule in more than one case.
static bool mixes_cases(const maker *it)
{
    const lab_spec *spec = it->result->spec;
    for (int i = 0; i < it->rules; i++)
        for (int k = 0; k < i; k++)
            if (lab_row_of(spec, rule_at(it, i)) == lab_row_of(spec, rule_at(it, k)))
                return true;
    return false;
}

// A rule has the same colour in every case, unless they stand in one panel.
static int colour_of(const maker *it, int rule)
{
    return lab_gnuplot_linetype(mixes_cases(it) ? rule : lab_row_of(it->result->spec, rule));
}

static const char *rule_name(const maker *it, int k)
{
    return it->spec->names.count > 0 ? it->spec->names.items[k]
                                     : it->record->rule[rule_at(it, k)].name;
}

// One more line of these values, scaled. Lines stand side by side: rows x (lines so far).
static lab_line *add_line(maker *it, int lines, const double *values, double scale)
{
    lab_panel *panel = it->panel;
    for (int n = 0; n < panel->rows; n++)
        panel->values[(size_t)n * (size_t)lines + (size_t)panel->count] =
            values[it->from + n] * scale;
    return &panel->line[panel->count++];
}

// ---- signals ---------------------------------------------------------------------------------

static const lab_phase_signals *signals_of(const maker *it, int k)
{
    return &it->record->rule[rule_at(it, k)].last[lab_panel_phase(it->result->spec, it->spec)];
}

static const double *signal_of(const lab_phase_signals *of, const char *name)
{
    const struct {
        const char *name;
        const double *values;
    } all[] = {{"r", of->r}, {"d", of->d},   {"y", of->y}, {"e", of->e},
               {"o", of->o}, {"e0", of->e0}, {"u", of->u}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i].name, name) == 0)
            return all[i].values;
    return of->r; // reactive: r - e0
}

static bool is_world(const char *signal)
{
    return strcmp(signal, "r") == 0 || strcmp(signal, "d") == 0;
}

static bool shows(const maker *it, const char *signal)
{
    for (int s = 0; s < it->spec->show.count; s++)
        if (strcmp(it->spec->show.items[s], signal) == 0)
            return true;
    return false;
}

// What happens to the k-th rule happens to the first as well.
static bool is_shared(const maker *it, const char *signal, int k)
{
    return memcmp(signal_of(signals_of(it, 0), signal), signal_of(signals_of(it, k), signal),
                  (size_t)it->record->steps * sizeof(double)) == 0;
}

static bool all_share(const maker *it, const char *signal)
{
    for (int k = 1; k < it->rules; k++)
        if (!is_shared(it, signal, k))
            return false;
    return true;
}

// Of one rule: each signal has its colour, in every panel the same.
static lab_pen signal_pen(const maker *it, const char *signal)
{
    static const struct {
        const char *signal;
        int linetype;
    } pens[] = {{"r", BLACK}, {"d", GREY}, {"y", 1}, {"reactive", 2},
                {"e", 1},     {"e0", 2},   {"o", 3}, {"u", 6}};
    lab_pen pen = {.linetype = 1};
    for (size_t i = 0; i < sizeof pens / sizeof pens[0]; i++)
        if (strcmp(pens[i].signal, signal) == 0)
            pen.linetype = pens[i].linetype;
    if ((strcmp(signal, "e") == 0 && shows(it, "y")) ||
        (strcmp(signal, "e0") == 0 && shows(it, "reactive")))
        pen.linetype += 3;
    return pen;
}

// Of several: each rule has its colour, each signal its dash.
static lab_pen rule_pen(const maker *it, int k, int order)
{
    return (lab_pen){.linetype = colour_of(it, rule_at(it, k)), .dash = order > 0 ? order + 1 : 0};
}

static const char *signal_name(const maker *it, int s)
{
    return it->spec->signal_names.count > 0 ? it->spec->signal_names.items[s]
                                            : it->spec->show.items[s];
}

// A rule that diverged has no curve or signal to see from there on.
static void note_diverged(const maker *it, lab_line *line, int rule)
{
    const size_t length = strlen(line->title);
    snprintf(line->title + length, sizeof line->title - length, "%s",
             lab_diverged_text(it->record, rule).text);
}

// `order` is the signal's place among those of the loop; there are `of` of them.
static void name_signal(const maker *it, lab_line *line, int s, int k, bool own, int of)
{
    const char *signal = it->spec->show.items[s];
    if (!own)
        snprintf(line->title, sizeof line->title, "%.150s", signal_name(it, s));
    else if (of > 1 || is_world(signal))
        snprintf(line->title, sizeof line->title, "%.75s, %.75s", rule_name(it, k),
                 signal_name(it, s));
    else
        snprintf(line->title, sizeof line->title, "%.150s", rule_name(it, k));
    if (strlen(signal) == 1 && strchr("yeou", *signal))
        note_diverged(it, line, rule_at(it, k));
    snprintf(line->column, sizeof line->column, "%.60s.%.20s",
             it->record->rule[rule_at(it, k)].name, signal);
}

static void add_signal(maker *it, int s, int k, int order, int of)
{
    const char *signal = it->spec->show.items[s];
    const bool world = is_world(signal), shared = world && all_share(it, signal);
    const lab_phase_signals *from = signals_of(it, k);
    const bool reactive = strcmp(signal, "reactive") == 0;
    const int lines = it->rules * it->spec->show.count;
    if (shared && k > 0)
        return;
    lab_line *line = add_line(it, lines, signal_of(from, signal), 1);
    const size_t column = (size_t)it->panel->count - 1;
    for (int n = 0; reactive && n < it->panel->rows; n++)
        it->panel->values[(size_t)n * (size_t)lines + column] -= from->e0[it->from + n];
    const bool own = it->rules > 1 && !shared;
    line->pen = own ? rule_pen(it, k, world ? 2 : order) : signal_pen(it, signal);
    name_signal(it, line, s, k, own, of);
}

static bool has_cue(const lab_phase_signals *of, const lab_cue_mark *cue)
{
    for (int c = 0; c < of->cues; c++)
        if (of->cue[c].at_s == cue->at_s && strcmp(of->cue[c].name, cue->name) == 0)
            return true;
    return false;
}

static bool all_have(const maker *it, const lab_cue_mark *cue)
{
    for (int k = 0; k < it->rules; k++)
        if (!has_cue(signals_of(it, k), cue))
            return false;
    return true;
}

static bool is_named(const maker *it, const lab_cue_mark *cue, int k)
{
    for (int i = 0; i < k; i++)
        if (has_cue(signals_of(it, i), cue))
            return true;
    return false;
}

// The cues of all rules that are shown; one that not all of them have has its rule's colour.
static void name_cues(maker *it)
{
    lab_panel *panel = it->panel;
    const double last = lab_panel_last(panel);
    for (int k = 0; k < it->rules; k++) {
        const lab_phase_signals *of = signals_of(it, k);
        for (int c = 0; c < of->cues && panel->names < MAX_CUES; c++) {
            const lab_cue_mark *cue = &of->cue[c];
            if (is_named(it, cue, k) || cue->at_s < panel->first || cue->at_s > last)
                continue;
            lab_above *name = &panel->name[panel->names++];
            *name = (lab_above){.at = cue->at_s, .from = panel->first, .to = last};
            name->linetype = all_have(it, cue) ? 0 : colour_of(it, rule_at(it, k));
            snprintf(name->text, sizeof name->text, "%.63s", cue->name);
        }
    }
}

// The lines are fewer than there was room for: their columns close up.
static void close_up(lab_panel *panel, int lines)
{
    for (int n = 0; n < panel->rows; n++)
        memmove(panel->values + (size_t)n * (size_t)panel->count,
                panel->values + (size_t)n * (size_t)lines, (size_t)panel->count * sizeof(double));
}

static int step_at(const maker *it, double at_s)
{
    return (int)cfpci_min(it->record->steps - 1, round(at_s / it->record->step_s));
}

static bool make_signals(maker *it)
{
    const lab_panel_spec *spec = it->spec;
    const int lines = it->rules * spec->show.count;
    it->from = isnan(spec->from_s) ? 0 : step_at(it, spec->from_s);
    const int to = isnan(spec->to_s) ? it->record->steps - 1 : step_at(it, spec->to_s);
    it->panel->step = it->record->step_s;
    it->panel->first = it->from * it->record->step_s;
    if (!make_room(it, lines, to - it->from + 1))
        return false;
    int of = 0;
    for (int s = 0; s < spec->show.count; s++)
        of += !is_world(spec->show.items[s]);
    for (int s = 0, order = 0; s < spec->show.count; s++) {
        for (int k = 0; k < it->rules; k++)
            add_signal(it, s, k, order, of);
        order += !is_world(spec->show.items[s]);
    }
    close_up(it->panel, lines);
    name_cues(it);
    return true;
}

// ---- by trial --------------------------------------------------------------------------------

static void name_phases(maker *it)
{
    const lab_record *record = it->record;
    lab_panel *panel = it->panel;
    const double last = lab_panel_last(panel);
    for (int k = 0, end; it->result->spec->phases.count > 1 && k < record->trials; k = end) {
        for (end = k + 1; end < record->trials && record->phase[end] == record->phase[k];)
            end++;
        const double from = cfpci_max(k + 0.5, panel->first), to = cfpci_min(end + 0.5, last);
        if (to <= from)
            continue;
        lab_above *name = &panel->name[panel->names++];
        *name = (lab_above){.at = (from + to) / 2, .from = from, .to = to};
        snprintf(name->text, sizeof name->text, "%.63s",
                 lab_phases(it->result->spec)[record->phase[k]].name);
    }
    if (panel->names == 1) // there is nothing to tell apart
        panel->names = 0;
}

static const double *response_by_trial(const lab_responses *responses, lab_response_figure of)
{
    switch (of) {
    case LAB_OF_ONSET:
        return responses->onset_ms;
    case LAB_OF_PEAK:
        return responses->peak_ms;
    case LAB_OF_AMPLITUDE:
        break;
    }
    return responses->amplitude;
}

static const double *by_trial(const maker *it, const lab_rule_record *rule)
{
    if (it->spec->kind == LAB_PANEL_CURVES)
        return rule->rrmse;
    if (it->spec->kind == LAB_PANEL_GAIN)
        return rule->gain;
    if (it->spec->kind == LAB_PANEL_WINDOWS)
        return rule->worst_window;
    if (it->spec->kind == LAB_PANEL_MODEL)
        return rule->model.peak_ms;
    return response_by_trial(&rule->responses, it->spec->of);
}

// The interval over repeats, as two columns and the band between them.
static void add_band(maker *it, int k, int lines)
{
    const lab_rule_record *rule = &it->record->rule[rule_at(it, k)];
    for (int side = -1; side <= 1; side += 2) {
        lab_line *line = add_line(it, lines, rule->rrmse, 1);
        const size_t column = (size_t)it->panel->count - 1;
        for (int n = 0; n < it->panel->rows; n++)
            it->panel->values[(size_t)n * (size_t)lines + column] +=
                side * rule->half_width[it->from + n];
        line->pen.linetype = colour_of(it, rule_at(it, k));
        line->is_band = side < 0;
        line->is_hidden = side > 0;
        snprintf(line->column, sizeof line->column, "%.60s.%s", rule->name,
                 side < 0 ? "low" : "high");
    }
}

// Where the peak of a learned model should be.
static void add_right(maker *it, int lines)
{
    for (int k = 0; it->spec->kind == LAB_PANEL_MODEL && k < it->rules; k++) {
        const lab_model_record *model = &it->record->rule[rule_at(it, k)].model;
        if (!model->right_ms)
            continue;
        lab_line *line = add_line(it, lines, model->right_ms, 1);
        line->pen = (lab_pen){.linetype = 0};
        snprintf(line->title, sizeof line->title, "right");
        snprintf(line->column, sizeof line->column, "right");
        return;
    }
}

static bool make_by_trial(maker *it)
{
    const lab_panel_spec *spec = it->spec;
    const bool bands = spec->kind == LAB_PANEL_CURVES && it->record->repeats > 1;
    const int last = spec->to_trial > 0 ? spec->to_trial : it->record->trials;
    const int lines = it->rules * (bands ? 3 : 1) + (spec->kind == LAB_PANEL_MODEL);
    it->from = spec->from_trial - 1;
    it->panel->step = 1;
    it->panel->first = spec->from_trial;
    if (!make_room(it, lines, last - it->from))
        return false;
    for (int k = 0; bands && k < it->rules; k++)
        add_band(it, k, lines);
    add_right(it, lines);
    for (int k = 0; k < it->rules; k++) {
        const int rule = rule_at(it, k);
        const double *values = by_trial(it, &it->record->rule[rule]);
        if (!values) // a rule that does not measure it
            continue;
        lab_line *line = add_line(it, lines, values, 1);
        line->pen = (lab_pen){.linetype = colour_of(it, rule),
                              .point = lab_row_of(it->result->spec, rule) % 4 * 2 + 5};
        snprintf(line->title, sizeof line->title, "%.150s", rule_name(it, k));
        note_diverged(it, line, rule);
        snprintf(line->column, sizeof line->column, "%.60s", it->record->rule[rule].name);
    }
    close_up(it->panel, lines);
    name_phases(it);
    return true;
}

// ---- traces ----------------------------------------------------------------------------------

static const lab_shown_trace *trace_of(const maker *it, int k)
{
    const int panel = (int)(it->spec - lab_panels(it->result->spec));
    return &it->record->rule[rule_at(it, k)].shown[panel];
}

static double peak_of(const double *values, int count)
{
    double most = 0;
    for (int n = 0; n < count; n++)
        most = cfpci_max(most, fabs(values[n]));
    return most > 0 && isfinite(most) ? most : 1;
}

// The steps at which a basis signal or a trace can be seen.
static void seen_steps(const maker *it, int *first, int *last)
{
    *first = it->record->steps - 1;
    *last = 0;
    for (int k = 0; k < it->rules; k++) {
        const double *const both[] = {trace_of(it, k)->x, trace_of(it, k)->h};
        for (int i = 0; i < 2; i++)
            for (int n = 0; n < it->record->steps; n++)
                if (fabs(both[i][n]) > SEEN * peak_of(both[i], it->record->steps)) {
                    *first = n < *first ? n : *first;
                    *last = n > *last ? n : *last;
                }
    }
    if (*first >= *last) {
        *first = 0;
        *last = it->record->steps - 1;
    }
}

// Each to its own peak: what matters here is when, not how much.
static lab_line *add_scaled(maker *it, int lines, const double *values, lab_pen pen)
{
    lab_line *line = add_line(it, lines, values, 1 / peak_of(values, it->record->steps));
    line->pen = pen;
    return line;
}

static bool same_basis(const maker *it, int k)
{
    return memcmp(trace_of(it, 0)->x, trace_of(it, k)->x,
                  (size_t)it->record->steps * sizeof(double)) == 0;
}

static void add_traces(maker *it, int lines)
{
    const lab_shown_trace *first = trace_of(it, 0);
    if (it->spec->effect) {
        const lab_pen pen = {.linetype = LIGHT, .area = true};
        lab_line *line = add_scaled(it, lines, first->effect, pen);
        snprintf(line->title, sizeof line->title, "effect on the output");
        snprintf(line->column, sizeof line->column, "effect_%d", first->basis);
    }
    for (int k = 0; k < it->rules; k++) {
        if (it->spec->pulse || (k > 0 && same_basis(it, k)))
            continue;
        const int linetype = colour_of(it, rule_at(it, k));
        const lab_pen pen = {.linetype = k == 0 ? BLACK : linetype, .dash = k == 0 ? 0 : 2};
        lab_line *line = add_scaled(it, lines, trace_of(it, k)->x, pen);
        snprintf(line->title, sizeof line->title, "basis signal%s%.60s", k == 0 ? "" : " of ",
                 k == 0 ? "" : rule_name(it, k));
        snprintf(line->column, sizeof line->column, "%.60s.x_%d",
                 it->record->rule[rule_at(it, k)].name, trace_of(it, k)->basis);
    }
    for (int k = 0; k < it->rules; k++) {
        const int order = it->spec->pulse ? k : 0; // dashed, as they may lie on each other
        lab_line *line = add_scaled(it, lines, trace_of(it, k)->h, rule_pen(it, k, order));
        snprintf(line->title, sizeof line->title, "%.150s", rule_name(it, k));
        snprintf(line->column, sizeof line->column, "%.60s.h_%d",
                 it->record->rule[rule_at(it, k)].name, trace_of(it, k)->basis);
    }
}

static bool make_traces(maker *it)
{
    const lab_panel_spec *spec = it->spec;
    const int lines = 2 * it->rules + 1;
    int last;
    seen_steps(it, &it->from, &last);
    if (!isnan(spec->from_s))
        it->from = step_at(it, spec->from_s);
    if (!isnan(spec->to_s))
        last = step_at(it, spec->to_s);
    it->panel->step = it->record->step_s;
    it->panel->first = it->from * it->record->step_s;
    if (!make_room(it, lines, last > it->from ? last - it->from + 1 : 1))
        return false;
    add_traces(it, lines);
    close_up(it->panel, lines);
    return true;
}

// ---- bars ------------------------------------------------------------------------------------

// A figure of a rule has its rule's colour.
static int bar_linetype(const maker *it, const char *measure)
{
    for (int i = 0; i < it->record->rules; i++) {
        const char *name = it->record->rule[i].name;
        const size_t length = strlen(name);
        if (strncmp(measure, "rules.", 6) == 0 && strncmp(measure + 6, name, length) == 0 &&
            measure[6 + length] == '.')
            return colour_of(it, i);
    }
    return lab_gnuplot_linetype(0);
}

// One line a bar, each of one value.
static bool make_bars(maker *it)
{
    const lab_texts *measures = &it->spec->measures;
    it->panel->first = 1;
    it->panel->step = 1;
    if (!make_room(it, measures->count, 1))
        return false;
    for (int k = 0; k < measures->count; k++) {
        const lab_measure *found = lab_measure_of(it->result->measures, measures->items[k]);
        const double value = found ? found->value : NAN;
        lab_line *line = add_line(it, measures->count, &value, 1);
        line->pen.linetype = bar_linetype(it, measures->items[k]);
        snprintf(line->title, sizeof line->title, "%.150s",
                 it->spec->names.count > 0 ? it->spec->names.items[k] : measures->items[k]);
        snprintf(line->column, sizeof line->column, "%.150s", measures->items[k]);
    }
    return true;
}

// ---- the axis of values ----------------------------------------------------------------------

// A number that can be drawn.
static bool is_drawn(const maker *it, double value)
{
    return isfinite(value) && fabs(value) < 1e200 &&
           (it->spec->kind != LAB_PANEL_CURVES || value > 1e-200);
}

static void find_range(maker *it)
{
    lab_panel *panel = it->panel;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < (size_t)panel->rows * (size_t)panel->count; i++)
        if (is_drawn(it, panel->values[i])) {
            low = cfpci_min(low, panel->values[i]);
            high = cfpci_max(high, panel->values[i]);
        }
    const bool is_log = it->spec->kind == LAB_PANEL_CURVES;
    if (is_log) // the loop alone is shown as well
        low = cfpci_min(low, 1), high = cfpci_max(high, 1);
    if (it->spec->kind == LAB_PANEL_BARS || !(low <= high))
        low = cfpci_min(low, 0), high = cfpci_max(high, 0);
    const double range = high > low ? high - low : 1;
    panel->low = is_log ? 0.7 * low : low - ROOM * range;
    panel->high = is_log ? 1.5 * high : high + ROOM * range;
    if (!isnan(it->spec->low))
        panel->low = it->spec->low;
    if (!isnan(it->spec->high))
        panel->high = it->spec->high;
    if (!(panel->low < panel->high))
        panel->high = is_log ? 10 * panel->low : panel->low + 1;
}

// ---- all kinds -------------------------------------------------------------------------------

double lab_panel_last(const lab_panel *panel)
{
    return panel->first + (panel->rows > 1 ? panel->rows - 1 : 1) * panel->step;
}

static bool make_kind(maker *it)
{
    switch (it->spec->kind) {
    case LAB_PANEL_SIGNALS:
        return make_signals(it);
    case LAB_PANEL_TRACES:
        return make_traces(it);
    case LAB_PANEL_CURVES:
    case LAB_PANEL_RESPONSES:
    case LAB_PANEL_GAIN:
    case LAB_PANEL_WINDOWS:
    case LAB_PANEL_MODEL:
        return make_by_trial(it);
    case LAB_PANEL_BARS:
        return make_bars(it);
    }
    return false;
}

lab_outcome lab_panel_make(lab_panel *panel, const lab_panel_spec *spec, const lab_result *result,
                           lab_why *why)
{
    *panel = (lab_panel){.spec = spec};
    maker it = {.panel = panel,
                .spec = spec,
                .result = result,
                .record = result->record,
                .rules = lab_panel_rules(result->spec, spec)};
    if (!make_kind(&it))
        return lab_no_memory(why, NULL);
    find_range(&it);
    return LAB_DONE;
}

void lab_panel_free(lab_panel *panel)
{
    free(panel->line);
    free(panel->values);
    free(panel->name);
    *panel = (lab_panel){0};
}

static void bars_data(FILE *file, const lab_panel *panel)
{
    fputs("bar,value,measure\n", file);
    for (int k = 0; k < panel->count; k++)
        fprintf(file, "%d,%s,%s\n", k + 1, lab_number(panel->values[k]).text,
                panel->line[k].column);
}

void lab_panel_data(FILE *file, const lab_panel *panel)
{
    if (panel->spec->kind == LAB_PANEL_BARS) {
        bars_data(file, panel);
        return;
    }
    fputs(lab_family_of_panel(panel->spec->kind) == LAB_BY_TIME ? "time_s" : "trial", file);
    for (int k = 0; k < panel->count; k++)
        fprintf(file, ",%s", panel->line[k].column);
    fputc('\n', file);
    for (int n = 0; n < panel->rows; n++) {
        fputs(lab_number(panel->first + n * panel->step).text, file);
        for (int k = 0; k < panel->count; k++)
            fprintf(file, ",%s",
                    lab_number(panel->values[(size_t)n * (size_t)panel->count + (size_t)k]).text);
        fputc('\n', file);
    }
}
