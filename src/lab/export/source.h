// SPDX-License-Identifier: Apache-2.0
// source: an exported cell as C source: NAME_model.h and NAME_model.c.
#ifndef CFPC_LAB_SOURCE_H
#define CFPC_LAB_SOURCE_H

#include "base/folder.h"
#include "export/target.h"
#include "export/text.h"

// The words of a target that texts are filled in with. They point into it; it must not move.
enum { LAB_TARGET_WORDS = 24 };
typedef struct lab_target_words {
    lab_word words[LAB_TARGET_WORDS]; // NULL at the end
    char numbers[LAB_TARGET_WORDS][32];
    char act_parameters[1024]; // of NAME_act in its declaration
    char act_arguments[1024];  // where it is called
} lab_target_words;

void lab_target_words_make(lab_target_words *to, const lab_target *target);

lab_outcome lab_write_model_header(lab_folder *folder, const lab_target *target, lab_why *why);
lab_outcome lab_write_model_source(lab_folder *folder, const lab_target *target, lab_why *why);

#endif
