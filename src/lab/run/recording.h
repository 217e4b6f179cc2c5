// SPDX-License-Identifier: Apache-2.0
// recording: makes a record: memory for what a run will leave, and what is known from its setups
// before the first trial.
#ifndef CFPC_LAB_RECORDING_H
#define CFPC_LAB_RECORDING_H

#include "run/record.h"
#include "run/variants.h"

// Number of delays that are scanned; 0 without a scan.
int lab_scan_count(const lab_scan_spec *scan);

// The record is empty, or holds what was tuned. Free the record in either case. It keeps nothing of
// the setups.
lab_outcome lab_record_make(lab_record *record, const lab_variants *variants, lab_why *why);

// Keeps in the record the cues of each phase, the loop alone where trials do not repeat, and the
// traces that the story's panels show.
lab_outcome lab_keep_shown(lab_record *record, const lab_variants *variants, const lab_spec *spec,
                           lab_why *why);

#endif
