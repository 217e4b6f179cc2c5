// SPDX-License-Identifier: Apache-2.0
#include "draw/story_page.h"

#include <math.h>
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

// ---- the page --------------------------------------------------------------------------------

static double column_width(int columns)
{
    static const double widths[] = {620, 450, 410, 380};
    return widths[columns - 1];
}

static double entry_width(const lab_key_entry *entry)
{
    return *entry->title ? SAMPLE + GAP + lab_text_width(entry->title, SMALL) + BETWEEN : 0;
}

// Rows of a key within a width.
static int key_rows(const lab_asks *asks, double width)
{
    int rows = 0;
    double used = width;
    for (int i = 0; i < asks->entries; i++) {
        const double more = entry_width(&asks->entry[i]);
        if (more > 0 && used + more > width + BETWEEN) {
            rows++;
            used = 0;
        }
        used += more;
    }
    return rows;
}

// Height of everything above the axes.
static double header(const lab_asks *asks, double width)
{
    return TITLE_ROW + KEY_ROW * key_rows(asks, width - INDENT) + (asks->above ? NAMES_ROW : 4);
}

// The number of panels in the row that starts with this one.
static int row_length(const lab_asks *asks, int first, int panels, int columns)
{
    int count = 1;
    while (!asks[first].wide && count < columns && first + count < panels &&
           !asks[first + count].wide)
        count++;
    return count;
}

lab_page lab_page_make(lab_frame *frames, const lab_asks *asks, int panels, int columns)
{
    lab_page page = {.width = columns * column_width(columns)};
    for (int i = 0, count; i < panels; i += count) { // from the top; inverted below
        count = row_length(asks, i, panels, columns);
        const double width = asks[i].wide ? page.width : column_width(columns);
        double head = 0;
        for (int k = i; k < i + count; k++)
            head = cfpci_max(head, header(&asks[k], width));
        for (int k = i; k < i + count; k++) {
            const double edge = (k - i) * width;
            frames[k] = (lab_frame){.edge = edge,
                                    .end = edge + width,
                                    .left = edge + cfpci_max(LEFT, asks[k].left),
                                    .right = edge + width - RIGHT,
                                    .top = page.height + head,
                                    .bottom = page.height + head + AXES,
                                    .title = page.height + 0.6 * TITLE_ROW,
                                    .key = page.height + TITLE_ROW + 0.4 * KEY_ROW};
        }
        page.height += head + AXES + FOOT;
    }
    for (int i = 0; i < panels; i++) {
        double *const heights[] = {&frames[i].top, &frames[i].bottom, &frames[i].title,
                                   &frames[i].key};
        for (int k = 0; k < 4; k++)
            *heights[k] = page.height - *heights[k];
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

static void story_page_put_label(FILE *script, const lab_page *page, double x, double y,
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

static void story_page_put_key(FILE *script, const lab_page *page, const lab_frame *frame,
                               const lab_asks *asks)
{
    const double width = frame->end - frame->edge - INDENT;
    double used = 0, y = frame->key;
    for (int i = 0; i < asks->entries; i++) {
        const double more = entry_width(&asks->entry[i]);
        if (more == 0)
            continue;
        if (used > 0 && used + more > width + BETWEEN) {
            used = 0;
            y -= KEY_ROW;
        }
        const double x = frame->edge + INDENT + used;
        put_sample(script, page, x, y, &asks->entry[i].pen);
        story_page_put_label(script, page, x + SAMPLE + GAP, y, asks->entry[i].title);
        fputs(" font small textcolor rgb \"#222222\"\n", script);
        used += more;
    }
}

// A title that is too long for its panel gets a smaller font.
static void story_page_put_title(FILE *script, const lab_page *page, const lab_frame *frame,
                                 char letter, const char *title)
{
    const char mark[] = {letter, '\0'};
    const double room = frame->end - frame->edge - TITLE_INDENT - GAP;
    const double size = TEXT * cfpci_min(1, room / cfpci_max(1, lab_text_width(title, TEXT)));
    story_page_put_label(script, page, frame->edge + INDENT, frame->title, mark);
    fputs(" font letter\n", script);
    story_page_put_label(script, page, frame->edge + TITLE_INDENT, frame->title, title);
    fprintf(script, " font sprintf(\"DejaVu Sans,%%g\", %.1f*zoom)\n", size);
}

void lab_page_panel(FILE *script, const lab_page *page, const lab_frame *frame, char letter,
                    const char *title, const lab_asks *asks)
{
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
            frame->bottom / page->height, frame->top / page->height);
    story_page_put_title(script, page, frame, letter, title);
    story_page_put_key(script, page, frame, asks);
}

void lab_page_labels(FILE *script, const lab_page *page, const lab_frame *frame, const char *below,
                     const char *left)
{
    const double room = frame->top - frame->bottom + KEY_ROW;
    const double size = TEXT * cfpci_min(1, room / cfpci_max(1, lab_text_width(left, TEXT)));
    story_page_put_label(script, page, (frame->left + frame->right) / 2,
                         frame->bottom - LABEL_BELOW, below);
    fputs(" center font text\n", script);
    story_page_put_label(script, page, frame->left - LABEL_LEFT, (frame->bottom + frame->top) / 2,
                         left);
    fprintf(script, " center rotate by 90 font sprintf(\"DejaVu Sans,%%g\", %.1f*zoom)\n", size);
}

void lab_page_above(FILE *script, const lab_page *page, const lab_frame *frame, double low,
                    double high, int count, const lab_above *names)
{
    const double scale = (frame->right - frame->left) / (high - low);
    double taken = frame->left - LEFT;
    for (int i = 0; i < count; i++) {
        const double width = lab_text_width(names[i].text, SMALL);
        const double from = frame->left + (names[i].from - low) * scale;
        const double to = frame->left + (names[i].to - low) * scale;
        const double x =
            cfpci_min(frame->left + (names[i].at - low) * scale - width / 2, frame->end - width);
        if (width > to - from || x < taken)
            continue;
        story_page_put_label(script, page, x, frame->top + 0.55 * NAMES_ROW, names[i].text);
        if (names[i].linetype > 0)
            fprintf(script, " font small textcolor linetype %d\n", names[i].linetype);
        else
            fputs(" font small textcolor rgb \"#555555\"\n", script);
        taken = x + width + GAP;
    }
}
