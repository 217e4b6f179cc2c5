// SPDX-License-Identifier: Apache-2.0
#include "draw/gnuplot.h"

#include <stdlib.h>
#include <string.h>

#include "base/child.h"

// Colours of Okabe and Ito, distinguishable for colour-blind readers and in print. After the last
// they repeat, dashed.
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73",
                                      "#cc79a7", "#e69f00", "#56b4e9"};
static const char *const dashes[] = {"solid", "\"-\"", "\".\""};

enum { COLOURS = sizeof colours / sizeof colours[0], DASHES = sizeof dashes / sizeof dashes[0] };

// The figure is twice as large in PNG.
static void gnuplot_begin(FILE *script, const lab_figure *figure)
{
    const char *name = figure->name;
    const int width = figure->width, height = figure->height;
    fprintf(script,
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
        fprintf(script, "set linetype %d linecolor rgb \"%s\" linewidth 2 dashtype %s\n",
                lab_gnuplot_linetype(i), colours[i % COLOURS], dashes[i / COLOURS]);
}

int lab_gnuplot_linetype(int index)
{
    return index % COLOURS + 1 + 10 * (index / COLOURS % DASHES);
}

static void end_script(FILE *script)
{
    fputs("unset output\n}\n", script);
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

// Running it to find out would cost as much as drawing.
bool lab_has_gnuplot(void)
{
    return lab_has_program("gnuplot");
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

static lab_outcome take_pictures(lab_folder *folder, const char *name, const lab_child_end *end,
                                 lab_why *why)
{
    const lab_outcome outcome = take_picture(folder, name, "svg", "</svg>", end, why);
    return outcome == LAB_DONE ? take_picture(folder, name, "png", "IEND", end, why) : outcome;
}

// Runs NAME.gp in the work folder; it must write NAME.svg and NAME.png completely.
static lab_outcome gnuplot_draw(lab_folder *folder, const char *name, lab_why *why)
{
    char script[128];
    snprintf(script, sizeof script, "%s.gp", name);
    const char *const arguments[] = {"gnuplot", script, NULL};
    const lab_child_end end = lab_child_run(folder->work, arguments);
    return take_pictures(folder, name, &end, why);
}

static lab_outcome gnuplot_write_data(lab_folder *folder, const lab_figure *figure,
                                      const void *context, lab_why *why)
{
    char name[64];
    FILE *file;
    snprintf(name, sizeof name, "%s.csv", figure->name);
    lab_outcome outcome = lab_folder_create(folder, name, &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    figure->data(file, context);
    return lab_folder_close(folder, file, why);
}

static lab_outcome gnuplot_write_script(lab_folder *folder, const lab_figure *figure,
                                        const void *context, lab_why *why)
{
    char name[64];
    FILE *file;
    snprintf(name, sizeof name, "%s.gp", figure->name);
    lab_outcome outcome = lab_folder_create(folder, name, &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    gnuplot_begin(file, figure);
    figure->script(file, context);
    end_script(file);
    return lab_folder_close(folder, file, why);
}

static lab_outcome write_figure(lab_folder *folder, const lab_figure *figure, const void *context,
                                lab_why *why)
{
    const lab_outcome outcome =
        figure->data ? gnuplot_write_data(folder, figure, context, why) : LAB_DONE;
    return outcome == LAB_DONE ? gnuplot_write_script(folder, figure, context, why) : outcome;
}

lab_outcome lab_gnuplot_figure(lab_folder *folder, const lab_figure *figure, const void *context,
                               bool can_draw, lab_why *why)
{
    const lab_outcome outcome = write_figure(folder, figure, context, why);
    return outcome == LAB_DONE && can_draw ? gnuplot_draw(folder, figure->name, why) : outcome;
}

lab_outcome lab_gnuplot_pair(lab_folder *folder, const lab_figure *first, const lab_figure *second,
                             const void *context, bool can_draw, lab_why *why)
{
    char scripts[2][128];
    snprintf(scripts[0], sizeof scripts[0], "%s.gp", first->name);
    snprintf(scripts[1], sizeof scripts[1], "%s.gp", second->name);
    lab_outcome outcome = write_figure(folder, first, context, why);
    if (outcome == LAB_DONE)
        outcome = write_figure(folder, second, context, why);
    if (outcome != LAB_DONE || !can_draw)
        return outcome;
    const char *const arguments[] = {"gnuplot", scripts[0], scripts[1], NULL};
    const lab_child_end end = lab_child_run(folder->work, arguments);
    outcome = take_pictures(folder, first->name, &end, why);
    return outcome == LAB_DONE ? take_pictures(folder, second->name, &end, why) : outcome;
}
