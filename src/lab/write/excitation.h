// SPDX-License-Identifier: Apache-2.0
// excitation: a probe as a table of a spec or a logger, as a C table, and its figures.
#ifndef CFPC_LAB_WRITE_EXCITATION_H
#define CFPC_LAB_WRITE_EXCITATION_H

#include "analyse/excite.h"
#include "base/folder.h"

// As one JSON object.
void lab_excitation_json(FILE *file, const lab_excitation *excitation);

// probe.csv, probe.h and probe.json, into a result's folder.
lab_outcome lab_write_excitation(lab_folder *folder, const lab_excitation *excitation,
                                 lab_why *why);

#endif
