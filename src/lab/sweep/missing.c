// SPDX-License-Identifier: Apache-2.0
#include "sweep/missing.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const char rest[] = ",...";

// ---- ranges ----------------------------------------------------------------------------------

// A range of 0 is none, and one for which there is no room an ellipsis.
static void missing_put_range(lab_ranges *to)
{
    const size_t used = strlen(to->text);
    char range[32];
    if (to->first == 0)
        return;
    const int length = snprintf(range, sizeof range, "%s%d", used > 0 ? "," : "", to->first);
    if (to->last > to->first)
        snprintf(range + length, sizeof range - (size_t)length, "-%d", to->last);
    const bool fits = used + strlen(range) + sizeof rest <= sizeof to->text;
    const bool ended = used > 0 && to->text[used - 1] == '.';
    if (!ended)
        snprintf(to->text + used, sizeof to->text - used, "%s", fits ? range : rest);
}

void lab_ranges_add(lab_ranges *to, int part, int points)
{
    to->parts++;
    to->points += points;
    if (to->first == 0 || part != to->last + 1) {
        missing_put_range(to);
        to->first = part;
    }
    to->last = part;
}

const char *lab_ranges_text(lab_ranges *to)
{
    missing_put_range(to);
    to->first = 0;
    return to->text;
}

// ---- what is missing -------------------------------------------------------------------------

void lab_missing_add(lab_missing *missing, int part, lab_part_state state, int points)
{
    if (points == 0)
        return;
    missing->points += points;
    lab_ranges_add(&missing->by_state[state], part, points);
    if (state != LAB_PART_RUNNING)
        lab_ranges_add(&missing->resumed, part, points);
}

// "part 3 is unfinished (9 points)"
static void put_group(char *text, size_t size, lab_ranges *parts, const char *one,
                      const char *several)
{
    const size_t used = strlen(text);
    if (parts->parts > 0)
        snprintf(text + used, size - used, "%spart%s %s %s (%d point%s)", used > 0 ? ", " : "",
                 lab_plural(parts->parts), lab_ranges_text(parts),
                 parts->parts == 1 ? one : several, parts->points, lab_plural(parts->points));
}

lab_outcome lab_missing_refuse(lab_missing *missing, const char *result, int parts, int points,
                               lab_why *why)
{
    lab_ranges *by_state = missing->by_state;
    char groups[800] = "";
    put_group(groups, sizeof groups, &by_state[LAB_PART_ABSENT], "has not run", "have not run");
    put_group(groups, sizeof groups, &by_state[LAB_PART_IDLE], "is unfinished", "are unfinished");
    put_group(groups, sizeof groups, &by_state[LAB_PART_RUNNING], "is running", "are running");
    return lab_refuse(why, "%s.parts: %d of %d points are missing: of %d parts, %s", result,
                      missing->points, points, parts, groups);
}
