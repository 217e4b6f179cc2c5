// SPDX-License-Identifier: Apache-2.0
#include "sweep/swept.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

void lab_swept_free(lab_swept *swept)
{
    free(swept->names);
    free(swept->values);
    *swept = (lab_swept){0};
}

const double *lab_swept_column(const lab_swept *swept, int column)
{
    return swept->values + (size_t)column * (size_t)swept->sweep->points;
}

// ---- the table -------------------------------------------------------------------------------

// The column of a name, looked for from where it usually is; -1 if there is none.
static int swept_find_column(const lab_swept *swept, const char *name, int usual)
{
    for (int i = 0; i < swept->columns; i++) {
        const int column = (usual + i) % swept->columns;
        if (strcmp(swept->names[column], name) == 0)
            return column;
    }
    return -1;
}

lab_outcome lab_swept_tabulate(lab_swept *swept, const lab_sweep *sweep, lab_why *why)
{
    const size_t points = (size_t)sweep->points;
    *swept = (lab_swept){.sweep = sweep, .half_width = -1, .best = -1};
    // Adds a column for every measure that any point has.
    for (size_t p = 0; p < points; p++) {
        const lab_point *point = &sweep->point[p];
        for (int i = 0; i < point->count; i++) {
            if (swept_find_column(swept, point->measure[i].name, i) >= 0)
                continue;
            const char **names =
                realloc(swept->names, ((size_t)swept->columns + 1) * sizeof *names);
            if (!names)
                return lab_no_memory(why, NULL);
            swept->names = names;
            swept->names[swept->columns++] = point->measure[i].name;
        }
    }
    // Fills it.
    const size_t count = (size_t)swept->columns * points;
    swept->values = malloc((count + 1) * sizeof *swept->values);
    if (!swept->values)
        return lab_no_memory(why, NULL);
    for (size_t i = 0; i < count; i++)
        swept->values[i] = NAN;
    for (size_t p = 0; p < points; p++) {
        const lab_point *point = &sweep->point[p];
        for (int i = 0; i < point->count; i++) {
            const int column = swept_find_column(swept, point->measure[i].name, i);
            swept->values[(size_t)column * points + p] = point->measure[i].value;
        }
    }
    return LAB_DONE;
}

lab_outcome lab_swept_make(lab_swept *swept, const lab_sweep *sweep, const char *measure,
                           lab_why *why)
{
    const lab_outcome outcome = lab_swept_tabulate(swept, sweep, why);
    if (outcome != LAB_DONE)
        return outcome;
    swept->drawn = swept_find_column(swept, measure, 0);
    if (swept->drawn < 0)
        return lab_refuse(why, "no point has a measure '%.60s'; %s", measure,
                          lab_hint_among(measure, swept->names, swept->columns).text);
    char half_width[LAB_MEASURE_NAME + sizeof LAB_HALF_WIDTH];
    snprintf(half_width, sizeof half_width, "%s" LAB_HALF_WIDTH, swept->names[swept->drawn]);
    swept->half_width = swept_find_column(swept, half_width, swept->drawn);
    // Where it is lowest.
    const double *values = lab_swept_column(swept, swept->drawn);
    for (int i = 0; i < sweep->points; i++)
        if (isfinite(values[i]) && (swept->best < 0 || values[i] < values[swept->best]))
            swept->best = i;
    return LAB_DONE;
}
