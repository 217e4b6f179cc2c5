// SPDX-License-Identifier: Apache-2.0
#include "outcome.h"

#include <stdarg.h>
#include <stdio.h>

void lab_say(lab_why *why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    for (char *c = why->text; *c; c++) // what a file holds must not break the line
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = ' ';
}
