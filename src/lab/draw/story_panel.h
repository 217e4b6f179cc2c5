// SPDX-License-Identifier: Apache-2.0
// story_panel: what a panel of a story shows, as lines over one axis, taken from a finished run,
// and where it is on the page. story.c draws them.
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
    double first, last, step; // of the horizontal axis: in s, or trials; of bars their number
    int rows;                 // values per line
    int count;                // of lines
    int keys;          // entries of the key: the lines, and at most one thing more that is drawn
    lab_line *line;    // (count + 1)
    double *values;    // (count x rows)
    double low, high;  // of the values' axis
    int names;         // above the axes
    lab_above *name;   // (names)
    int bands;         // stretches in which the plant is pushed
    double (*band)[2]; // from where to where                                      (bands)
    double margin;     // least space left of the axes, in points
    lab_frame frame;
} lab_panel;

// Takes what the panel shows from a run. The arena owns the arrays.
lab_outcome lab_panel_make(lab_panel *panel, lab_arena *arena, const lab_panel_spec *spec,
                           const lab_result *result, lab_why *why);

// Puts the data of a lab_panel as CSV.
void lab_panel_data(FILE *file, const void *panel);

// All lengths are in points.
typedef struct lab_page {
    double width, height;
} lab_page;

// Sets the frames of the panels: two per row, or a wide one; axes aligned within a row.
lab_page lab_page_make(lab_panel *panels, int count);

#endif
