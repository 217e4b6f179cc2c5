// SPDX-License-Identifier: Apache-2.0
// zone_clash: whether a cell can learn with the forward model of another loop. It learns a
// frequency if the model T_c and the loop T_p differ there by less than 90 degrees in phase, and
// unlearns it otherwise: at the speed Re(conj(T_c) T_p) |X|², with |X|² the power of the inputs.
#ifndef CFPC_LAB_ZONE_CLASH_H
#define CFPC_LAB_ZONE_CLASH_H

#include "microzone/zone_loops.h"
#include "plant/granules.h"

// Of each cell, with the model of cell `common`: the speed of what is unlearned fastest, over that
// of what is learned fastest. 0: nothing is unlearned. clash: (P). Loops that are not coupled.
cfpc_status lab_zone_clash(double *clash, const lab_zone_loops *loops, int common,
                           const lab_granules *granules);

#endif
