// SPDX-License-Identifier: Apache-2.0
// cell_parts: what a step and a block of steps have in common.
#ifndef CFPC_CORE_CELL_PARTS_H
#define CFPC_CORE_CELL_PARTS_H

#include "cfpc/cell.h"
#include "data_image.h"

// The fade after this one. Within half a step of 0 or 1 it is set to 0 or 1, so that rounding does
// not change the number of steps of a fade.
static inline double cfpci_next_fade(const cfpc_data *data, double fade)
{
    const double next = fade + data->fade_step;
    const double near = (data->fade_step < 0 ? -data->fade_step : data->fade_step) / 2;
    return next > 1 - near ? 1 : next < near ? 0 : next;
}

// η times the factor that the guard has left of it.
static inline cfpc_real cfpci_rate_left(const cfpc_data *data)
{
    return (cfpc_real)data->rate * (cfpc_real)data->guard.rate_share;
}

// The teaching signal: e (rectified: max(e, 0)) minus κ o[n - delay], for the step `ahead` steps
// after the next one. The oldest entry of the ring is the one that the step after it overwrites.
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

// Ends the acting half of a step: returns the faded o and advances clock, fade and the ring of o.
cfpc_real cfpci_put_out(const cfpc_model *model, cfpc_data *data, cfpc_real o);

#endif
