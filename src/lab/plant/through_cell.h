// SPDX-License-Identifier: Apache-2.0
// through_cell: the loop as it is closed through its cell. Bases driven by measurement or commands
// make the weights a part of the loop.
#ifndef CFPC_LAB_THROUGH_CELL_H
#define CFPC_LAB_THROUGH_CELL_H

#include "cfpc/loop.h"
#include "plant/banks.h"

// Largest pole of a loop, closed, from o to its outputs, with these weights (of all bases) in it.
cfpc_status lab_radius_with_cell(double *radius, const lab_basis *basis, const cfpc_system *from_o,
                                 const double *weights);

#endif
