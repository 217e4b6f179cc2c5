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
