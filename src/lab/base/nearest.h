// SPDX-License-Identifier: Apache-2.0
// nearest: what a misspelt word was meant to be.
#ifndef CFPC_LAB_NEAREST_H
#define CFPC_LAB_NEAREST_H

#include <stddef.h>

// Writes "did you mean 'x'?" if a name is near the word, else "it may be" and all names.
void lab_suggest(char *out, size_t size, const char *word, const char *const *names, int count);

#endif
