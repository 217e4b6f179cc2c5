// SPDX-License-Identifier: Apache-2.0
// The measures of a zone: of all of it, of a way to teach it, of another size, and of coupled
// loops.
#include <stdlib.h>

#include "run/measure_rows.h"

static const lab_zone *measures_of_zone_of(const lab_measured_at *at)
{
    return &at->record->zone;
}

// ---- all of it -------------------------------------------------------------------------------

static bool has_cells(const lab_measured_at *at)
{
    return lab_has_cells(measures_of_zone_of(at));
}

static double zone_block(const lab_measured_at *at)
{
    return measures_of_zone_of(at)->block_steps;
}

static double zone_stepwise(const lab_measured_at *at)
{
    return measures_of_zone_of(at)->stepwise;
}

static double zone_common_failed(const lab_measured_at *at)
{
    return measures_of_zone_of(at)->common_failed;
}

static double zone_common_mistaken(const lab_measured_at *at)
{
    return measures_of_zone_of(at)->common_mistaken;
}

// ---- a way -----------------------------------------------------------------------------------

static const lab_zone_result *way_of(const lab_measured_at *at)
{
    return &measures_of_zone_of(at)->way[at->way];
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
    for (int p = 0; p < measures_of_zone_of(at)->cells; p++) {
        const double ratio = way_of(at)->last[p] / measures_of_zone_of(at)->optimum[p];
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

// The first cell has the same loop in a zone of any number of cells.
static double size_apart(const lab_measured_at *at)
{
    return fabs(at->zone_size->first / measures_of_zone_of(at)->way[LAB_ZONE_OWN].last[0] - 1);
}

static bool has_other_cells(const lab_measured_at *at)
{
    return at->zone_size->synapses == measures_of_zone_of(at)->synapses;
}

// ---- coupled loops ---------------------------------------------------------------------------

static const lab_joint_score *score_of(const lab_measured_at *at)
{
    return &measures_of_zone_of(at)->joints.joint[at->joint].score[at->joint_rule];
}

static double joint_last(const lab_measured_at *at)
{
    return score_of(at)->rrmse_last;
}

static bool is_per_zone(const lab_measured_at *at)
{
    return at->joint_rule == LAB_JOINT_PER_ZONE;
}

static bool is_not_full(const lab_measured_at *at)
{
    return at->joint_rule != LAB_JOINT_FULL;
}

// To the full rule at the same coupling.
static double joint_ratio(const lab_measured_at *at)
{
    const lab_joint *joint = &measures_of_zone_of(at)->joints.joint[at->joint];
    return joint->score[at->joint_rule].rrmse_last / joint->score[LAB_JOINT_FULL].rrmse_last;
}

static double joint_rrmse_10(const lab_measured_at *at)
{
    return score_of(at)->rrmse_10;
}

static double joint_failed(const lab_measured_at *at)
{
    return score_of(at)->failed;
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

static double definite_until(const lab_measured_at *at)
{
    return measures_of_zone_of(at)->joints.definite_until;
}

static double diverges_from(const lab_measured_at *at)
{
    return measures_of_zone_of(at)->joints.diverges_from;
}

static double measures_of_zone_fails_from(const lab_measured_at *at)
{
    return measures_of_zone_of(at)->joints.fails_from;
}

static double fails_after_definite(const lab_measured_at *at)
{
    return measures_of_zone_fails_from(at) - definite_until(at);
}

static double fails_before_diverging(const lab_measured_at *at)
{
    return diverges_from(at) - measures_of_zone_fails_from(at);
}

const lab_measure_row lab_zone_measures[] = {
    {LAB_OF_ZONE, "block_steps", zone_block, has_cells,
     "steps after which the weights change: the shortest dead time, unless the spec says another"},
    {LAB_OF_ZONE, "stepwise", zone_stepwise, has_cells,
     "largest relative change of a cell's last rRMSE if the weights change at every step instead"},
    {LAB_OF_ZONE, "common_failed", zone_common_failed, has_cells,
     "fraction of the cells that fail with the common forward model: they end with more than 3 "
     "times the error that their own model leaves"},
    {LAB_OF_ZONE, "common_mistaken", zone_common_mistaken, has_cells,
     "fraction of the cells of which the phase predicts the wrong end: those that fail although "
     "at most 0.01 of what is learned fastest is unlearned where loop and model differ by more "
     "than 90 degrees, and those that do not although more is"},
    {LAB_OF_WAY, "best", way_best, lab_always, "lowest rRMSE of all cells at the last trial"},
    {LAB_OF_WAY, "median", way_median, lab_always, "median of it"},
    {LAB_OF_WAY, "worst", way_worst, lab_always, "highest"},
    {LAB_OF_WAY, "failed", way_failed, lab_always,
     "fraction of the cells that end worse than without a cell"},
    {LAB_OF_WAY, "ratio_worst", way_ratio, lab_always,
     "highest rRMSE of the last trial divided by that of the cell's optimum; null if there are "
     "more than 250 synapses, or than steps"},
    {LAB_OF_WAY, "averaged", way_averaged, is_noisy,
     "rms of what the noise adds to the mean output of all cells, divided by the rms of what it "
     "adds to the output of each"},
    {LAB_OF_ZONE_SIZE, "best", size_best, lab_always,
     "of this many cells: lowest rRMSE of all cells"},
    {LAB_OF_ZONE_SIZE, "median", size_median, lab_always, "median of it"},
    {LAB_OF_ZONE_SIZE, "worst", size_worst, lab_always, "highest"},
    {LAB_OF_ZONE_SIZE, "apart", size_apart, has_other_cells,
     "relative difference of the first cell's rRMSE from that in the zone of the spec: its loop is "
     "the same, and no cell should depend on how many others there are"},
    {LAB_OF_JOINT, "rrmse_last", joint_last, lab_always,
     "rRMSE of both errors together at the last trial, at the best rate that was tried"},
    {LAB_OF_JOINT, "ratio", joint_ratio, is_not_full, "that, divided by the full rule's"},
    {LAB_OF_JOINT, "rrmse_10", joint_rrmse_10, lab_always,
     "the same at trial 10, at the rate that is best then"},
    {LAB_OF_JOINT, "failed", joint_failed, lab_always,
     "fraction of the rates tried at which it ends worse than without cells"},
    {LAB_OF_JOINT, "rate_fraction", joint_rate, lab_always, "that rate, as a fraction of 1/‖ZᵀH‖"},
    {LAB_OF_JOINT, "slowest", joint_slowest, is_per_zone,
     "smallest real part of the eigenvalues of ZᵀH, divided by ‖ZᵀH‖: below 0 learning diverges "
     "at every rate"},
    {LAB_OF_JOINT, "definite", joint_definite, is_per_zone,
     "smallest eigenvalue of the symmetric part of ZᵀH, divided by ‖ZᵀH‖: below 0 there are "
     "weights that learning moves away from the optimum"},
    {LAB_OF_JOINTS, "definite_until", definite_until, lab_always,
     "coupling from which on the symmetric part of ZᵀH of the per-zone rule has a negative "
     "eigenvalue (below -0.001 ‖ZᵀH‖); null: at none of the spec"},
    {LAB_OF_JOINTS, "diverges_from", diverges_from, lab_always,
     "coupling from which on ZᵀH of the per-zone rule has an eigenvalue of negative real part "
     "(likewise)"},
    {LAB_OF_JOINTS, "fails_from", measures_of_zone_fails_from, lab_always,
     "coupling from which on the per-zone rule ends with more than 1.5 times the error of the full "
     "one, each at its best rate, interpolated between couplings; null: at none of the spec"},
    {LAB_OF_JOINTS, "after_definite", fails_after_definite, lab_always,
     "`fails_from` minus `definite_until`"},
    {LAB_OF_JOINTS, "before_diverging", fails_before_diverging, lab_always,
     "`diverges_from` minus `fails_from`"},
    {0}};
