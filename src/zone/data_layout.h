// SPDX-License-Identifier: Apache-2.0
// data_layout: the layout of a zone's data.
#ifndef CFPC_ZONE_DATA_LAYOUT_H
#define CFPC_ZONE_DATA_LAYOUT_H

#include "zone_image.h"

// Inputs that are read and multiplied together; the last panel may have fewer.
enum { CFPC_ZONE_PANEL = 256 };

// Numbers are of the zone's precision.
struct cfpc_zone_data {
    cfpci_header header;
    uint64_t model_identity; // of the model this data belongs to
    int64_t clock;           // steps since the trial began
    int32_t live;            // steps after which nothing is due: all errors in the history are 0
    int32_t rows;            // of the inputs that are kept: M + B, or 0
    uint64_t flags_at;       // uint32, CFPC_FLAG_... or'ed            (cells)
    uint64_t guard_at;       // the data of every guard, or none       (cells)
    uint64_t weight_at;      // W, numbers                             (synapses x cells)
    uint64_t history_at;     // errors that teach each cell, the last R - 1 and then the block's,
                             // numbers                      (layers x (R - 1 + B) x cells)
    uint64_t delta_at;       // D, numbers                             (B x cells)
    uint64_t part_at;        // outputs of each chunk, numbers         (chunks x B x cells)
    uint64_t scratch_at;     // x of a panel, now and M steps ago, numbers
                             //                              (threads x 2 x B x panel)
    uint64_t past_at;        // the inputs of the last steps, numbers: panel by panel (rows x its
                             // inputs), step n in row n mod rows      (rows x synapses)
};

// No gaps: all bytes of an image are defined.
_Static_assert(sizeof(struct cfpc_zone_data) ==
                   sizeof(cfpci_header) + 10 * sizeof(uint64_t) + 2 * sizeof(int32_t),
               "the zone's data has a gap");

// The head of the data of a model, of which only the sizes are read; false if it is too large for
// this machine.
bool cfpci_zone_data_place(const cfpc_zone_model *model, cfpc_zone_data *data);

static inline void *cfpci_zone_data_array(cfpc_zone_data *data, uint64_t at)
{
    return (char *)data + at;
}

static inline uint32_t *cfpci_zone_cell_flags(cfpc_zone_data *data)
{
    return cfpci_zone_data_array(data, data->flags_at);
}

// Inputs of the largest panel.
static inline int32_t cfpci_zone_panel(const cfpc_zone_model *model)
{
    return model->synapses < CFPC_ZONE_PANEL ? model->synapses : CFPC_ZONE_PANEL;
}

#endif
