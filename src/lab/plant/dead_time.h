// SPDX-License-Identifier: Apache-2.0
// dead_time: how long the cell's output has no effect on what the cell learns from or receives.
#ifndef CFPC_LAB_DEAD_TIME_H
#define CFPC_LAB_DEAD_TIME_H

#include "cfpc/system.h"
#include "spec/spec.h"

// The first step at which o has an effect: on what teaches, the olive included, or on a basis that
// is driven by the loop.
cfpc_status lab_dead_time(int32_t *dead_time, const lab_spec *spec, const cfpc_system *from_o);

#endif
