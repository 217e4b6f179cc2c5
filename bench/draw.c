// SPDX-License-Identifier: Apache-2.0
#include "draw.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "spec/reader.h"

lab_outcome draw_load(const lab_table *table, const char *file, void *into, lab_why *why)
{
    char *text = NULL;
    lab_node *root = NULL;
    lab_outcome outcome = lab_read_text(&text, file, LAB_SPEC_BYTES, why);
    if (outcome == LAB_DONE)
        outcome = lab_parse(&root, file, text, strlen(text), why);
    if (outcome == LAB_DONE)
        outcome = lab_validate(table, file, root, into, why);
    lab_node_free(root);
    free(text);
    return outcome;
}

lab_outcome draw_check(const lab_table *table, const char *file, const void *from,
                       const char *other, lab_why *why)
{
    for (const lab_field *f = table->fields; f->key; f++) {
        const draw_range *range = (const draw_range *)((const char *)from + f->offset);
        if (f->kind != LAB_NUMBERS || (other && strcmp(f->key, other) == 0))
            continue;
        if (range->columns != 2 || range->values[0] > range->values[1])
            return lab_refuse(why, "%s: '%s' must be [minimum, maximum]", file, f->key);
    }
    return LAB_DONE;
}

double draw_between(lab_random *random, double low, double high)
{
    return low + (high - low) * lab_uniform(random);
}

double draw_within(lab_random *random, const draw_range *range)
{
    return draw_between(random, range->values[0], range->values[1]);
}

double draw_log_within(lab_random *random, const draw_range *range)
{
    return exp(draw_between(random, log(range->values[0]), log(range->values[1])));
}

int draw_whole(lab_random *random, int low, int high)
{
    return low + (int)draw_between(random, 0, high - low + 1);
}

bool draw_chance(lab_random *random, double share)
{
    return lab_uniform(random) < share;
}

void draw_add(draw_text *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int count = vsnprintf(to->at + to->used, sizeof to->at - to->used, format, arguments);
    va_end(arguments);
    const size_t room = sizeof to->at - 1 - to->used;
    to->used += count < 0 ? room : (size_t)count < room ? (size_t)count : room;
}

bool draw_is_full(const draw_text *text)
{
    return text->used >= sizeof text->at - 1;
}
