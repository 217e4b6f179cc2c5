// SPDX-License-Identifier: Apache-2.0
#include "draw/story_page.h"

#include <string.h>

#include "draw/gnuplot.h"
#include "math/order.h"

// Lengths in points.
#define TEXT 13.0         // size of titles
#define SMALL 12.0        // size of keys and names
#define LETTER 17.0       // size of a panel's letter
#define TITLE_ROW 30.0    // from the panel's top to below the title
#define KEY_ROW 18.0      // of a key
#define NAMES_ROW 16.0    // above the axes
#define AXES 190.0        // height of the axes
#define FOOT 52.0         // below the axes
#define LEFT 68.0         // left of the axes
#define LABEL_BELOW 36.0  // from the axes down to their label
#define LABEL_LEFT 52.0   // from the axes to the left
#define RIGHT 16.0        // right of them
#define SAMPLE 24.0       // of a line in a key
#define GAP 5.0           // between a sample and its text
#define BETWEEN 16.0      // between two entries
#define INDENT 12.0       // of a panel's letter and key
#define TITLE_INDENT 32.0 // of its title
#define COLUMN 450.0      // width of a panel that is not wide

// ---- text ------------------------------------------------------------------------------------

// Width of a letter relative to the font size.
static double letter_width(char c)
{
    if (strchr("iIjl.,:;'|!", c))
        return 0.31;
    if (strchr("frt()[]-/ ", c))
        return 0.39;
    if (strchr("mwMW@%+=<>", c))
        return 0.88;
    return c >= 'A' && c <= 'Z' ? 0.70 : 0.61;
}

double lab_text_width(const char *text, double size)
{
    double width = 0;
    for (; *text; text++)
        if (((unsigned char)*text & 0xC0) != 0x80) // not within a letter of several bytes
            width += letter_width(*text);
    return size * width;
}

void lab_page_fonts(FILE *script)
{
    fprintf(script,
            "zoom = format eq \"svg\" ? 1 : 1.5 # a font's point is 4/3 of a pixel in PNG\n"
            "if (format eq \"png\") { set terminal pngcairo font \"DejaVu Sans,19.5\" }\n"
            "text = sprintf(\"DejaVu Sans,%%g\", %g*zoom)\n"
            "small = sprintf(\"DejaVu Sans,%%g\", %g*zoom)\n"
            "letter = sprintf(\"DejaVu Sans:Bold,%%g\", %g*zoom)\n"
            "set xtics font small\n"
            "set ytics font small\n",
            TEXT, SMALL, LETTER);
}

// The size at which a text fits.
static double fitted_size(const char *text, double room)
{
    return TEXT * cfpci_min(1, room / cfpci_max(1, lab_text_width(text, TEXT)));
}

// ---- the page --------------------------------------------------------------------------------

// Where the next entry of a key begins; moves on to where it ends, and to a new row if it must.
static double place_entry(const lab_line *entry, double width, double *used, int *row)
{
    const double more = SAMPLE + GAP + lab_text_width(entry->title, SMALL) + BETWEEN;
    if (*used > 0 && *used + more > width - INDENT + BETWEEN) {
        *used = 0;
        ++*row;
    }
    *used += more;
    return *used - more;
}

// Height of everything above the axes.
static double header(const lab_panel *panel, double width)
{
    double used = 0;
    int row = panel->keys > 0;
    for (int i = 0; i < panel->keys; i++)
        place_entry(&panel->line[i], width, &used, &row);
    return TITLE_ROW + KEY_ROW * row + (panel->names > 0 ? NAMES_ROW : 4);
}

