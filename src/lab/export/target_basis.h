// SPDX-License-Identifier: Apache-2.0
// target_basis: the basis signals of a target: banks that signals drive, shapes in time, bumps over
// an angle.
#ifndef CFPC_LAB_TARGET_BASIS_H
#define CFPC_LAB_TARGET_BASIS_H

#include "export/target.h"

// Makes the banks and their signals.
lab_outcome lab_target_take_basis(lab_target *target, lab_why *why);

// Packs those in time: whole shapes, or one shape per bank, interpolated between steps.
lab_outcome lab_target_pack(lab_target *target, bool interpolate, lab_why *why);

#endif
