// SPDX-License-Identifier: Apache-2.0
// call: what the calls of a program have in common: the locale of C, why one failed, what was left
// out of one, texts that one gives, and folders that one writes.
#ifndef CFPC_LAB_API_CALL_H
#define CFPC_LAB_API_CALL_H

#include <stdio.h>

#include "base/c_locale.h"
#include "base/folder.h"
#include "base/pace.h"

typedef struct lab_call {
    lab_locale locale;
    const cfpc_progress *told; // NULL: none
    lab_progress progress;     // tells it, in the program's own locale
    lab_why why;
} lab_call;

// A call may not be moved between its begin and its end. told may be NULL.
void lab_call_begin(lab_call *call, const cfpc_progress *told);
cfpc_outcome lab_call_end(lab_call *call, lab_outcome outcome, cfpc_why *why);

// What a program left out is refused, as "folder", where it would be a crash. Inline, so that a
// static analyser sees that what is left out is not LAB_DONE.
static inline lab_outcome lab_check_given(const void *it, const char *what, lab_why *why)
{
    return it ? LAB_DONE : lab_refuse(why, "no %s was given", what);
}

// Two at once, the first being said first.
static inline lab_outcome lab_check_both(const void *it, const char *what, const void *other,
                                         const char *other_what, lab_why *why)
{
    const lab_outcome outcome = lab_check_given(it, what, why);
    return outcome == LAB_DONE ? lab_check_given(other, other_what, why) : outcome;
}

// Writes a text of what the context is.
typedef lab_outcome lab_teller(FILE *to, const void *context, lab_why *why);

// The text, the caller's to free; NULL unless it is done.
lab_outcome lab_tell(char **text, lab_teller *tell, const void *context, lab_why *why);

// The same as a call of a program. What the text is of, and where it goes, must be given.
cfpc_outcome lab_tell_program(char **text, lab_teller *tell, const void *context, const char *what,
                              cfpc_why *why);

// What a text about files is of: a thing, the folder that it is written to, and with figures or
// not.
typedef struct lab_told_place {
    const void *of;
    const char *folder;
    bool figures;
} lab_told_place;

// Writes all files of what the context is.
typedef lab_outcome lab_filler(lab_folder *folder, const void *context, bool figures, lab_why *why);

// A folder, written completely or not at all. Options may be NULL; the progress is that of the
// call, which tells the options' own.
lab_outcome lab_write_into(const char *path, const cfpc_write_options *options,
                           const lab_progress *progress, lab_filler *fill, const void *context,
                           lab_why *why);

#endif
