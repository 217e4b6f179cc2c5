// SPDX-License-Identifier: Apache-2.0
// workfolder: the hidden folder beside a result's place in which the result is written. It is
// locked as long as its process lives, whatever ends that, so that what a dead process left can be
// told from what another is at work on.
#ifndef CFPC_LAB_WORKFOLDER_H
#define CFPC_LAB_WORKFOLDER_H

#include <stdbool.h>
#include <stdio.h>

#include "base/outcome.h"

// Makes parent/.NAME.cfpc-XXXXXX: *path is the caller's to free, *lock to close.
lab_outcome lab_workfolder_make(const char *parent, const char *name, char **path, int *lock,
                                lab_why *why);

// Removes what dead processes left beside the result parent/NAME. An old result that one of them
// had moved aside (to .NAME.cfpc-XXXXXX.old) comes back, if there is none in its place.
void lab_workfolder_clear(const char *parent, const char *name);

// Puts a folder, and the files of these names in it, on the disk itself. *failed becomes the name
// of the one that could not be.
lab_outcome lab_workfolder_sync(int folder, char *const *names, int count, const char **failed);

// Closes a file that was written, put on the disk itself or not; false, with errno, if not all was
// written.
bool lab_close_written(FILE *file, bool onto_disk);

// Puts the names in the folder above on the disk itself.
void lab_sync_parent(int folder);

// Removes a flat folder with all its files.
void lab_remove_folder(const char *path);

// Two folders change places at once; false, and nothing has changed, where the system or the file
// system cannot.
bool lab_exchange(const char *a, const char *b);

// ---- the folders above a result, which go again if there is none -------------------------------

// Makes a folder and those above it, as far as they are not there; several may do so at once. *made
// becomes the first that was not there, the caller's to free; it must be NULL before.
lab_outcome lab_make_folders(const char *path, char **made, lab_why *why);

// Removes the folders that were made (NULL: none), deepest first, as far as they are there and
// empty. The path is cut on the way: nothing is left to chance when memory has run out.
void lab_unmake_folders(char *path, const char *made);

#endif
