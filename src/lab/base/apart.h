// SPDX-License-Identifier: Apache-2.0
// apart: work done in a process of its own. HDF5 crashes or exits when memory runs out; so it takes
// nothing with it, and what happened can be told.
#ifndef CFPC_LAB_APART_H
#define CFPC_LAB_APART_H

#include <stdbool.h>
#include <stddef.h>

#include "base/outcome.h"

// Bytes that come back from the work.
typedef struct lab_bytes {
    char *at;
    size_t count, room;
    bool failed; // memory ran out: they are not whole
} lab_bytes;

void lab_bytes_add(lab_bytes *bytes, const void *more, size_t count);

typedef lab_outcome lab_work(const void *context, lab_bytes *bytes, lab_why *why);

// Does the work and brings its bytes back; free bytes->at in either case. A process that dies of it
// has run out of memory, as far as anyone can tell. Where no process can be had, it is done here.
lab_outcome lab_apart(lab_work *work, const void *context, lab_bytes *bytes, lab_why *why);

#endif
