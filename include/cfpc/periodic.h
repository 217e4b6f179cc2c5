// SPDX-License-Identifier: Apache-2.0
// periodic: basis signals over a phase, for example the angle of a rotor, by table lookup.
//
// One turn is divided into `points`. The signals are copies of one bump, at equal distances around
// the turn. The bump is a table of the points at which it is not 0; between points it is
// interpolated linearly:
//
//     s = points · (turns mod 1)                                  the phase, in points
//     k + f = (s - j points/synapses - first) mod points          whole part and fraction
//     x_j = (1 - f) values[k] + f values[k + 1]   where k < length; otherwise 0
//
// A row costs what the synapses near the phase cost, plus setting the others to 0.
#ifndef CFPC_PERIODIC_H
#define CFPC_PERIODIC_H

#include <stdint.h>

#include "cfpc/config.h"
#include "cfpc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cfpc_periodic {
    int32_t synapses;        // bumps in one turn; that of synapse j is at the phase j/synapses
    int32_t points;          // points in one turn: a multiple of synapses, at most 2^20
    int32_t first;           // the point of values[0], counted from the bump's phase; for a bump
                             // that is symmetric about its phase -length/2   (-points ... points)
    int32_t length;          // points from the first value to the last, 1 to points
    const cfpc_real *values; // the bump                                      (length + 1)
} cfpc_periodic;

// CFPC_OK, or a status that says which of the sizes or values is invalid.
cfpc_status cfpc_periodic_check(const cfpc_periodic *periodic);

// The basis signals at this phase, x (synapses). turns is any number: 0.25, 7.25 and -0.75 are the
// same phase. It is as precise as cfpc_real: at 1000 turns the phase is rounded to 6e-5 turns in
// float (1e-13 in double), from 2^23 turns on (2^52) to whole turns. A counter that wraps, as that
// of an encoder does, keeps its precision forever. If turns is not finite, all are 0: the cell then
// neither acts nor learns.
void cfpc_periodic_row(const cfpc_periodic *periodic, cfpc_real turns, cfpc_real *x);

#ifdef __cplusplus
}
#endif

#endif
