// SPDX-License-Identifier: Apache-2.0
// cases: a spec in which every rule is run under several conditions. `cases` is a short form: each
// rule of the file becomes one rule a case, called CASE-RULE, whose `set` begins with the case's,
// which is then gone from the case. Settings from outside (--set) find the rules as they are then.
#ifndef CFPC_LAB_CASES_H
#define CFPC_LAB_CASES_H

#include "base/outcome.h"
#include "spec/node.h"

// Expands the rules in the tree of a spec file. What is malformed is not changed: the validator
// refuses it.
lab_outcome lab_cases_expand(lab_node *root, lab_why *why);

#endif
