// SPDX-License-Identifier: Apache-2.0
// gnuplot: writes a figure's data and script, and runs it. The only file that names the program.
#ifndef CFPC_LAB_GNUPLOT_H
#define CFPC_LAB_GNUPLOT_H

#include "base/folder.h"

// Whether gnuplot can be found.
bool lab_has_gnuplot(void);

// Says where the figure of a folder is, or that it was not drawn.
void lab_gnuplot_say(FILE *to, const char *folder, const char *name);

// The linetype of the first, second, … of several lines, from 0: 18 that differ in colour or dash.
// Besides these there are 8 (grey), 9 (black, thin, dashed) and 10 (light grey, for areas).
int lab_gnuplot_linetype(int index);

// Any text as a quoted string of a script.
void lab_gnuplot_text(FILE *script, const char *text);

// The step of an axis with about this many: 1, 2 or 5 times a power of ten.
double lab_gnuplot_tics(double range, double steps);

// Axes of learning curves between two rRMSEs. They are logarithmic, so that a diverging rule does
// not flatten the others.
void lab_gnuplot_learning(FILE *script, double low, double high);

// Widens the range of a logarithmic axis by a value, if it can show it.
void lab_gnuplot_widen(double *low, double *high, double value);

// Puts what it is about into a file.
typedef void lab_put(FILE *file, const void *context);

// Puts a comma and a number; lab_put_known nothing but the comma where it is NaN.
void lab_put_number(FILE *file, double value);
void lab_put_known(FILE *file, double value);

// Writes one file of the result.
lab_outcome lab_put_file(lab_folder *folder, const char *name, lab_put *put, const void *context,
                         lab_why *why);

// A figure: NAME.gp draws NAME.svg and NAME.png. Its script is run once per format, within `do for
// [format in "svg png"] { … }`, after terminal, colours and lines are set.
typedef struct lab_figure {
    const char *name;
    int width, height; // in points
    lab_put *data;     // NAME.csv; NULL: the data are in other files
    lab_put *script;   // the plot commands of NAME.gp
} lab_figure;

// Writes a figure's data and script, and its pictures if gnuplot is available.
lab_outcome lab_gnuplot_figure(lab_folder *folder, const lab_figure *figure, const void *context,
                               bool can_draw, lab_why *why);

// The same for two figures in one gnuplot process: for a small figure most of the time is its
// start.
lab_outcome lab_gnuplot_pair(lab_folder *folder, const lab_figure *first, const lab_figure *second,
                             const void *context, bool can_draw, lab_why *why);

#endif
