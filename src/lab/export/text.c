// SPDX-License-Identifier: Apache-2.0
#include "export/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

enum { LINE = 96 };

static const lab_word *find_word(const lab_word *words, const char *key, size_t length)
{
    while (words->key && (strlen(words->key) != length || strncmp(words->key, key, length) != 0))
        words++;
    return words->key ? words : NULL;
}

void lab_put_text(FILE *file, const char *text, const lab_word *words)
{
    int skipped = 0; // parts within each other that are left out
    while (*text) {
        const char *end = *text == '@' ? strchr(text + 1, '@') : NULL;
        const bool asks = end && (text[1] == '?' || text[1] == '!');
        const char *key = text + 1 + asks;
        const lab_word *word = end ? find_word(words, key, (size_t)(end - key)) : NULL;
        if (asks && word) {
            const bool is = word->text ? *word->text : word->number != 0;
            skipped += skipped > 0 || is != (text[1] == '?');
        } else if (end == text + 2 && text[1] == '|')
            skipped = skipped > 1 ? skipped : !skipped;
        else if (end == text + 2 && text[1] == '/')
            skipped -= skipped > 0;
        else if (word && skipped == 0)
            fputs(word->text ? word->text : lab_number(word->number).text, file);
        else if (!word && skipped == 0)
            fputc(*text, file);
        const bool is_mark = word || (end == text + 2 && (text[1] == '|' || text[1] == '/'));
        text = is_mark ? end + 1 : text + 1;
    }
}

// ---- names -----------------------------------------------------------------------------------

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
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
    for (; *from && k + 1 < LAB_IDENTIFIER_BYTES; from++) {
        if (((unsigned char)*from & 0xc0) == 0x80) // within a letter of UTF-8, not its first byte
            continue;
        const char small = *from >= 'A' && *from <= 'Z' ? (char)(*from - 'A' + 'a') : *from;
        to[k++] = is_letter(*from) || is_digit(*from) ? small : '_';
    }
    to[k] = '\0';
}

bool lab_is_identifier(const char *name)
{
    bool is = is_letter(*name); // those that begin with '_' are the compiler's
    for (const char *at = name; *at; at++)
        is = is && (is_letter(*at) || is_digit(*at) || *at == '_');
    return is;
}

// ---- numbers ---------------------------------------------------------------------------------

lab_real_text lab_real(double value, size_t real_bytes)
{
    const int is_float = real_bytes == sizeof(float), most = is_float ? 9 : 17;
    lab_real_text to;
    char text[32] = "";
    for (int digits = is_float ? 6 : 15; digits <= most; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, is_float ? (double)(float)value : value);
        if (is_float ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value)
            break;
    }
    snprintf(to.text, sizeof to.text, "%s%s%s", text, strpbrk(text, ".en") ? "" : ".0",
             is_float ? "f" : "");
    return to;
}

// Writes one item of a list, on a new line if this one is full.
static void text_put_item(FILE *file, const char *text, size_t *used)
{
    const size_t length = strlen(text) + 2;
    const bool is_new = *used == 0 || *used + length > LINE;
    fprintf(file, "%s%s,", !is_new ? " " : *used == 0 ? "    " : "\n    ", text);
    *used = (is_new ? 4 : *used) + length;
}

void lab_put_real_item(FILE *file, double value, size_t real_bytes, size_t *used)
{
    char text[8];
    const bool is_whole = value > -1000 && value < 1000 && value == (int)value;
    if (is_whole && !(value == 0 && signbit(value))) { // C converts it
        snprintf(text, sizeof text, "%d", (int)value);
        text_put_item(file, text, used);
    } else
        text_put_item(file, lab_real(value, real_bytes).text, used);
}

void lab_put_bytes(FILE *file, const void *bytes, size_t count)
{
    size_t used = 0;
    for (size_t k = 0; k < count; k++) {
        char text[8];
        snprintf(text, sizeof text, "0x%02x", ((const unsigned char *)bytes)[k]);
        text_put_item(file, text, &used);
    }
}

void lab_put_real_array(FILE *file, const char *name, const double *values, size_t count,
                        size_t stride, size_t real_bytes)
{
    size_t used = 0;
    fprintf(file, "static const cfpc_real %s[] = {\n", name);
    for (size_t k = 0; k < count; k++)
        lab_put_real_item(file, values[k * stride], real_bytes, &used);
    fputs("\n};\n", file);
}

void lab_put_int_array(FILE *file, const char *name, const int32_t *values, size_t count)
{
    size_t used = 0;
    fprintf(file, "static const int32_t %s[] = {\n", name);
    for (size_t k = 0; k < count; k++) {
        char text[16];
        snprintf(text, sizeof text, "%d", (int)values[k]);
        text_put_item(file, text, &used);
    }
    fputs("\n};\n", file);
}
