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
