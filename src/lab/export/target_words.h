// SPDX-License-Identifier: Apache-2.0
// target_words: the words of a target that the texts of its files are filled in with, and the files
// that are named after it.
#ifndef CFPC_LAB_TARGET_WORDS_H
#define CFPC_LAB_TARGET_WORDS_H

#include "base/folder.h"
#include "export/target.h"
#include "export/text.h"

enum { LAB_TARGET_WORDS = 21 };
typedef struct lab_target_words {
    lab_word words[LAB_TARGET_WORDS + 1]; // NULL at the end
    char numbers[LAB_TARGET_WORDS][32];   // those that are numbers, as text
    int made;                             // how many
} lab_target_words;

// The words point into themselves and into the target: neither may move.
void lab_target_words_make(lab_target_words *to, const lab_target *target);

// Creates the file that is named after the target: NAME and this ending, for example "_model.h".
lab_outcome lab_create_of_target(lab_folder *folder, const lab_target *target, const char *ending,
                                 FILE **file, lab_why *why);

#endif
