// SPDX-License-Identifier: Apache-2.0
// draw: what random loops are drawn and written with.
#ifndef CFPC_BENCH_DRAW_H
#define CFPC_BENCH_DRAW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/random.h"
#include "spec/validate.h"

typedef lab_numbers draw_range; // [minimum, maximum]

// Reads a file of ranges. Free what it holds with lab_validated_free, even if this fails.
lab_outcome draw_load(const lab_table *table, const char *file, void *into, lab_why *why);

// Whether each of its ranges, the lists of numbers but the one named `other` (NULL: none), is one.
lab_outcome draw_check(const lab_table *table, const char *file, const void *from,
                       const char *other, lab_why *why);

double draw_between(lab_random *random, double low, double high);
double draw_within(lab_random *random, const draw_range *range);
double draw_log_within(lab_random *random, const draw_range *range); // log-uniform
int draw_whole(lab_random *random, int low, int high);               // both included
bool draw_chance(lab_random *random, double share);

// A growing text; if it does not fit, it is truncated and no spec is made of it.
typedef struct draw_text {
    char at[8192];
    size_t used;
} draw_text;

__attribute__((format(printf, 2, 3))) void draw_add(draw_text *to, const char *format, ...);
bool draw_is_full(const draw_text *text);

#endif
