// SPDX-License-Identifier: Apache-2.0
// zone_memory: whether the zones of a spec fit into the memory of the machine.
#ifndef CFPC_LAB_ZONE_MEMORY_H
#define CFPC_LAB_ZONE_MEMORY_H

#include "spec/spec.h"

// Refuses numbers of cells and synapses that do not fit, with what would; and an arm with more
// synapses per cell than can be analysed.
lab_outcome lab_zone_check_memory(const lab_spec *spec, int synapses, lab_why *why);

#endif
