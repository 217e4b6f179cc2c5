// SPDX-License-Identifier: Apache-2.0
// text: how exported files are written: texts with words to fill in, and arrays of numbers.
#ifndef CFPC_LAB_EXPORT_TEXT_H
#define CFPC_LAB_EXPORT_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// A word of a text, @key@, and what stands for it.
typedef struct lab_word {
    const char *key;
    const char *text;
} lab_word;

// Writes a text with its words filled in; words end with a key of NULL.
void lab_put_text(FILE *file, const char *text, const lab_word *words);

// A number of cfpc_real with this many bytes, as C reads it back exactly.
void lab_put_real(FILE *file, double value, size_t real_bytes);

// Numbers of an array initialiser, in lines of at most 100 letters: what is between its braces.
void lab_put_reals(FILE *file, const double *values, size_t count, size_t real_bytes);
void lab_put_real_item(FILE *file, double value, size_t real_bytes,
                       size_t *used); // used: 0 at first
void lab_put_ints(FILE *file, const int32_t *values, size_t count);
void lab_put_bytes(FILE *file, const void *bytes, size_t count);

#endif
