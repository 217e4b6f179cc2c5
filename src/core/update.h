// SPDX-License-Identifier: Apache-2.0
// update: when a cell may learn, and how its weights change; the same for traces and for the
// adjoint form.
#ifndef CFPC_CORE_UPDATE_H
#define CFPC_CORE_UPDATE_H

#include "data_image.h"
#include "finite.h"

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
