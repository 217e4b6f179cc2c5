// SPDX-License-Identifier: Apache-2.0
// spec_check: checks that involve more than one field of a spec.
#ifndef CFPC_LAB_SPEC_CHECK_H
#define CFPC_LAB_SPEC_CHECK_H

#include "spec/spec.h"

lab_outcome lab_spec_check(const lab_spec *spec, lab_why *why);

#endif
