// SPDX-License-Identifier: Apache-2.0
#include "run/record.h"

#include <stdio.h>

const char *lab_guard_sentence(cfpc_guard_reason reason)
{
    switch (reason) {
    case CFPC_GUARD_ROUND:
        return "the error of one trial was too large";
    case CFPC_GUARD_MEAN:
        return "the mean error was above that of the loop alone";
    case CFPC_GUARD_NOT_FINITE:
        return "a number was not finite";
    case CFPC_GUARD_SATURATED:
        return "the command saturated for too long";
    case CFPC_GUARD_NOTHING:
        break;
    }
    return "it did not act";
}

bool lab_any_varied(const lab_record *record)
{
    for (int i = 0; i < record->rules; i++)
        if (record->rule[i].is_varied)
            return true;
    return false;
}

lab_diverged lab_diverged_text(const lab_record *record, int rule)
{
    lab_diverged diverged = {""};
    if (record->rule[rule].diverged_at > 0)
        snprintf(diverged.text, sizeof diverged.text, " (diverged at trial %d)",
                 record->rule[rule].diverged_at);
    return diverged;
}

void lab_record_free(lab_record *record)
{
    lab_arena_free(&record->arena);
    *record = (lab_record){0};
}
