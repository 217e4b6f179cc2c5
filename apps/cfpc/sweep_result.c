// SPDX-License-Identifier: Apache-2.0
#include "sweep_result.h"

#include "draw/gnuplot.h"
#include "draw/sweep_figure.h"
#include "progress.h"
#include "sweep_report.h"
#include "write/sweep_results.h"

void app_sweep_free(app_sweep *sweep)
{
    lab_swept_free(&sweep->swept);
    lab_origin_free(&sweep->origin);
    lab_sweep_clear(&sweep->of);
}

// ---- writing ---------------------------------------------------------------------------------

// A sweep without any result fails with the reason of its first point.
static lab_outcome check_any_done(const lab_sweep *sweep, lab_why *why)
{
    if (lab_sweep_count(sweep, LAB_DONE) > 0)
        return LAB_DONE;
    const bool failed = lab_sweep_count(sweep, LAB_FAILED) > 0;
    const lab_point *first = sweep->point;
    while (failed && first->outcome != LAB_FAILED)
        first++;
    return failed ? lab_fail(why, "none of the %d points could be run; one reason: %s",
                             sweep->points, first->why)
                  : lab_refuse(why, "none of the %d points can be run; the first: %s",
                               sweep->points, first->why);
}

// The spec that every point starts from, and the files that the points read.
static lab_outcome keep_origin(app_sweep *sweep, lab_why *why)
{
    lab_outcome outcome = lab_origin_make(&sweep->origin, &sweep->of.experiment.spec, why);
    for (int i = 0; outcome == LAB_DONE && i < sweep->of.grid.count; i++)
        outcome = lab_origin_add(&sweep->origin, &sweep->of.grid.axes[i].settings, why);
    sweep->swept.origin = &sweep->origin;
    return outcome;
}

static lab_outcome sweep_result_write_all(const app_sweep *sweep, lab_folder *folder, bool figures,
                                          lab_why *why)
{
    lab_outcome outcome = lab_write_origin(folder, &sweep->origin, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_sweep_table(folder, &sweep->swept, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_sweep_hdf5(folder, &sweep->swept, why);
    if (outcome == LAB_DONE && figures)
        outcome = lab_draw_sweep(folder, &sweep->swept, lab_has_gnuplot(), why);
    if (outcome == LAB_DONE && app_stopped())
        outcome = lab_fail(why, "stopped; the same command resumes from there");
    return outcome;
}

static lab_outcome sweep_result_leave_result(const app_sweep *sweep, const app_line *line,
                                             const char *path, bool force, lab_why *why)
{
    const bool figures = !app_value(line, "--no-figures");
    lab_folder folder;
    lab_outcome outcome = lab_folder_begin(&folder, path, force, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = sweep_result_write_all(sweep, &folder, figures, why);
    if (outcome != LAB_DONE) {
        lab_folder_abandon(&folder);
        return outcome;
    }
    outcome = lab_folder_commit(&folder, why);
    if (outcome == LAB_DONE && !app_value(line, "--quiet"))
        app_report_sweep(&sweep->swept, path, figures);
    return outcome;
}

// ---- how it ended ----------------------------------------------------------------------------

// Failed points are rows of the result, but stay in their journal, to be retried.
static lab_outcome check_none_failed(const lab_sweep *sweep, const char *again, lab_why *why)
{
    const int failed = lab_sweep_count(sweep, LAB_FAILED);
    const lab_point *first = sweep->point;
    while (failed > 0 && first->outcome != LAB_FAILED)
        first++;
    return failed == 0 ? LAB_DONE
                       : lab_fail(why, "%d of %d points failed; the first: %s; %s", failed,
                                  sweep->points, first->why, again);
}

// Points that diverged are results, unless there is nothing else.
static lab_outcome check_not_all_diverged(const lab_sweep *sweep, lab_why *why)
{
    const int done = lab_sweep_count(sweep, LAB_DONE);
    const lab_point *first = sweep->point;
    if (lab_sweep_count_diverged(sweep) < done)
        return LAB_DONE;
    while (!lab_point_diverged(first))
        first++;
    return done == 1 ? lab_fail(why, "the only point that could be run diverged: %s", first->why)
                     : lab_fail(why, "all %d points that could be run diverged; the first: %s",
                                done, first->why);
}

lab_outcome app_sweep_leave(app_sweep *swept, const app_line *line, const char *path, bool force,
                            const char *again, app_left *left, lab_why *why)
{
    const lab_sweep *sweep = &swept->of.sweep;
    *left = APP_LEFT_NOTHING;
    lab_outcome outcome = check_any_done(sweep, why);
    if (outcome != LAB_DONE)
        return outcome;
    *left = APP_LEFT_PARTLY;
    outcome = lab_swept_make(&swept->swept, sweep, swept->measure, why);
    if (outcome == LAB_DONE)
        outcome = keep_origin(swept, why);
    if (outcome == LAB_DONE)
        outcome = sweep_result_leave_result(swept, line, path, force, why);
    if (outcome == LAB_DONE)
        outcome = check_none_failed(sweep, again, why);
    if (outcome != LAB_DONE)
        return outcome;
    *left = APP_LEFT_ALL;
    return check_not_all_diverged(sweep, why);
}
