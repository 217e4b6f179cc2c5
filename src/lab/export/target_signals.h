// SPDX-License-Identifier: Apache-2.0
// target_signals: the signals that drive the banks of a target. They are the arguments of the
// function that acts; each has a C name of its own.
#ifndef CFPC_LAB_TARGET_SIGNALS_H
#define CFPC_LAB_TARGET_SIGNALS_H

#include "export/target.h"

// The index of a signal of which input, source and ahead are given; a new one where no bank has it.
// There must be room for it.
int lab_target_signal_of(lab_target *target, lab_target_signal wanted);

// Lists the signals as C declares and as C calls them; false if memory runs out.
bool lab_target_list_signals(lab_target *target);

#endif
