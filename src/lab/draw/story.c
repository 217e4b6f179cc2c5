// SPDX-License-Identifier: Apache-2.0
// story: the positions of the panels on the page, and the script that draws them: around each its
// letter, title, key, labels and the names above the axes.
#include <math.h>
#include <string.h>

#include "draw/figures.h"
#include "draw/gnuplot.h"
#include "draw/story_panel.h"
#include "math/order.h"
#include "spec/rows.h"
#include "spec/spec_story.h"

enum { MAX_POINTS = 12 }; // on a line

// Lengths in points.
#define TEXT 13.0              // size of titles
#define SMALL 12.0             // size of keys, of names and of bars' names
#define LETTER 17.0            // size of a panel's letter
#define TITLE_ROW 30.0         // from the panel's top to below the title
#define KEY_ROW 18.0           // of a key
#define NAMES_ROW 16.0         // above the axes
#define AXES 190.0             // height of the axes
#define FOOT 52.0              // below the axes
#define LEFT 68.0              // left of the axes
#define LABEL_BELOW 36.0       // from the axes down to their label
#define LABEL_LEFT 52.0        // from the axes to the left
#define RIGHT 16.0             // right of them
#define SAMPLE 24.0            // of a line in a key
#define GAP 5.0                // between a sample and its text
#define BETWEEN 16.0           // between two entries
#define INDENT 12.0            // of a panel's letter and key
#define TITLE_INDENT 32.0      // of its title
#define COLUMN 450.0           // width of a panel that is not wide
#define LONGEST_BAR_TEXT 220.0 // left of the axes

#define TIC_STEPS 4.5 // on an axis, about

// The story as it is drawn.
typedef struct story {
    const lab_spec *spec;
    int panels;
    lab_panel *panel; // (panels)
    lab_page page;
} story;

static bool is_by_trial(const lab_panel *panel)
{
    return lab_family_of_panel(panel->spec->kind) == LAB_BY_TRIAL;
}

// ---- the page --------------------------------------------------------------------------------

// Approximate width of a text in DejaVu Sans of this size.
static double text_width(const char *text, double size)
{
    static const struct {
        const char *letters;
        double width; // relative to the size
    } widths[] = {{"iIjl.,:;'|!", 0.31},
                  {"frt()[]-/ ", 0.39},
                  {"mwMW@%+=<>", 0.88},
                  {"ABCDEFGHIJKLMNOPQRSTUVWXYZ", 0.70}};
    enum { WIDTHS = sizeof widths / sizeof widths[0] };
    double width = 0;
    for (; *text; text++) {
        int i = 0;
        if (((unsigned char)*text & 0xC0) == 0x80) // within a letter of several bytes
            continue;
        while (i < WIDTHS && !strchr(widths[i].letters, *text))
            i++;
        width += i < WIDTHS ? widths[i].width : 0.61;
    }
    return size * width;
}

// Where the next entry of a key begins; moves on to where it ends, and to a new row if it must.
static double place_entry(const lab_line *entry, double width, double *used, int *row)
{
    const double more = SAMPLE + GAP + text_width(entry->title, SMALL) + BETWEEN;
    if (*used > 0 && *used + more > width - INDENT + BETWEEN) {
        *used = 0;
        ++*row;
    }
    *used += more;
    return *used - more;
}

lab_page lab_page_make(lab_panel *panels, int count)
{
    lab_page page = {.width = 2 * COLUMN};
    for (int i = 0, end; i < count; i = end) { // from the top; inverted below
        const bool wide = panels[i].spec->wide;
        const double width = wide ? page.width : COLUMN;
        end = i + (!wide && i + 1 < count && !panels[i + 1].spec->wide ? 2 : 1);
        double head = 0;
        for (int k = i; k < end; k++) { // above the axes: the title, the key, names
            double used = 0;
            int row = panels[k].keys > 0;
            for (int entry = 0; entry < panels[k].keys; entry++)
                place_entry(&panels[k].line[entry], width, &used, &row);
            const double names = panels[k].names > 0 ? NAMES_ROW : 4;
            head = cfpci_max(head, TITLE_ROW + KEY_ROW * row + names);
        }
        for (int k = i; k < end; k++) {
            const double edge = (k - i) * width;
            panels[k].frame = (lab_frame){.edge = edge,
                                          .end = edge + width,
                                          .left = edge + cfpci_max(LEFT, panels[k].margin),
                                          .right = edge + width - RIGHT,
                                          .roof = page.height,
                                          .top = page.height + head};
        }
        page.height += head + AXES + FOOT;
    }
    for (int i = 0; i < count; i++) {
        panels[i].frame.roof = page.height - panels[i].frame.roof;
        panels[i].frame.top = page.height - panels[i].frame.top;
    }
    return page;
}

