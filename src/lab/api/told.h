// SPDX-License-Identifier: Apache-2.0
// told: a text that a call gives, from what writes it.
#ifndef CFPC_LAB_API_TOLD_H
#define CFPC_LAB_API_TOLD_H

#include <stdio.h>

#include "base/outcome.h"

// Writes a text of what the context is.
typedef lab_outcome lab_teller(FILE *to, const void *context, lab_why *why);

// The text, the caller's to free; NULL unless it is done.
lab_outcome lab_tell(char **text, lab_teller *tell, const void *context, lab_why *why);

// The same as a call of a program. What the text is of, and where it goes, must be given.
cfpc_outcome lab_tell_program(char **text, lab_teller *tell, const void *context, const char *what,
                              cfpc_why *why);

#endif
