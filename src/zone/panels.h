// SPDX-License-Identifier: Apache-2.0
// panels: the inputs of a block, panel by panel, in the zone's precision.
#ifndef CFPC_ZONE_PANELS_H
#define CFPC_ZONE_PANELS_H

#include "data_layout.h"
#include "numbers.h"

// Some neighbouring inputs for the steps of a block.
typedef struct cfpci_piece {
    const void *x;    // NULL: all zero
    ptrdiff_t stride; // numbers from one step to the next
} cfpci_piece;

// What is read: inputs `first` to first + count - 1, at most a panel, for `steps` steps from step
// `done` of the source on.
typedef struct cfpci_window {
    const cfpc_source *source;
    int32_t done;
    int32_t steps;
    int32_t first;
    int32_t count;
    int32_t width; // inputs of the source
    int32_t panel; // inputs of a row of the scratch memory
} cfpci_window;

// CFPC_OK if a source is valid for a block of this many steps; past_only: only its past is read.
cfpc_status cfpci_zone_source_check(const cfpc_zone_model *model, const cfpc_source *source,
                                    int32_t steps, bool past_only);

// Reads a panel into the scratch memory (steps x panel) or finds it in the source.
cfpci_piece cfpci_panel_read(const cfpci_window *window, const cfpci_numbers *numbers,
                             void *scratch);

// Stores the inputs of a panel, from step `clock` on; and copies those of `steps` steps from step
// `from` on, at least 0, to the scratch memory.
void cfpci_panel_keep(const cfpc_zone_model *model, cfpc_zone_data *data,
                      const cfpci_window *window, const cfpci_piece *piece);
cfpci_piece cfpci_panel_kept(const cfpc_zone_model *model, cfpc_zone_data *data,
                             const cfpci_window *window, int64_t from, void *scratch);

// The same panel with inputs that are not finite as 0, copied only if there are any; the scratch
// memory may be that of the panel.
cfpci_piece cfpci_panel_finite(const cfpci_window *window, const cfpci_numbers *numbers,
                               const cfpci_piece *piece, void *scratch);

#endif
