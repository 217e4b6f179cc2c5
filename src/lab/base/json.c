// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <math.h>

#include "base/number.h"

void lab_json_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < 0x20)
            fprintf(file, "\\u%04x", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

void lab_json_number(FILE *file, double value)
{
    fputs(isfinite(value) ? lab_number(value).text : "null", file);
}
