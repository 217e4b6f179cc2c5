// SPDX-License-Identifier: Apache-2.0
// outcome: how a piece of the lab's work ended. The values are the command's exit codes.
#ifndef CFPC_LAB_OUTCOME_H
#define CFPC_LAB_OUTCOME_H

#include "cfpc/status.h"

typedef enum lab_outcome {
    LAB_DONE = 0,
    LAB_FAILED = 1, // the run failed: a disk that is full, a claim that did not hold
    LAB_REFUSED = 2 // the input is bad: nothing was begun
} lab_outcome;

// Why: one line for a person, without a newline.
typedef struct lab_why {
    char text[1024];
} lab_why;

__attribute__((format(printf, 2, 3))) void lab_say(lab_why *why, const char *format, ...);

// Each writes the line and is its outcome.
#define lab_refuse(why, ...) (lab_say((why), __VA_ARGS__), LAB_REFUSED)
#define lab_fail(why, ...) (lab_say((why), __VA_ARGS__), LAB_FAILED)

// What the system said no to, by its errno: "sentence: its reason". Memory that ran out is a
// failure, all else is refused.
__attribute__((format(printf, 2, 3))) lab_outcome lab_refuse_errno(lab_why *why, const char *format,
                                                                   ...);

// The one way from a status to an outcome: LAB_DONE for CFPC_OK; memory that ran out is a failure;
// all else is refused as "where: sentence", or as the sentence alone if where is NULL.
lab_outcome lab_from_status(lab_why *why, cfpc_status status, const char *where);

// Memory ran out; where, or NULL.
#define lab_no_memory(why, where) (lab_from_status((why), CFPC_NO_MEMORY, (where)), LAB_FAILED)

#endif
