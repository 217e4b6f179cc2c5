// SPDX-License-Identifier: Apache-2.0
// cell_parts: what a step and a block of steps have in common.
#ifndef CFPC_CORE_CELL_PARTS_H
#define CFPC_CORE_CELL_PARTS_H

#include "cfpc/cell.h"
#include "data_image.h"
#include "numbers.h"

// ---- cell parts ------------------------------------------------------------------------------

// What a step and a block of steps have in common.

// The factor on o this number of steps after the next one. The value at which a fade ends is exact.
static inline cfpc_real cfpci_fade_after(const cfpc_data *data, int32_t steps)
{
    const int32_t left = data->fade_left - steps;
    const cfpc_real end = data->fade_step > 0 ? 1 : 0;
    return steps == 0 ? data->fade : left > 0 ? end - (cfpc_real)left * data->fade_step : end;
}

// η times the factor that the guard has left of it.
static inline cfpc_real cfpci_rate_left(const cfpc_data *data)
{
    return data->rate * data->guard.rate_share;
}

// The index after this one, or some more, in a ring of last + 1 entries.
static inline int32_t cfpci_ring_after(int32_t index, int32_t more, int32_t last)
{
    return index + more <= last ? index + more : index + more - last - 1;
}

// The teaching signal: e (rectified: max(e, 0)) minus κ o[n - delay], for the step `ahead` steps
// after the last one. The oldest entry of the ring is the one that the step after it overwrites.
static inline cfpc_real cfpci_taught(const cfpc_model *model, cfpc_data *data, cfpc_real e,
                                     int32_t ahead)
{
    if (model->rectified && e < 0)
        e = 0;
    if (model->inhibition == 0)
        return e;
    const int32_t at = cfpci_ring_after(data->olive_head, ahead + 1, model->inhibition_delay);
    return e - model->inhibition * cfpci_data_array(data, data->olive_at)[at];
}

// Ends the acting half of a step: returns the faded o and advances clock, fade and the ring of o.
cfpc_real cfpci_put_out(const cfpc_model *model, cfpc_data *data, cfpc_real o);

// ---- update ----------------------------------------------------------------------------------

// When a cell may learn, and how its weights change; the same for traces and for the
// adjoint form.

// Whether the cell may learn in this step: not while it is frozen or faded, nor if the guard
// forbids it.
static inline bool cfpci_learns(const cfpc_data *data)
{
    return !(data->flags & CFPC_FLAG_FROZEN) && data->share >= 1 &&
           cfpci_guard_lets_learn(&data->guard);
}

// A teaching signal that is not finite: sets the flag and tells the guard.
void cfpci_refuse(const cfpc_model *model, cfpc_data *data);

static inline bool cfpci_is_usable(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    if (cfpci_is_finite(e))
        return true;
    cfpci_refuse(model, data);
    return false;
}

// w ← (1 - leak) w + v with v = μ v + Σ aᵢ dᵢ: the part before the new directions are added.
// Returns the array to add them to.
cfpc_real *cfpci_begin_update(const cfpc_model *model, cfpc_data *data, cfpc_real leak);

// The part after that, in two: w += v, if there is momentum, and the bounds; or both.
void cfpci_add_change(const cfpc_model *model, cfpc_data *data);
void cfpci_apply_bounds(const cfpc_model *model, cfpc_data *data);
void cfpci_end_update(const cfpc_model *model, cfpc_data *data);

#endif
