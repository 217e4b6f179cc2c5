// SPDX-License-Identifier: Apache-2.0
// nor_flash: two slots of memory that lose their power when the test wants it.
//
// As NOR flash it enforces the rules: erasing sets every byte to 0xFF; writing only clears bits, in
// order, in whole aligned units, each once after an erase. As memory that can be overwritten (FRAM,
// EEPROM, a file) only what is written counts. A power failure leaves the call by longjmp: the
// program does not go on.
#ifndef CFPC_TESTS_NOR_FLASH_H
#define CFPC_TESTS_NOR_FLASH_H

#include "harness.h"

#include "cfpc/slots.h"

enum { NOR_BYTES = 512, NOR_NEVER = 1 << 30 };

// What is left of the unit, or of the erase, in which the power failed.
typedef enum nor_torn {
    NOR_BYTEWISE, // the bytes before the failure are there, the others as they were
    NOR_HALF,     // some of the bits that should have changed have
    NOR_UNSTABLE, // the change is all but done, or has hardly begun; a few bits read differently
                  // every time
    NOR_FICKLE    // all of it is done, or nothing: that differs from boot to boot
} nor_torn;

typedef struct nor_flash {
    unsigned char byte[2][NOR_BYTES];
    size_t unit;                         //
    size_t next[2];                      // first byte that is still erased
    bool overwrites;                     // it needs no erasing
    nor_torn torn;                       //
    int left;                            // bytes until the power fails
    bool fails[2];                       // the slot is defective: every call fails
    int erases;                          //
    int reads_left;                      // until a read fails
    dice chance;                         //
    jmp_buf no_power;                    //
    unsigned char loose[2][NOR_BYTES];   // bits that read differently every time, or
    unsigned char fickle[2][NOR_BYTES];  // at every boot
    unsigned char failure[2][NOR_BYTES]; // in which they became so
    int failures;                        //
} nor_flash;

static inline unsigned char nor_some(nor_flash *it, unsigned char bits)
{
    return (unsigned char)(bits & dice_integer(&it->chance, 0, 255));
}

// The power fails while `bytes` bytes from `at` change to `to` (NULL: to 0xFF), `done` of them are.
static inline void nor_fail(nor_flash *it, int slot, size_t at, const unsigned char *to,
                            size_t bytes, size_t done)
{
    const bool most = dice_integer(&it->chance, 0, 1);
    const size_t loose = (size_t)dice_integer(&it->chance, 0, (int)bytes - 1);
    for (size_t k = 0; k < bytes; k++) {
        unsigned char *byte = it->byte[slot] + at + k;
        const unsigned char change = (unsigned char)(*byte ^ (to ? to[k] : 0xFF));
        if (it->torn == NOR_BYTEWISE)
            *byte ^= k < done ? change : 0;
        else
            *byte ^= it->torn == NOR_HALF ? nor_some(it, change) : most ? change : 0;
        if (it->torn == NOR_UNSTABLE && k == loose)
            it->loose[slot][at + k] = nor_some(it, change);
        if (it->torn == NOR_FICKLE) {
            it->fickle[slot][at + k] |= change; // what an earlier failure left is still there
            it->failure[slot][at + k] = (unsigned char)it->failures;
        }
    }
    it->failures++;
    it->left = NOR_NEVER;
    longjmp(it->no_power, 1);
}

// The power is back.
static inline void nor_boot(nor_flash *it)
{
    const unsigned changes = (unsigned)dice_integer(&it->chance, 0, 0xFFFF);
    for (int slot = 0; slot < 2; slot++)
        for (int k = 0; k < NOR_BYTES; k++)
            if (changes >> it->failure[slot][k] & 1u)
                it->byte[slot][k] ^= it->fickle[slot][k];
}

static inline void nor_settle(nor_flash *it, int slot, size_t at, size_t bytes)
{
    memset(it->loose[slot] + at, 0, bytes);
    memset(it->fickle[slot] + at, 0, bytes);
}

static inline bool nor_erase(void *context, int slot)
{
    nor_flash *it = context;
    if (it->fails[slot])
        return false;
    if (it->left < NOR_BYTES)
        nor_fail(it, slot, 0, NULL, NOR_BYTES, (size_t)it->left);
    it->left -= NOR_BYTES;
    it->erases++;
    memset(it->byte[slot], 0xFF, NOR_BYTES);
    nor_settle(it, slot, 0, NOR_BYTES);
    it->next[slot] = 0;
    return true;
}

static inline void nor_write_unit(nor_flash *it, int slot, size_t at, const unsigned char *from)
{
    for (size_t k = 0; !it->overwrites && k < it->unit; k++)
        assert_int_equal(it->byte[slot][at + k], 0xFF);
    if (it->left < (int)it->unit)
        nor_fail(it, slot, at, from, it->unit, (size_t)it->left);
    it->left -= (int)it->unit;
    memcpy(it->byte[slot] + at, from, it->unit);
    nor_settle(it, slot, at, it->unit);
}

static inline bool nor_write(void *context, int slot, size_t at, const void *from, size_t bytes)
{
    nor_flash *it = context;
    if (it->fails[slot])
        return false;
    assert_true(slot == 0 || slot == 1);
    assert_true(at % it->unit == 0 && bytes % it->unit == 0 && at + bytes <= NOR_BYTES);
    assert_true(it->overwrites || at >= it->next[slot]);
    for (size_t k = 0; k < bytes; k += it->unit)
        nor_write_unit(it, slot, at + k, (const unsigned char *)from + k);
    it->next[slot] = at + bytes;
    return true;
}

static inline bool nor_read(void *context, int slot, size_t at, void *to, size_t bytes)
{
    nor_flash *it = context;
    assert_true(at + bytes <= NOR_BYTES);
    if (it->fails[slot] || it->reads_left-- <= 0)
        return false;
    for (size_t k = at; k < at + bytes; k++)
        if (it->loose[slot][k])
            it->byte[slot][k] ^= nor_some(it, it->loose[slot][k]);
    memcpy(to, it->byte[slot] + at, bytes);
    return true;
}

static inline void nor_init(nor_flash *it, size_t unit, bool overwrites, nor_torn torn)
{
    memset(it, 0, sizeof *it);
    memset(it->byte, overwrites ? 0 : 0xFF, sizeof it->byte);
    it->unit = unit;
    it->overwrites = overwrites;
    it->torn = torn;
    it->left = it->reads_left = NOR_NEVER;
    it->chance = (dice){77};
}

static inline cfpc_slots nor_slots(nor_flash *it)
{
    return (cfpc_slots){.context = it,
                        .bytes = NOR_BYTES,
                        .unit = it->unit,
                        .erase = it->overwrites ? NULL : nor_erase,
                        .write = nor_write,
                        .read = nor_read};
}

#endif
