// SPDX-License-Identifier: Apache-2.0
#include "base/outcome.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void lab_why_at(lab_why *why, const char *file, int line, int column)
{
    if (!why)
        return;
    snprintf(why->file, sizeof why->file, "%s", file);
    why->line = line;
    why->column = column;
}

void lab_say(lab_why *why, const char *format, ...)
{
    va_list arguments;
    if (!why) // a program that does not want to know
        return;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    for (char *c = why->text; *c; c++) // what a file holds must not break the line
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = ' ';
    lab_why_at(why, "", 0, 0);
}

void lab_say_at(lab_why *why, const char *file, int line, int column, const char *format, ...)
{
    char sentence[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (line > 0 && column > 0)
        lab_say(why, "%s:%d:%d: %s", file, line, column, sentence);
    else if (line > 0)
        lab_say(why, "%s:%d: %s", file, line, sentence);
    else
        lab_say(why, "%s: %s", file, sentence);
    lab_why_at(why, file, line, column);
}

lab_outcome lab_refuse_errno(lab_why *why, const char *format, ...)
{
    const int reason = errno;
    char sentence[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (reason == ENOMEM)
        return lab_no_memory(why, sentence);
    return lab_refuse(why, "%s: %s", sentence, strerror(reason));
}

void lab_say_status(lab_why *why, cfpc_status status, const char *where)
{
    lab_say(why, "%s%s%s", where ? where : "", where ? ": " : "", cfpc_status_message(status));
}
