// SPDX-License-Identifier: Apache-2.0
#include "say.h"

#include <stdarg.h>
#include <stdio.h>

void app_say(cfpc_why *why, const char *format, ...)
{
    va_list values;
    *why = (cfpc_why){0};
    va_start(values, format);
    vsnprintf(why->text, sizeof why->text, format, values);
    va_end(values);
}
