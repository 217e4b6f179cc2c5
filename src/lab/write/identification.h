// SPDX-License-Identifier: Apache-2.0
// identification: what was identified, as JSON and CSV.
#ifndef CFPC_LAB_WRITE_IDENTIFICATION_H
#define CFPC_LAB_WRITE_IDENTIFICATION_H

#include "base/folder.h"
#include "identify/identification.h"

// As one JSON object.
void lab_identification_json(FILE *file, const lab_identification *identification);

// identification.json, simulation.csv, response.csv, frequency.csv and residuals.csv.
lab_outcome lab_write_identification(lab_folder *folder, const lab_identification *identification,
                                     lab_why *why);

#endif
