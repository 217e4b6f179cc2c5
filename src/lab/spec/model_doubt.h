// SPDX-License-Identifier: Apache-2.0
// model_doubt: models that failed the tests they were identified with. What is computed of such a
// model holds for the model; of the machine it says little.
#ifndef CFPC_LAB_MODEL_DOUBT_H
#define CFPC_LAB_MODEL_DOUBT_H

#include "spec/spec.h"

// Whether a model failed a test of its own, and which: "the input explains …". Figures that its
// file leaves out are not tested.
bool lab_model_fails(const lab_model_file *model, lab_why *test);

// Whether a model that a spec names did, the first of them in one sentence; otherwise "".
bool lab_is_doubtful(const lab_spec *spec, lab_why *doubt);

#endif
