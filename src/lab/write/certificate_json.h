// SPDX-License-Identifier: Apache-2.0
// certificate_json: an analysis as JSON.
#ifndef CFPC_LAB_CERTIFICATE_JSON_H
#define CFPC_LAB_CERTIFICATE_JSON_H

#include "analyse/analysis.h"
#include "base/folder.h"

// The whole analysis as one JSON object.
void lab_certificate_json(FILE *file, const lab_analysis *analysis);

// certificate.json, into a result's folder.
lab_outcome lab_write_certificate(lab_folder *folder, const lab_analysis *analysis, lab_why *why);

#endif
