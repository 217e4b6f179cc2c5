// SPDX-License-Identifier: Apache-2.0
// settings: what the settings of a program hold.
#ifndef CFPC_LAB_API_SETTINGS_H
#define CFPC_LAB_API_SETTINGS_H

#include "spec/settings.h"

// The reader of a program: libfyaml's for NULL, in this process, as one that has threads must not
// be forked without need.
const cfpc_reader *lab_reader_of(const cfpc_reader *reader);

// NULL for NULL.
const lab_settings *lab_settings_of(const cfpc_settings *settings);

#endif
