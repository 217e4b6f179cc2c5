// SPDX-License-Identifier: Apache-2.0
// nearest: what a misspelt word was meant to be.
#ifndef CFPC_LAB_NEAREST_H
#define CFPC_LAB_NEAREST_H

#include <stdbool.h>

// A hint for a word, made from the names that it could be, however many they are.
typedef struct lab_hint {
    const char *word;
    int apart;      // letters between the word and the nearest name so far
    bool is_near;   // a name is near: the text asks whether it was meant
    bool is_full;   // the text has no room for more names, and ends with "..."
    char text[512]; // "did you mean 'x'?", or else "it may be a, b, c"
} lab_hint;

lab_hint lab_hint_for(const char *word);
void lab_hint_add(lab_hint *hint, const char *name);

// The hint of names that are an array.
lab_hint lab_hint_among(const char *word, const char *const *names, int count);

#endif
