// SPDX-License-Identifier: Apache-2.0
// fmu: an exported cell as an FMU (FMI 3.0, co-simulation): one file with its sources and, where
// there is a compiler, a library for this machine.
#ifndef CFPC_LAB_FMU_H
#define CFPC_LAB_FMU_H

#include "export/target.h"

// Writes the file at `path`, which must end in .fmu; with force it may replace an archive. The
// folder `firmware` holds the core (cfpc.c, cfpc.h) and the functions of FMI (fmi/fmu.c, fmi3.h).
// *compiler_said becomes empty if the library was compiled, or else says why there is no compiler:
// the FMU then has its sources only. A compiler that fails is a failure.
lab_outcome lab_export_fmu(const char *path, const lab_target *target, const char *firmware,
                           bool force, lab_why *compiler_said, lab_why *why);

#endif