// The names of bars stand left of the axes. A key has the lines, then the loop alone or a
// disturbance, which goes by its name if there is one alone.
static void story_ask(lab_panel *panel, const lab_spec *spec)
{
    lab_line *more = &panel->line[panel->count];
    panel->keys = panel->count;
    if (panel->spec->kind == LAB_PANEL_BARS) {
        panel->keys = 0;
        for (int k = 0; k < panel->count; k++)
            panel->margin = cfpci_max(panel->margin, 24 + text_width(panel->line[k].title, SMALL));
        panel->margin = cfpci_min(panel->margin, LONGEST_BAR_TEXT);
    } else if (panel->spec->kind == LAB_PANEL_CURVES) {
        *more = (lab_line){.pen = {.linetype = LAB_GREY, .dash = 2}, .title = "no cell"};
        panel->keys++;
    } else if (panel->bands > 0) {
        more->pen = (lab_pen){.linetype = LAB_LIGHT, .area = true};
        snprintf(more->title, sizeof more->title, "%.60s",
                 spec->disturbances.count == 1 ? lab_disturbances(spec)[0].name : "push");
        panel->keys++;
    }
}

// ---- around a panel --------------------------------------------------------------------------

static void put_pen(FILE *file, const lab_pen *pen)
{
    fprintf(file, " linetype %d", pen->linetype);
    if (pen->dash > 0)
        fprintf(file, " dashtype %d", pen->dash);
}

static void story_put_label(FILE *file, const lab_page *page, double x, double y, const char *text)
{
    fputs("set label ", file);
    lab_gnuplot_text(file, text);
    fprintf(file, " at screen %.5f, screen %.5f noenhanced", x / page->width, y / page->height);
}

// Ends a label, in the size at which its text fits.
static void put_fitted(FILE *file, const char *text, double room)
{
    const double size = TEXT * cfpci_min(1, room / cfpci_max(1, text_width(text, TEXT)));
    fprintf(file, " font sprintf(\"DejaVu Sans,%%g\", %.1f*zoom)\n", size);
}

static void put_sample(FILE *file, const lab_page *page, double x, double y, const lab_pen *pen)
{
    const double left = x / page->width, right = (x + SAMPLE) / page->width;
    const double middle = y / page->height, half = 0.25 * KEY_ROW / page->height;
    if (pen->area) {
        fprintf(file,
                "set object rectangle from screen %.5f, screen %.5f to screen %.5f, screen %.5f "
                "fillstyle solid noborder fillcolor linetype %d\n",
                left, middle - half, right, middle + half, pen->linetype);
        return;
    }
    fprintf(file, "set arrow from screen %.5f, screen %.5f to screen %.5f, screen %.5f nohead",
            left, middle, right, middle);
    put_pen(file, pen);
    fputc('\n', file);
    if (pen->point > 0)
        fprintf(file,
                "set label \"\" at screen %.5f, screen %.5f point linetype %d pointtype %d "
                "pointsize 0.6*zoom\n",
                (left + right) / 2, middle, pen->linetype, pen->point);
}

// Resets the settings of the previous panel; sets margins, letter, title and key.
static void story_begin_panel(FILE *file, const lab_page *page, const lab_panel *panel, char letter)
{
    const lab_frame *frame = &panel->frame;
    const double above = frame->roof - 0.6 * TITLE_ROW;
    fprintf(file,
            "\n# ---- panel %c\n"
            "unset label\nunset arrow\nunset object\nunset logscale\nunset key\n"
            "set format \"%%g\"\n"
            "set grid xtics ytics\n"
            "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
            "set bmargin at screen %.5f\nset tmargin at screen %.5f\n",
            letter, frame->left / page->width, frame->right / page->width,
            (frame->top - AXES) / page->height, frame->top / page->height);
    story_put_label(file, page, frame->edge + INDENT, above, (char[]){letter, '\0'});
    fputs(" font letter\n", file);
    story_put_label(file, page, frame->edge + TITLE_INDENT, above, panel->spec->title);
    put_fitted(file, panel->spec->title, frame->end - frame->edge - TITLE_INDENT - GAP);
    double used = 0;
    int row = 0;
    for (int i = 0; i < panel->keys; i++) {
        const lab_line *entry = &panel->line[i];
        const double x =
            frame->edge + INDENT + place_entry(entry, frame->end - frame->edge, &used, &row);
        const double y = frame->roof - TITLE_ROW - (row + 0.4) * KEY_ROW;
        put_sample(file, page, x, y, &entry->pen);
        story_put_label(file, page, x + SAMPLE + GAP, y, entry->title);
        fputs(" font small textcolor rgb \"#222222\"\n", file);
    }
}

