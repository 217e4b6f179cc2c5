// SPDX-License-Identifier: Apache-2.0
#include "draw/story.h"

#include <math.h>
#include <stdlib.h>

#include "draw/gnuplot.h"
#include "draw/story_page.h"
#include "math/elementary.h"
#include "math/order.h"
#include "spec/rows.h"
#include "spec/spec_story.h"

enum { MAX_POINTS = 12 }; // on a line

#define QUIET 1e-6    // share of a disturbance's peak below which it is not there
#define MAX_PART 0.6  // of what is shown: a disturbance that is there longer is not marked
#define BAR_TEXT 12.0 // size of a bar's name
#define LONGEST_BAR_TEXT 220.0

// The story in the making.
typedef struct story {
    const lab_result *result;
    int panels;
    lab_panel *panel; // (panels)
    lab_page page;
} story;

static bool is_by_trial(const lab_panel *panel)
{
    return lab_family_of_panel(panel->spec->kind) == LAB_BY_TRIAL;
}

// ---- a disturbance, as bands -----------------------------------------------------------------

// Marks the stretches of a signals panel in which its first rule's plant is pushed, if there is a
// file; their number, 0 if they are most of it.
static int story_put_bands(FILE *file, const story *story, const lab_panel *panel)
{
    const lab_spec *spec = story->result->spec;
    const lab_record *record = story->result->record;
    if (panel->spec->kind != LAB_PANEL_SIGNALS)
        return 0;
    const lab_rule_record *rule = &record->rule[lab_panel_rule(spec, panel->spec, 0)];
    const double *d = rule->last[lab_panel_phase(spec, panel->spec)].d;
    double peak = 0;
    for (int n = 0; n < record->steps; n++)
        peak = cfpci_max(peak, fabs(d[n]));
    const int first = (int)round(panel->first / record->step_s), end = first + panel->rows;
    int bands = 0, length = 0;
    for (int n = first, from; n < end; n++) {
        for (from = n; n < end && fabs(d[n]) > QUIET * peak;)
            n++;
        bands += n > from;
        length += n - from;
        if (file && n > from)
            fprintf(file,
                    "set object rectangle from %g, graph 0 to %g, graph 1 behind fillstyle solid "
                    "noborder fillcolor linetype %d\n",
                    from * record->step_s, n * record->step_s, LAB_LIGHT);
    }
    return length > MAX_PART * panel->rows ? 0 : bands;
}

// ---- the key ---------------------------------------------------------------------------------

// The names of bars stand left of the axes. A key has the lines, then the loop alone or a
// disturbance, which goes by its name if there is one alone.
static void story_ask(lab_panel *panel, const story *story)
{
    const lab_spec *spec = story->result->spec;
    lab_line *more = &panel->line[panel->count];
    panel->keys = panel->count;
    if (panel->spec->kind == LAB_PANEL_BARS) {
        panel->keys = 0;
        for (int k = 0; k < panel->count; k++)
            panel->margin =
                cfpci_max(panel->margin, 24 + lab_text_width(panel->line[k].title, BAR_TEXT));
        panel->margin = cfpci_min(panel->margin, LONGEST_BAR_TEXT);
    } else if (panel->spec->kind == LAB_PANEL_CURVES) {
        *more = (lab_line){.pen = {.linetype = LAB_GREY, .dash = 2}, .title = "no cell"};
        panel->keys++;
    } else if (story_put_bands(NULL, story, panel) > 0) {
        more->pen = (lab_pen){.linetype = LAB_LIGHT, .area = true};
        snprintf(more->title, sizeof more->title, "%.60s",
                 spec->disturbances.count == 1 ? lab_disturbances(spec)[0].name : "push");
        panel->keys++;
    }
}

// ---- axes and marks --------------------------------------------------------------------------

