// SPDX-License-Identifier: Apache-2.0
// definition: from the definition of a zone to the head of its model.
#ifndef CFPC_ZONE_DEFINITION_H
#define CFPC_ZONE_DEFINITION_H

#include "zone_image.h"

enum { CFPC_ZONE_MAX_STEPS = INT32_MAX / 8 }; // of a block, a lead, a horizon

// CFPC_OK if the definition is valid.
cfpc_status cfpci_zone_def_check(const cfpc_zone_def *def);

// The head of a valid definition's model, without offsets.
cfpc_zone_model cfpci_zone_head(const cfpc_zone_def *def);

// Sets the offsets and the size; false if it is too large for this machine.
bool cfpci_zone_model_place(cfpc_zone_model *head);

#endif
