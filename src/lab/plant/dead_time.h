// SPDX-License-Identifier: Apache-2.0
// dead_time: how long what the cell puts out stays without consequence for the cell.
#ifndef CFPC_LAB_DEAD_TIME_H
#define CFPC_LAB_DEAD_TIME_H

#include "cfpc/system.h"
#include "spec/spec.h"

// The step at which o can be felt first: by what teaches, the olive included, or by a basis that
// hears the loop.
cfpc_status lab_dead_time(int32_t *dead_time, const lab_spec *spec, const cfpc_system *closed);

#endif
