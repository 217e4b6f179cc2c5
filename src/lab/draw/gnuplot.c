// SPDX-License-Identifier: Apache-2.0
#include "draw/gnuplot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/number.h"
#include "math/elementary.h"
#include "math/order.h"

// Colours of Okabe and Ito, distinguishable for colour-blind readers and in print. After the last
// they repeat, dashed.
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73",
                                      "#cc79a7", "#e69f00", "#56b4e9"};
static const char *const dashes[] = {"solid", "\"-\"", "\".\""};

enum {
    COLOURS = sizeof colours / sizeof colours[0],
    DASHES = sizeof dashes / sizeof dashes[0],
    TOGETHER = 2 // figures of one process, at most
};

int lab_gnuplot_linetype(int index)
{
    return index % COLOURS + 1 + 10 * (index / COLOURS % DASHES);
}

void lab_gnuplot_text(FILE *script, const char *text)
{
    fputc('\'', script);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', script);
        fputc((unsigned char)*text < 0x20 ? ' ' : *text, script);
    }
    fputc('\'', script);
}

double lab_gnuplot_tics(double range, double steps)
{
    const double rough = range / steps, power = cfpci_pow(10, floor(cfpci_log10(rough)));
    const double share = rough / power;
    return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

void lab_gnuplot_learning(FILE *script, double low, double high)
{
    fprintf(script,
            "set key outside right center reverse Left samplen 2 spacing 1.2\n"
            "set xlabel \"trial\"\n"
            "set ylabel \"rRMSE\"\n"
            "set logscale y\n"
            "set format y \"%%g\"\n"
            "set yrange [%g:%g]\n"
            "set autoscale xfix\n",
            0.7 * low, 1.5 * high);
}

void lab_gnuplot_widen(double *low, double *high, double value)
{
    if (!isfinite(value) || !(value > 0))
        return;
    *low = cfpci_min(*low, value);
    *high = cfpci_max(*high, value);
}

// ---- files -----------------------------------------------------------------------------------

void lab_put_number(FILE *file, double value)
{
    fprintf(file, ",%s", lab_number(value).text);
}

void lab_put_known(FILE *file, double value)
{
    fprintf(file, ",%s", isnan(value) ? "" : lab_number(value).text);
}

lab_outcome lab_put_file(lab_folder *folder, const char *name, lab_put *put, const void *context,
                         lab_why *why)
{
    FILE *file;
    const lab_outcome outcome = lab_folder_create(folder, name, &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    put(file, context);
    return lab_folder_close(folder, file, why);
}

// A figure and what it shows.
typedef struct drawing {
    const lab_figure *figure;
    const void *context;
} drawing;

// The figure is twice as large in PNG.
static void put_script(FILE *file, const void *context)
{
    const drawing *drawing = context;
    const char *name = drawing->figure->name;
    const int width = drawing->figure->width, height = drawing->figure->height;
    fprintf(file,
            "# Draws %s.svg and %s.png from the data beside this file:  gnuplot %s.gp\n"
            "do for [format in \"svg png\"] {\n"
            "reset\n"
            "if (format eq \"svg\") {\n"
            "  set terminal svg size %d,%d font \"DejaVu Sans,13\" background \"white\"\n"
            "} else {\n"
            "  set terminal pngcairo size %d,%d font \"DejaVu Sans,26\" fontscale 1 linewidth 2\n"
            "}\n"
            "set output \"%s.\".format\n"
            "set datafile separator \",\"\n"
            "set border 3 linecolor rgb \"#444444\"\n"
            "set tics nomirror out\n"
            "set grid linetype 1 linecolor rgb \"#e2e2e2\" linewidth 0.5\n"
            "set linetype 8 linecolor rgb \"#8c8c8c\" linewidth 1.2\n"
            "set linetype 9 linecolor rgb \"#000000\" linewidth 1.2 dashtype 2\n"
            "set linetype 10 linecolor rgb \"#dcdcdc\" linewidth 1\n",
            name, name, name, width, height, 2 * width, 2 * height, name);
    for (int i = 0; i < COLOURS * DASHES; i++)
        fprintf(file, "set linetype %d linecolor rgb \"%s\" linewidth 2 dashtype %s\n",
                lab_gnuplot_linetype(i), colours[i % COLOURS], dashes[i / COLOURS]);
    drawing->figure->script(file, drawing->context);
    fputs("unset output\n}\n", file);
}

// ---- pictures --------------------------------------------------------------------------------

// Running it to find out would cost as much as drawing.
bool lab_has_gnuplot(void)
{
    return lab_has_program("gnuplot");
}

void lab_gnuplot_say(FILE *to, const char *folder, const char *name)
{
    if (lab_has_gnuplot())
        fprintf(to, "  figure:  %s/%s.png (and .svg)\n", folder, name);
    else
        fprintf(to,
                "  figure:  not drawn, as gnuplot is not installed (Debian: gnuplot-nox); to draw "
                "it later: gnuplot %s.gp\n",
                name);
}

// Whether a picture's file ends correctly: gnuplot does not always report a full disk.
static bool ends_with(const char *path, const char *ending, size_t length)
{
    char tail[16] = {0};
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    const bool read =
        fseek(file, -(long)sizeof tail, SEEK_END) == 0 && fread(tail, 1, sizeof tail, file) > 0;
    fclose(file);
    for (size_t i = 0; read && i + length <= sizeof tail; i++)
        if (memcmp(tail + i, ending, length) == 0)
            return true;
    return false;
}

static lab_outcome take_picture(lab_folder *folder, const char *name, const char *format,
                                const char *ending, const lab_child_end *end, lab_why *why)
{
    char file[128];
    snprintf(file, sizeof file, "%s.%s", name, format);
    char *path = lab_folder_path(folder, file);
    const bool whole = path && ends_with(path, ending, strlen(ending));
    free(path);
    if (end->code != 0 || !whole)
        return lab_fail(why, "%s/%s: gnuplot could not draw it: %s", folder->path, file,
                        *end->complaint ? end->complaint : "the picture is incomplete");
    return lab_folder_adopt(folder, file, why);
}

// Writes the data and scripts of some figures. Then one process runs all scripts in the work
// folder; each must write its pictures completely.
static lab_outcome draw_together(lab_folder *folder, const lab_figure *const *figures, int count,
                                 const void *context, bool can_draw, lab_why *why)
{
    char scripts[TOGETHER][64];
    const char *arguments[TOGETHER + 2] = {"gnuplot"};
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < count; i++) {
        const drawing drawing = {figures[i], context};
        char data[64];
        snprintf(data, sizeof data, "%s.csv", figures[i]->name);
        snprintf(scripts[i], sizeof scripts[i], "%s.gp", figures[i]->name);
        arguments[1 + i] = scripts[i];
        if (figures[i]->data)
            outcome = lab_put_file(folder, data, figures[i]->data, context, why);
        if (outcome == LAB_DONE)
            outcome = lab_put_file(folder, scripts[i], put_script, &drawing, why);
    }
    if (outcome != LAB_DONE || !can_draw)
        return outcome;
    const lab_child_end end = lab_child_run(folder->work, arguments);
    for (int i = 0; outcome == LAB_DONE && i < count; i++) {
        outcome = take_picture(folder, figures[i]->name, "svg", "</svg>", &end, why);
        if (outcome == LAB_DONE)
            outcome = take_picture(folder, figures[i]->name, "png", "IEND", &end, why);
    }
    return outcome;
}

lab_outcome lab_gnuplot_figure(lab_folder *folder, const lab_figure *figure, const void *context,
                               bool can_draw, lab_why *why)
{
    return draw_together(folder, &figure, 1, context, can_draw, why);
}

lab_outcome lab_gnuplot_pair(lab_folder *folder, const lab_figure *first, const lab_figure *second,
                             const void *context, bool can_draw, lab_why *why)
{
    const lab_figure *const figures[TOGETHER] = {first, second};
    return draw_together(folder, figures, TOGETHER, context, can_draw, why);
}
