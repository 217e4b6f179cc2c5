// SPDX-License-Identifier: Apache-2.0
// story_panel: what a panel of a story shows, as lines over one axis, taken from a finished run.
#ifndef CFPC_LAB_STORY_PANEL_H
#define CFPC_LAB_STORY_PANEL_H

#include "write/results.h"

enum {
    LAB_LONGEST_TITLE = 160, // bytes of a key's entry
    LAB_GREY = 8,            // linetypes of gnuplot.c
    LAB_BLACK = 9,
    LAB_LIGHT = 10
};

// How a line is drawn.
typedef struct lab_pen {
    int linetype; // of gnuplot.c
    int dash;     // dashtype; 0: the linetype's own
    int point;    // pointtype; 0: none
    bool area;    // filled down to zero
} lab_pen;

// A line of a panel, or a bar.
typedef struct lab_line {
    lab_pen pen;
    char title[LAB_LONGEST_TITLE];  // in the key
    char column[LAB_LONGEST_TITLE]; // in the data
} lab_line;

// A name above the axes.
typedef struct lab_above {
    double at, from, to; // its centre and its limits, on the horizontal axis
    int linetype;        // gives its colour
    char text[64];
} lab_above;

// The position of a panel in points, from the page's lower left.
typedef struct lab_frame {
    double edge, end;   // of the panel, left and right
    double left, right; // of the axes
    double roof;        // the panel's upper end
    double top;         // that of the axes
} lab_frame;

typedef struct lab_panel {
    const lab_panel_spec *spec;
    double first, step; // of the horizontal axis: in s, or trials; of bars their number
    int rows;           // values per line
    int count;          // of lines
    int keys;           // entries of the key: the lines, and at most one thing more that is drawn
    lab_line *line;     // (count + 1)
    double *values;     // (count x rows)
    double low, high;   // of the values' axis
    int names;          // above the axes
    lab_above *name;    // (names)
    double margin;      // least space left of the axes, in points
    lab_frame frame;
} lab_panel;

// Free it in either case.
lab_outcome lab_panel_make(lab_panel *panel, const lab_panel_spec *spec, const lab_result *result,
                           lab_why *why);
void lab_panel_free(lab_panel *panel);

// The end of the horizontal axis.
double lab_panel_last(const lab_panel *panel);

// The panel's data as CSV.
void lab_panel_data(FILE *file, const lab_panel *panel);

#endif
