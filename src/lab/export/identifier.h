// SPDX-License-Identifier: Apache-2.0
// identifier: names of specs as names in C.
#ifndef CFPC_LAB_IDENTIFIER_H
#define CFPC_LAB_IDENTIFIER_H

#include <stdbool.h>

enum { LAB_IDENTIFIER_BYTES = 32 };

// A C identifier in lower case, of at most 31 letters: what is not a letter or a digit of ASCII
// becomes '_', except at the beginning, where it is left out. `cell` where nothing is left, and
// before what C or the library would not allow: a digit, the library's own prefix.
void lab_identifier(char to[LAB_IDENTIFIER_BYTES], const char *from);

// Letters, digits and '_'; a letter first.
bool lab_is_identifier(const char *name);

#endif
