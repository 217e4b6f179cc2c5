// SPDX-License-Identifier: Apache-2.0
#include "memory.h"

#include <stdlib.h>

// The largest buffer of an OpenBLAS on any processor, and what it aligns it by: BUFFER_SIZE in its
// common_x86_64.h, common_arm64.h and others.
static const size_t buffer_bytes = ((size_t)32 << 22) + 65536;

bool cfpci_blas_has_memory(bool can_tell)
{
    static _Thread_local bool has_one, untold;
    if (!has_one && !untold) {
        void *volatile buffer =
            malloc(buffer_bytes); // volatile: keeps the compiler from removing it
        has_one = buffer;
        free(buffer);
        untold = !has_one;
    }
    const bool has = !untold;
    untold = untold && !can_tell;
    return has;
}
