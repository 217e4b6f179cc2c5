// SPDX-License-Identifier: Apache-2.0
#include "spec/beside.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Whether a path goes up: one of its parts is "..".
static bool goes_up(const char *path)
{
    for (const char *part = path; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return true;
    }
    return false;
}

lab_outcome lab_path_beside(char **path, const lab_spec *spec, const char *file, lab_why *why)
{
    *path = NULL;
    if (*file != '/' && goes_up(file))
        return lab_refuse(
            why, "'%.200s' may be outside the folder of the spec; write an absolute path", file);
    *path = lab_spec_path(spec, file);
    return *path ? LAB_DONE : lab_no_memory(why, NULL);
}

static lab_outcome read_table(lab_csv *csv, const lab_spec *spec, const char *file,
                              const char *column, int *index, lab_why *why)
{
    char *path;
    lab_outcome outcome = lab_path_beside(&path, spec, file, why);
    if (outcome == LAB_DONE)
        outcome = lab_csv_read(csv, path, why);
    if (outcome == LAB_DONE && column)
        outcome = lab_csv_column(csv, path, column, index, why);
    free(path);
    return outcome;
}

lab_outcome lab_read_beside(lab_csv *csv, const lab_spec *spec, lab_place place, const char *file,
                            const char *column, int *index, lab_why *why)
{
    lab_why reason = {0};
    *csv = (lab_csv){0};
    const lab_outcome outcome = read_table(csv, spec, file, column, index, &reason);
    if (outcome != LAB_DONE)
        lab_spec_say(spec, place, why, "%s", reason.text);
    return outcome;
}
