// SPDX-License-Identifier: Apache-2.0
// standings: the rules side by side in a table: one row per rule, one column per measure that the
// spec names, case by case.
#ifndef CFPC_LAB_STANDINGS_H
#define CFPC_LAB_STANDINGS_H

#include "write/results.h"

// Whether a spec asks for them; the number of cases, at least 1; the case of a rule, from 0.
bool lab_asks_standings(const lab_spec *spec);
int lab_case_count(const lab_spec *spec);
int lab_case_of(const lab_spec *spec, int rule);

typedef struct lab_standing {
    double value; // NAN if the run does not define it
    bool best;    // of all rules of its case
    bool better;  // than the case's first rule, by more than 1 %
} lab_standing;

lab_standing lab_standing_of(const lab_result *result, int rule, int column);

// A value as shown in a table, with its marks.
void lab_standing_text(char *text, size_t size, lab_standing standing);

// table.csv and table.md.
lab_outcome lab_write_standings(lab_folder *folder, const lab_result *result, lab_why *why);

#endif
