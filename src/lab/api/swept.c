// SPDX-License-Identifier: Apache-2.0
// swept: what became of a program's sweep.
#include "api/sweep.h"

static bool has_axis(const cfpc_sweep *sweep, int axis)
{
    return sweep && axis >= 0 && axis < sweep->grid.count;
}

// The point of this number, if it is finished; else NULL.
static const lab_point *swept_point_of(const cfpc_sweep *sweep, size_t point)
{
    return sweep && point < (size_t)sweep->sweep.points && sweep->sweep.point[point].finished
               ? &sweep->sweep.point[point]
               : NULL;
}

size_t cfpc_sweep_points(const cfpc_sweep *sweep)
{
    return sweep ? (size_t)sweep->grid.points : 0;
}

const char *cfpc_sweep_name(const cfpc_sweep *sweep)
{
    return sweep ? sweep->experiment.spec.name : NULL;
}

const char *cfpc_sweep_key(const cfpc_sweep *sweep, int axis)
{
    return has_axis(sweep, axis) ? sweep->grid.axes[axis].key : NULL;
}

const char *cfpc_sweep_value(const cfpc_sweep *sweep, int axis, size_t point)
{
    if (!has_axis(sweep, axis) || point >= cfpc_sweep_points(sweep))
        return NULL;
    return sweep->grid.axes[axis].texts[lab_grid_index(&sweep->grid, axis, (int)point)];
}

const double *cfpc_sweep_numbers(const cfpc_sweep *sweep, int axis, size_t *count)
{
    if (count)
        *count = has_axis(sweep, axis) ? (size_t)sweep->grid.axes[axis].count : 0;
    return has_axis(sweep, axis) ? sweep->grid.axes[axis].numbers : NULL;
}

const char *cfpc_sweep_status(const cfpc_sweep *sweep, size_t point)
{
    const lab_point *of = swept_point_of(sweep, point);
    return of ? lab_point_status(of) : NULL;
}

const char *cfpc_sweep_says(const cfpc_sweep *sweep, size_t point)
{
    const lab_point *of = swept_point_of(sweep, point);
    return of ? of->why : NULL;
}

bool cfpc_sweep_column(const cfpc_sweep *sweep, int i, cfpc_array *column)
{
    if (!sweep || !column || i < 0 || i >= sweep->swept.columns || !sweep->swept.values)
        return false;
    *column = (cfpc_array){.name = sweep->swept.names[i],
                           .unit = lab_unit(sweep->swept.names[i]),
                           .values = lab_swept_column(&sweep->swept, i),
                           .rank = 1,
                           .shape = {cfpc_sweep_points(sweep)}};
    return true;
}
