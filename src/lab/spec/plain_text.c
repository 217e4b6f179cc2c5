// SPDX-License-Identifier: Apache-2.0
#include "spec/plain_text.h"

#include <string.h>

bool lab_is_blank(const char *text, size_t length)
{
    bool in_comment = false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n')
            in_comment = false;
        else if (text[i] == '#')
            in_comment = true;
        else if (!in_comment && !strchr(" \t\r", text[i]))
            return false;
    }
    return true;
}

// Bytes of the UTF-8 character at `text`, 0 if there is none: 2 to 4 bytes that a shorter form
// could have said, surrogates and what lies beyond U+10FFFF are no characters. libfyaml waits
// for ever at one of those.
static size_t utf8_length(const unsigned char *text, size_t left)
{
    const unsigned char first = text[0];
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    const size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (length > left)
        return 0;
    const unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (text[1] < least || text[1] > most)
        return 0;
    for (size_t k = 2; k < length; k++)
        if ((text[k] & 0xc0) != 0x80)
            return 0;
    return length;
}

int lab_line_not_utf8(const char *text, size_t length)
{
    int line = 1;
    for (size_t i = 0; i < length;) {
        const size_t bytes = utf8_length((const unsigned char *)text + i, length - i);
        if (bytes == 0)
            return line;
        line += text[i] == '\n';
        i += bytes;
    }
    return 0;
}
