// SPDX-License-Identifier: Apache-2.0
// grid: the values that a sweep goes through, as `loop.delay_ms=20:100:9` or `enters=a,b`, and all
// their combinations.
#ifndef CFPC_LAB_GRID_H
#define CFPC_LAB_GRID_H

#include "spec/kinds.h"
#include "spec/settings.h"

// A key and the values it takes.
typedef struct lab_axis {
    char *key;             // as loop.delay_ms
    int count;             // of values
    char **texts;          // how they are written          (count)
    double *numbers;       // NULL if one is no number      (count)
    lab_settings settings; // how they are set              (count)
} lab_axis;

typedef struct lab_grid {
    int points;     // all combinations
    int count;      // of axes
    lab_axis *axes; // the first varies slowest             (count)
} lab_grid;

// Adds an axis: KEY=FROM:TO:COUNT, linear with both ends, or KEY=a,b,c. A comma or a colon within
// brackets or quotes is part of a value, which is YAML.
lab_outcome lab_grid_add(lab_grid *grid, const char *text, lab_why *why);

// Adds an axis of a key and the entries of a list, whatever characters they have. The list is
// copied.
lab_outcome lab_grid_add_list(lab_grid *grid, const char *key, const lab_node *list, lab_why *why);
void lab_grid_free(lab_grid *grid);

// Index of the axis's value at a point.
int lab_grid_index(const lab_grid *grid, int axis, int point);

// Unit of a key, by its ending: "ms", "s", "1/s", "Hz" or "1".
const char *lab_key_unit(const char *key);

#endif
