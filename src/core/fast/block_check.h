// SPDX-License-Identifier: Apache-2.0
// block_check: what a block may be.
#ifndef CFPC_FAST_BLOCK_CHECK_H
#define CFPC_FAST_BLOCK_CHECK_H

#include "cfpc/blocks.h"

// CFPC_OK if a block of this length can run.
cfpc_status cfpci_block_check(const cfpc_model *model, const cfpc_source *source, int32_t steps);

// CFPC_OK if the source gives the past, where the caller has to.
cfpc_status cfpci_past_check(const cfpc_model *model, const cfpc_source *source, int32_t steps);

#endif
