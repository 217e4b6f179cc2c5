// SPDX-License-Identifier: Apache-2.0
// yaml: the reader that is libfyaml, which only yaml.c uses. cfpc_yaml_reader of cfpc/lab.h parses
// in a process of its own, as libfyaml may crash where memory runs out.
#ifndef CFPC_LAB_YAML_H
#define CFPC_LAB_YAML_H

#include "cfpc/lab.h"

// The same in this process, for texts that were not given by a user; NULL in a build without it.
const cfpc_reader *lab_yaml_here(void);

#endif
