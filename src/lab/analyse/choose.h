// SPDX-License-Identifier: Apache-2.0
// choose: the settings of a rule that serve the worst of several models best.
#ifndef CFPC_LAB_CHOOSE_H
#define CFPC_LAB_CHOOSE_H

#include "analyse/worst.h"

// Tries traces, updates, leaks and rates of the main rule, in batch. A setting counts if the error
// falls in every trial in every model; the smallest error at trial LAB_COMPARED_TRIAL in the worst
// model wins. A model that failed a test of its own is given no preconditioned update, which trusts
// it in every direction.
lab_outcome lab_choose(lab_choice *choice, const lab_models *models, int rule,
                       const cfpc_lesson *lesson, lab_why *why);

#endif
