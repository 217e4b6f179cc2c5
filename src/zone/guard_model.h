// SPDX-License-Identifier: Apache-2.0
// guard_model: the guards of a zone's cells (cfpc/model.h). Each is that of a single cell, without
// its weights: the data of a model with one synapse, which is part of the zone's model.
#ifndef CFPC_ZONE_GUARD_MODEL_H
#define CFPC_ZONE_GUARD_MODEL_H

#include "zone_image.h"

// The bytes of the model of a guard, and of the data of one; 0: it is off, or not valid.
typedef struct cfpci_zone_guard_bytes {
    uint64_t model, data;
} cfpci_zone_guard_bytes;

cfpci_zone_guard_bytes cfpci_zone_guard_bytes_of(const cfpc_guard *guard);
cfpc_status cfpci_zone_guard_check(const cfpc_guard *guard);

// Writes the model of a definition that is valid.
void cfpci_zone_guard_write(cfpc_zone_model *model, const cfpc_guard *guard);

// Only if there is a guard.
static inline const cfpc_model *cfpci_zone_guard_model(const cfpc_zone_model *model)
{
    return (const cfpc_model *)cfpci_zone_array(model, model->guard_at);
}

#endif
