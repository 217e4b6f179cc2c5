// SPDX-License-Identifier: Apache-2.0
// text: how exported files are written: texts with words to fill in, names, and arrays of numbers.
#ifndef CFPC_LAB_EXPORT_TEXT_H
#define CFPC_LAB_EXPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// A word of a text, @key@, and what stands for it: a text or, where that is NULL, a number.
typedef struct lab_word {
    const char *key, *text;
    double number;
} lab_word;

// Writes a text with its words filled in; words end with a key of NULL. @?key@ A @|@ B @/@ is A if
// the word is there, B if it is 0 or ""; @!key@ asks the other way round. Either part may be left
// out, and parts may be within each other.
void lab_put_text(FILE *file, const char *text, const lab_word *words);

enum { LAB_IDENTIFIER_BYTES = 32 };

// A C identifier in lower case, of at most 31 letters: what is not a letter or a digit of ASCII
// becomes '_', except at the beginning, where it is left out. `cell` where nothing is left, and
// before what C or the library would not allow: a digit, the library's own prefix.
void lab_identifier(char to[LAB_IDENTIFIER_BYTES], const char *from);

// Letters, digits and '_'; a letter first.
bool lab_is_identifier(const char *name);

// A number of cfpc_real with this many bytes, with as few digits as C reads back to the same one.
typedef struct lab_real_text {
    char text[40];
} lab_real_text;
lab_real_text lab_real(double value, size_t real_bytes);

// Numbers of an array initialiser, in lines of at most 100 letters: what is between its braces.
void lab_put_real_item(FILE *file, double value, size_t real_bytes,
                       size_t *used); // used: 0 at first
void lab_put_bytes(FILE *file, const void *bytes, size_t count);

// Whole arrays, `static const`: of cfpc_real, each value `stride` after the one before, and of
// int32_t.
void lab_put_real_array(FILE *file, const char *name, const double *values, size_t count,
                        size_t stride, size_t real_bytes);
void lab_put_int_array(FILE *file, const char *name, const int32_t *values, size_t count);

#endif