// Three to seven steps of 1, 2 or 5 times a power of ten.
static double story_tic_step(double range)
{
    const double rough = range / 4.5, power = cfpci_pow(10, floor(cfpci_log10(rough)));
    const double share = rough / power;
    return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

static void put_axes(FILE *file, const story *story, const lab_panel *panel)
{
    const bool is_log = panel->spec->kind == LAB_PANEL_CURVES;
    const double last = lab_panel_last(panel), step = story_tic_step(last - panel->first);
    const char *label =
        *panel->spec->label ? panel->spec->label : lab_panel_standard(panel->spec->kind).label;
    lab_page_labels(file, &story->page, &panel->frame, is_by_trial(panel) ? "trial" : "time (s)",
                    label);
    fprintf(file, "set xrange [%g:%g]\nset xtics %g\n", panel->first, last,
            is_by_trial(panel) ? cfpci_max(1, step) : step);
    fprintf(file, "set yrange [%g:%g]\n", panel->low, panel->high);
    if (is_log)
        fputs("set logscale y\nset ytics autofreq\n", file);
    else
        fprintf(file, "set ytics %g\n", story_tic_step(panel->high - panel->low));
}

static void put_upright(FILE *file, double at, int linetype, const char *pen)
{
    fprintf(file,
            "set arrow from %g, graph 0 to %g, graph 1 nohead back linetype %d linewidth %s\n", at,
            at, linetype, pen);
}

// Where each phase but the first begins, or each cue comes; then the times that the spec marks.
static void put_marks(FILE *file, const story *story, const lab_panel *panel)
{
    const lab_spec *spec = story->result->spec;
    const lab_numbers *marks = &panel->spec->marks_s;
    for (int i = 0; i < panel->names; i++)
        if (!is_by_trial(panel))
            put_upright(file, panel->name[i].at, panel->name[i].linetype, "1.2 dashtype 3");
        else if (panel->name[i].from > panel->first)
            put_upright(file, panel->name[i].from, panel->name[i].linetype, "0.8");
    lab_page_above(file, &story->page, panel);
    const bool by_rule = marks->columns > 1 && marks->columns == lab_panel_rules(spec, panel->spec);
    for (int i = 0; i < marks->columns; i++) {
        const int row = by_rule ? lab_row_of(spec, lab_panel_rule(spec, panel->spec, i)) : 0;
        put_upright(file, marks->values[i], by_rule ? lab_gnuplot_linetype(row) : LAB_GREY,
                    "1.2 dashtype 3");
    }
}

// ---- lines and bars --------------------------------------------------------------------------

static void put_line(FILE *file, const lab_panel *panel, int k)
{
    const lab_pen *pen = &panel->line[k].pen;
    const char *const with = pen->area        ? "filledcurves y=0"
                             : pen->point > 0 ? "linespoints"
                                              : "lines";
    fprintf(file, ", \\\n     data using 1:%d with %s", k + 2, with);
    lab_put_pen(file, pen);
    if (pen->area)
        fputs(" fillstyle solid noborder", file);
    else if (pen->point > 0)
        fprintf(file, " pointtype %d pointsize 0.6*zoom pointinterval %d", pen->point,
                1 + (panel->rows - 1) / MAX_POINTS);
}

// What is filled lies below, thin black lines on top.
static int layer_of(const lab_line *line)
{
    return line->pen.area ? 0 : line->pen.linetype == LAB_BLACK ? 2 : 1;
}

// The loop alone, or zero, is drawn first; it also gives gnuplot something to draw if all diverged.
static void story_put_lines(FILE *file, const lab_panel *panel)
{
    const bool is_log = panel->spec->kind == LAB_PANEL_CURVES;
    fprintf(file, "plot %d with lines linetype 8 linewidth %s", is_log ? 1 : 0,
            is_log ? "1.2 dashtype 2" : "0.8");
    for (int layer = 0; layer < 3; layer++)
        for (int k = 0; k < panel->count; k++)
            if (layer_of(&panel->line[k]) == layer)
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
static void put_bars(FILE *file, const story *story, const lab_panel *panel)
{
    const double room = isnan(panel->spec->high) ? 0.15 * (panel->high - panel->low) : 0;
    const double low =
        isnan(panel->spec->low) && panel->low > -1e-9 - 0.07 * panel->high ? 0 : panel->low;
    lab_page_labels(file, &story->page, &panel->frame, panel->spec->label, "");
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

// ---- all of it -------------------------------------------------------------------------------

static void story_script(FILE *file, const void *context)
{
    const story *story = context;
    lab_page_fonts(file);
    fputs("set multiplot\n", file);
    for (int i = 0; i < story->panels; i++) {
        const lab_panel *panel = &story->panel[i];
        lab_page_panel(file, &story->page, panel, (char)('A' + i));
        fprintf(file, "data = \"fig-story-%c.csv\"\n", 'a' + i);
        if (panel->spec->kind == LAB_PANEL_BARS) {
            put_bars(file, story, panel);
            continue;
        }
        put_axes(file, story, panel);
        if (story_put_bands(NULL, story, panel) > 0)
            story_put_bands(file, story, panel);
        put_marks(file, story, panel);
        story_put_lines(file, panel);
    }
    fputs("unset multiplot\n", file);
}

// Makes a panel, and leaves its data.
static lab_outcome tell_panel(lab_folder *folder, story *story, int index, lab_why *why)
{
    char name[32];
    FILE *file;
    lab_panel *panel = &story->panel[index];
    snprintf(name, sizeof name, "fig-story-%c.csv", 'a' + index);
    lab_outcome outcome =
        lab_panel_make(panel, &lab_panels(story->result->spec)[index], story->result, why);
    if (outcome == LAB_DONE)
        outcome = lab_folder_create(folder, name, &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    story_ask(panel, story);
    lab_panel_data(file, panel);
    return lab_folder_close(folder, file, why);
}

lab_outcome lab_draw_story(lab_folder *folder, const lab_result *result, bool can_draw,
                           lab_why *why)
{
    story story = {.result = result, .panels = lab_panel_count(result->spec)};
    story.panel = calloc((size_t)story.panels + 1, sizeof *story.panel);
    lab_outcome outcome = story.panel ? LAB_DONE : lab_no_memory(why, NULL);
    for (int i = 0; outcome == LAB_DONE && i < story.panels; i++)
        outcome = tell_panel(folder, &story, i, why);
    if (outcome == LAB_DONE) {
        story.page = lab_page_make(story.panel, story.panels);
        const lab_figure figure = {.name = "fig-story",
                                   .width = (int)story.page.width,
                                   .height = (int)story.page.height,
                                   .script = story_script};
        outcome = lab_gnuplot_figure(folder, &figure, &story, can_draw, why);
    }
    for (int i = 0; story.panel && i < story.panels; i++)
        lab_panel_free(&story.panel[i]);
    free(story.panel);
    return outcome;
}
