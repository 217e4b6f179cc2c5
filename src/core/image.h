// SPDX-License-Identifier: Apache-2.0
// image: the contiguous memory of a model or of data, its common head, and the arena that lays it
// out. Offsets instead of pointers: the same bytes work in memory, in a file and in flash.
#ifndef CFPC_CORE_IMAGE_H
#define CFPC_CORE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cfpc/config.h"
#include "cfpc/status.h"

enum { CFPC_IMAGE_VERSION = 8, CFPC_IMAGE_ALIGN = 8, CFPC_IMAGE_ALIGN_WIDE = 64 };

#define CFPC_MAGIC_MODEL 0x4d706663u   // "cfpM", least significant byte first
#define CFPC_MAGIC_DATA 0x44706663u    // "cfpD"
#define CFPC_MAGIC_SLOT 0x53706663u    // "cfpS"
#define CFPC_MAGIC_ZONE 0x5a706663u    // "cfpZ", a zone's model
#define CFPC_MAGIC_WEIGHTS 0x57706663u // "cfpW", a zone's data

// For functions that run before or after the steps, or seldom: they are made small, not fast.
#define CFPC_SELDOM __attribute__((cold, noinline))

typedef struct cfpci_header {
    uint32_t magic;      // kind of image; reads differently on a machine of the other byte order
    uint32_t version;    // CFPC_IMAGE_VERSION
    uint32_t real_bytes; // sizeof(cfpc_real)
    uint32_t unused;     // 0
    uint64_t bytes;      // of the whole image
    uint64_t checksum;   // of all bytes but these eight
} cfpci_header;

// A layout is measured by taking from an arena without memory; offsets are what it hands out, so
// the size function and the init function, which run the same layout, cannot disagree.
typedef struct cfpci_arena {
    uint64_t used;  // bytes so far
    bool too_large; // more was asked for than this machine can address
} cfpci_arena;

// Offset of an array of rows x columns elements, 8-byte aligned.
uint64_t cfpci_arena_take(cfpci_arena *arena, uint64_t rows, uint64_t columns,
                          uint32_t element_bytes);

// The same, aligned to a cache line if the image itself is: for arrays that are streamed.
uint64_t cfpci_arena_take_wide(cfpci_arena *arena, uint64_t rows, uint64_t columns,
                               uint32_t element_bytes);

cfpci_header cfpci_header_make(uint32_t magic, uint64_t bytes);

// FNV-1a (64 bit), continued over more bytes; it begins with CFPC_HASH_START. A change of a single
// byte always changes it.
#define CFPC_HASH_START 0xcbf29ce484222325u
uint64_t cfpci_hash(uint64_t hash, const void *bytes, uint64_t count);

// The hash of an image's bytes, its checksum field left out.
uint64_t cfpci_image_checksum(const void *image, uint64_t bytes);

// CFPC_OK if mem can hold an image of `needed` bytes.
cfpc_status cfpci_image_fits(const void *mem, size_t bytes, uint64_t needed);

// CFPC_OK if mem holds a whole, unaltered image of this kind, precision and version.
cfpc_status cfpci_image_check(const void *mem, size_t bytes, uint32_t magic, size_t least_bytes);

#endif
