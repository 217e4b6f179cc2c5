// SPDX-License-Identifier: Apache-2.0
// plain_text: what can be said of a text before anything parses it.
#ifndef CFPC_LAB_PLAIN_TEXT_H
#define CFPC_LAB_PLAIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>

// Whether there is nothing but blanks and comments.
bool lab_is_blank(const char *text, size_t length);

// The line on which the text is not UTF-8, 0 if it is.
int lab_line_not_utf8(const char *text, size_t length);

#endif
