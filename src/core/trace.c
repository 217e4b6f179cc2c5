// SPDX-License-Identifier: Apache-2.0
#include "cfpc/trace.h"

cfpc_lti cfpc_trace_none(void)
{
    static const cfpc_real matrix[] = {1}; // y = x
    return (cfpc_lti){.inputs = 1, .outputs = 1, .matrix = matrix};
}

cfpc_lti cfpc_trace_delay(const int32_t *delay_steps)
{
    static const cfpc_real matrix[] = {0, 1,  // y = v
                                       1, 0}; // z = x
    return (cfpc_lti){
        .inputs = 1, .outputs = 1, .lines = 1, .delay_steps = delay_steps, .matrix = matrix};
}
