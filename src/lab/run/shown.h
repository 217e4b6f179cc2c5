// SPDX-License-Identifier: Apache-2.0
// shown: what a story's panels need of a run besides what every run keeps.
#ifndef CFPC_LAB_SHOWN_H
#define CFPC_LAB_SHOWN_H

#include "run/record.h"
#include "run/variants.h"

// Keeps in the record the cues of each phase, the loop alone where trials do not repeat, and the
// traces that the story's panels show.
lab_outcome lab_keep_shown(lab_record *record, const lab_variants *variants, const lab_spec *spec,
                           lab_why *why);

#endif
