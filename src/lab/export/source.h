// SPDX-License-Identifier: Apache-2.0
// source: an exported cell as C source: NAME_model.h and NAME_model.c.
#ifndef CFPC_LAB_SOURCE_H
#define CFPC_LAB_SOURCE_H

#include "base/folder.h"
#include "export/target.h"

lab_outcome lab_write_model_header(lab_folder *folder, const lab_target *target, lab_why *why);
lab_outcome lab_write_model_source(lab_folder *folder, const lab_target *target, lab_why *why);

#endif
