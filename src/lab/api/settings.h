// SPDX-License-Identifier: Apache-2.0
// settings: what the settings of a program hold.
#ifndef CFPC_LAB_API_SETTINGS_H
#define CFPC_LAB_API_SETTINGS_H

#include "spec/settings.h"

// NULL for NULL.
const lab_settings *lab_settings_of(const cfpc_settings *settings);

#endif
