// SPDX-License-Identifier: Apache-2.0
// check_text: whether an experiment can be run, and what would be run, in words.
#ifndef CFPC_LAB_API_CHECK_TEXT_H
#define CFPC_LAB_API_CHECK_TEXT_H

#include <stdio.h>

#include "base/outcome.h"

// One line per setup, as `cfpc check` prints them.
lab_outcome lab_check_text(FILE *file, const cfpc_experiment *experiment, lab_why *why);

#endif