lab_page lab_page_make(lab_panel *panels, int count)
{
    lab_page page = {.width = 2 * COLUMN};
    for (int i = 0, end; i < count; i = end) { // from the top; inverted below
        const bool wide = panels[i].spec->wide;
        const double width = wide ? page.width : COLUMN;
        end = i + (!wide && i + 1 < count && !panels[i + 1].spec->wide ? 2 : 1);
        double head = 0;
        for (int k = i; k < end; k++)
            head = cfpci_max(head, header(&panels[k], width));
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

// ---- around a panel --------------------------------------------------------------------------

void lab_put_pen(FILE *script, const lab_pen *pen)
{
    fprintf(script, " linetype %d", pen->linetype);
    if (pen->dash > 0)
        fprintf(script, " dashtype %d", pen->dash);
}

static void story_put_label(FILE *script, const lab_page *page, double x, double y,
                            const char *text)
{
    fputs("set label ", script);
    lab_gnuplot_text(script, text);
    fprintf(script, " at screen %.5f, screen %.5f noenhanced", x / page->width, y / page->height);
}

static void put_sample(FILE *script, const lab_page *page, double x, double y, const lab_pen *pen)
{
    const double left = x / page->width, right = (x + SAMPLE) / page->width;
    const double middle = y / page->height, half = 0.25 * KEY_ROW / page->height;
    if (pen->area) {
        fprintf(script,
                "set object rectangle from screen %.5f, screen %.5f to screen %.5f, screen %.5f "
                "fillstyle solid noborder fillcolor linetype %d\n",
                left, middle - half, right, middle + half, pen->linetype);
        return;
    }
    fprintf(script, "set arrow from screen %.5f, screen %.5f to screen %.5f, screen %.5f nohead",
            left, middle, right, middle);
    lab_put_pen(script, pen);
    fputc('\n', script);
    if (pen->point > 0)
        fprintf(script,
                "set label \"\" at screen %.5f, screen %.5f point linetype %d pointtype %d "
                "pointsize 0.6*zoom\n",
                (left + right) / 2, middle, pen->linetype, pen->point);
}

static void story_put_key(FILE *script, const lab_page *page, const lab_panel *panel)
{
    const lab_frame *frame = &panel->frame;
    double used = 0;
    int row = 0;
    for (int i = 0; i < panel->keys; i++) {
        const lab_line *entry = &panel->line[i];
        const double x =
            frame->edge + INDENT + place_entry(entry, frame->end - frame->edge, &used, &row);
        const double y = frame->roof - TITLE_ROW - (row + 0.4) * KEY_ROW;
        put_sample(script, page, x, y, &entry->pen);
        story_put_label(script, page, x + SAMPLE + GAP, y, entry->title);
        fputs(" font small textcolor rgb \"#222222\"\n", script);
    }
}

void lab_page_panel(FILE *script, const lab_page *page, const lab_panel *panel, char letter)
{
    const lab_frame *frame = &panel->frame;
    const char mark[] = {letter, '\0'};
    const double above = frame->roof - 0.6 * TITLE_ROW;
    fprintf(script,
            "\n# ---- panel %c\n"
            "unset label\n"
            "unset arrow\n"
            "unset object\n"
            "unset logscale\n"
            "unset key\n"
            "set format \"%%g\"\n"
            "set grid xtics ytics\n"
            "set lmargin at screen %.5f\n"
            "set rmargin at screen %.5f\n"
            "set bmargin at screen %.5f\n"
            "set tmargin at screen %.5f\n",
            letter, frame->left / page->width, frame->right / page->width,
            (frame->top - AXES) / page->height, frame->top / page->height);
    story_put_label(script, page, frame->edge + INDENT, above, mark);
    fputs(" font letter\n", script);
    story_put_label(script, page, frame->edge + TITLE_INDENT, above, panel->spec->title);
    fprintf(script, " font sprintf(\"DejaVu Sans,%%g\", %.1f*zoom)\n",
            fitted_size(panel->spec->title, frame->end - frame->edge - TITLE_INDENT - GAP));
    story_put_key(script, page, panel);
}

void lab_page_labels(FILE *script, const lab_page *page, const lab_frame *frame, const char *below,
                     const char *left)
{
    story_put_label(script, page, (frame->left + frame->right) / 2, frame->top - AXES - LABEL_BELOW,
                    below);
    fputs(" center font text\n", script);
    story_put_label(script, page, frame->left - LABEL_LEFT, frame->top - AXES / 2, left);
    fprintf(script, " center rotate by 90 font sprintf(\"DejaVu Sans,%%g\", %.1f*zoom)\n",
            fitted_size(left, AXES + KEY_ROW));
}

void lab_page_above(FILE *script, const lab_page *page, const lab_panel *panel)
{
    const lab_frame *frame = &panel->frame;
    const double scale = (frame->right - frame->left) / (lab_panel_last(panel) - panel->first);
    double taken = frame->left - LEFT;
    for (int i = 0; i < panel->names; i++) {
        const lab_above *name = &panel->name[i];
        const double width = lab_text_width(name->text, SMALL);
        const double x = cfpci_min(frame->left + (name->at - panel->first) * scale - width / 2,
                                   frame->end - width);
        if (width > (name->to - name->from) * scale || x < taken)
            continue;
        story_put_label(script, page, x, frame->top + 0.55 * NAMES_ROW, name->text);
        if (name->linetype != LAB_GREY)
            fprintf(script, " font small textcolor linetype %d\n", name->linetype);
        else // letters are thin
            fputs(" font small textcolor rgb \"#555555\"\n", script);
        taken = x + width + GAP;
    }
}
