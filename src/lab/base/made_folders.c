// SPDX-License-Identifier: Apache-2.0
#include "base/made_folders.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

lab_outcome lab_make_folders(const char *path, char **made, lab_why *why)
{
    char *each = strdup(path);
    if (!each)
        return lab_no_memory(why, NULL);
    lab_outcome outcome = LAB_DONE;
    for (char *slash = each + 1; outcome == LAB_DONE; slash++) {
        if (*slash != '/' && *slash != '\0')
            continue;
        const char kept = *slash;
        *slash = '\0';
        if (mkdir(each, 0777) == 0) {
            if (!*made && !(*made = strdup(each))) {
                rmdir(each); // nobody would know of it
                outcome = lab_no_memory(why, NULL);
            }
        } else if (errno != EEXIST)
            outcome = lab_refuse_errno(why, "%s: cannot be made", each);
        *slash = kept;
        if (kept == '\0')
            break;
    }
    free(each);
    return outcome;
}

void lab_unmake_folders(char *parent, const char *made)
{
    while (made && strlen(parent) >= strlen(made)) {
        rmdir(parent);
        char *slash = strrchr(parent, '/');
        if (!slash)
            break;
        *slash = '\0';
    }
}
