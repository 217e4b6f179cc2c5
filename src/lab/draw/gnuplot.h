// SPDX-License-Identifier: Apache-2.0
// gnuplot: runs a figure's script. The only place that names the program.
#ifndef CFPC_LAB_GNUPLOT_H
#define CFPC_LAB_GNUPLOT_H

#include "base/folder.h"

// Whether gnuplot can be found.
bool lab_has_gnuplot(void);

// Runs NAME.gp in the work folder; it must leave NAME.svg and NAME.png, both whole.
lab_outcome lab_gnuplot(lab_folder *folder, const char *name, lab_why *why);

// The linetype of the first, second, … of several lines, from 0: 18 that differ in colour or dash.
// Besides these there are 8 (grey), 9 (black, thin, dashed) and 10 (light grey, for areas).
int lab_gnuplot_linetype(int index);

// Any text as a string of a script: nothing in it is taken for a command.
void lab_gnuplot_text(FILE *script, const char *text);

// Axes of learning curves between two rRMSEs. They are logarithmic: a rule that diverges does not
// press the others flat.
void lab_gnuplot_learning(FILE *script, double low, double high);

// A figure: NAME.gp draws NAME.svg and NAME.png. Its script is run once a format, within
// `do for [format in "svg png"] { … }`, after terminal, colours and lines are set.
typedef struct lab_figure {
    const char *name;
    int width, height;                               // in points
    void (*data)(FILE *file, const void *context);   // NAME.csv; NULL: other files have it
    void (*script)(FILE *file, const void *context); // the plot commands of NAME.gp
} lab_figure;

// Leaves a figure's data and script, and its pictures if it can draw.
lab_outcome lab_gnuplot_figure(lab_folder *folder, const lab_figure *figure, const void *context,
                               bool can_draw, lab_why *why);

// The same for two, which one gnuplot draws: most of what a small figure costs is its start.
lab_outcome lab_gnuplot_pair(lab_folder *folder, const lab_figure *first, const lab_figure *second,
                             const void *context, bool can_draw, lab_why *why);

#endif
