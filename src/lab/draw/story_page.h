// SPDX-License-Identifier: Apache-2.0
// story_page: the positions of the panels of a story on the page, and what is around their axes:
// letter, title, key, names above the axes. All lengths are in points.
#ifndef CFPC_LAB_STORY_PAGE_H
#define CFPC_LAB_STORY_PAGE_H

#include <stdbool.h>
#include <stdio.h>

enum { LAB_LONGEST_TITLE = 160 }; // bytes of a key's entry

// How a line is drawn.
typedef struct lab_pen {
    int linetype; // of gnuplot.c
    int dash;     // dashtype; 0: the linetype's own
    int point;    // pointtype; 0: none
    bool area;    // filled down to zero
} lab_pen;

// An entry of a key.
typedef struct lab_key_entry {
    lab_pen pen;
    char title[LAB_LONGEST_TITLE]; // "": it has no entry
} lab_key_entry;

// A name above the axes.
typedef struct lab_above {
    double at, from, to; // its centre and its limits, on the horizontal axis
    int linetype;        // gives its colour; 0: grey
    char text[LAB_LONGEST_TITLE];
} lab_above;

// What a panel needs on the page.
typedef struct lab_asks {
    bool wide;            // it takes a whole row
    bool above;           // there are names above its axes
    double left;          // space left of the axes; 0: default
    int entries;          // of its key
    lab_key_entry *entry; // (entries)
} lab_asks;

// The position of a panel, from the page's lower left.
typedef struct lab_frame {
    double left, right, bottom, top; // of the axes
    double edge, end;                // of the panel, left and right
    double title, key;               // height of its title, and of the first row of its key
} lab_frame;

typedef struct lab_page {
    double width, height;
} lab_page;

// Approximate width of a text in DejaVu Sans of this size.
double lab_text_width(const char *text, double size);

// Places the panels (frames has room for them): rows of `columns`, axes aligned within a row.
lab_page lab_page_make(lab_frame *frames, const lab_asks *asks, int panels, int columns);

// Defines the fonts, at the start of the script.
void lab_page_fonts(FILE *script);

// Starts a panel: resets the settings of the previous one; sets margins, letter, title and key.
void lab_page_panel(FILE *script, const lab_page *page, const lab_frame *frame, char letter,
                    const char *title, const lab_asks *asks);

// The labels of the axes: below and, rotated, to the left.
void lab_page_labels(FILE *script, const lab_page *page, const lab_frame *frame, const char *below,
                     const char *left);

// Names above the axes, which range from `low` to `high`: in their order, without overlap.
void lab_page_above(FILE *script, const lab_page *page, const lab_frame *frame, double low,
                    double high, int count, const lab_above *names);

// Linetype, dash etc., as options of a plot command.
void lab_put_pen(FILE *script, const lab_pen *pen);

#endif
