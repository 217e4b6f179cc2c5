// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // NOLINT: renameat2 and RENAME_EXCHANGE are Linux's, not POSIX's
#include "base/exchange.h"

#include <fcntl.h>
#include <stdio.h>

#ifdef RENAME_EXCHANGE

bool lab_exchange(const char *a, const char *b)
{
    return renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE) == 0;
}

#else

bool lab_exchange(const char *a, const char *b)
{
    (void)a;
    (void)b;
    return false;
}

#endif