// The labels of the axes: below and, rotated, to the left.
static void put_labels(FILE *file, const lab_page *page, const lab_frame *frame, const char *below,
                       const char *left)
{
    story_put_label(file, page, (frame->left + frame->right) / 2, frame->top - AXES - LABEL_BELOW,
                    below);
    fputs(" center font text\n", file);
    story_put_label(file, page, frame->left - LABEL_LEFT, frame->top - AXES / 2, left);
    fputs(" center rotate by 90", file);
    put_fitted(file, left, AXES + KEY_ROW);
}

// The names above the axes: in their order, without overlap.
static void story_put_names(FILE *file, const lab_page *page, const lab_panel *panel)
{
    const lab_frame *frame = &panel->frame;
    const double scale = (frame->right - frame->left) / (panel->last - panel->first);
    double taken = frame->left - LEFT;
    for (int i = 0; i < panel->names; i++) {
        const lab_above *name = &panel->name[i];
        const double width = text_width(name->text, SMALL);
        const double x = cfpci_min(frame->left + (name->at - panel->first) * scale - width / 2,
                                   frame->end - width);
        if (width > (name->to - name->from) * scale || x < taken)
            continue;
        story_put_label(file, page, x, frame->top + 0.55 * NAMES_ROW, name->text);
        if (name->linetype != LAB_GREY)
            fprintf(file, " font small textcolor linetype %d\n", name->linetype);
        else // letters are thin
            fputs(" font small textcolor rgb \"#555555\"\n", file);
        taken = x + width + GAP;
    }
}

// ---- lines and bars --------------------------------------------------------------------------

static void put_upright(FILE *file, double at, int linetype, const char *pen)
{
    fprintf(file,
            "set arrow from %g, graph 0 to %g, graph 1 nohead back linetype %d linewidth %s\n", at,
            at, linetype, pen);
}

static void put_axes(FILE *file, const story *story, const lab_panel *panel)
{
    const lab_panel_spec *spec = panel->spec;
    const bool by_trial = is_by_trial(panel);
    const double step = lab_gnuplot_tics(panel->last - panel->first, TIC_STEPS);
    put_labels(file, &story->page, &panel->frame, by_trial ? "trial" : "time (s)",
               *spec->label ? spec->label : lab_panel_standard(spec->kind).label);
    fprintf(file, "set xrange [%g:%g]\nset xtics %g\n", panel->first, panel->last,
            by_trial ? cfpci_max(1, step) : step);
    fprintf(file, "set yrange [%g:%g]\n", panel->low, panel->high);
    if (spec->kind == LAB_PANEL_CURVES)
        fputs("set logscale y\nset ytics autofreq\n", file);
    else
        fprintf(file, "set ytics %g\n", lab_gnuplot_tics(panel->high - panel->low, TIC_STEPS));
    for (int i = 0; i < panel->bands; i++)
        fprintf(file,
                "set object rectangle from %g, graph 0 to %g, graph 1 behind fillstyle solid "
                "noborder fillcolor linetype %d\n",
                panel->band[i][0], panel->band[i][1], LAB_LIGHT);
}

// Where each phase but the first begins, or each cue comes; then the times that the spec marks.
static void put_marks(FILE *file, const story *story, const lab_panel *panel)
{
    const lab_numbers *marks = &panel->spec->marks_s;
    for (int i = 0; i < panel->names; i++)
        if (!is_by_trial(panel))
            put_upright(file, panel->name[i].at, panel->name[i].linetype, "1.2 dashtype 3");
        else if (panel->name[i].from > panel->first)
            put_upright(file, panel->name[i].from, panel->name[i].linetype, "0.8");
    story_put_names(file, &story->page, panel);
    const bool by_rule =
        marks->columns > 1 && marks->columns == lab_panel_rules(story->spec, panel->spec);
    for (int i = 0; i < marks->columns; i++) {
        const int rule = by_rule ? lab_panel_rule(story->spec, panel->spec, i) : 0;
        put_upright(file, marks->values[i],
                    by_rule ? lab_gnuplot_linetype(lab_row_of(story->spec, rule)) : LAB_GREY,
                    "1.2 dashtype 3");
    }
}

// What is filled lies below, thin black lines on top.
static int layer_of(const lab_pen *pen)
{
    return pen->area ? 0 : pen->linetype == LAB_BLACK ? 2 : 1;
}

