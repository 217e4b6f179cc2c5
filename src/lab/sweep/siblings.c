// SPDX-License-Identifier: Apache-2.0
#include "sweep/siblings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/head.h"
#include "sweep/identity.h"

lab_outcome lab_refuse_other_part(const char *folder, const char *difference, lab_why *why)
{
    return lab_refuse(why,
                      "%s: is of a sweep with %s; use that, another --out, or "
                      "remove the folder",
                      folder, difference);
}

// One that has no journal yet, or none that can be read, says nothing: who gathers the parts will.
static lab_outcome check_one(const char *result, lab_part part, const char *identity, lab_why *why)
{
    char *folder = lab_part_folder(result, part), *stored = NULL;
    char *path = folder ? lab_journal_path(folder) : NULL;
    FILE *file = path ? fopen(path, "rb") : NULL;
    const lab_head head = file ? lab_head_take(file, part, &stored) : LAB_HEAD_UNKNOWN;
    lab_outcome outcome = path && head != LAB_HEAD_NO_MEMORY ? LAB_DONE : lab_no_memory(why, NULL);
    if (head == LAB_HEAD_TAKEN && strcmp(stored, identity) != 0)
        outcome = lab_refuse_other_part(folder, lab_identity_difference(stored, identity), why);
    if (file)
        fclose(file);
    free(stored);
    free(path);
    free(folder);
    return outcome;
}

// One sibling is enough: it was compared with others in the same way when it began.
static lab_outcome check_any(const lab_part_list *there, const char *result, lab_part part,
                             const char *identity, lab_why *why)
{
    for (int i = 0; i < there->count; i++)
        if (there->items[i].index != part.index)
            return check_one(result, there->items[i], identity, why);
    return LAB_DONE;
}

lab_outcome lab_siblings_check(const char *result, lab_part part, const char *identity,
                               lab_why *why)
{
    lab_part_list there;
    lab_outcome outcome = lab_part_list_find(&there, result, why);
    for (int i = 0; outcome == LAB_DONE && i < there.count; i++)
        if (there.items[i].count != part.count)
            outcome = lab_refuse(why,
                                 "%s.parts: holds parts of a sweep in %d, not in %d; remove that "
                                 "folder, or use another --out",
                                 result, there.items[i].count, part.count);
    if (outcome == LAB_DONE)
        outcome = check_any(&there, result, part, identity, why);
    lab_part_list_free(&there);
    return outcome;
}
