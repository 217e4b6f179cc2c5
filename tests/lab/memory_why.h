// SPDX-License-Identifier: Apache-2.0
// memory_why: what the lab says when memory runs out.
#ifndef CFPC_TESTS_MEMORY_WHY_H
#define CFPC_TESTS_MEMORY_WHY_H

#include "failing_memory.h"

#include "base/outcome.h"

// The outcome as a number; one that failed must say that memory is the reason,
// and nothing is refused.
static inline int outcome_of_memory(lab_outcome outcome, const lab_why *why)
{
    if (outcome == LAB_FAILED && !strstr(why->text, "memory"))
        fail_msg("not of memory: %s", why->text);
    if (outcome == LAB_REFUSED)
        fail_msg("refused: %s", why->text);
    return (int)outcome;
}

#endif
