// SPDX-License-Identifier: Apache-2.0
#include "plant/through_cell.h"

#include <stdlib.h>

// The parts to connect: the loop, then for each bank that it drives a step's delay and its network.
typedef struct circuit {
    int banks;           // that the loop drives
    cfpc_system *parts;  // (1 + 2 banks)
    int inputs, outputs; // of all parts together
    double *from_parts;  // (inputs x outputs)
    double *outside;     // (inputs, then outputs): drive in, y out
} circuit;

static cfpc_status through_cell_make_parts(circuit *circuit, const lab_basis *basis,
                                           const cfpc_system *from_o)
{
    const double step_s = from_o->step_s;
    circuit->parts = calloc(1 + 2 * (size_t)basis->driven_count, sizeof *circuit->parts);
    if (!circuit->parts)
        return CFPC_NO_MEMORY;
    circuit->parts[0] = *from_o;
    cfpc_status status = CFPC_OK;
    for (int i = 0; status == CFPC_OK && i < basis->driven_count; i++) {
        const lab_basis_spec *bank = basis->driven[i].spec;
        if (!lab_hears_loop(bank))
            continue;
        cfpc_system *delay = &circuit->parts[1 + 2 * circuit->banks++];
        status = cfpc_delay(delay, step_s, 1);
        if (status == CFPC_OK)
            status = lab_bank_network(delay + 1, bank, step_s);
    }
    for (int i = 0; status == CFPC_OK && i < 1 + 2 * circuit->banks; i++) {
        circuit->inputs += circuit->parts[i].inputs;
        circuit->outputs += circuit->parts[i].outputs;
    }
    return status;
}

// o, the weighted sum, enters the loop; each network is driven by its delay, each delay by the
// loop.
static cfpc_status through_cell_wire(circuit *circuit, const lab_basis *basis,
                                     const double *weights)
{
    const size_t columns = (size_t)circuit->outputs;
    circuit->from_parts = calloc((size_t)circuit->inputs * columns, sizeof *circuit->from_parts);
    circuit->outside = calloc((size_t)circuit->inputs + columns, sizeof *circuit->outside);
    if (!circuit->from_parts || !circuit->outside)
        return CFPC_NO_MEMORY;
    circuit->outside[0] = 1;
    circuit->outside[circuit->inputs + CFPC_LOOP_Y] = 1;
    int in = circuit->parts[0].inputs, out = circuit->parts[0].outputs;
    for (int i = 0; i < basis->driven_count; i++) {
        const lab_basis_spec *bank = basis->driven[i].spec;
        if (!lab_hears_loop(bank))
            continue;
        const int heard = lab_heard_output(bank);
        circuit->from_parts[(size_t)in++ * columns + (size_t)heard] = 1;
        circuit->from_parts[(size_t)in++ * columns + (size_t)out++] = 1;
        for (int j = 0; j < bank->count; j++)
            circuit->from_parts[out++] = weights[basis->driven[i].column + j];
    }
    return CFPC_OK;
}

cfpc_status lab_radius_with_cell(double *radius, const lab_basis *basis, const cfpc_system *from_o,
                                 const double *weights)
{
    circuit circuit = {0};
    cfpc_system whole = {0};
    cfpc_status status = through_cell_make_parts(&circuit, basis, from_o);
    if (status == CFPC_OK)
        status = through_cell_wire(&circuit, basis, weights);
    if (status == CFPC_OK) {
        const cfpc_wiring wiring = {.inputs = 1,
                                    .outputs = 1,
                                    .from_parts = circuit.from_parts,
                                    .from_outside = circuit.outside,
                                    .to_outside = circuit.outside + circuit.inputs};
        status = cfpc_connect(&whole, 1 + 2 * circuit.banks, circuit.parts, &wiring);
    }
    if (status == CFPC_OK)
        status = cfpc_spectral_radius(&whole, radius);
    cfpc_system_free(&whole);
    for (int i = 1; circuit.parts && i < 1 + 2 * circuit.banks; i++) // the loop is the caller's
        cfpc_system_free(&circuit.parts[i]);
    free(circuit.parts);
    free(circuit.from_parts);
    free(circuit.outside);
    return status;
}
