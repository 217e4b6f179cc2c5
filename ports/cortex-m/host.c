// SPDX-License-Identifier: Apache-2.0
// host: the port on this computer, for comparison.
#include <stdio.h>
#include <stdlib.h>

#include "port.h"

void port_print(const char *text)
{
    fputs(text, stdout);
}

void port_exit(int code)
{
    exit(code);
}

uint64_t port_instructions(void)
{
    return 0;
}

uint32_t port_stack_used(void)
{
    return 0;
}
