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

static bool story_panel_make_room(maker *maker, int lines, int rows)
{
    lab_panel *panel = maker->panel;
    panel->rows = rows;
    panel->line = calloc((size_t)lines + 1, sizeof *panel->line);
    panel->values = calloc((size_t)lines * (size_t)rows + 1, sizeof *panel->values);
    panel->name = calloc((size_t)maker->record->trials + MAX_CUES, sizeof *panel->name);
    return panel->line && panel->values && panel->name;
}

static int rule_at(const maker *maker, int k)
{
    return lab_panel_rule(maker->result->spec, maker->spec, k);
}

// Whether a panel shows a rule in more than one case.
static bool mixes_cases(const maker *maker)
{
    const lab_spec *spec = maker->result->spec;
    for (int i = 0; i < maker->rules; i++)
        for (int k = 0; k < i; k++)
            if (lab_row_of(spec, rule_at(maker, i)) == lab_row_of(spec, rule_at(maker, k)))
                return true;
    return false;
}

// A rule has the same colour in every case, unless they share one panel.
static int colour_of(const maker *maker, int rule)
{
    return lab_gnuplot_linetype(mixes_cases(maker) ? rule : lab_row_of(maker->result->spec, rule));
}

static const char *rule_name(const maker *maker, int k)
{
    return maker->spec->names.count > 0 ? maker->spec->names.items[k]
                                        : maker->record->rule[rule_at(maker, k)].name;
}

// One more line of these values, scaled. Lines are columns: rows x (lines so far).
static lab_line *add_line(maker *maker, int lines, const double *values, double scale)
{
    lab_panel *panel = maker->panel;
    for (int n = 0; n < panel->rows; n++)
        panel->values[(size_t)n * (size_t)lines + (size_t)panel->count] =
            values[maker->from + n] * scale;
    return &panel->line[panel->count++];
}

// ---- signals ---------------------------------------------------------------------------------

static const lab_phase_signals *story_panel_signals_of(const maker *maker, int k)
{
    return &maker->record->rule[rule_at(maker, k)]
                .last[lab_panel_phase(maker->result->spec, maker->spec)];
}

static const double *signal_of(const lab_phase_signals *signals, const char *name)
{
    const struct {
        const char *name;
        const double *values;
    } all[] = {{"r", signals->r}, {"d", signals->d},   {"y", signals->y}, {"e", signals->e},
               {"o", signals->o}, {"e0", signals->e0}, {"u", signals->u}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i].name, name) == 0)
            return all[i].values;
    return signals->r; // reactive: r - e0
}

static bool is_world(const char *signal)
{
    return strcmp(signal, "r") == 0 || strcmp(signal, "d") == 0;
}

static bool shows(const maker *maker, const char *signal)
{
    for (int s = 0; s < maker->spec->show.count; s++)
        if (strcmp(maker->spec->show.items[s], signal) == 0)
            return true;
    return false;
}

// What happens to the k-th rule happens to the first as well.
static bool is_shared(const maker *maker, const char *signal, int k)
{
    return memcmp(signal_of(story_panel_signals_of(maker, 0), signal),
                  signal_of(story_panel_signals_of(maker, k), signal),
                  (size_t)maker->record->steps * sizeof(double)) == 0;
}

static bool all_share(const maker *maker, const char *signal)
{
    for (int k = 1; k < maker->rules; k++)
        if (!is_shared(maker, signal, k))
            return false;
    return true;
}

// Of one rule: each signal has its colour, in every panel the same.
static lab_pen signal_pen(const maker *maker, const char *signal)
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
    if ((strcmp(signal, "e") == 0 && shows(maker, "y")) ||
        (strcmp(signal, "e0") == 0 && shows(maker, "reactive")))
        pen.linetype += 3;
    return pen;
}

// Of several: each rule has its colour, each signal its dash.
static lab_pen rule_pen(const maker *maker, int k, int order)
{
    return (lab_pen){.linetype = colour_of(maker, rule_at(maker, k)),
                     .dash = order > 0 ? order + 1 : 0};
}

static const char *signal_name(const maker *maker, int s)
{
    return maker->spec->signal_names.count > 0 ? maker->spec->signal_names.items[s]
                                               : maker->spec->show.items[s];
}

