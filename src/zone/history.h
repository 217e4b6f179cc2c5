// SPDX-License-Identifier: Apache-2.0
// history: the errors that still teach, and what the cells' filters make of them.
#ifndef CFPC_ZONE_HISTORY_H
#define CFPC_ZONE_HISTORY_H

#include "data_layout.h"

// Drops what a cell has still to learn.
void cfpci_zone_drop_due(const cfpc_zone_model *model, cfpc_zone_data *data, int32_t cell);

// Freezes a cell, sets more flags, and drops what it has still to learn.
void cfpci_zone_freeze_cell(const cfpc_zone_model *model, cfpc_zone_data *data, int32_t cell,
                            uint32_t flags);

// Takes the errors of a block (steps x errors; NULL: zeros) and computes D. keep: what a step's
// leak leaves of a weight. Returns whether D may differ from 0.
bool cfpci_zone_filter(const cfpc_zone_model *model, cfpc_zone_data *data, const cfpc_real *errors,
                       int32_t steps, double keep);

// After the block: its errors become the past.
void cfpci_zone_history_move(const cfpc_zone_model *model, cfpc_zone_data *data, int32_t steps);

// Forgets all errors.
void cfpci_zone_history_clear(const cfpc_zone_model *model, cfpc_zone_data *data);

#endif
