// SPDX-License-Identifier: Apache-2.0
// strip: runs one tile of synapses through the steps of a pass, trace and rule together. There is
// a plain kernel for every trace and a fast one (modes.h) for traces that consist of real modes.
#ifndef CFPC_FAST_STRIP_H
#define CFPC_FAST_STRIP_H

#include "strip_types.h"

// Finds out whether the trace consists of real modes, and which.
void cfpci_run_recognise(cfpci_run *run);

// Runs the best kernel for this processor.
void cfpci_strip_run(const cfpci_run *run, const cfpci_strip *strip);

// The fast kernels: vectors of 16, 32 or 64 bytes.
typedef enum cfpci_strip_way {
    CFPC_STRIP_NARROW,
    CFPC_STRIP_WIDE,
    CFPC_STRIP_WIDEST,
    CFPC_STRIP_WAYS
} cfpci_strip_way;

bool cfpci_strip_has(cfpci_strip_way way);
cfpci_strip_way cfpci_strip_best(void); // for this processor
void cfpci_strip_run_by(cfpci_strip_way way, const cfpci_run *run, const cfpci_strip *strip);

// The plain kernel.
void cfpci_strip_run_plain(const cfpci_run *run, const cfpci_strip *strip);

#endif