// A rule that diverged has no curve or signal to see from there on.
static void note_diverged(const maker *maker, lab_line *line, int rule)
{
    const size_t length = strlen(line->title);
    snprintf(line->title + length, sizeof line->title - length, "%s",
             lab_diverged_text(maker->record, rule).text);
}

// `order` is the signal's place among those of the loop; there are `of` of them.
static void story_panel_name_signal(const maker *maker, lab_line *line, int s, int k, bool own,
                                    int of)
{
    const char *signal = maker->spec->show.items[s];
    if (!own)
        snprintf(line->title, sizeof line->title, "%.150s", signal_name(maker, s));
    else if (of > 1 || is_world(signal))
        snprintf(line->title, sizeof line->title, "%.75s, %.75s", rule_name(maker, k),
                 signal_name(maker, s));
    else
        snprintf(line->title, sizeof line->title, "%.150s", rule_name(maker, k));
    if (strlen(signal) == 1 && strchr("yeou", *signal))
        note_diverged(maker, line, rule_at(maker, k));
    snprintf(line->column, sizeof line->column, "%.60s.%.20s",
             maker->record->rule[rule_at(maker, k)].name, signal);
}

static void add_signal(maker *maker, int s, int k, int order, int of)
{
    const char *signal = maker->spec->show.items[s];
    const bool world = is_world(signal), shared = world && all_share(maker, signal);
    const lab_phase_signals *from = story_panel_signals_of(maker, k);
    const bool reactive = strcmp(signal, "reactive") == 0;
    const int lines = maker->rules * maker->spec->show.count;
    if (shared && k > 0)
        return;
    lab_line *line = add_line(maker, lines, signal_of(from, signal), 1);
    const size_t column = (size_t)maker->panel->count - 1;
    for (int n = 0; reactive && n < maker->panel->rows; n++)
        maker->panel->values[(size_t)n * (size_t)lines + column] -= from->e0[maker->from + n];
    const bool own = maker->rules > 1 && !shared;
    line->pen = own ? rule_pen(maker, k, world ? 2 : order) : signal_pen(maker, signal);
    story_panel_name_signal(maker, line, s, k, own, of);
}

static bool story_panel_has_cue(const lab_phase_signals *signals, const lab_cue_mark *cue)
{
    for (int c = 0; c < signals->cues; c++)
        if (signals->cue[c].at_s == cue->at_s && strcmp(signals->cue[c].name, cue->name) == 0)
            return true;
    return false;
}

static bool all_have(const maker *maker, const lab_cue_mark *cue)
{
    for (int k = 0; k < maker->rules; k++)
        if (!story_panel_has_cue(story_panel_signals_of(maker, k), cue))
            return false;
    return true;
}

static bool is_named(const maker *maker, const lab_cue_mark *cue, int k)
{
    for (int i = 0; i < k; i++)
        if (story_panel_has_cue(story_panel_signals_of(maker, i), cue))
            return true;
    return false;
}

