// SPDX-License-Identifier: Apache-2.0
// feeds: what a pass reads.
#ifndef CFPC_FAST_FEEDS_H
#define CFPC_FAST_FEEDS_H

#include "pass_state.h"

// Sets x, now and of M steps earlier, from step `done` of the block on, which is this step of the
// trial.
void cfpci_set_feeds(cfpci_pass *pass, const cfpc_source *source, int32_t done, int64_t step);

// Steps until rows of the table begin or end, the first of them at this step; at most `most`.
int64_t cfpci_until_border(const cfpci_pass *pass, const cfpci_feed *feed, int64_t step,
                           int64_t most);

#endif
