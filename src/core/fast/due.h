// SPDX-License-Identifier: Apache-2.0
// due: the end of a trial: inputs that are due learn from what was taught.
#ifndef CFPC_FAST_DUE_H
#define CFPC_FAST_DUE_H

#include "pass_state.h"

// CFPC_OK if what is due can be learned from this source; *done: where the first pass starts.
cfpc_status cfpci_due_check(const cfpc_model *model, const cfpc_data *data,
                            const cfpc_source *source, int32_t *done);

// Starts the pass over inputs that are due, `done` steps after the last step of the trial; false
// if nothing is due any more. It goes on as any other pass.
bool cfpci_due_begin(cfpci_pass *pass, const cfpc_model *model, cfpc_data *data,
                     const cfpc_source *source, int32_t done);

#endif
