// SPDX-License-Identifier: Apache-2.0
// rows: the names and rows of rules that run in several cases.
#ifndef CFPC_LAB_SPEC_ROWS_H
#define CFPC_LAB_SPEC_ROWS_H

#include "spec/spec.h"

// The name of a rule without that of its case.
const char *lab_bare_name(const lab_rule_spec *rule);

// The row of a rule in a table, from 0, and so its colour: rules of the same name in all cases
// share one, in the order they come.
int lab_row_of(const lab_spec *spec, int rule);

#endif
