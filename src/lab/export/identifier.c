// SPDX-License-Identifier: Apache-2.0
#include "export/identifier.h"

#include <stdio.h>
#include <string.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Within a letter of UTF-8, not its first byte.
static bool is_continued(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

void lab_identifier(char to[LAB_IDENTIFIER_BYTES], const char *from)
{
    size_t k = 0;
    while (*from && !is_letter(*from) && !is_digit(*from))
        from++;
    if (!*from)
        k = (size_t)snprintf(to, LAB_IDENTIFIER_BYTES, "cell");
    else if (is_digit(*from) || strncmp(from, "cfpc", 4) == 0)
        k = (size_t)snprintf(to, LAB_IDENTIFIER_BYTES, "cell_");
    for (; *from && k + 1 < LAB_IDENTIFIER_BYTES; from++)
        if (!is_continued(*from))
            to[k++] = is_letter(*from) || is_digit(*from) ? lower(*from) : '_';
    to[k] = '\0';
}

bool lab_is_identifier(const char *name)
{
    bool is = is_letter(*name); // those that begin with '_' are the compiler's
    for (const char *at = name; *at; at++)
        is = is && (is_letter(*at) || is_digit(*at) || *at == '_');
    return is;
}
