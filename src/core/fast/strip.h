// SPDX-License-Identifier: Apache-2.0
// strip: one tile of synapses through the steps of a sweep, trace and rule together. There is a
// plain way for every trace, and a fast one (modes.h) for traces made of real modes.
#ifndef CFPC_FAST_STRIP_H
#define CFPC_FAST_STRIP_H

#include "strip_types.h"

// Looks whether the trace is made of modes.
void cfpci_run_recognise(cfpci_run *run);

// The best way this processor has.
void cfpci_strip_run(const cfpci_run *run, const cfpci_strip *strip);

// The fast way by vectors of 16, 32 or 64 bytes; which of them this processor has.
typedef enum cfpci_strip_way {
    CFPC_STRIP_NARROW,
    CFPC_STRIP_WIDE,
    CFPC_STRIP_WIDEST,
    CFPC_STRIP_WAYS
} cfpci_strip_way;

bool cfpci_strip_has(cfpci_strip_way way);
void cfpci_strip_run_by(cfpci_strip_way way, const cfpci_run *run, const cfpci_strip *strip);

// The plain way.
void cfpci_strip_run_plain(const cfpci_run *run, const cfpci_strip *strip);

#endif
