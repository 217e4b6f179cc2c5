// SPDX-License-Identifier: Apache-2.0
// quoted: text as a field of a CSV file, or as a word of a shell.
#ifndef CFPC_LAB_QUOTED_H
#define CFPC_LAB_QUOTED_H

#include <stdio.h>

// In quotes, those within it doubled.
void lab_put_quoted(FILE *file, const char *text);

// In quotes only if it needs them.
void lab_put_field(FILE *file, const char *text);

// A word that every POSIX shell reads as exactly this text; in quotes only if it needs them.
void lab_put_shell_word(FILE *file, const char *text);

#endif
