// SPDX-License-Identifier: Apache-2.0
// exchange: two folders change places at once, where the system and the file system can.
#ifndef CFPC_LAB_EXCHANGE_H
#define CFPC_LAB_EXCHANGE_H

#include <stdbool.h>

// False, and nothing has changed, where they cannot.
bool lab_exchange(const char *a, const char *b);

#endif
