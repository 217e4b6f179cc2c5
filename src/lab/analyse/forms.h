// SPDX-License-Identifier: Apache-2.0
// forms: the main rule by traces, in adjoint form and whitened: what each needs, and where it
// leads.
#ifndef CFPC_LAB_FORMS_H
#define CFPC_LAB_FORMS_H

#include "analyse/analysis.h"
#include "run/setup.h"

// Needs the analysis of learning. Nothing is compared if nothing is learned.
lab_outcome lab_compare_forms(lab_analysis *analysis, const lab_setup *setup, lab_why *why);

#endif
