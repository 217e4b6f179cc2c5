// SPDX-License-Identifier: Apache-2.0
#include "base/outcome.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

lab_outcome lab_from_status(lab_why *why, cfpc_status status, const char *where)
{
    if (status == CFPC_OK)
        return LAB_DONE;
    lab_say(why, "%s%s%s", where ? where : "", where ? ": " : "", cfpc_sentence(status));
    return status == CFPC_NO_MEMORY ? LAB_FAILED : LAB_REFUSED;
}
