// SPDX-License-Identifier: Apache-2.0
// fmu_texts: the files of an FMU that depend on the cell: modelDescription.xml and
// buildDescription.xml, which say what it has, and fmu_cell.h and fmu_cell.c, which tie the cell to
// ports/fmi/fmu.c.
#ifndef CFPC_LAB_FMU_TEXTS_H
#define CFPC_LAB_FMU_TEXTS_H

#include "base/folder.h"
#include "export/target.h"

lab_outcome lab_write_fmu_texts(lab_folder *folder, const lab_target *target, lab_why *why);

#endif
