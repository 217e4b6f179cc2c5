// SPDX-License-Identifier: Apache-2.0
// cases: a spec in which every rule is run in several worlds. `cases` is a short form: each rule of
// the file becomes one rule a case, called CASE-RULE, whose `set` begins with the case's, which is
// then gone from the case. Settings from outside (--set) find the rules as they are then.
#ifndef CFPC_LAB_CASES_H
#define CFPC_LAB_CASES_H

#include "spec/yaml.h"

// Writes the rules out in the tree of a spec file. What is not as it should be is left as it is,
// for the validator to refuse.
lab_outcome lab_cases_expand(lab_node *root, lab_why *why);

#endif
