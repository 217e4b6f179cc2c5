// SPDX-License-Identifier: Apache-2.0
#include "draw/story.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/gnuplot.h"
#include "draw/story_panel.h"
#include "math/elementary.h"
#include "math/order.h"
#include "spec/rows.h"
#include "spec/spec_story.h"

enum {
    MAX_BANDS = 32,  // of a disturbance in one panel
    MAX_POINTS = 12, // on a line
    GREY = 8,        // linetypes of gnuplot.c
    BLACK = 9,
    LIGHT = 10
};

#define QUIET 1e-6    // share of a disturbance's peak below which it is not there
#define MAX_PART 0.6  // of what is shown: a disturbance that is there longer is not marked
#define BAR_TEXT 12.0 // size of a bar's name
#define LONGEST_BAR_TEXT 220.0

// The story in the making.
typedef struct story {
    const lab_result *result;
    int panels;
    lab_panel *panel; // (panels)
    lab_asks *asks;   // (panels)
    lab_frame *frame; // (panels)
    lab_page page;
} story;

static char letter_of(int panel)
{
    return (char)('A' + panel);
}

// ---- a disturbance, as bands -----------------------------------------------------------------

// The stretches of what a signals panel shows in which its first rule's plant is pushed.
typedef struct bands {
    int count;
    double from[MAX_BANDS], to[MAX_BANDS]; // in s
} bands;

static void story_find_bands(bands *found, const lab_panel *panel, const double *d, double step_s,
                             int steps)
{
    double peak = 0, length = 0;
    *found = (bands){0};
    for (int n = 0; n < steps; n++)
        peak = cfpci_max(peak, fabs(d[n]));
    const int first = (int)round(panel->first / step_s), end = first + panel->rows;
    for (int n = first; n < end && found->count < MAX_BANDS; n++) {
        const int from = n;
        while (n < end && n < steps && fabs(d[n]) > QUIET * peak)
            n++;
        if (n == from)
            continue;
        found->from[found->count] = from * step_s;
        found->to[found->count++] = n * step_s;
        length += (n - from) * step_s;
    }
    if (length > MAX_PART * panel->rows * step_s)
        found->count = 0;
}

static bands bands_of(const story *story, const lab_panel *panel)
{
    bands found = {0};
    const lab_spec *spec = story->result->spec;
    const lab_record *record = story->result->record;
    if (panel->spec->kind != LAB_PANEL_SIGNALS)
        return found;
    const int rule = lab_panel_rule(spec, panel->spec, 0);
    const double *d = record->rule[rule].last[lab_panel_phase(spec, panel->spec)].d;
    story_find_bands(&found, panel, d, record->step_s, record->steps);
    return found;
}

// What the bands are called: the disturbance, if there is one alone.
static const char *band_name(const lab_spec *spec)
{
    return spec->disturbances.count == 1 ? lab_disturbances(spec)[0].name : "push";
}

// ---- the page --------------------------------------------------------------------------------

static bool is_by_trial(const lab_panel *panel)
{
    return lab_family_of_panel(panel->spec->kind) == LAB_BY_TRIAL;
}

static bool ask_bars(lab_asks *asks, const lab_panel *panel)
{
    for (int k = 0; k < panel->count; k++)
        asks->left = cfpci_max(asks->left, 24 + lab_text_width(panel->line[k].title, BAR_TEXT));
    asks->left = cfpci_min(asks->left, LONGEST_BAR_TEXT);
    asks->entry = calloc(1, sizeof *asks->entry);
    return asks->entry;
}

// The key: the lines, then the loop alone or a disturbance.
static bool ask_lines(lab_asks *asks, const lab_panel *panel, const story *story)
{
    asks->entry = calloc((size_t)panel->count + 2, sizeof *asks->entry);
    if (!asks->entry)
        return false;
    for (int k = 0; k < panel->count; k++) {
        lab_key_entry *entry = &asks->entry[asks->entries++];
        entry->pen = panel->line[k].pen;
        memcpy(entry->title, panel->line[k].title, sizeof entry->title);
    }
    lab_key_entry *last = &asks->entry[asks->entries];
    if (panel->spec->kind == LAB_PANEL_CURVES) {
        *last = (lab_key_entry){.pen = {.linetype = 8, .dash = 2}, .title = "no cell"};
        asks->entries++;
    } else if (bands_of(story, panel).count > 0) {
        last->pen = (lab_pen){.linetype = LIGHT, .area = true};
        snprintf(last->title, sizeof last->title, "%.60s", band_name(story->result->spec));
        asks->entries++;
    }
    return true;
}

