// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum {
    LONGEST_NAME = 64 // characters of a word that a near name is looked up for
};

// Edit distance: letters added, dropped, changed or swapped with their neighbour.
static int nearest_distance(const char *a, const char *b)
{
    const int m = (int)strlen(a), n = (int)strlen(b);
    int table[LONGEST_NAME + 1][LONGEST_NAME + 1];
    if (m > LONGEST_NAME || n > LONGEST_NAME)
        return INT_MAX;
    for (int i = 0; i <= m; i++)
        for (int j = 0; j <= n; j++) {
            if (i == 0 || j == 0) {
                table[i][j] = i + j;
                continue;
            }
            int best = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (table[i - 1][j] + 1 < best)
                best = table[i - 1][j] + 1;
            if (table[i][j - 1] + 1 < best)
                best = table[i][j - 1] + 1;
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && table[i - 2][j - 2] + 1 < best)
                best = table[i - 2][j - 2] + 1;
            table[i][j] = best;
        }
    return table[m][n];
}

lab_hint lab_hint_for(const char *word)
{
    return (lab_hint){.word = word, .apart = INT_MAX, .text = "it may be"};
}

void lab_hint_add(lab_hint *hint, const char *name)
{
    // A third of the letters may be wrong.
    const size_t length = strlen(hint->word);
    const bool begins = length >= 3 && strncmp(name, hint->word, length) == 0;
    const int apart = begins ? 1 : nearest_distance(hint->word, name);
    if (apart <= 1 + (int)length / 3 && apart < hint->apart) {
        hint->apart = apart;
        hint->is_near = true;
        snprintf(hint->text, sizeof hint->text, "did you mean '%s'?", name);
    }
    if (hint->is_near || hint->is_full)
        return;
    // Whole names, as long as there is room for another and for the dots.
    const size_t used = strlen(hint->text), room = sizeof hint->text - used;
    const char *comma = used > strlen("it may be") ? "," : "";
    hint->is_full = strlen(name) + sizeof ", , ..." > room;
    snprintf(hint->text + used, room, "%s %s", comma, hint->is_full ? "..." : name);
}

lab_hint lab_hint_among(const char *word, const char *const *names, int count)
{
    lab_hint hint = lab_hint_for(word);
    for (int i = 0; i < count; i++)
        lab_hint_add(&hint, names[i]);
    return hint;
}
