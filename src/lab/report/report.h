// SPDX-License-Identifier: Apache-2.0
// report: what the lab has found, as text for a person, and the files in which it is.
#ifndef CFPC_LAB_REPORT_H
#define CFPC_LAB_REPORT_H

#include "analyse/analysis.h"
#include "analyse/excite.h"
#include "draw/compare.h"
#include "identify/identification.h"
#include "sweep/swept.h"
#include "write/results.h"

// What was found.
void lab_put_result(FILE *to, const lab_result *result);
void lab_put_analysis(FILE *to, const lab_analysis *analysis);
void lab_put_excitation(FILE *to, const lab_excitation *excitation);
void lab_put_comparison(FILE *to, const lab_comparison *comparison);

// The file of the model is where the text says that it is; NULL: it is in none.
void lab_put_identification(FILE *to, const lab_identification *identification, const char *model);

// The files that are written into this folder.
void lab_put_result_files(FILE *to, const lab_result *result, const char *folder, bool figures);
void lab_put_analysis_files(FILE *to, const lab_analysis *analysis, const char *folder,
                            bool figures);
void lab_put_excitation_files(FILE *to, const char *folder, bool figures);
void lab_put_comparison_files(FILE *to, const char *folder, bool figures);
void lab_put_identification_files(FILE *to, const char *model, const char *folder, bool figures);

// Both, of a sweep.
void lab_put_swept(FILE *to, const lab_swept *swept, const char *folder, bool figures);

// What is in a file of a cell, or in a result folder or its summary.json.
lab_outcome lab_put_inspected(FILE *to, const char *path, lab_why *why);

#endif
