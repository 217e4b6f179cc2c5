// SPDX-License-Identifier: Apache-2.0
// certificate: an analysis written down, as JSON and as figures.
#ifndef CFPC_LAB_CERTIFICATE_H
#define CFPC_LAB_CERTIFICATE_H

#include "analysis.h"
#include "folder.h"

// The whole analysis as one JSON object.
void lab_certificate_json(FILE *file, const lab_analysis *analysis);

// certificate.json and the figures, into a result's folder.
lab_outcome lab_write_certificate(lab_folder *folder, const lab_analysis *analysis, bool figures,
                                  lab_why *why);

#endif
