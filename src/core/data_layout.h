// SPDX-License-Identifier: Apache-2.0
// data_layout: the head of the data of a model at rest. It is computed once, for the model's image:
// making data on the target is a copy.
#ifndef CFPC_CORE_DATA_LAYOUT_H
#define CFPC_CORE_DATA_LAYOUT_H

#include "data_image.h"

// Writes the heads of data and of its banks, for the traces and for the guard's response (zeroed if
// there is none); false if they are too large for this machine.
bool cfpci_data_layout(const cfpc_model *model, cfpc_data *data, cfpc_bank banks[2]);

#endif
