// SPDX-License-Identifier: Apache-2.0
// spec_check: what no single field of a spec can tell.
#ifndef CFPC_LAB_SPEC_CHECK_H
#define CFPC_LAB_SPEC_CHECK_H

#include "spec/spec.h"

lab_outcome lab_spec_check(const lab_spec *spec, lab_why *why);

#endif
