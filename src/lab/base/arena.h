// SPDX-License-Identifier: Apache-2.0
// arena: memory that is taken piece by piece and freed at once. A failure is sticky: after one,
// every take returns NULL, so that it is enough to ask once, at the end.
#ifndef CFPC_LAB_ARENA_H
#define CFPC_LAB_ARENA_H

#include <stdbool.h>
#include <stddef.h>

// Starts as {0}.
typedef struct lab_arena {
    struct lab_piece *last; // what was taken, the last piece first
    bool failed;            // memory ran out at some take
} lab_arena;

// A zeroed array of `count` items of `size` bytes, aligned for any type; not NULL for a count of 0.
// NULL if memory runs out, if the bytes are more than a size can be, or if an earlier take failed.
void *lab_take(lab_arena *arena, size_t count, size_t size);

// Frees all that was taken; the arena can be used again.
void lab_arena_free(lab_arena *arena);

#endif
