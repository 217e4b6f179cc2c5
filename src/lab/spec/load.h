// SPDX-License-Identifier: Apache-2.0
// load: a spec from a spec file: read, with settings put into it, checked, and freed again.
#ifndef CFPC_LAB_LOAD_H
#define CFPC_LAB_LOAD_H

#include "spec/spec.h"

// Reads and checks a spec file, with settings (or NULL) put into it. Free it in either case.
lab_outcome lab_spec_load(lab_spec *spec, const char *file, const lab_settings *settings,
                          lab_why *why);
lab_outcome lab_spec_parse(lab_spec *spec, const char *file, const char *text,
                           const lab_settings *settings, lab_why *why);

// A spec again, with these settings instead of its own. Free it in either case.
lab_outcome lab_spec_again(lab_spec *again, const lab_spec *spec, const lab_settings *settings,
                           lab_why *why);
void lab_spec_free(lab_spec *spec);

// The spec as it is for its main rule in one of its phases; free it in either case.
lab_outcome lab_spec_phase(lab_spec *in_phase, const lab_spec *spec, int phase, lab_why *why);

#endif