// The cues of all rules that are shown; one that not all of them have has its rule's colour.
static void name_cues(maker *maker)
{
    lab_panel *panel = maker->panel;
    const double last = lab_panel_last(panel);
    for (int k = 0; k < maker->rules; k++) {
        const lab_phase_signals *signals = story_panel_signals_of(maker, k);
        for (int c = 0; c < signals->cues && panel->names < MAX_CUES; c++) {
            const lab_cue_mark *cue = &signals->cue[c];
            if (is_named(maker, cue, k) || cue->at_s < panel->first || cue->at_s > last)
                continue;
            lab_above *name = &panel->name[panel->names++];
            *name = (lab_above){.at = cue->at_s, .from = panel->first, .to = last};
            name->linetype = all_have(maker, cue) ? 0 : colour_of(maker, rule_at(maker, k));
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

static int step_at(const maker *maker, double at_s)
{
    return (int)cfpci_min(maker->record->steps - 1, round(at_s / maker->record->step_s));
}

static bool story_panel_make_signals(maker *maker)
{
    const lab_panel_spec *spec = maker->spec;
    const int lines = maker->rules * spec->show.count;
    maker->from = isnan(spec->from_s) ? 0 : step_at(maker, spec->from_s);
    const int to = isnan(spec->to_s) ? maker->record->steps - 1 : step_at(maker, spec->to_s);
    maker->panel->step = maker->record->step_s;
    maker->panel->first = maker->from * maker->record->step_s;
    if (!story_panel_make_room(maker, lines, to - maker->from + 1))
        return false;
    int of = 0;
    for (int s = 0; s < spec->show.count; s++)
        of += !is_world(spec->show.items[s]);
    for (int s = 0, order = 0; s < spec->show.count; s++) {
        for (int k = 0; k < maker->rules; k++)
            add_signal(maker, s, k, order, of);
        order += !is_world(spec->show.items[s]);
    }
    close_up(maker->panel, lines);
    name_cues(maker);
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
        if (to <= from)
            continue;
        lab_above *name = &panel->name[panel->names++];
        *name = (lab_above){.at = (from + to) / 2, .from = from, .to = to};
        snprintf(name->text, sizeof name->text, "%.63s",
                 lab_phases(maker->result->spec)[record->phase[k]].name);
    }
    if (panel->names == 1) // there is nothing to tell apart
        panel->names = 0;
}

static const double *response_by_trial(const lab_responses *responses, lab_response_figure figure)
{
    switch (figure) {
    case LAB_OF_ONSET:
        return responses->onset_ms;
    case LAB_OF_PEAK:
        return responses->peak_ms;
    case LAB_OF_AMPLITUDE:
        break;
    }
    return responses->amplitude;
}

static const double *by_trial(const maker *maker, const lab_rule_record *rule)
{
    if (maker->spec->kind == LAB_PANEL_CURVES)
        return rule->rrmse;
    if (maker->spec->kind == LAB_PANEL_GAIN)
        return rule->gain;
    if (maker->spec->kind == LAB_PANEL_WINDOWS)
        return rule->worst_window;
    if (maker->spec->kind == LAB_PANEL_MODEL)
        return rule->model.peak_ms;
    return response_by_trial(&rule->responses, maker->spec->of);
}

// The interval over repeats, as two columns and the band between them.
static void add_band(maker *maker, int k, int lines)
{
    const lab_rule_record *rule = &maker->record->rule[rule_at(maker, k)];
    for (int side = -1; side <= 1; side += 2) {
        lab_line *line = add_line(maker, lines, rule->rrmse, 1);
        const size_t column = (size_t)maker->panel->count - 1;
        for (int n = 0; n < maker->panel->rows; n++)
            maker->panel->values[(size_t)n * (size_t)lines + column] +=
                side * rule->half_width[maker->from + n];
        line->pen.linetype = colour_of(maker, rule_at(maker, k));
        line->is_band = side < 0;
        line->is_hidden = side > 0;
        snprintf(line->column, sizeof line->column, "%.60s.%s", rule->name,
                 side < 0 ? "low" : "high");
    }
}

// Where the peak of a learned model should be.
static void add_right(maker *maker, int lines)
{
    for (int k = 0; maker->spec->kind == LAB_PANEL_MODEL && k < maker->rules; k++) {
        const lab_model_record *model = &maker->record->rule[rule_at(maker, k)].model;
        if (!model->right_ms)
            continue;
        lab_line *line = add_line(maker, lines, model->right_ms, 1);
        line->pen = (lab_pen){.linetype = 0};
        snprintf(line->title, sizeof line->title, "right");
        snprintf(line->column, sizeof line->column, "right");
        return;
    }
}

static bool make_by_trial(maker *maker)
{
    const lab_panel_spec *spec = maker->spec;
    const bool bands = spec->kind == LAB_PANEL_CURVES && maker->record->repeats > 1;
    const int last = spec->to_trial > 0 ? spec->to_trial : maker->record->trials;
    const int lines = maker->rules * (bands ? 3 : 1) + (spec->kind == LAB_PANEL_MODEL);
    maker->from = spec->from_trial - 1;
    maker->panel->step = 1;
    maker->panel->first = spec->from_trial;
    if (!story_panel_make_room(maker, lines, last - maker->from))
        return false;
    for (int k = 0; bands && k < maker->rules; k++)
        add_band(maker, k, lines);
    add_right(maker, lines);
    for (int k = 0; k < maker->rules; k++) {
        const int rule = rule_at(maker, k);
        const double *values = by_trial(maker, &maker->record->rule[rule]);
        if (!values) // a rule that does not measure it
            continue;
        lab_line *line = add_line(maker, lines, values, 1);
        line->pen = (lab_pen){.linetype = colour_of(maker, rule),
                              .point = lab_row_of(maker->result->spec, rule) % 4 * 2 + 5};
        snprintf(line->title, sizeof line->title, "%.150s", rule_name(maker, k));
        note_diverged(maker, line, rule);
        snprintf(line->column, sizeof line->column, "%.60s", maker->record->rule[rule].name);
    }
    close_up(maker->panel, lines);
    name_phases(maker);
    return true;
}

// ---- traces ----------------------------------------------------------------------------------

static const lab_shown_trace *story_panel_trace_of(const maker *maker, int k)
{
    const int panel = (int)(maker->spec - lab_panels(maker->result->spec));
    return &maker->record->rule[rule_at(maker, k)].shown[panel];
}

static double story_panel_peak_of(const double *values, int count)
{
    double most = 0;
    for (int n = 0; n < count; n++)
        most = cfpci_max(most, fabs(values[n]));
    return most > 0 && isfinite(most) ? most : 1;
}

// The steps at which a basis signal or a trace can be seen.
static void seen_steps(const maker *maker, int *first, int *last)
{
    *first = maker->record->steps - 1;
    *last = 0;
    for (int k = 0; k < maker->rules; k++) {
        const double *const both[] = {story_panel_trace_of(maker, k)->x,
                                      story_panel_trace_of(maker, k)->h};
        for (int i = 0; i < 2; i++)
            for (int n = 0; n < maker->record->steps; n++)
                if (fabs(both[i][n]) > SEEN * story_panel_peak_of(both[i], maker->record->steps)) {
                    *first = n < *first ? n : *first;
                    *last = n > *last ? n : *last;
                }
    }
    if (*first >= *last) {
        *first = 0;
        *last = maker->record->steps - 1;
    }
}

// Each to its own peak: what matters here is when, not how much.
static lab_line *story_panel_add_scaled(maker *maker, int lines, const double *values, lab_pen pen)
{
    lab_line *line =
        add_line(maker, lines, values, 1 / story_panel_peak_of(values, maker->record->steps));
    line->pen = pen;
    return line;
}

static bool same_basis(const maker *maker, int k)
{
    return memcmp(story_panel_trace_of(maker, 0)->x, story_panel_trace_of(maker, k)->x,
                  (size_t)maker->record->steps * sizeof(double)) == 0;
}

static void add_traces(maker *maker, int lines)
{
    const lab_shown_trace *first = story_panel_trace_of(maker, 0);
    if (maker->spec->effect) {
        const lab_pen pen = {.linetype = LIGHT, .area = true};
        lab_line *line = story_panel_add_scaled(maker, lines, first->effect, pen);
        snprintf(line->title, sizeof line->title, "effect on the output");
        snprintf(line->column, sizeof line->column, "effect_%d", first->basis);
    }
    for (int k = 0; k < maker->rules; k++) {
        if (maker->spec->pulse || (k > 0 && same_basis(maker, k)))
            continue;
        const int linetype = colour_of(maker, rule_at(maker, k));
        const lab_pen pen = {.linetype = k == 0 ? BLACK : linetype, .dash = k == 0 ? 0 : 2};
        lab_line *line =
            story_panel_add_scaled(maker, lines, story_panel_trace_of(maker, k)->x, pen);
        snprintf(line->title, sizeof line->title, "basis signal%s%.60s", k == 0 ? "" : " of ",
                 k == 0 ? "" : rule_name(maker, k));
        snprintf(line->column, sizeof line->column, "%.60s.x_%d",
                 maker->record->rule[rule_at(maker, k)].name,
                 story_panel_trace_of(maker, k)->basis);
    }
    for (int k = 0; k < maker->rules; k++) {
        const int order = maker->spec->pulse ? k : 0; // dashed, as they may lie on each other
        lab_line *line = story_panel_add_scaled(maker, lines, story_panel_trace_of(maker, k)->h,
                                                rule_pen(maker, k, order));
        snprintf(line->title, sizeof line->title, "%.150s", rule_name(maker, k));
        snprintf(line->column, sizeof line->column, "%.60s.h_%d",
                 maker->record->rule[rule_at(maker, k)].name,
                 story_panel_trace_of(maker, k)->basis);
    }
}

static bool story_panel_make_traces(maker *maker)
{
    const lab_panel_spec *spec = maker->spec;
    const int lines = 2 * maker->rules + 1;
    int last;
    seen_steps(maker, &maker->from, &last);
    if (!isnan(spec->from_s))
        maker->from = step_at(maker, spec->from_s);
    if (!isnan(spec->to_s))
        last = step_at(maker, spec->to_s);
    maker->panel->step = maker->record->step_s;
    maker->panel->first = maker->from * maker->record->step_s;
    if (!story_panel_make_room(maker, lines, last > maker->from ? last - maker->from + 1 : 1))
        return false;
    add_traces(maker, lines);
    close_up(maker->panel, lines);
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
            return colour_of(maker, i);
    }
    return lab_gnuplot_linetype(0);
}

// One line a bar, each of one value.
static bool make_bars(maker *maker)
{
    const lab_texts *measures = &maker->spec->measures;
    maker->panel->first = 1;
    maker->panel->step = 1;
    if (!story_panel_make_room(maker, measures->count, 1))
        return false;
    for (int k = 0; k < measures->count; k++) {
        const lab_measure *found = lab_measure_of(maker->result->measures, measures->items[k]);
        const double value = found ? found->value : NAN;
        lab_line *line = add_line(maker, measures->count, &value, 1);
        line->pen.linetype = bar_linetype(maker, measures->items[k]);
        snprintf(line->title, sizeof line->title, "%.150s",
                 maker->spec->names.count > 0 ? maker->spec->names.items[k] : measures->items[k]);
        snprintf(line->column, sizeof line->column, "%.150s", measures->items[k]);
    }
    return true;
}

// ---- the axis of values ----------------------------------------------------------------------

// A number that can be drawn.
static bool story_panel_is_drawn(const maker *maker, double value)
{
    return isfinite(value) && fabs(value) < 1e200 &&
           (maker->spec->kind != LAB_PANEL_CURVES || value > 1e-200);
}

static void story_panel_find_range(maker *maker)
{
    lab_panel *panel = maker->panel;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < (size_t)panel->rows * (size_t)panel->count; i++)
        if (story_panel_is_drawn(maker, panel->values[i])) {
            low = cfpci_min(low, panel->values[i]);
            high = cfpci_max(high, panel->values[i]);
        }
    const bool is_log = maker->spec->kind == LAB_PANEL_CURVES;
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

// ---- all kinds -------------------------------------------------------------------------------

double lab_panel_last(const lab_panel *panel)
{
    return panel->first + (panel->rows > 1 ? panel->rows - 1 : 1) * panel->step;
}

static bool make_kind(maker *maker)
{
    switch (maker->spec->kind) {
    case LAB_PANEL_SIGNALS:
        return story_panel_make_signals(maker);
    case LAB_PANEL_TRACES:
        return story_panel_make_traces(maker);
    case LAB_PANEL_CURVES:
    case LAB_PANEL_RESPONSES:
    case LAB_PANEL_GAIN:
    case LAB_PANEL_WINDOWS:
    case LAB_PANEL_MODEL:
        return make_by_trial(maker);
    case LAB_PANEL_BARS:
        return make_bars(maker);
    }
    return false;
}

lab_outcome lab_panel_make(lab_panel *panel, const lab_panel_spec *spec, const lab_result *result,
                           lab_why *why)
{
    *panel = (lab_panel){.spec = spec};
    maker maker = {.panel = panel,
                   .spec = spec,
                   .result = result,
                   .record = result->record,
                   .rules = lab_panel_rules(result->spec, spec)};
    if (!make_kind(&maker))
        return lab_no_memory(why, NULL);
    story_panel_find_range(&maker);
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
