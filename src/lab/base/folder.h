// SPDX-License-Identifier: Apache-2.0
// folder: a result folder that appears complete or not at all. It is written beside its place and
// moved there at the end. Each result lists its own files in `.cfpc-files`: only those are ever
// replaced, so that nothing of the user's is lost.
#ifndef CFPC_LAB_FOLDER_H
#define CFPC_LAB_FOLDER_H

#include <stdbool.h>
#include <stdio.h>

#include "base/outcome.h"

#define LAB_RESULT_LIST ".cfpc-files" // the list of a result's files

typedef struct lab_folder {
    char *path;         // where the result will be
    char *work;         // where it is written
    int lock;           // that folder, open and locked
    char *made;         // first folder above that had to be made, NULL if none
    const char *option; // that names the path, for messages; the caller's; NULL: a program's call
    bool force;         // an old result may be replaced
    char **names;       // of the files in it
    int count, room;    // of names
} lab_folder;

// Checks that the result may be put there, and opens the work folder. Messages name the option by
// which another place can be chosen: --out, or this one (NULL: there are no options, it is a
// program that calls).
lab_outcome lab_folder_begin(lab_folder *folder, const char *path, bool force, lab_why *why);
lab_outcome lab_folder_begin_as(lab_folder *folder, const char *path, const char *option,
                                bool force, lab_why *why);

// Only checks it: makes nothing. *clean becomes the path without slashes at its end, the caller's
// to free, NULL if refused.
lab_outcome lab_folder_check(char **clean, const char *path, const char *option, bool force,
                             lab_why *why);

// A file of the result. Close it with lab_folder_close, which tells whether all was written.
lab_outcome lab_folder_create(lab_folder *folder, const char *name, FILE **file, lab_why *why);
lab_outcome lab_folder_close(lab_folder *folder, FILE *file, lab_why *why);

// A file that another program wrote into the work folder belongs to the result too.
lab_outcome lab_folder_adopt(lab_folder *folder, const char *name, lab_why *why);

// Path of a file while it is in the making; the caller frees it.
char *lab_folder_path(const lab_folder *folder, const char *name);

// The result takes its place, or all of it goes away. Either frees the folder.
lab_outcome lab_folder_commit(lab_folder *folder, lab_why *why);
void lab_folder_abandon(lab_folder *folder);

#endif
