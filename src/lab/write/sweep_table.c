// SPDX-License-Identifier: Apache-2.0
// sweep_table: sweep.csv, one row per point.
#include "base/number.h"
#include "base/quoted.h"
#include "write/sweep_results.h"

static void sweep_table_put_names(FILE *file, const lab_swept *swept)
{
    const lab_grid *grid = swept->sweep->grid;
    for (int i = 0; i < grid->count; i++) {
        lab_put_field(file, grid->axes[i].key);
        fputc(',', file);
    }
    fputs("status,why", file);
    for (int i = 0; i < swept->columns; i++)
        fprintf(file, ",%s", swept->names[i]);
    fputc('\n', file);
}

static void put_point(FILE *file, const lab_swept *swept, int p)
{
    const lab_grid *grid = swept->sweep->grid;
    const lab_point *point = &swept->sweep->point[p];
    for (int i = 0; i < grid->count; i++) {
        lab_put_field(file, grid->axes[i].texts[lab_grid_index(grid, i, p)]);
        fputc(',', file);
    }
    fprintf(file, "%s,", lab_point_status(point));
    lab_put_quoted(file, point->why);
    for (int i = 0; i < swept->columns; i++)
        fprintf(file, ",%s", lab_number(lab_swept_column(swept, i)[p]).text);
    fputc('\n', file);
}

lab_outcome lab_write_sweep_table(lab_folder *folder, const lab_swept *swept, lab_why *why)
{
    FILE *file;
    lab_outcome outcome = lab_folder_create(folder, "sweep.csv", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    sweep_table_put_names(file, swept);
    for (int p = 0; p < swept->sweep->points; p++)
        put_point(file, swept, p);
    return lab_folder_close(folder, file, why);
}
