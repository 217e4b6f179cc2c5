// SPDX-License-Identifier: Apache-2.0
// utf8: the letters of a text.
#ifndef CFPC_LAB_UTF8_H
#define CFPC_LAB_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The line on which the text is not UTF-8, 0 if it is.
int lab_line_not_utf8(const char *text, size_t length);

// The first letter of a text, and how many bytes it has; of a byte that begins none, U+FFFD and 1.
uint32_t lab_letter_at(const char *text, int *bytes);

// Whether a letter stands for itself in YAML and JSON, whoever reads it: no control letter but tab
// and line end, none that some programs take for a line end, pass over or refuse.
bool lab_is_printable(uint32_t letter);

#endif
