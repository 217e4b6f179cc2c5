// SPDX-License-Identifier: Apache-2.0
#include "cfpc/shapes.h"

#include <stddef.h>

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
    for (int32_t j = 0; j < shapes->synapses; j++) {
        // Unsigned, so that a step before the shape is a large k, and no step overflows.
        const uint64_t k = (uint64_t)step - (uint64_t)(int64_t)shapes->first[j];
        x[j] = 0;
        if (k >= (uint64_t)(int64_t)shapes->length[j])
            continue;
        const cfpc_real *value = &shapes->values[(size_t)shapes->start[j] + (size_t)k];
        const cfpc_real f = shapes->fraction ? shapes->fraction[j] : 0;
        x[j] = f > 0 ? (1 - f) * value[0] + f * value[1] : value[0];
    }
}
