// SPDX-License-Identifier: Apache-2.0
// zone_needs: what a zone will need; from the sizes of its spec.
#ifndef CFPC_LAB_ZONE_NEEDS_H
#define CFPC_LAB_ZONE_NEEDS_H

#include "base/needs.h"
#include "plant/sizes.h"

// sizes: those of the spec's own loop and trial.
void lab_zone_needs(lab_needs *needs, const lab_sizes *sizes, const lab_spec *spec);

// Of lab_zone_prepare only.
void lab_zone_before_needs(lab_needs *needs, const lab_sizes *sizes, const lab_spec *spec);

#endif
