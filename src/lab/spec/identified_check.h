// SPDX-License-Identifier: Apache-2.0
// identified_check: the model files that a spec names, and what cannot go with a loop of which only
// the response is known.
#ifndef CFPC_LAB_IDENTIFIED_CHECK_H
#define CFPC_LAB_IDENTIFIED_CHECK_H

#include "spec/spec.h"

// Reads the model files that a spec names into its `models`; those among `known` are copied.
lab_outcome lab_read_models(lab_spec *spec, const lab_model_files *known, lab_why *why);

lab_outcome lab_check_identified(const lab_spec *spec, lab_why *why);

#endif
