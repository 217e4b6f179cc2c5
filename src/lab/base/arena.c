// SPDX-License-Identifier: Apache-2.0
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

// Each piece is an allocation of its own, so that a sanitizer sees where an array ends.
struct lab_piece {
    struct lab_piece *before;
    alignas(max_align_t) unsigned char bytes[];
};

void *lab_take(lab_arena *arena, size_t count, size_t size)
{
    const size_t most = SIZE_MAX - sizeof(struct lab_piece);
    struct lab_piece *piece = NULL;
    if (!arena->failed && (size == 0 || count <= most / size))
        piece = calloc(1, sizeof *piece + count * size);
    if (!piece) {
        arena->failed = true;
        return NULL;
    }
    piece->before = arena->last;
    arena->last = piece;
    return piece->bytes;
}

void lab_arena_free(lab_arena *arena)
{
    while (arena->last) {
        struct lab_piece *before = arena->last->before;
        free(arena->last);
        arena->last = before;
    }
    *arena = (lab_arena){0};
}
