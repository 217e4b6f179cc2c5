// SPDX-License-Identifier: Apache-2.0
#include "system/reshape.h"

#include <string.h>

#include "system/given.h"

cfpc_status cfpci_transpose(cfpc_system *sys, const cfpc_system *original)
{
    *sys = (cfpc_system){0};
    if (!cfpci_given(original))
        return CFPC_MISSING;
    cfpc_status status = cfpc_system_make(sys, original->step_s, original->states,
                                          original->outputs, original->inputs, original->lines);
    if (status != CFPC_OK)
        return status;
    const int32_t rows = cfpc_system_rows(original), columns = cfpc_system_columns(original);
    for (int32_t i = 0; i < rows; i++)
        for (int32_t j = 0; j < columns; j++)
            sys->matrix[j * rows + i] = original->matrix[i * columns + j];
    memcpy(sys->delay_steps, original->delay_steps,
           (size_t)original->lines * sizeof *sys->delay_steps);
    return CFPC_OK;
}

cfpc_status cfpci_widen(cfpc_system *sys, const cfpc_system *original, int32_t inputs)
{
    *sys = (cfpc_system){0};
    if (!cfpci_given(original))
        return CFPC_MISSING;
    if (inputs < original->inputs)
        return CFPC_BAD_SIZE;
    cfpc_status status = cfpc_system_make(sys, original->step_s, original->states, inputs,
                                          original->outputs, original->lines);
    if (status != CFPC_OK)
        return status;
    const size_t rows = (size_t)cfpc_system_rows(sys), lines = (size_t)original->lines;
    const size_t own = (size_t)original->states + (size_t)original->inputs;
    const size_t to_lines = (size_t)original->states + (size_t)inputs;
    for (size_t i = 0; i < rows; i++) {
        const double *from = original->matrix + i * (own + lines);
        double *to = sys->matrix + i * (to_lines + lines);
        memcpy(to, from, own * sizeof *to);
        memcpy(to + to_lines, from + own, lines * sizeof *to);
    }
    memcpy(sys->delay_steps, original->delay_steps, lines * sizeof *sys->delay_steps);
    return CFPC_OK;
}