static lab_outcome lay_out(story *story, lab_why *why)
{
    for (int i = 0; i < story->panels; i++) {
        const lab_panel *panel = &story->panel[i];
        lab_asks *asks = &story->asks[i];
        *asks = (lab_asks){.wide = panel->spec->wide, .above = panel->names > 0};
        const bool made = panel->spec->kind == LAB_PANEL_BARS ? ask_bars(asks, panel)
                                                              : ask_lines(asks, panel, story);
        if (!made)
            return lab_no_memory(why, NULL);
    }
    story->page =
        lab_page_make(story->frame, story->asks, story->panels, story->result->spec->story.columns);
    return LAB_DONE;
}

// ---- axes ------------------------------------------------------------------------------------

// Three to seven steps of 1, 2 or 5 times a power of ten.
static double story_tic_step(double range)
{
    const double rough = range / 4.5, power = cfpci_pow(10, floor(cfpci_log10(rough)));
    const double share = rough / power;
    return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

static const char *response_label(lab_response_figure figure)
{
    switch (figure) {
    case LAB_OF_AMPLITUDE:
        return "amplitude of the response";
    case LAB_OF_ONSET:
        return "onset of the response (ms)";
    case LAB_OF_PEAK:
        return "peak of the response (ms)";
    }
    return "";
}

static const char *standard_label(const lab_panel_spec *spec)
{
    switch (spec->kind) {
    case LAB_PANEL_SIGNALS:
        return "signal";
    case LAB_PANEL_CURVES:
        return "rRMSE";
    case LAB_PANEL_TRACES:
        return "relative to its peak";
    case LAB_PANEL_RESPONSES:
        return response_label(spec->of);
    case LAB_PANEL_GAIN:
        return "gain";
    case LAB_PANEL_WINDOWS:
        return "largest rms in a window / without the cell";
    case LAB_PANEL_MODEL:
        return "peak of the model (ms)";
    case LAB_PANEL_BARS:
        return "";
    }
    return "";
}

static void put_axes(FILE *file, const story *story, int index)
{
    const lab_panel *panel = &story->panel[index];
    const bool is_log = panel->spec->kind == LAB_PANEL_CURVES;
    const double last = lab_panel_last(panel), range = last - panel->first;
    const double step =
        is_by_trial(panel) ? cfpci_max(1, story_tic_step(range)) : story_tic_step(range);
    const char *label = *panel->spec->label ? panel->spec->label : standard_label(panel->spec);
    lab_page_labels(file, &story->page, &story->frame[index],
                    is_by_trial(panel) ? "trial" : "time (s)", label);
    fprintf(file, "set xrange [%g:%g]\nset xtics %g\n", panel->first, last, step);
    fprintf(file, "set yrange [%g:%g]\n", panel->low, panel->high);
    if (is_log)
        fputs("set logscale y\nset ytics autofreq\n", file);
    else
        fprintf(file, "set ytics %g\n", story_tic_step(panel->high - panel->low));
}

// ---- marks -----------------------------------------------------------------------------------

static void put_upright(FILE *file, double at, const char *pen)
{
    fprintf(file, "set arrow from %g, graph 0 to %g, graph 1 nohead back %s\n", at, at, pen);
}

// Where each phase but the first begins; where each cue comes.
static void story_put_names(FILE *file, const story *story, int index)
{
    const lab_panel *panel = &story->panel[index];
    const double last = lab_panel_last(panel);
    for (int i = 0; i < panel->names; i++) {
        const lab_above *name = &panel->name[i];
        char pen[64];
        snprintf(pen, sizeof pen, "linetype %d linewidth 1.2 dashtype 3",
                 name->linetype > 0 ? name->linetype : GREY);
        if (!is_by_trial(panel))
            put_upright(file, name->at, pen);
        else if (name->from > panel->first)
            put_upright(file, name->from, "linetype 8 linewidth 0.8");
    }
    lab_page_above(file, &story->page, &story->frame[index], panel->first, last, panel->names,
                   panel->name);
}

static void put_marks(FILE *file, const story *story, const lab_panel *panel)
{
    const lab_numbers *marks = &panel->spec->marks_s;
    const bool by_rule =
        marks->columns > 1 && marks->columns == lab_panel_rules(story->result->spec, panel->spec);
    for (int i = 0; i < marks->columns; i++) {
        char pen[64];
        const int rule = by_rule ? lab_panel_rule(story->result->spec, panel->spec, i) : 0;
        snprintf(pen, sizeof pen, "linetype %d linewidth 1.2 dashtype 3",
                 by_rule ? lab_gnuplot_linetype(lab_row_of(story->result->spec, rule)) : GREY);
        put_upright(file, marks->values[i], pen);
    }
}

static void put_bands(FILE *file, const story *story, const lab_panel *panel)
{
    const bands found = bands_of(story, panel);
    for (int i = 0; i < found.count; i++)
        fprintf(file,
                "set object rectangle from %g, graph 0 to %g, graph 1 behind fillstyle solid "
                "noborder fillcolor linetype %d\n",
                found.from[i], found.to[i], LIGHT);
}

// ---- lines and bars --------------------------------------------------------------------------

static void put_line(FILE *file, const lab_panel *panel, int k)
{
    const lab_line *line = &panel->line[k];
    const int every = 1 + (panel->rows - 1) / MAX_POINTS;
    fprintf(file, ", \\\n     data using 1:%d", k + 2);
    if (line->is_band) {
        fprintf(file, ":%d with filledcurves", k + 3);
        lab_put_pen(file, &line->pen);
        fputs(" fillstyle transparent solid 0.25 noborder", file);
    } else if (line->pen.area) {
        fputs(" with filledcurves y=0", file);
        lab_put_pen(file, &line->pen);
        fputs(" fillstyle solid noborder", file);
    } else {
        fputs(line->pen.point > 0 ? " with linespoints" : " with lines", file);
        lab_put_pen(file, &line->pen);
        if (line->pen.point > 0)
            fprintf(file, " pointtype %d pointsize 0.6*zoom pointinterval %d", line->pen.point,
                    every);
    }
}

// What is filled lies below, thin black lines on top.
static int layer_of(const lab_line *line)
{
    return line->pen.area || line->is_band ? 0 : line->pen.linetype == BLACK ? 2 : 1;
}

// The loop alone, or zero, is drawn first; it also gives gnuplot something to draw if all diverged.
static void story_put_plot(FILE *file, const lab_panel *panel)
{
    const bool is_log = panel->spec->kind == LAB_PANEL_CURVES;
    fprintf(file, "plot %d with lines linetype 8 linewidth %s", is_log ? 1 : 0,
            is_log ? "1.2 dashtype 2" : "0.8");
    for (int layer = 0; layer < 3; layer++)
        for (int k = 0; k < panel->count; k++)
            if (!panel->line[k].is_hidden && layer_of(&panel->line[k]) == layer)
                put_line(file, panel, k);
    fputc('\n', file);
}

static void put_bar(FILE *file, const lab_panel *panel, int k)
{
    const double value = panel->values[k];
    const bool there = isfinite(value);
    const double end = there ? cfpci_max(panel->low, cfpci_min(panel->high, value)) : 0;
    if (there)
        fprintf(file,
                "set object rectangle from %g, %g to %g, %g fillstyle solid 0.85 noborder "
                "fillcolor linetype %d\n",
                cfpci_max(panel->low, 0), k + 0.7, end, k + 1.3, panel->line[k].pen.linetype);
    char text[32] = "none";
    if (there)
        snprintf(text, sizeof text, "%.3g", value);
    fprintf(file, "set label \"%s\" at %g, %d left offset 0.5, 0 font small\n", text,
            cfpci_max(0, end), k + 1);
}

// Each a bar to the right, its figure at its end.
static void put_bars(FILE *file, const story *story, int index)
{
    const lab_panel *panel = &story->panel[index];
    const double room = isnan(panel->spec->high) ? 0.15 * (panel->high - panel->low) : 0;
    const double low =
        isnan(panel->spec->low) && panel->low > -1e-9 - 0.07 * panel->high ? 0 : panel->low;
    lab_page_labels(file, &story->page, &story->frame[index], panel->spec->label, "");
    fprintf(file,
            "set grid noytics\nset xrange [%g:%g]\nset yrange [%g:0.4]\nset xtics %g\n"
            "set ytics scale 0 (",
            low, panel->high + room, panel->count + 0.6, story_tic_step(panel->high - low));
    for (int k = 0; k < panel->count; k++) {
        fputs(k > 0 ? ", " : "", file);
        lab_gnuplot_text(file, panel->line[k].title);
        fprintf(file, " %d", k + 1);
    }
    fputs(") font small noenhanced\n", file);
    for (int k = 0; k < panel->count; k++)
        put_bar(file, panel, k);
    fprintf(file,
            "plot data using (%g):1 with dots linecolor rgb \"white\"\n"
            "set ytics scale default enhanced\n",
            low);
}

// ---- the script ------------------------------------------------------------------------------

static void story_put_panel(FILE *file, const story *story, int index)
{
    const lab_panel *panel = &story->panel[index];
    lab_page_panel(file, &story->page, &story->frame[index], letter_of(index), panel->spec->title,
                   &story->asks[index]);
    fprintf(file, "data = \"fig-story-%c.csv\"\n", 'a' + index);
    if (panel->spec->kind == LAB_PANEL_BARS) {
        put_bars(file, story, index);
        return;
    }
    put_axes(file, story, index);
    put_bands(file, story, panel);
    story_put_names(file, story, index);
    put_marks(file, story, panel);
    story_put_plot(file, panel);
}

static void story_script(FILE *file, const void *context)
{
    const story *story = context;
    lab_page_fonts(file);
    fputs("set multiplot\n", file);
    for (int i = 0; i < story->panels; i++)
        story_put_panel(file, story, i);
    fputs("unset multiplot\n", file);
}

// ---- all of it -------------------------------------------------------------------------------

static lab_outcome story_write_data(lab_folder *folder, const story *story, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < story->panels; i++) {
        char name[32];
        FILE *file;
        snprintf(name, sizeof name, "fig-story-%c.csv", 'a' + i);
        outcome = lab_folder_create(folder, name, &file, why);
        if (outcome != LAB_DONE)
            return outcome;
        lab_panel_data(file, &story->panel[i]);
        outcome = lab_folder_close(folder, file, why);
    }
    return outcome;
}

