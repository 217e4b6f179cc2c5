// SPDX-License-Identifier: Apache-2.0
// gnuplot: runs a figure's script. The only file that names the program.
#ifndef CFPC_LAB_GNUPLOT_H
#define CFPC_LAB_GNUPLOT_H

#include "base/folder.h"

// Whether gnuplot can be found.
bool lab_has_gnuplot(void);

// The linetype of the first, second, … of several lines, from 0: 18 that differ in colour or dash.
// Besides these there are 8 (grey), 9 (black, thin, dashed) and 10 (light grey, for areas).
int lab_gnuplot_linetype(int index);

// Any text as a quoted string of a script.
void lab_gnuplot_text(FILE *script, const char *text);

// Axes of learning curves between two rRMSEs. They are logarithmic, so that a diverging rule does
// not flatten the others.
void lab_gnuplot_learning(FILE *script, double low, double high);

// A figure: NAME.gp draws NAME.svg and NAME.png. Its script is run once per format, within `do for
// [format in "svg png"] { … }`, after terminal, colours and lines are set.
typedef struct lab_figure {
    const char *name;
    int width, height;                               // in points
    void (*data)(FILE *file, const void *context);   // NAME.csv; NULL: the data are in other files
    void (*script)(FILE *file, const void *context); // the plot commands of NAME.gp
} lab_figure;

// Writes a figure's data and script, and its pictures if gnuplot is available.
lab_outcome lab_gnuplot_figure(lab_folder *folder, const lab_figure *figure, const void *context,
                               bool can_draw, lab_why *why);

// The same for two figures in one gnuplot process: for a small figure most of the time is its
// start.
lab_outcome lab_gnuplot_pair(lab_folder *folder, const lab_figure *first, const lab_figure *second,
                             const void *context, bool can_draw, lab_why *why);

#endif
