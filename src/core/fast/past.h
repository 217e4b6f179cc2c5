// SPDX-License-Identifier: Apache-2.0
// past: runs neighbouring synapses of a cell in adjoint form through the steps of a pass. There is
// a plain kernel, and a fast one (past_kernel.h) for whole tiles.
#ifndef CFPC_FAST_PAST_H
#define CFPC_FAST_PAST_H

#include "past_types.h"
#include "strip.h"

// Runs the best kernel for this processor.
void cfpci_past_run_strip(const cfpci_past_run *run, const cfpci_past_strip *strip);

// The fast kernels, which leave a partial tile to the plain one; and the plain kernel.
void cfpci_past_run_by(cfpci_strip_way way, const cfpci_past_run *run,
                       const cfpci_past_strip *strip);
void cfpci_past_run_plain(const cfpci_past_run *run, const cfpci_past_strip *strip);

#endif
