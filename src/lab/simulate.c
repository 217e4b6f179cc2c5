// SPDX-License-Identifier: Apache-2.0
#include "simulate.h"

#include <math.h>
#include <stdlib.h>

#include "cfpc/compile.h"

cfpc_status lab_running_make(lab_running *running, const cfpc_lti *lti)
{
    *running = (lab_running){.lti = lti};
    const size_t bytes = cfpc_bank_size(lti, 1);
    void *mem = malloc(bytes + 1);
    if (!mem)
        return CFPC_NO_MEMORY;
    cfpc_status status = cfpc_bank_init(mem, bytes, lti, 1, &running->bank);
    if (status != CFPC_OK)
        free(mem);
    return status;
}

void lab_running_free(lab_running *running)
{
    free(running->bank);
    *running = (lab_running){0};
}

double lab_running_step(void *context, double drive)
{
    lab_running *running = context;
    const cfpc_real x = (cfpc_real)drive;
    cfpc_real out[CFPC_LOOP_OUTPUTS];
    cfpc_bank_step(running->lti, running->bank, &x, out);
    return out[CFPC_LOOP_Y];
}

cfpc_status lab_cell_make(lab_cell *cell, const lab_setup *setup, const cfpc_system *trace)
{
    *cell = (lab_cell){0};
    const cfpc_cell_def def = {.synapses = setup->bases,
                               .steps = setup->steps,
                               .basis = setup->basis,
                               .trace = trace,
                               .rate = setup->rate,
                               .update = CFPC_ONLINE};
    cfpc_status status = cfpc_compile(&cell->model, &def);
    if (status == CFPC_OK)
        status = cfpc_data_make(&cell->data, cell->model);
    return status;
}

void lab_cell_free(lab_cell *cell)
{
    cfpc_data_free(cell->data);
    cfpc_model_free(cell->model);
    *cell = (lab_cell){0};
}

void lab_simulate_trial(const lab_setup *setup, lab_running *running, lab_cell *cell,
                        lab_trial *trial)
{
    double sum = 0;
    cfpc_bank_reset(running->bank);
    cfpc_next_trial(cell->model, cell->data);
    for (int n = 0; n < setup->steps; n++) {
        const double o = cfpc_act(cell->model, cell->data, NULL);
        const double y = lab_running_step(running, setup->r[n] + o); // y = T(r + o)
        const double e = setup->r[n] - y;
        cfpc_learn(cell->model, cell->data, (cfpc_real)e);
        sum += e * e;
        if (trial->y)
            trial->y[n] = y;
        if (trial->e)
            trial->e[n] = e;
        if (trial->o)
            trial->o[n] = o;
    }
    trial->rrmse = sqrt(sum) / setup->problem.e0_norm;
}
