// SPDX-License-Identifier: Apache-2.0
#include "image.h"

#include <string.h>

CFPC_SELDOM uint64_t cfpci_arena_take(cfpci_arena *arena, uint64_t rows, uint64_t columns,
                                      uint32_t element_bytes)
{
    const uint64_t at = (arena->used + CFPC_IMAGE_ALIGN - 1) & ~(uint64_t)(CFPC_IMAGE_ALIGN - 1);
    uint64_t count = 0, bytes = 0;
    if (__builtin_mul_overflow(rows, columns, &count) ||
        __builtin_mul_overflow(count, element_bytes, &bytes) || at > (uint64_t)SIZE_MAX / 2 ||
        bytes > (uint64_t)SIZE_MAX / 2 - at) {
        arena->too_large = true;
        return 0;
    }
    arena->used = at + bytes;
    return at;
}

CFPC_SELDOM uint64_t cfpci_arena_take_wide(cfpci_arena *arena, uint64_t rows, uint64_t columns,
                                           uint32_t element_bytes)
{
    arena->used =
        (arena->used + CFPC_IMAGE_ALIGN_WIDE - 1) & ~(uint64_t)(CFPC_IMAGE_ALIGN_WIDE - 1);
    return cfpci_arena_take(arena, rows, columns, element_bytes);
}

cfpci_header cfpci_header_make(uint32_t magic, uint64_t bytes)
{
    cfpci_header header = {.magic = magic,
                           .version = CFPC_IMAGE_VERSION,
                           .real_bytes = sizeof(cfpc_real),
                           .bytes = bytes};
    return header;
}

CFPC_SELDOM uint64_t cfpci_hash(uint64_t hash, const void *bytes, uint64_t count)
{
    const unsigned char *p = bytes;
    for (uint64_t i = 0; i < count; i++)
        hash = (hash ^ p[i]) * 0x100000001b3u;
    return hash;
}

CFPC_SELDOM uint64_t cfpci_image_checksum(const void *image, uint64_t bytes)
{
    const unsigned char *p = image;
    const size_t skip = offsetof(cfpci_header, checksum);
    uint64_t hash = cfpci_hash(CFPC_HASH_START, p, skip);
    return cfpci_hash(hash, p + sizeof(cfpci_header), bytes - sizeof(cfpci_header));
}

CFPC_SELDOM cfpc_status cfpci_image_fits(const void *mem, size_t bytes, uint64_t needed)
{
    if (!mem || (uintptr_t)mem % CFPC_IMAGE_ALIGN != 0)
        return CFPC_MEMORY_UNALIGNED;
    return bytes < needed ? CFPC_MEMORY_TOO_SMALL : CFPC_OK;
}

static uint32_t swapped(uint32_t word)
{
    return word << 24 | (word & 0xff00u) << 8 | (word >> 8 & 0xff00u) | word >> 24;
}

CFPC_SELDOM cfpc_status cfpci_image_check(const void *mem, size_t bytes, uint32_t magic,
                                          size_t least_bytes)
{
    if (!mem || (uintptr_t)mem % CFPC_IMAGE_ALIGN != 0)
        return CFPC_MEMORY_UNALIGNED;
    if (bytes < sizeof(cfpci_header))
        return CFPC_TRUNCATED;
    const cfpci_header *header = mem;
    if (header->magic != magic)
        return header->magic == swapped(magic) ? CFPC_OTHER_BYTE_ORDER : CFPC_NOT_OURS;
    if (header->version != CFPC_IMAGE_VERSION)
        return CFPC_OTHER_VERSION;
    if (header->real_bytes != sizeof(cfpc_real))
        return CFPC_OTHER_REAL;
    if (bytes < header->bytes || bytes < least_bytes)
        return CFPC_TRUNCATED;
    if (bytes > header->bytes)
        return CFPC_ALTERED;
    return cfpci_image_checksum(mem, bytes) == header->checksum ? CFPC_OK : CFPC_ALTERED;
}
