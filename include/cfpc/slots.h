// SPDX-License-Identifier: Apache-2.0
// slots: weights that survive a reset. Two slots of memory that keeps its content without power
// (flash, EEPROM, FRAM, a file) are written in turn, so that the older save stays intact while the
// newer one is written: after a power failure at any byte one of them is restored, exactly.
//
// A save holds the weights, the rate, the flags (a cell that was frozen stays frozen) and what the
// guard knows: the baseline, its share of the rate, its acts. Not saved: traces, clock, fade, the
// guard's best weights (0 until a round is good again), the momentum's last change, the sum of an
// unfinished trial, mutable taps.
//
//     static bool erase(void *chip, int slot) { return flash_erase(page[slot]) == 0; }
//     static bool write(void *chip, int slot, size_t at, const void *from, size_t bytes)
//     {
//         return flash_program(page[slot] + at, from, bytes) == 0;
//     }
//     static bool read(void *chip, int slot, size_t at, void *to, size_t bytes)
//     {
//         memcpy(to, page[slot] + at, bytes); // flash that is mapped into memory
//         return true;
//     }
//     static const cfpc_slots slots = {
//         .bytes = 2048, .unit = 8, .erase = erase, .write = write, .read = read};
//
//     status = cfpc_slots_restore(&slots, model, cell); // after cfpc_data_init
//     cfpc_disable(cell, 0);
//     cfpc_enable(cell, 1000);                          // fades in with the restored weights
//     ...
//     status = cfpc_slots_save(&slots, model, cell);    // now and then: flash wears out
//
// The record, in order: a head (magic, version, precision, sequence number, checksum of the model),
// the weights, the checksum of all this, the checksum again once that was read back, and two units
// that say that the record is void. What was being written or erased when the power failed may read
// as right today and as wrong tomorrow. So nothing is relied upon that could be such:
//   - a save whose second checksum is wrong may have been cut off in its first: it is overwritten,
//     and the other one stays;
//   - before a slot is erased its record is made void, so that it cannot come back to life half
//     erased. Of two units, as the first may have been cut off.
#ifndef CFPC_SLOTS_H
#define CFPC_SLOTS_H

#include "cfpc/cell.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CFPC_SLOTS_MAX_UNIT = 64 };

// The memory. The functions return whether they succeeded; `slot` is 0 or 1, `at` counts bytes from
// the start of the slot. NOR flash is enough: a slot is erased as a whole before it is written,
// then written in order, every unit once, in whole units; the last two units of a record are
// written by a later save.
typedef struct cfpc_slots {
    void *context; // passed to the functions
    size_t bytes;  // size of each slot, at least cfpc_slots_size
    size_t unit;   // bytes that are programmed together: a power of 2 up to CFPC_SLOTS_MAX_UNIT
    bool (*erase)(void *context, int slot); // NULL: the memory can be overwritten
    bool (*write)(void *context, int slot, size_t at, const void *from, size_t bytes);
    bool (*read)(void *context, int slot, size_t at, void *to, size_t bytes);
} cfpc_slots;

// Size in bytes that a slot needs for the weights of a model; 0 if the unit is invalid.
size_t cfpc_slots_size(const cfpc_model *model, size_t unit);

// Saves into the slot that does not hold the newest intact save, and reads it back. Takes as long
// as the memory does; a cell that learns meanwhile (in an interrupt) is saved with weights of
// different steps: freeze it if that matters. Before anything is erased, it refuses weights that
// are not finite (CFPC_BAD_VALUE) and slots that are too small (CFPC_MEMORY_TOO_SMALL).
// CFPC_SLOT_FAILED: the memory failed; the other slot still holds the save before.
cfpc_status cfpc_slots_save(const cfpc_slots *slots, const cfpc_model *model, cfpc_data *data);

// Restores the newest intact save of this model; the rest of the data is as after cfpc_data_reset.
//   CFPC_OK              the newest one was restored
//   CFPC_OLDER_RESTORED  one slot is damaged or void, by a save that was interrupted or by failing
//                        memory; the save in the other one was restored
//   CFPC_NO_SAVE         both slots are blank (every byte of the head 0xFF, or every byte 0)
//   any other            nothing could be restored, and why: CFPC_OTHER_MODEL, CFPC_ALTERED, ...
// If nothing is restored, the data does not change, unless the memory fails between two readings:
// then the weights are 0. The cell can be used in every case.
cfpc_status cfpc_slots_restore(const cfpc_slots *slots, const cfpc_model *model, cfpc_data *data);

#ifdef __cplusplus
}
#endif

#endif
