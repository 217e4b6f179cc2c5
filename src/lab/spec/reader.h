// SPDX-License-Identifier: Apache-2.0
// reader: text becomes nodes.
#ifndef CFPC_LAB_READER_H
#define CFPC_LAB_READER_H

#include <stddef.h>

#include "base/outcome.h"
#include "spec/node.h"

// Reads text (a file's content), which must be a map; `file` is only for messages. Free the root in
// either case.
lab_outcome lab_parse(lab_node **root, const char *file, const char *text, size_t length,
                      lab_why *why);

// A value by itself, as on a command line; `name` is only for messages.
lab_outcome lab_parse_value(lab_node **value, const char *name, const char *text, lab_why *why);

#endif
