// SPDX-License-Identifier: Apache-2.0
// into: a program's folder, written completely or not at all.
#ifndef CFPC_LAB_API_INTO_H
#define CFPC_LAB_API_INTO_H

#include "base/folder.h"
#include "base/pace.h"

// Writes all files of what the context is.
typedef lab_outcome lab_filler(lab_folder *folder, const void *context, bool figures, lab_why *why);

// Options may be NULL; the progress is that of the call, which tells the options' own.
lab_outcome lab_write_into(const char *path, const cfpc_write_options *options,
                           const lab_progress *progress, lab_filler *fill, const void *context,
                           lab_why *why);

#endif
