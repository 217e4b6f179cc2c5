// SPDX-License-Identifier: Apache-2.0
// hash: one number for all that a run computed, so that two results are compared in one line. A
// change of any value, by one unit of its last place, changes it for certain.
#ifndef CFPC_LAB_HASH_H
#define CFPC_LAB_HASH_H

#include <stdint.h>

#include "write/datasets.h"

// Of nothing; then of one word more. Each step is a bijection of the word for every hash, and of
// the hash for every word: what differs in one word stays different, whatever follows.
#define LAB_HASH_START UINT64_C(0)
uint64_t lab_hash_next(uint64_t hash, uint64_t word);

// Of one dataset: its name, its rank and shape, and the bits of every value as a 64-bit word, which
// does not depend on the order of bytes in memory. NAN has one pattern, and -0 is not 0.
uint64_t lab_hash_dataset(const lab_dataset *set);

// Of all datasets in turn, except those of the clock: their hashes as words. Nothing in it depends
// on the time or on a path.
uint64_t lab_hash_datasets(const lab_datasets *sets);
lab_outcome lab_hash_result(uint64_t *hash, const lab_result *result, lab_why *why);

enum { LAB_HASH_DIGITS = 16 };

// As hexadecimal digits; and whether a text is one.
typedef struct lab_hash_text {
    char text[LAB_HASH_DIGITS + 1];
} lab_hash_text;
lab_hash_text lab_hash_in_hex(uint64_t hash);
bool lab_is_hash(const char *text, size_t length);

// hashes.csv: the hash, the shape and the name of every dataset; the hash of what is left out is
// empty. hashed.h reads it.
#define LAB_HASHES_FILE "hashes.csv"
#define LAB_HASHES_HEADER "hash,shape,dataset"
lab_outcome lab_write_hashes(lab_folder *folder, const lab_result *result, lab_why *why);

#endif
