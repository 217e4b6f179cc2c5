// SPDX-License-Identifier: Apache-2.0
// zip: a zip archive of files that are not compressed. The same files give the same bytes: every
// file is dated the first day that the format knows.
#ifndef CFPC_LAB_ZIP_H
#define CFPC_LAB_ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { LAB_ZIP_FILES = 64, LAB_ZIP_NAME = 240 };

typedef struct lab_zip_entry {
    char name[LAB_ZIP_NAME];
    uint32_t checksum, bytes, at;
} lab_zip_entry;

// Starts as {.file = FILE}, at the beginning of the file.
typedef struct lab_zip {
    FILE *file;
    uint64_t used; // bytes so far
    int count;     // of files
    bool too_large;
    lab_zip_entry entry[LAB_ZIP_FILES];
} lab_zip;

// Adds a file; folders in its name are separated by '/'.
void lab_zip_add(lab_zip *zip, const char *name, const void *bytes, size_t count);

// Adds the directory. False if there were too many files, too long a name or too many bytes (2 GB,
// the whole archive); whether all was written, the file knows.
bool lab_zip_end(lab_zip *zip);

#endif
