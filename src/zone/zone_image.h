// SPDX-License-Identifier: Apache-2.0
// zone_image: the layout of a zone's model, for the driver and for every back end.
#ifndef CFPC_ZONE_IMAGE_H
#define CFPC_ZONE_IMAGE_H

#include "cfpc/zone.h"
#include "core/image.h"

// Taps are stored in layers: layer l holds, for every cell, the l-th of its paths, or zeros with
// error 0. With one path per cell there is one layer. Tap s multiplies the error of s steps ago:
// it is a[M - s], s = 0 ... L + M, without the rate.
struct cfpc_zone_model {
    cfpci_header header;
    int32_t synapses;           // G
    int32_t cells;              // P
    int32_t errors;             // E
    int32_t block_steps;        // B
    int32_t lead;               // L
    int32_t horizon;            // M
    int32_t taps;               // R = L + M + 1
    int32_t layers;             //
    int32_t is_double;          // 0 or 1: weights, taps and rates are float or double
    int32_t past;               // cfpc_past
    int32_t threads;            // maximum
    int32_t unused;             // 0
    double leak;                //
    double weight_low;          //
    double weight_high;         //
    uint64_t error_at;          // int32           (layers x cells): the error that teaches
    uint64_t taps_at;           // float or double (layers x R x cells)
    uint64_t rate_at;           // float or double (cells)
    uint64_t guard_at;          // the model of every guard, or none
    uint64_t guard_model_bytes; // of it
    uint64_t guard_bytes;       // of the data of one guard
};

// Among the flags of a cell, but not shown: its guard has paused it.
#define CFPC_ZONE_PAUSED 0x80000000U
// A cell with one of these learns nothing.
#define CFPC_ZONE_STILL (CFPC_FLAG_FROZEN | CFPC_ZONE_PAUSED)

static inline const void *cfpci_zone_array(const cfpc_zone_model *model, uint64_t at)
{
    return (const char *)model + at;
}

// Rows of the errors that a layer needs: the last R - 1, and those of a block.
static inline size_t cfpci_zone_history_rows(const cfpc_zone_model *model)
{
    return (size_t)model->taps - 1 + (size_t)model->block_steps;
}

#endif
