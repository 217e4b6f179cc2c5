// SPDX-License-Identifier: Apache-2.0
#include "system/reshape.h"

#include <string.h>

#include "system/given.h"

void cfpci_place(cfpc_system *sys, const cfpc_system *part, const cfpc_system *at)
{
    const int32_t rows = cfpc_system_rows(part), columns = cfpc_system_columns(part);
    const int32_t all_columns = cfpc_system_columns(sys);
    for (int32_t i = 0; i < rows; i++) {
        int32_t row = at->states + i;
        if (i >= part->states + part->outputs)
            row = sys->states + sys->outputs + at->lines + i - part->states - part->outputs;
        else if (i >= part->states)
            row = sys->states + at->outputs + i - part->states;
        for (int32_t j = 0; j < columns; j++) {
            int32_t column = at->states + j;
            if (j >= part->states + part->inputs)
                column = sys->states + sys->inputs + at->lines + j - part->states - part->inputs;
            else if (j >= part->states)
                column = sys->states + at->inputs + j - part->states;
            sys->matrix[(int64_t)row * all_columns + column] =
                part->matrix[(int64_t)i * columns + j];
        }
    }
    for (int32_t i = 0; i < part->lines; i++)
        sys->delay_steps[at->lines + i] = part->delay_steps[i];
}

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
    const cfpc_status status = cfpc_system_make(sys, original->step_s, original->states, inputs,
                                                original->outputs, original->lines);
    if (status == CFPC_OK)
        cfpci_place(sys, original, &(cfpc_system){0});
    return status;
}
