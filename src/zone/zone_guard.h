// SPDX-License-Identifier: Apache-2.0
// zone_guard: the guards of a zone's cells at work.
#ifndef CFPC_ZONE_GUARD_H
#define CFPC_ZONE_GUARD_H

#include "data_layout.h"

// Whether any cell is frozen or paused; and clears flags of a cell that a user may clear.
bool cfpci_zone_any_still(const cfpc_zone_model *model, cfpc_zone_data *data);
void cfpci_zone_guard_clear_flags(const cfpc_zone_model *model, cfpc_zone_data *data, int32_t cell,
                                  uint32_t flags);

// All of these do nothing for a zone without a guard.
void cfpci_zone_guard_reset(const cfpc_zone_model *model, cfpc_zone_data *data);

// D of cells that learn at a smaller rate.
void cfpci_zone_guard_slow(const cfpc_zone_model *model, cfpc_zone_data *data, int32_t steps);

// A block has ended: judges it, pauses cells and acts.
void cfpci_zone_guard_watch(const cfpc_zone_model *model, cfpc_zone_data *data,
                            const cfpc_real *errors, int32_t steps, const cfpc_real *outputs);
void cfpci_zone_guard_end_trial(const cfpc_zone_model *model, cfpc_zone_data *data);

// The output of a cell was not finite. Whether a guard has acted.
bool cfpci_zone_guard_not_finite(const cfpc_zone_model *model, cfpc_zone_data *data, int32_t cell);

#endif
