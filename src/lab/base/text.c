// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FIRST_ROOM = 1 << 16 }; // bytes

// Reads an open file to its end into *text, which grows.
static lab_outcome text_read_whole(FILE *in, char **text, size_t *count, const char *file,
                                   size_t max_bytes, lab_why *why)
{
    size_t room = 0;
    *count = 0;
    for (;;) {
        if (*count > max_bytes)
            return lab_refuse(why, "%s: larger than %zu bytes", file, max_bytes);
        if (*count + 1 >= room) {
            room = room ? 2 * room : FIRST_ROOM;
            char *more = realloc(*text, room);
            if (!more)
                return lab_no_memory(why, file);
            *text = more;
        }
        const size_t got = fread(*text + *count, 1, room - *count - 1, in);
        if (ferror(in))
            return lab_refuse_errno(why, "%s: cannot be read", file);
        if (got == 0)
            return LAB_DONE;
        *count += got;
    }
}

lab_outcome lab_read_text(char **text, const char *file, size_t max_bytes, lab_why *why)
{
    *text = NULL;
    FILE *in = fopen(file, "rb");
    if (!in)
        return lab_refuse_errno(why, "%s", file);
    size_t count = 0;
    lab_outcome outcome = text_read_whole(in, text, &count, file, max_bytes, why);
    fclose(in);
    if (outcome == LAB_DONE && memchr(*text, '\0', count))
        outcome = lab_refuse(why, "%s: this is not a text file", file);
    if (outcome == LAB_DONE)
        (*text)[count] = '\0';
    else {
        free(*text);
        *text = NULL;
    }
    return outcome;
}

// Before it is opened: opening a pipe waits for one who writes.
lab_outcome lab_read_regular(char **text, const char *file, size_t max_bytes, lab_why *why)
{
    struct stat about;
    *text = NULL;
    if (stat(file, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode))
        return lab_refuse(why, "%s: this is a pipe or a device; write its content to a file", file);
    return lab_read_text(text, file, max_bytes, why);
}

char *lab_text_of(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text) {
        va_start(arguments, format);
        vsnprintf(text, (size_t)length + 1, format, arguments);
        va_end(arguments);
    }
    return text;
}

void lab_written_open(lab_written *written)
{
    static const char none[1 << 16];
    *written = (lab_written){0};
    written->file = open_memstream(&written->text, &written->length);
    // Memory for the usual length of a text is taken at once: fprintf does not always tell that
    // memory ran out in the middle, fwrite does.
    if (!written->file || (fwrite(none, 1, sizeof none, written->file) == sizeof none &&
                           fseek(written->file, 0, SEEK_SET) == 0))
        return;
    fclose(written->file);
    free(written->text);
    *written = (lab_written){0};
}

char *lab_written_close(lab_written *written)
{
    if (!written->file)
        return NULL;
    const bool whole = !ferror(written->file); // fclose does not tell memory that ran out before it
    if (fclose(written->file) == 0 && whole)
        return written->text;
    free(written->text);
    return NULL;
}
