// SPDX-License-Identifier: Apache-2.0
// judge: what a log tells of a model that was found: the final FIR, the band around the model,
// where the input excites, and what is left of the output.
#ifndef CFPC_DESIGN_JUDGE_H
#define CFPC_DESIGN_JUDGE_H

#include "identify/fir.h"

// fir: the estimate that the model was made of; estimated again.
cfpc_status cfpci_judge(cfpc_identified *found, const cfpci_split_log *log, cfpci_fir *fir,
                        const cfpc_identify_settings *set, const cfpci_candidate *model);

#endif
