// SPDX-License-Identifier: Apache-2.0
// identified: model files as systems.
#ifndef CFPC_LAB_IDENTIFIED_H
#define CFPC_LAB_IDENTIFIED_H

#include "cfpc/system.h"
#include "spec/model_file.h"

// From input to output: T.
cfpc_status lab_identified_system(cfpc_system *sys, const lab_model_file *model);

// The open path L = T/(1 - T), which a loop closes to T. CFPC_ALGEBRAIC_LOOP if the output reacts
// to the input within the same step.
cfpc_status lab_identified_open_path(cfpc_system *sys, const lab_model_file *model);

#endif
