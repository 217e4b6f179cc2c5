// SPDX-License-Identifier: Apache-2.0
// gnuplot: runs a figure's script. The only place that names the program.
#ifndef CFPC_LAB_GNUPLOT_H
#define CFPC_LAB_GNUPLOT_H

#include "folder.h"

// Whether gnuplot can be found.
bool lab_has_gnuplot(void);

// Runs NAME.gp in the work folder; it must leave NAME.svg and NAME.png, both whole.
lab_outcome lab_gnuplot(lab_folder *folder, const char *name, lab_why *why);

// What every script begins with: terminals, colours and lines. Each figure is drawn once a format,
// within `do for [format in "svg png"] { … }`.
void lab_gnuplot_begin(FILE *script, const char *name, int width, int height);
void lab_gnuplot_end(FILE *script);

#endif
