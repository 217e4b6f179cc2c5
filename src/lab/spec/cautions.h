// SPDX-License-Identifier: Apache-2.0
// cautions: what a person should know of a spec besides its results: banks of which nothing happens
// within a trial, so that their weights learn nothing, and models that failed the tests they were
// identified with. What is computed of such a model holds for the model; of the machine it says
// little.
#ifndef CFPC_LAB_CAUTIONS_H
#define CFPC_LAB_CAUTIONS_H

#include "spec/spec.h"

// Whether all signals of a bank lie after the trial, the first such bank in one sentence; otherwise
// "". A bank whose cue is switched off is silent on purpose.
bool lab_has_idle_bank(const lab_spec *spec, lab_why *caution);

// Whether a model that a spec names failed a test of its own, the first of them in one sentence;
// otherwise "". Figures that its file leaves out are not tested.
bool lab_is_doubtful(const lab_spec *spec, lab_why *doubt);

#endif