// The loop alone, or zero, is drawn first; it also gives gnuplot something to draw if all diverged.
static void story_put_lines(FILE *file, const lab_panel *panel)
{
    const bool is_log = panel->spec->kind == LAB_PANEL_CURVES;
    fprintf(file, "plot %d with lines linetype 8 linewidth %s", is_log ? 1 : 0,
            is_log ? "1.2 dashtype 2" : "0.8");
    for (int i = 0; i < 3 * panel->count; i++) { // layer by layer
        const int k = i % panel->count;
        const lab_pen *pen = &panel->line[k].pen;
        if (layer_of(pen) != i / panel->count)
            continue;
        fprintf(file, ", \\\n     data using 1:%d with %s", k + 2,
                pen->area        ? "filledcurves y=0"
                : pen->point > 0 ? "linespoints"
                                 : "lines");
        put_pen(file, pen);
        if (pen->area)
            fputs(" fillstyle solid noborder", file);
        else if (pen->point > 0)
            fprintf(file, " pointtype %d pointsize 0.6*zoom pointinterval %d", pen->point,
                    1 + (panel->rows - 1) / MAX_POINTS);
    }
    fputc('\n', file);
}

// A bar to the right, its figure at its end.
static void put_bar(FILE *file, const lab_panel *panel, int k)
{
    const double value = panel->values[k];
    double end = 0;
    char text[32] = "none";
    if (isfinite(value)) {
        end = cfpci_max(panel->low, cfpci_min(panel->high, value));
        snprintf(text, sizeof text, "%.3g", value);
        fprintf(file,
                "set object rectangle from %g, %g to %g, %g fillstyle solid 0.85 noborder "
                "fillcolor linetype %d\n",
                cfpci_max(panel->low, 0), k + 0.7, end, k + 1.3, panel->line[k].pen.linetype);
    }
    fprintf(file, "set label \"%s\" at %g, %d left offset 0.5, 0 font small\n", text,
            cfpci_max(0, end), k + 1);
}

static void put_bars(FILE *file, const lab_page *page, const lab_panel *panel)
{
    const double room = isnan(panel->spec->high) ? 0.15 * (panel->high - panel->low) : 0;
    const double low =
        isnan(panel->spec->low) && panel->low > -1e-9 - 0.07 * panel->high ? 0 : panel->low;
    put_labels(file, page, &panel->frame, panel->spec->label, "");
    fprintf(file,
            "set grid noytics\nset xrange [%g:%g]\nset yrange [%g:0.4]\nset xtics %g\n"
            "set ytics scale 0 (",
            low, panel->high + room, panel->count + 0.6,
            lab_gnuplot_tics(panel->high - low, TIC_STEPS));
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
    fprintf(file,
            "zoom = format eq \"svg\" ? 1 : 1.5 # a font's point is 4/3 of a pixel in PNG\n"
            "if (format eq \"png\") { set terminal pngcairo font \"DejaVu Sans,19.5\" }\n"
            "text = sprintf(\"DejaVu Sans,%%g\", %g*zoom)\n"
            "small = sprintf(\"DejaVu Sans,%%g\", %g*zoom)\n"
            "letter = sprintf(\"DejaVu Sans:Bold,%%g\", %g*zoom)\n"
            "set xtics font small\n"
            "set ytics font small\n"
            "set multiplot\n",
            TEXT, SMALL, LETTER);
    for (int i = 0; i < story->panels; i++) {
        const lab_panel *panel = &story->panel[i];
        story_begin_panel(file, &story->page, panel, (char)('A' + i));
        fprintf(file, "data = \"fig-story-%c.csv\"\n", 'a' + i);
        if (panel->spec->kind == LAB_PANEL_BARS) {
            put_bars(file, &story->page, panel);
            continue;
        }
        put_axes(file, story, panel);
        put_marks(file, story, panel);
        story_put_lines(file, panel);
    }
    fputs("unset multiplot\n", file);
}

lab_outcome lab_draw_story(lab_folder *folder, const lab_result *result, bool can_draw,
                           lab_why *why)
{
    const lab_spec *spec = result->spec;
    lab_arena arena = {0};
    story story = {.spec = spec, .panels = lab_panel_count(spec)};
    story.panel = lab_take(&arena, (size_t)story.panels, sizeof *story.panel);
    lab_outcome outcome = story.panel ? LAB_DONE : lab_no_memory(why, NULL);
    for (int i = 0; outcome == LAB_DONE && i < story.panels; i++) {
        char name[32];
        snprintf(name, sizeof name, "fig-story-%c.csv", 'a' + i);
        outcome = lab_panel_make(&story.panel[i], &arena, &lab_panels(spec)[i], result, why);
        if (outcome != LAB_DONE)
            break;
        story_ask(&story.panel[i], spec);
        outcome = lab_put_file(folder, name, lab_panel_data, &story.panel[i], why);
    }
    if (outcome == LAB_DONE) {
        story.page = lab_page_make(story.panel, story.panels);
        const lab_figure figure = {.name = "fig-story",
                                   .width = (int)story.page.width,
                                   .height = (int)story.page.height,
                                   .script = story_script};
        outcome = lab_gnuplot_figure(folder, &figure, &story, can_draw, why);
    }
    lab_arena_free(&arena);
    return outcome;
}
