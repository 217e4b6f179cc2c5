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

// ---- a way -----------------------------------------------------------------------------------

// The largest of all cells.
static double way_ratio(const lab_measured_at *at)
{
    const lab_zone *zone = measures_of_zone_of(at);
    double most = 0;
    for (int p = 0; p < zone->cells; p++) {
        const double ratio = zone->way[at->way].last[p] / zone->optimum[p];
        most = isnan(ratio) || ratio > most ? ratio : most;
    }
    return most;
}

static bool is_noisy(const lab_measured_at *at)
{
    return at->way == LAB_ZONE_SHARED || at->way == LAB_ZONE_PRIVATE;
}

// ---- another size ----------------------------------------------------------------------------

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

static double fails_after_definite(const lab_measured_at *at)
{
    const lab_joints *joints = &measures_of_zone_of(at)->joints;
    return joints->fails_from - joints->definite_until;
}

static double fails_before_diverging(const lab_measured_at *at)
{
    const lab_joints *joints = &measures_of_zone_of(at)->joints;
    return joints->diverges_from - joints->fails_from;
}

const lab_measure_row lab_zone_measures[] = {
    {LAB_OF_ZONE, "block_steps", LAB_FIELD(lab_zone, block_steps), has_cells,
     "steps after which the weights change: the shortest dead time, unless the spec says another"},
    {LAB_OF_ZONE, "stepwise", LAB_FIELD(lab_zone, stepwise), has_cells,
     "largest relative change of a cell's last rRMSE if the weights change at every step instead"},
    {LAB_OF_ZONE, "common_failed", LAB_FIELD(lab_zone, common_failed), has_cells,
     "fraction of the cells that fail with the common forward model: they end with more than 3 "
     "times the error that their own model leaves"},
    {LAB_OF_ZONE, "common_mistaken", LAB_FIELD(lab_zone, common_mistaken), has_cells,
     "fraction of the cells of which the phase predicts the wrong end: those that fail although "
     "at most 0.01 of what is learned fastest is unlearned where loop and model differ by more "
     "than 90 degrees, and those that do not although more is"},
    {LAB_OF_WAY, "best", LAB_FIELD(lab_zone_result, end.best), lab_always,
     "lowest rRMSE of all cells at the last trial"},
    {LAB_OF_WAY, "median", LAB_FIELD(lab_zone_result, end.median), lab_always, "median of it"},
    {LAB_OF_WAY, "worst", LAB_FIELD(lab_zone_result, end.worst), lab_always, "highest"},
    {LAB_OF_WAY, "failed", LAB_FIELD(lab_zone_result, failed), lab_always,
     "fraction of the cells that end worse than without a cell"},
    {LAB_OF_WAY, "ratio_worst", LAB_VALUE(way_ratio), lab_always,
     "highest rRMSE of the last trial divided by that of the cell's optimum; null if there are "
     "more than 250 synapses, or than steps"},
    {LAB_OF_WAY, "averaged", LAB_FIELD(lab_zone_result, averaged), is_noisy,
     "rms of what the noise adds to the mean output of all cells, divided by the rms of what it "
     "adds to the output of each"},
    {LAB_OF_ZONE_SIZE, "best", LAB_FIELD(lab_zone_size, end.best), lab_always,
     "of this many cells: lowest rRMSE of all cells"},
    {LAB_OF_ZONE_SIZE, "median", LAB_FIELD(lab_zone_size, end.median), lab_always, "median of it"},
    {LAB_OF_ZONE_SIZE, "worst", LAB_FIELD(lab_zone_size, end.worst), lab_always, "highest"},
    {LAB_OF_ZONE_SIZE, "apart", LAB_VALUE(size_apart), has_other_cells,
     "relative difference of the first cell's rRMSE from that in the zone of the spec: its loop is "
     "the same, and no cell should depend on how many others there are"},
    {LAB_OF_JOINT, "rrmse_last", LAB_FIELD(lab_joint_score, rrmse_last), lab_always,
     "rRMSE of both errors together at the last trial, at the best rate that was tried"},
    {LAB_OF_JOINT, "ratio", LAB_VALUE(joint_ratio), is_not_full,
     "that, divided by the full rule's"},
    {LAB_OF_JOINT, "rrmse_10", LAB_FIELD(lab_joint_score, rrmse_10), lab_always,
     "the same at trial 10, at the rate that is best then"},
    {LAB_OF_JOINT, "failed", LAB_FIELD(lab_joint_score, failed), lab_always,
     "fraction of the rates tried at which it ends worse than without cells"},
    {LAB_OF_JOINT, "rate_fraction", LAB_FIELD(lab_joint_score, rate_fraction), lab_always,
     "that rate, as a fraction of 1/‖ZᵀH‖"},
    {LAB_OF_JOINT, "slowest", LAB_FIELD(lab_joint_score, slowest), is_per_zone,
     "smallest real part of the eigenvalues of ZᵀH, divided by ‖ZᵀH‖: below 0 learning diverges "
     "at every rate"},
    {LAB_OF_JOINT, "definite", LAB_FIELD(lab_joint_score, definite), is_per_zone,
     "smallest eigenvalue of the symmetric part of ZᵀH, divided by ‖ZᵀH‖: below 0 there are "
     "weights that learning moves away from the optimum"},
    {LAB_OF_JOINTS, "definite_until", LAB_FIELD(lab_joints, definite_until), lab_always,
     "coupling from which on the symmetric part of ZᵀH of the per-zone rule has a negative "
     "eigenvalue (below -0.001 ‖ZᵀH‖); null: at none of the spec"},
    {LAB_OF_JOINTS, "diverges_from", LAB_FIELD(lab_joints, diverges_from), lab_always,
     "coupling from which on ZᵀH of the per-zone rule has an eigenvalue of negative real part "
     "(likewise)"},
    {LAB_OF_JOINTS, "fails_from", LAB_FIELD(lab_joints, fails_from), lab_always,
     "coupling from which on the per-zone rule ends with more than 1.5 times the error of the full "
     "one, each at its best rate, interpolated between couplings; null: at none of the spec"},
    {LAB_OF_JOINTS, "after_definite", LAB_VALUE(fails_after_definite), lab_always,
     "`fails_from` minus `definite_until`"},
    {LAB_OF_JOINTS, "before_diverging", LAB_VALUE(fails_before_diverging), lab_always,
     "`diverges_from` minus `fails_from`"},
    {0}};
