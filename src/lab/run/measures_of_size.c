// SPDX-License-Identifier: Apache-2.0
// The measures of a size of `scale`.
#include "run/measure_rows.h"

static const lab_scale_point *measures_of_size_of(const lab_measured_at *at)
{
    return &at->record->scale[at->size];
}

static double size_rrmse_last(const lab_measured_at *at)
{
    return measures_of_size_of(at)->rrmse[at->record->scale_trials - 1];
}

static double size_diverged_at_trial(const lab_measured_at *at)
{
    return lab_trial_of(measures_of_size_of(at)->diverged_at);
}

static double rate_x_synapses(const lab_measured_at *at)
{
    return measures_of_size_of(at)->rate * measures_of_size_of(at)->synapses;
}

static double bytes_per_synapse(const lab_measured_at *at)
{
    return measures_of_size_of(at)->bytes / measures_of_size_of(at)->synapses;
}

const lab_measure_row lab_size_measures[] = {
    {LAB_OF_SIZE, "rrmse_last", LAB_VALUE(size_rrmse_last), lab_always, "rRMSE at the last trial"},
    {LAB_OF_SIZE, "diverged_at_trial", LAB_VALUE(size_diverged_at_trial), lab_always,
     "the trial in which it diverged"},
    {LAB_OF_SIZE, "rate", LAB_FIELD(lab_scale_point, rate), lab_always, "η"},
    {LAB_OF_SIZE, "rate_x_synapses", LAB_VALUE(rate_x_synapses), lab_always,
     "η times the number of synapses"},
    {LAB_OF_SIZE, "bytes_per_synapse", LAB_VALUE(bytes_per_synapse), lab_always,
     "memory of the cell per synapse"},
    {0}};
