// SPDX-License-Identifier: Apache-2.0
#include "base/quoted.h"

#include <string.h>

void lab_put_quoted(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

void lab_put_field(FILE *file, const char *text)
{
    if (strpbrk(text, "\",\r\n") || *text == ' ')
        lab_put_quoted(file, text);
    else
        fputs(text, file);
}

// Within single quotes all is text but the quote itself: it is written between two quoted pieces.
void lab_put_shell_word(FILE *file, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+.,:/@%=";
    if (*text && text[strspn(text, plain)] == '\0') {
        fputs(text, file);
        return;
    }
    fputc('\'', file);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", file);
        else
            fputc(*text, file);
    fputc('\'', file);
}