static lab_outcome story_make(story *story, lab_why *why)
{
    const size_t panels = (size_t)story->panels + 1;
    story->panel = calloc(panels, sizeof *story->panel);
    story->asks = calloc(panels, sizeof *story->asks);
    story->frame = calloc(panels, sizeof *story->frame);
    if (!story->panel || !story->asks || !story->frame)
        return lab_no_memory(why, NULL);
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < story->panels; i++)
        outcome = lab_panel_make(&story->panel[i], &lab_panels(story->result->spec)[i],
                                 story->result, why);
    return outcome == LAB_DONE ? lay_out(story, why) : outcome;
}

static void story_free(story *story)
{
    for (int i = 0; story->panel && i < story->panels; i++)
        lab_panel_free(&story->panel[i]);
    for (int i = 0; story->asks && i < story->panels; i++)
        free(story->asks[i].entry);
    free(story->panel);
    free(story->asks);
    free(story->frame);
}

lab_outcome lab_draw_story(lab_folder *folder, const lab_result *result, bool can_draw,
                           lab_why *why)
{
    story story = {.result = result, .panels = lab_panel_count(result->spec)};
    lab_outcome outcome = story_make(&story, why);
    if (outcome == LAB_DONE)
        outcome = story_write_data(folder, &story, why);
    const lab_figure figure = {.name = "fig-story",
                               .width = (int)story.page.width,
                               .height = (int)story.page.height,
                               .script = story_script};
    if (outcome == LAB_DONE)
        outcome = lab_gnuplot_figure(folder, &figure, &story, can_draw, why);
    story_free(&story);
    return outcome;
}
