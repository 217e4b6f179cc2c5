// SPDX-License-Identifier: Apache-2.0
#include "plant/through_cell.h"

#include <stdlib.h>

// The parts to connect: the loop, then for each bank that hears it a step's delay and its network.
typedef struct circuit {
    int banks;           // that hear the loop
    cfpc_system *parts;  // (1 + 2 banks)
    int inputs, outputs; // of all parts together
    double *from_parts;  // (inputs x outputs)
    double *outside;     // (inputs, then outputs): drive in, y out
} circuit;

static void circuit_free(circuit *it)
{
    for (int i = 1; it->parts && i < 1 + 2 * it->banks; i++) // the loop is the caller's
        cfpc_system_free(&it->parts[i]);
    free(it->parts);
    free(it->from_parts);
    free(it->outside);
}

static cfpc_status make_parts(circuit *it, const lab_basis *basis, const cfpc_system *from_o)
{
    const double step_s = from_o->step_s;
    it->parts = calloc(1 + 2 * (size_t)basis->driven_count, sizeof *it->parts);
    if (!it->parts)
        return CFPC_NO_MEMORY;
    it->parts[0] = *from_o;
    cfpc_status status = CFPC_OK;
    for (int i = 0; status == CFPC_OK && i < basis->driven_count; i++) {
        const lab_basis_spec *bank = basis->driven[i].spec;
        if (!lab_hears_loop(bank))
            continue;
        cfpc_system *delay = &it->parts[1 + 2 * it->banks++];
        status = cfpc_delay(delay, step_s, 1);
        if (status == CFPC_OK)
            status = lab_bank_network(delay + 1, bank, step_s);
    }
    for (int i = 0; status == CFPC_OK && i < 1 + 2 * it->banks; i++) {
        it->inputs += it->parts[i].inputs;
        it->outputs += it->parts[i].outputs;
    }
    return status;
}

// o, the weighted sum, enters the loop; each network hears its delay, each delay the loop.
static cfpc_status wire(circuit *it, const lab_basis *basis, const double *weights)
{
    const size_t columns = (size_t)it->outputs;
    it->from_parts = calloc((size_t)it->inputs * columns, sizeof *it->from_parts);
    it->outside = calloc((size_t)it->inputs + columns, sizeof *it->outside);
    if (!it->from_parts || !it->outside)
        return CFPC_NO_MEMORY;
    it->outside[0] = 1;
    it->outside[it->inputs + CFPC_LOOP_Y] = 1;
    int in = it->parts[0].inputs, out = it->parts[0].outputs;
    for (int i = 0; i < basis->driven_count; i++) {
        const lab_basis_spec *bank = basis->driven[i].spec;
        if (!lab_hears_loop(bank))
            continue;
        const int heard = lab_heard_output(bank);
        it->from_parts[(size_t)in++ * columns + (size_t)heard] = 1;
        it->from_parts[(size_t)in++ * columns + (size_t)out++] = 1;
        for (int j = 0; j < bank->count; j++)
            it->from_parts[out++] = weights[basis->driven[i].column + j];
    }
    return CFPC_OK;
}

cfpc_status lab_radius_with_cell(double *radius, const lab_basis *basis, const cfpc_system *from_o,
                                 const double *weights)
{
    circuit it = {0};
    cfpc_system whole = {0};
    cfpc_status status = make_parts(&it, basis, from_o);
    if (status == CFPC_OK)
        status = wire(&it, basis, weights);
    if (status == CFPC_OK) {
        const cfpc_wiring wiring = {.inputs = 1,
                                    .outputs = 1,
                                    .from_parts = it.from_parts,
                                    .from_outside = it.outside,
                                    .to_outside = it.outside + it.inputs};
        status = cfpc_connect(&whole, 1 + 2 * it.banks, it.parts, &wiring);
    }
    if (status == CFPC_OK)
        status = cfpc_spectral_radius(&whole, radius);
    cfpc_system_free(&whole);
    circuit_free(&it);
    return status;
}
