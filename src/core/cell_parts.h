// SPDX-License-Identifier: Apache-2.0
// cell_parts: what a step and a block of steps do alike.
#ifndef CFPC_CORE_CELL_PARTS_H
#define CFPC_CORE_CELL_PARTS_H

#include "cfpc/cell.h"
#include "data_image.h"

// The share of o after this one. Within half a step of an end it is there: so many steps are so
// many, whatever the rounding.
static inline double cfpci_next_fade(const cfpc_data *data, double fade)
{
    const double next = fade + data->fade_step;
    const double near = (data->fade_step < 0 ? -data->fade_step : data->fade_step) / 2;
    return next > 1 - near ? 1 : next < near ? 0 : next;
}

// η, less what the guard took.
static inline cfpc_real cfpci_rate_left(const cfpc_rule *rule, const cfpc_data *data)
{
    return rule->rate * (cfpc_real)data->guard.rate_share;
}

// What teaches: e, or 0 where it is below and rectified, less κ o[n - delay], for the step that is
// `ahead` of the one that comes next. The place that the step after it overwrites is the oldest.
static inline cfpc_real cfpci_taught(const cfpc_rule *rule, cfpc_data *data, cfpc_real e,
                                     int32_t ahead)
{
    if (rule->rectified && e < 0)
        e = 0;
    if (rule->inhibition == 0)
        return e;
    const int64_t at = (data->clock + ahead + 1) % ((int64_t)rule->inhibition_delay_steps + 1);
    return e - rule->inhibition * cfpci_data_array(data, data->olive_at)[at];
}

// Ends the acting half of a step: o as it leaves the cell; clock, fade and olive move on.
cfpc_real cfpci_put_out(const cfpc_model *model, cfpc_data *data, cfpc_real o);

#endif
