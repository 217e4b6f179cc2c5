// SPDX-License-Identifier: Apache-2.0
#include "write/hash.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// The step of SplitMix64: additions and products by odd numbers, and shifts that are exclusive or
// with what they shift, can all be undone.
uint64_t lab_hash_next(uint64_t hash, uint64_t word)
{
    uint64_t z = (hash ^ word) + UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t lab_hash_dataset(const lab_dataset *set)
{
    uint64_t hash = LAB_HASH_START;
    size_t count = 1;
    for (const char *c = set->name; *c; c++)
        hash = lab_hash_next(hash, (unsigned char)*c);
    hash = lab_hash_next(hash, 0); // ends the name
    hash = lab_hash_next(hash, (uint64_t)set->rank);
    for (int i = 0; i < set->rank; i++) {
        hash = lab_hash_next(hash, set->shape[i]);
        count *= set->shape[i];
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = UINT64_C(0x7ff8000000000000); // of NAN: its own differ between processors
        if (!isnan(set->values[i]))
            memcpy(&bits, &set->values[i], sizeof bits);
        hash = lab_hash_next(hash, bits);
    }
    return hash;
}

uint64_t lab_hash_datasets(const lab_datasets *sets)
{
    uint64_t hash = LAB_HASH_START;
    for (int i = 0; i < sets->count; i++)
        if (!sets->set[i].of_clock)
            hash = lab_hash_next(hash, lab_hash_dataset(&sets->set[i]));
    return hash;
}

lab_outcome lab_hash_result(uint64_t *hash, const lab_result *result, lab_why *why)
{
    lab_datasets sets;
    const lab_outcome outcome = lab_datasets_make(&sets, result, why);
    *hash = outcome == LAB_DONE ? lab_hash_datasets(&sets) : LAB_HASH_START;
    lab_datasets_free(&sets);
    return outcome;
}

// ---- as text ---------------------------------------------------------------------------------

lab_hash_text lab_hash_in_hex(uint64_t hash)
{
    lab_hash_text to;
    snprintf(to.text, sizeof to.text, "%016" PRIx64, hash);
    return to;
}

bool lab_is_hash(const char *text, size_t length)
{
    return length == LAB_HASH_DIGITS && strspn(text, "0123456789abcdef") >= length;
}

lab_outcome lab_write_hashes(lab_folder *folder, const lab_result *result, lab_why *why)
{
    FILE *file;
    lab_datasets sets;
    lab_outcome outcome = lab_datasets_make(&sets, result, why);
    if (outcome == LAB_DONE)
        outcome = lab_folder_create(folder, LAB_HASHES_FILE, &file, why);
    if (outcome == LAB_DONE) {
        fputs(LAB_HASHES_HEADER "\n", file);
        for (int i = 0; i < sets.count; i++) {
            const lab_dataset *set = &sets.set[i];
            if (!set->of_clock)
                fputs(lab_hash_in_hex(lab_hash_dataset(set)).text, file);
            fputc(',', file);
            for (int k = 0; k < set->rank; k++)
                fprintf(file, "%s%zu", k > 0 ? "x" : "", set->shape[k]);
            fprintf(file, ",%s\n", set->name);
        }
        outcome = lab_folder_close(folder, file, why);
    }
    lab_datasets_free(&sets);
    return outcome;
}
