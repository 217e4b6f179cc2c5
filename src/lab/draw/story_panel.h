// SPDX-License-Identifier: Apache-2.0
// story_panel: what a panel of a story shows, as lines over one axis, taken from a finished run.
#ifndef CFPC_LAB_STORY_PANEL_H
#define CFPC_LAB_STORY_PANEL_H

#include "draw/story_page.h"
#include "write/results.h"

// A line of a panel.
typedef struct lab_line {
    lab_pen pen;
    char title[LAB_LONGEST_TITLE];  // in the key; "": none
    char column[LAB_LONGEST_TITLE]; // in the data
    bool is_band;                   // from this column to the next, which is no line of its own
    bool is_hidden;                 // only data
} lab_line;

typedef struct lab_panel {
    const lab_panel_spec *spec;
    double first, step; // of the horizontal axis: in s, or trials; of bars their number
    int rows;           // values per line
    int count;          // of lines
    lab_line *line;     // (count)
    double *values;     // (rows x count)
    double low, high;   // of the values' axis
    int names;          // above the axes
    lab_above *name;    // (names)
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
