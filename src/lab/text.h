// SPDX-License-Identifier: Apache-2.0
// text: text files read whole.
#ifndef CFPC_LAB_TEXT_H
#define CFPC_LAB_TEXT_H

#include <stddef.h>

#include "outcome.h"

enum {
    LAB_SPEC_BYTES = 1 << 22, // of the largest spec file
    LAB_CSV_BYTES = 1 << 28   // of the largest CSV file
};

// The whole of a text file of so many bytes at most, ended by a NUL; *text is the caller's to free,
// NULL if refused.
lab_outcome lab_read_text(char **text, const char *file, size_t most_bytes, lab_why *why);

#endif
