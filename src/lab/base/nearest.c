// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    LONGEST_NAME = 64 // characters of a word that a near name is looked up for
};

// Edit distance: letters added, dropped, changed or swapped with their neighbour.
static int distance(const char *a, const char *b)
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

static const char *nearest_of(const char *word, const char *const *names, int count)
{
    const char *nearest = NULL;
    int least = 1 + (int)strlen(word) / 3; // a third of the letters may be wrong
    for (int i = 0; i < count; i++) {
        const bool begins = strlen(word) >= 3 && strncmp(names[i], word, strlen(word)) == 0;
        const int apart = begins ? 1 : distance(word, names[i]);
        if (apart <= least && (!nearest || apart < least)) {
            nearest = names[i];
            least = apart;
        }
    }
    return nearest;
}

void lab_suggest(char *out, size_t size, const char *word, const char *const *names, int count)
{
    const char *near = nearest_of(word, names, count);
    if (near) {
        snprintf(out, size, "did you mean '%s'?", near);
        return;
    }
    size_t used = (size_t)snprintf(out, size, "it may be");
    for (int i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s %s", i ? "," : "", names[i]);
}
