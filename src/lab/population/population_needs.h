// SPDX-License-Identifier: Apache-2.0
// population_needs: what the contests of a population will need; from the sizes of its spec.
#ifndef CFPC_LAB_POPULATION_NEEDS_H
#define CFPC_LAB_POPULATION_NEEDS_H

#include "base/needs.h"
#include "spec/spec.h"

void lab_population_needs(lab_needs *needs, const lab_population_spec *spec, double step_ms);

#endif
