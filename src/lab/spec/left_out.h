// SPDX-License-Identifier: Apache-2.0
// left_out: leaves out the rules of a spec that cannot learn on line, when one that can is asked
// for by its name.
#ifndef CFPC_LAB_LEFT_OUT_H
#define CFPC_LAB_LEFT_OUT_H

#include "spec/settings.h"

// Adds a setting that leaves out the preconditioned rules of a spec file, all but the one of this
// name, if the spec with these settings learns on line; or else nothing.
lab_outcome lab_leave_out(lab_settings *settings, const char *file, const char *rule, lab_why *why);

#endif
