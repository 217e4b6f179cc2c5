// SPDX-License-Identifier: Apache-2.0
// made_folders: the folders above a result, which go again if there is none.
#ifndef CFPC_LAB_MADE_FOLDERS_H
#define CFPC_LAB_MADE_FOLDERS_H

#include "base/outcome.h"

// Makes a folder and those above it, as far as they are not there; several may do so at once. *made
// becomes the first that was not there, the caller's to free; it must be NULL before.
lab_outcome lab_make_folders(const char *path, char **made, lab_why *why);

// Removes the folders that were made (NULL: none), deepest first, as far as they are there and
// empty. The path is cut on the way: nothing is left to chance when memory has run out.
void lab_unmake_folders(char *path, const char *made);

#endif
