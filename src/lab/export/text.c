// SPDX-License-Identifier: Apache-2.0
#include "export/text.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 96 };

static const char *word_of(const lab_word *words, const char *key, size_t length)
{
    for (; words->key; words++)
        if (strlen(words->key) == length && strncmp(words->key, key, length) == 0)
            return words->text;
    return NULL;
}

void lab_put_text(FILE *file, const char *text, const lab_word *words)
{
    while (*text) {
        const char *end = *text == '@' ? strchr(text + 1, '@') : NULL;
        const char *word = end ? word_of(words, text + 1, (size_t)(end - text - 1)) : NULL;
        if (word)
            fputs(word, file);
        else
            fputc(*text, file);
        text = word ? end + 1 : text + 1;
    }
}

// ---- numbers ---------------------------------------------------------------------------------

// A literal of this precision, with as few digits as read back to the same number.
static void format_real(char *to, size_t size, double value, size_t real_bytes)
{
    const int is_float = real_bytes == sizeof(float), most = is_float ? 9 : 17;
    char text[32] = "";
    for (int digits = is_float ? 6 : 15; digits <= most; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, is_float ? (double)(float)value : value);
        if (is_float ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value)
            break;
    }
    snprintf(to, size, "%s%s%s", text, strpbrk(text, ".en") ? "" : ".0", is_float ? "f" : "");
}

void lab_put_real(FILE *file, double value, size_t real_bytes)
{
    char text[40];
    format_real(text, sizeof text, value, real_bytes);
    fputs(text, file);
}

// Writes one item of a list, on a new line if this one is full.
static void text_put_item(FILE *file, const char *text, size_t *used)
{
    const size_t length = strlen(text) + 2;
    const bool is_new = *used == 0 || *used + length > LINE;
    fprintf(file, "%s%s,", !is_new ? " " : *used == 0 ? "    " : "\n    ", text);
    *used = (is_new ? 4 : *used) + length;
}

static bool is_small_integer(double value)
{
    return value > -1000 && value < 1000 && value == (int)value && !(value == 0 && signbit(value));
}

void lab_put_real_item(FILE *file, double value, size_t real_bytes, size_t *used)
{
    char text[40];
    if (is_small_integer(value)) // C converts it
        snprintf(text, sizeof text, "%d", (int)value);
    else
        format_real(text, sizeof text, value, real_bytes);
    text_put_item(file, text, used);
}

void lab_put_reals(FILE *file, const double *values, size_t count, size_t real_bytes)
{
    size_t used = 0;
    for (size_t k = 0; k < count; k++)
        lab_put_real_item(file, values[k], real_bytes, &used);
}

void lab_put_ints(FILE *file, const int32_t *values, size_t count)
{
    size_t used = 0;
    for (size_t k = 0; k < count; k++) {
        char text[16];
        snprintf(text, sizeof text, "%d", (int)values[k]);
        text_put_item(file, text, &used);
    }
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
