// SPDX-License-Identifier: Apache-2.0
#include "sweep/head.h"

#include <stdlib.h>
#include <string.h>

static const char magic[] = "cfpc sweep journal 1\n";

enum { IDENTITY_BYTES = 1 << 26 }; // no sweep has a longer one

// The line that names the part; a whole sweep has none.
typedef struct part_line {
    char text[48];
} part_line;

static part_line line_of(lab_part part)
{
    part_line line = {""};
    if (part.count > 0)
        snprintf(line.text, sizeof line.text, "part %d of %d\n", part.index, part.count);
    return line;
}

void lab_head_put(FILE *file, lab_part part, const char *identity)
{
    fprintf(file, "%s%s%zu\n%s", magic, line_of(part).text, strlen(identity), identity);
}

// Whether the file goes on with exactly this text.
static bool goes_on_with(FILE *file, const char *text)
{
    for (; *text; text++)
        if (fgetc(file) != (unsigned char)*text)
            return false;
    return true;
}

// A line of digits; -1 for anything else, or too large a number.
static long take_length(FILE *file)
{
    long length = 0;
    int c = fgetc(file);
    if (c == '\n')
        return -1;
    for (; c >= '0' && c <= '9' && length <= IDENTITY_BYTES; c = fgetc(file))
        length = 10 * length + (c - '0');
    return c == '\n' && length <= IDENTITY_BYTES ? length : -1;
}

lab_head lab_head_take(FILE *file, lab_part part, char **identity)
{
    *identity = NULL;
    if (!goes_on_with(file, magic))
        return LAB_HEAD_UNKNOWN;
    if (!goes_on_with(file, line_of(part).text))
        return LAB_HEAD_OTHER;
    const long length = take_length(file);
    if (length < 0)
        return LAB_HEAD_OTHER;
    *identity = calloc((size_t)length + 1, 1);
    if (!*identity)
        return LAB_HEAD_NO_MEMORY;
    (void)!fread(*identity, 1, (size_t)length, file); // one that is cut is another
    return LAB_HEAD_TAKEN;
}
