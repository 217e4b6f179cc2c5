// SPDX-License-Identifier: Apache-2.0
#include "cfpc/lti.h"

#include <stddef.h>

#include "numbers.h"

cfpc_status cfpc_shapes_check(const cfpc_shapes *shapes)
{
    if (!shapes)
        return CFPC_MISSING;
    if (shapes->synapses < 1)
        return CFPC_BAD_SIZE;
    if (!shapes->values || !shapes->start || !shapes->length || !shapes->first)
        return CFPC_MISSING;
    for (int32_t j = 0; j < shapes->synapses; j++) {
        if (shapes->start[j] < 0 || shapes->length[j] < 0)
            return CFPC_BAD_SIZE;
        if (shapes->fraction && !(shapes->fraction[j] >= 0 && shapes->fraction[j] < 1))
            return CFPC_BAD_VALUE;
    }
    return CFPC_OK;
}

void cfpc_shapes_row(const cfpc_shapes *shapes, int64_t step, cfpc_real *x)
{
    const cfpc_shapes s = *shapes;
    for (int32_t j = 0; j < s.synapses; j++) {
        // Unsigned, so that a step before the shape is a large k. 32 bits tell for almost all
        // steps.
        const uint32_t k = (uint32_t)step - (uint32_t)s.first[j];
        x[j] = 0;
        if (k >= (uint32_t)s.length[j] || k != (uint64_t)step - (uint64_t)(int64_t)s.first[j])
            continue;
        const cfpc_real *value = &s.values[(size_t)s.start[j] + k];
        const cfpc_real f = s.fraction ? s.fraction[j] : 0;
        x[j] = f > 0 ? (1 - f) * value[0] + f * value[1] : value[0];
    }
}

enum { MOST_POINTS = 1 << 20 }; // phase · points then still has a fraction of 3 bits in float

cfpc_status cfpc_periodic_check(const cfpc_periodic *periodic)
{
    if (!periodic)
        return CFPC_MISSING;
    const int32_t points = periodic->points;
    if (periodic->synapses < 1 || points < 1 || points > MOST_POINTS ||
        points % periodic->synapses != 0)
        return CFPC_BAD_SIZE;
    if (periodic->length < 1 || periodic->length > points || periodic->first < -points ||
        periodic->first > points)
        return CFPC_BAD_SIZE;
    if (!periodic->values)
        return CFPC_MISSING;
    return cfpci_all_finite(periodic->values, periodic->length + 1) ? CFPC_OK : CFPC_BAD_VALUE;
}

// A whole number of turns, and the turns from which on cfpc_real has no fraction.
#if CFPC_REAL_IS_FLOAT
typedef int32_t whole;
static const cfpc_real no_fraction = 8388608; // 2^23
#else
typedef int64_t whole;
static const cfpc_real no_fraction = 4503599627370496; // 2^52
#endif

// turns mod 1, in [0, 1]: 1 where a negative number is so small that 1 + turns is rounded to 1.
// Taking off the whole turns is exact; adding 1 rounds once, by at most half of the last bit of 1.
static cfpc_real wrapped(cfpc_real turns)
{
    if (!(turns > -no_fraction && turns < no_fraction))
        return 0;
    const cfpc_real part = turns - (cfpc_real)(whole)turns;
    return part < 0 ? part + 1 : part;
}

void cfpc_periodic_row(const cfpc_periodic *periodic, cfpc_real turns, cfpc_real *x)
{
    for (int32_t j = 0; j < periodic->synapses; j++)
        x[j] = 0;
    if (!cfpci_is_finite(turns))
        return;
    const int32_t points = periodic->points, apart = points / periodic->synapses;
    const cfpc_real s = wrapped(turns) * (cfpc_real)points;
    const int32_t i = (int32_t)s; // points itself where s was rounded up to it
    const cfpc_real f = s - (cfpc_real)i;
    const int32_t from_first = (i - periodic->first + 2 * points) % points;
    int32_t j = from_first / apart; // the last synapse whose bump has begun
    for (int32_t k = from_first % apart; k < periodic->length; k += apart) {
        x[j] = (1 - f) * periodic->values[k] + f * periodic->values[k + 1];
        j = (j > 0 ? j : periodic->synapses) - 1;
    }
}
