// SPDX-License-Identifier: Apache-2.0
// The measures of a zone: of all of it, of a way to teach it, of another size, and of coupled
// loops.
#include <stdlib.h>

#include "run/measure_rows.h"

static const lab_zone *zone_of(const lab_measured_at *at)
{
    return &at->record->zone;
}

// ---- all of it -------------------------------------------------------------------------------

static bool has_cells(const lab_measured_at *at)
{
    return zone_of(at)->joints.count == 0;
}

static double zone_block(const lab_measured_at *at)
{
    return zone_of(at)->block_steps;
}

static double zone_stepwise(const lab_measured_at *at)
{
    return zone_of(at)->stepwise;
}

static double zone_common_fails_ms(const lab_measured_at *at)
{
    return zone_of(at)->common_fails_ms;
}

// ---- a way -----------------------------------------------------------------------------------

static const lab_zone_result *way_of(const lab_measured_at *at)
{
    return &zone_of(at)->way[at->way];
}

static double way_best(const lab_measured_at *at)
{
    return way_of(at)->end.best;
}

static double way_median(const lab_measured_at *at)
{
    return way_of(at)->end.median;
}

static double way_worst(const lab_measured_at *at)
{
    return way_of(at)->end.worst;
}

static double way_failed(const lab_measured_at *at)
{
    return way_of(at)->failed;
}

// The largest of all cells.
static double way_ratio(const lab_measured_at *at)
{
    double most = 0;
    for (int p = 0; p < zone_of(at)->cells; p++) {
        const double ratio = way_of(at)->last[p] / zone_of(at)->optimum[p];
        most = isnan(ratio) || ratio > most ? ratio : most;
    }
    return most;
}

static double way_averaged(const lab_measured_at *at)
{
    return way_of(at)->averaged;
}

static bool is_noisy(const lab_measured_at *at)
{
    return at->way == LAB_ZONE_SHARED || at->way == LAB_ZONE_PRIVATE;
}

// ---- another size ----------------------------------------------------------------------------

static double size_best(const lab_measured_at *at)
{
    return at->zone_size->end.best;
}

static double size_median(const lab_measured_at *at)
{
    return at->zone_size->end.median;
}

static double size_worst(const lab_measured_at *at)
{
    return at->zone_size->end.worst;
}

// ---- coupled loops ---------------------------------------------------------------------------

static const lab_joint_score *score_of(const lab_measured_at *at)
{
    return &zone_of(at)->joints.joint[at->joint].score[at->joint_rule];
}

static double joint_last(const lab_measured_at *at)
{
    return score_of(at)->rrmse_last;
}

static double joint_lowest(const lab_measured_at *at)
{
    return score_of(at)->rrmse_lowest;
}

static double joint_rate(const lab_measured_at *at)
{
    return score_of(at)->rate_fraction;
}

static double joint_slowest(const lab_measured_at *at)
{
    return score_of(at)->slowest;
}

static double joint_definite(const lab_measured_at *at)
{
    return score_of(at)->definite;
}

const lab_measure_row lab_zone_measures[] = {
    {LAB_OF_ZONE, "block_steps", zone_block, has_cells,
     "steps after which the weights change: the shortest dead time, unless the spec says another"},
    {LAB_OF_ZONE, "stepwise", zone_stepwise, has_cells,
     "largest relative change of a cell's last rRMSE if the weights change at every step instead"},
    {LAB_OF_ZONE, "common_fails_ms", zone_common_fails_ms, has_cells,
     "smallest distance of a loop's delay from that of the common forward model at which its cell "
     "ends worse than without one; null: none does"},
    {LAB_OF_WAY, "best", way_best, lab_always, "lowest rRMSE of all cells at the last trial"},
    {LAB_OF_WAY, "median", way_median, lab_always, "median of it"},
    {LAB_OF_WAY, "worst", way_worst, lab_always, "highest"},
    {LAB_OF_WAY, "failed", way_failed, lab_always,
     "fraction of the cells that end worse than without a cell"},
    {LAB_OF_WAY, "ratio_worst", way_ratio, lab_always,
     "highest rRMSE of the last trial divided by that of the cell's optimum; null if there are "
     "more synapses than steps"},
    {LAB_OF_WAY, "averaged", way_averaged, is_noisy,
     "rms of what the noise adds to the mean output of all cells, divided by the rms of what it "
     "adds to the output of each"},
    {LAB_OF_ZONE_SIZE, "best", size_best, lab_always, "of so many: lowest rRMSE of all cells"},
    {LAB_OF_ZONE_SIZE, "median", size_median, lab_always, "median of it"},
    {LAB_OF_ZONE_SIZE, "worst", size_worst, lab_always, "highest"},
    {LAB_OF_JOINT, "rrmse_last", joint_last, lab_always,
     "rRMSE of both errors together at the last trial, at the best rate that was tried"},
    {LAB_OF_JOINT, "rrmse_lowest", joint_lowest, lab_always, "the lowest of all trials"},
    {LAB_OF_JOINT, "rate_fraction", joint_rate, lab_always, "that rate, as a fraction of 1/‖ZᵀH‖"},
    {LAB_OF_JOINT, "slowest", joint_slowest, lab_always,
     "smallest real part of the eigenvalues of ZᵀH, divided by ‖ZᵀH‖: below 0 learning diverges "
     "at every rate"},
    {LAB_OF_JOINT, "definite", joint_definite, lab_always,
     "smallest eigenvalue of the symmetric part of ZᵀH, divided by ‖ZᵀH‖: below 0 there are "
     "weights that learning moves away from the optimum"},
    {0}};
