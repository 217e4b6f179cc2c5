// SPDX-License-Identifier: Apache-2.0
// text: text files read whole, and text written into memory.
#ifndef CFPC_LAB_TEXT_H
#define CFPC_LAB_TEXT_H

#include <stddef.h>
#include <stdio.h>

#include "base/outcome.h"

enum {
    LAB_SPEC_BYTES = 1 << 22, // of the largest spec file
    LAB_CSV_BYTES = 1 << 28   // of the largest CSV file
};

// The whole of a text file of at most max_bytes, ended by a NUL; *text is the caller's to free,
// NULL if refused.
lab_outcome lab_read_text(char **text, const char *file, size_t max_bytes, lab_why *why);

// The same of a file that is read more than once, as a table is: a pipe or a device is refused.
lab_outcome lab_read_regular(char **text, const char *file, size_t max_bytes, lab_why *why);

// A text of this format, the caller's to free; NULL without memory.
__attribute__((format(printf, 1, 2))) char *lab_text_of(const char *format, ...);

// "s" after a noun, unless there is one of them.
static inline const char *lab_plural(long count)
{
    return count == 1 ? "" : "s";
}

// Text that is written into memory through `file`, which is NULL without memory. It may not be
// moved while it is open.
typedef struct lab_written {
    FILE *file;
    char *text;
    size_t length;
} lab_written;

void lab_written_open(lab_written *written);

// The text, the caller's to free; NULL if memory ran out, then or while it was written.
char *lab_written_close(lab_written *written);

#endif
