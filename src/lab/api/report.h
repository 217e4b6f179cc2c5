// SPDX-License-Identifier: Apache-2.0
// report: what a cfpc_report is: one of several kinds of findings.
#ifndef CFPC_LAB_API_REPORT_H
#define CFPC_LAB_API_REPORT_H

#include "api/call.h"
#include "api/experiment.h"
#include "report/report.h"

typedef enum lab_report_kind {
    LAB_REPORT_ANALYSIS,
    LAB_REPORT_PROBE,
    LAB_REPORT_COMPARISON,
    LAB_REPORT_IDENTIFICATION
} lab_report_kind;

struct cfpc_report {
    lab_report_kind kind;
    const lab_spec *spec; // whose copy is in the folder; NULL: none
    char *log;            // file that was read; NULL: none
    char *model;          // file that the model is written to; NULL: none
    bool replace_model;
    union { // of its kind
        lab_analysis analysis;
        lab_excitation excitation;
        lab_comparison comparison;
        lab_identification identification;
    };
};

// What a call begins with: room for a report, and that what it needs is given.
lab_outcome lab_report_begin(cfpc_report **report, lab_report_kind kind, const void *needed,
                             const char *what, lab_why *why);

// And ends with: unless it is done there is no report.
lab_outcome lab_report_end(cfpc_report **report, lab_outcome outcome);

#endif
