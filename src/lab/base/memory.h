// SPDX-License-Identifier: Apache-2.0
// memory: how much there is.
#ifndef CFPC_LAB_MEMORY_H
#define CFPC_LAB_MEMORY_H

#include <stddef.h>

// Bytes of memory that this process can have: that of the machine, or the limit that the system
// sets it (ulimit -v). SIZE_MAX: unknown.
size_t lab_memory_bytes(void);

// "8.00 GB (8000000000 bytes)".
typedef struct lab_bytes_text {
    char text[64];
} lab_bytes_text;
lab_bytes_text lab_bytes_said(size_t bytes);

#endif
