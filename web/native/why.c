// SPDX-License-Identifier: Apache-2.0
#include "why.h"

#include <stdio.h>

#include "cfpc/config.h"

cfpc_why web_why;
static cfpc_outcome ended;

cfpc_outcome web_ended(cfpc_outcome outcome)
{
    ended = outcome;
    return outcome;
}

cfpc_outcome web_ended_with(cfpc_status status)
{
    web_why = (cfpc_why){0};
    if (status == CFPC_OK)
        return web_ended(CFPC_DONE);
    snprintf(web_why.text, sizeof web_why.text, "%s", cfpc_status_message(status));
    return web_ended(status == CFPC_NO_MEMORY ? CFPC_FAILED : CFPC_REFUSED);
}

const char *web_version(void)
{
    return CFPC_VERSION;
}

int web_outcome(void)
{
    return ended;
}

const char *web_why_text(void)
{
    return web_why.text;
}

const char *web_why_file(void)
{
    return web_why.file;
}

int web_why_line(void)
{
    return web_why.line;
}

int web_why_column(void)
{
    return web_why.column;
}
