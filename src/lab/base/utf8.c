// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <string.h>

// Bytes of the UTF-8 character at `text`, 0 if there is none: 2 to 4 bytes that a shorter form
// could have said, surrogates and what lies beyond U+10FFFF are no characters.
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

uint32_t lab_letter_at(const char *text, int *bytes)
{
    const unsigned char *byte = (const unsigned char *)text;
    const int length = (int)utf8_length(byte, strnlen(text, 4));
    *bytes = length > 0 ? length : 1;
    uint32_t letter = length == 0 ? 0xfffd : length == 1 ? *byte : *byte & 0x7fU >> length;
    for (int k = 1; k < length; k++)
        letter = letter << 6 | (byte[k] & 0x3fU);
    return letter;
}

bool lab_is_printable(uint32_t letter)
{
    if (letter < 0x7f)
        return letter >= ' ' || letter == '\t' || letter == '\n';
    return letter >= 0xa0 && letter != 0x2028 && letter != 0x2029 && letter != 0xfeff &&
           letter != 0xfffe && letter != 0xffff;
}
