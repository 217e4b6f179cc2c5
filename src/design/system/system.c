// SPDX-License-Identifier: Apache-2.0
#include "cfpc/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "system/given.h"

enum {
    MOST = 4096 // states, inputs, outputs or lines of one system
};

cfpc_status cfpc_system_make(cfpc_system *sys, double step_s, int32_t states, int32_t inputs,
                             int32_t outputs, int32_t lines)
{
    *sys = (cfpc_system){.step_s = step_s};
    if (!isfinite(step_s))
        return CFPC_BAD_VALUE;
    if (states < 0 || inputs < 0 || outputs < 0 || lines < 0 || states > MOST || inputs > MOST ||
        outputs > MOST || lines > MOST)
        return CFPC_BAD_SIZE;
    sys->states = states;
    sys->inputs = inputs;
    sys->outputs = outputs;
    sys->lines = lines;
    size_t entries = (size_t)cfpc_system_rows(sys) * (size_t)cfpc_system_columns(sys);
    sys->matrix = calloc(entries + 1, sizeof *sys->matrix);
    sys->delay_steps = calloc((size_t)lines + 1, sizeof *sys->delay_steps);
    if (sys->matrix && sys->delay_steps)
        return CFPC_OK;
    cfpc_system_free(sys);
    return CFPC_NO_MEMORY;
}

void cfpc_system_free(cfpc_system *sys)
{
    if (!sys)
        return;
    free(sys->matrix);
    free(sys->delay_steps);
    *sys = (cfpc_system){0};
}

cfpc_status cfpc_gain(cfpc_system *sys, double gain)
{
    *sys = (cfpc_system){0};
    if (!isfinite(gain))
        return CFPC_BAD_VALUE;
    cfpc_status status = cfpc_system_make(sys, -1, 0, 1, 1, 0);
    if (status == CFPC_OK)
        sys->matrix[0] = gain;
    return status;
}

cfpc_status cfpc_delay(cfpc_system *sys, double step_s, int32_t delay_steps)
{
    *sys = (cfpc_system){0};
    if (delay_steps < 0)
        return CFPC_BAD_DELAY;
    if (delay_steps == 0)
        return cfpc_gain(sys, 1);
    cfpc_status status = cfpc_system_make(sys, step_s, 0, 1, 1, 1);
    if (status != CFPC_OK)
        return status;
    sys->delay_steps[0] = delay_steps;
    sys->matrix[1] = 1; // y = v
    sys->matrix[2] = 1; // z = x
    return CFPC_OK;
}

cfpc_status cfpc_leaky_integrator(cfpc_system *sys, double time_constant_s, double gain)
{
    *sys = (cfpc_system){0};
    if (!isfinite(time_constant_s) || time_constant_s <= 0)
        return CFPC_BAD_VALUE;
    const double a = -1 / time_constant_s, c = 1;
    return cfpc_state_space(sys, 0, 1, &a, &gain, &c, 0);
}

cfpc_status cfpc_lag(cfpc_system *sys, double time_constant_s, double gain)
{
    return cfpc_leaky_integrator(sys, time_constant_s, gain / time_constant_s);
}

cfpc_status cfpc_state_space(cfpc_system *sys, double step_s, int32_t states, const double *a,
                             const double *b, const double *c, double d)
{
    cfpc_status status = cfpc_system_make(sys, step_s, states, 1, 1, 0);
    if (status != CFPC_OK)
        return status;
    const int32_t columns = states + 1;
    for (int32_t i = 0; i < states; i++) {
        memcpy(sys->matrix + i * columns, a + i * states, (size_t)states * sizeof *a);
        sys->matrix[i * columns + states] = b[i];
        sys->matrix[states * columns + i] = c[i];
    }
    sys->matrix[states * columns + states] = d;
    for (int32_t k = 0; k < columns * columns; k++)
        if (!isfinite(sys->matrix[k])) {
            cfpc_system_free(sys);
            return CFPC_BAD_VALUE;
        }
    return CFPC_OK;
}

cfpc_status cfpc_select(cfpc_system *sys, const cfpc_system *original, int32_t input,
                        int32_t output)
{
    *sys = (cfpc_system){0};
    if (!cfpci_given(original))
        return CFPC_MISSING;
    if (input < 0 || input >= original->inputs || output < 0 || output >= original->outputs)
        return CFPC_BAD_SIZE;
    cfpc_status status =
        cfpc_system_make(sys, original->step_s, original->states, 1, 1, original->lines);
    if (status != CFPC_OK)
        return status;
    const int32_t ns = original->states, lines = original->lines;
    const int32_t from_columns = cfpc_system_columns(original);
    const int32_t columns = cfpc_system_columns(sys), rows = cfpc_system_rows(sys);
    for (int32_t i = 0; i < rows; i++) {
        int32_t from_row = i < ns ? i : i == ns ? ns + output : i + original->outputs - 1;
        const double *from = original->matrix + (size_t)from_row * (size_t)from_columns;
        double *to = sys->matrix + (size_t)i * (size_t)columns;
        memcpy(to, from, (size_t)ns * sizeof *to);
        to[ns] = from[ns + input];
        memcpy(to + ns + 1, from + ns + original->inputs, (size_t)lines * sizeof *to);
    }
    memcpy(sys->delay_steps, original->delay_steps, (size_t)lines * sizeof *sys->delay_steps);
    return CFPC_OK;
}

cfpc_status cfpc_system_of_lti(cfpc_system *sys, double step_s, const cfpc_lti *lti)
{
    *sys = (cfpc_system){0};
    cfpc_status status = cfpc_lti_check(lti);
    if (status != CFPC_OK)
        return status;
    status = cfpc_system_make(sys, step_s, lti->states, lti->inputs, lti->outputs, lti->lines);
    if (status != CFPC_OK)
        return status;
    const int64_t entries = (int64_t)cfpc_lti_rows(lti) * cfpc_lti_columns(lti);
    for (int64_t k = 0; k < entries; k++)
        sys->matrix[k] = lti->matrix[k];
    for (int32_t i = 0; i < lti->lines; i++)
        sys->delay_steps[i] = lti->delay_steps[i];
    return CFPC_OK;
}

cfpc_status cfpc_lti_of_system(cfpc_lti **lti, const cfpc_system *sys)
{
    *lti = NULL;
    if (!cfpci_given(sys))
        return CFPC_MISSING;
    const size_t entries = (size_t)cfpc_system_rows(sys) * (size_t)cfpc_system_columns(sys);
    const size_t delays = (size_t)sys->lines + (size_t)(sys->lines & 1); // reals stay aligned
    char *block = malloc(sizeof **lti + delays * sizeof(int32_t) + entries * sizeof(cfpc_real));
    *lti = (cfpc_lti *)block;
    if (!block)
        return CFPC_NO_MEMORY;
    int32_t *delay_steps = (int32_t *)(block + sizeof **lti);
    cfpc_real *matrix = (cfpc_real *)(delay_steps + delays);
    for (int32_t i = 0; i < sys->lines; i++)
        delay_steps[i] = sys->delay_steps[i];
    for (size_t k = 0; k < entries; k++)
        matrix[k] = (cfpc_real)sys->matrix[k];
    **lti = (cfpc_lti){.states = sys->states,
                       .inputs = sys->inputs,
                       .outputs = sys->outputs,
                       .lines = sys->lines,
                       .delay_steps = delay_steps,
                       .matrix = matrix};
    return CFPC_OK;
}

void cfpc_lti_free(cfpc_lti *lti)
{
    free(lti);
}
