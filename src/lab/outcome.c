// SPDX-License-Identifier: Apache-2.0
#include "outcome.h"

#include <stdarg.h>
#include <stdio.h>

lab_outcome lab_refuse(lab_why *why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    return LAB_REFUSED;
}

lab_outcome lab_fail(lab_why *why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    return LAB_FAILED;
}

lab_outcome lab_from_status(lab_why *why, cfpc_status status, const char *where)
{
    if (status == CFPC_OK)
        return LAB_DONE;
    if (status == CFPC_NO_MEMORY)
        return lab_fail(why, "%s: %s", where, cfpc_sentence(status));
    return lab_refuse(why, "%s: %s", where, cfpc_sentence(status));
}
