// SPDX-License-Identifier: Apache-2.0
// story_page: the positions of the panels of a story on the page, and what is around their axes:
// letter, title, key, names above the axes. All lengths are in points.
#ifndef CFPC_LAB_STORY_PAGE_H
#define CFPC_LAB_STORY_PAGE_H

#include "draw/story_panel.h"

typedef struct lab_page {
    double width, height;
} lab_page;

// Approximate width of a text in DejaVu Sans of this size.
double lab_text_width(const char *text, double size);

// Sets the frames of the panels: two per row, or a wide one; axes aligned within a row.
lab_page lab_page_make(lab_panel *panels, int count);

// Defines the fonts, at the start of the script.
void lab_page_fonts(FILE *script);

// Starts a panel: resets the settings of the previous one; sets margins, letter, title and key.
void lab_page_panel(FILE *script, const lab_page *page, const lab_panel *panel, char letter);

// The labels of the axes: below and, rotated, to the left.
void lab_page_labels(FILE *script, const lab_page *page, const lab_frame *frame, const char *below,
                     const char *left);

// The names above the axes: in their order, without overlap.
void lab_page_above(FILE *script, const lab_page *page, const lab_panel *panel);

// Linetype and dash, as options of a plot command.
void lab_put_pen(FILE *script, const lab_pen *pen);

#endif
