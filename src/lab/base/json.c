// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <math.h>

#include "base/number.h"
#include "base/utf8.h"

int lab_json_text(FILE *file, const char *text)
{
    int width = fprintf(file, "\""), bytes;
    for (; *text; text += bytes) {
        const uint32_t letter = lab_letter_at(text, &bytes);
        if (letter == '"' || letter == '\\')
            width += fprintf(file, "\\%c", (int)letter);
        else if (!lab_is_printable(letter) || letter < ' ')
            width += fprintf(file, "\\u%04x", (unsigned)letter);
        else
            width += fprintf(file, "%.*s", bytes, text);
    }
    return width + fprintf(file, "\"");
}

void lab_json_number(FILE *file, double value)
{
    fputs(isfinite(value) ? lab_number(value).text : "null", file);
}
