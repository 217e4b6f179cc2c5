// SPDX-License-Identifier: Apache-2.0
// outcome: how a piece of the lab's work ended. The values are the command's exit codes.
#ifndef CFPC_LAB_OUTCOME_H
#define CFPC_LAB_OUTCOME_H

#include "cfpc/lab.h"
#include "cfpc/status.h"

// Those of cfpc/lab.h, under the lab's own names.
typedef cfpc_outcome lab_outcome;
#define LAB_DONE CFPC_DONE
#define LAB_FAILED CFPC_FAILED   // the run failed: a disk that is full, a claim that did not hold
#define LAB_REFUSED CFPC_REFUSED // the input is bad: nothing was begun

// Why: one line for a person, without a newline, and its place.
typedef cfpc_why lab_why;

__attribute__((format(printf, 2, 3))) void lab_say(lab_why *why, const char *format, ...);

// The same of a place in a file: "file:line:column: sentence"; a column or line of 0 is left out.
__attribute__((format(printf, 5, 6))) void lab_say_at(lab_why *why, const char *file, int line,
                                                      int column, const char *format, ...);

// Notes the place of a line that was written without it.
void lab_why_at(lab_why *why, const char *file, int line, int column);

// Each writes the line and is its outcome.
#define lab_refuse(why, ...) (lab_say((why), __VA_ARGS__), LAB_REFUSED)
#define lab_refuse_at(why, file, line, column, ...)                                                \
    (lab_say_at((why), (file), (line), (column), __VA_ARGS__), LAB_REFUSED)
#define lab_fail(why, ...) (lab_say((why), __VA_ARGS__), LAB_FAILED)

// What the system said no to, by its errno: "sentence: its reason". Memory that ran out is a
// failure, all else is refused.
__attribute__((format(printf, 2, 3))) lab_outcome lab_refuse_errno(lab_why *why, const char *format,
                                                                   ...);

// Writes "where: sentence of the status", or the sentence alone if where is NULL.
void lab_say_status(lab_why *why, cfpc_status status, const char *where);

// The one way from a status to an outcome: LAB_DONE for CFPC_OK; memory that ran out is a failure;
// all else is refused. Inline, so that a static analyser sees that a failure is not LAB_DONE.
static inline lab_outcome lab_from_status(lab_why *why, cfpc_status status, const char *where)
{
    if (status == CFPC_OK)
        return LAB_DONE;
    lab_say_status(why, status, where);
    return status == CFPC_NO_MEMORY ? LAB_FAILED : LAB_REFUSED;
}

// Memory ran out; where, or NULL.
static inline lab_outcome lab_no_memory(lab_why *why, const char *where)
{
    return lab_from_status(why, CFPC_NO_MEMORY, where);
}

#endif
