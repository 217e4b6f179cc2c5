// SPDX-License-Identifier: Apache-2.0
// Compiled twice: for the program's precision, and by cmake/twin.cmake, under other names, for the
// other one.
#include "export/precision.h"

#include <stdlib.h>
#include <string.h>

#include "cfpc/cell.h"
#include "cfpc/compile.h"
#include "core/data_image.h"

// ---- to the core -----------------------------------------------------------------------------

static cfpc_rule precision_rule_of(const lab_rule_numbers *numbers)
{
    return (cfpc_rule){.rate = (cfpc_real)numbers->rate,
                       .mode = numbers->batch ? CFPC_BATCH : CFPC_ONLINE,
                       .rectified = numbers->rectified,
                       .normaliser = (cfpc_real)numbers->normaliser,
                       .leak = (cfpc_real)numbers->leak,
                       .momentum = (cfpc_real)numbers->momentum,
                       .output_penalty = (cfpc_real)numbers->output_penalty,
                       .inhibition = (cfpc_real)numbers->inhibition,
                       .inhibition_delay_steps = numbers->inhibition_delay_steps,
                       .weight_low = (cfpc_real)numbers->weight_low,
                       .weight_high = (cfpc_real)numbers->weight_high};
}

static cfpc_guard precision_guard_of(const lab_guard_numbers *numbers)
{
    return (cfpc_guard){.on = numbers->on,
                        .repeats = numbers->repeats,
                        .factor = (cfpc_real)numbers->factor,
                        .spread = (cfpc_real)numbers->spread,
                        .window_steps = numbers->window_steps,
                        .settle_steps = numbers->settle_steps,
                        .saturated_steps = numbers->saturated_steps,
                        .tries = numbers->tries,
                        .resume = (cfpc_real)numbers->resume};
}

static cfpc_status precision_make(lab_images *images, const lab_cell_numbers *numbers)
{
    *images = (lab_images){0};
    const cfpc_cell_def def = {.synapses = numbers->synapses,
                               .steps = numbers->steps,
                               .basis = numbers->basis,
                               .trace = numbers->trace,
                               .filter = numbers->filter,
                               .past = numbers->past,
                               .rule = precision_rule_of(&numbers->rule),
                               .preconditioner = numbers->preconditioner,
                               .guard = precision_guard_of(&numbers->guard),
                               .response = numbers->response};
    const cfpc_model *model = NULL;
    cfpc_data *data = NULL;
    cfpc_status status = cfpc_compile(&model, &def);
    if (status == CFPC_OK)
        status = cfpc_data_make(&data, model);
    if (status != CFPC_OK) {
        cfpc_model_free(model);
        return status;
    }
    cfpc_real *weights = cfpc_weights(data);
    for (int32_t j = 0; numbers->weights && j < numbers->synapses; j++)
        weights[j] = (cfpc_real)numbers->weights[j];
    if (numbers->frozen)
        cfpc_freeze(data);
    cfpc_data_seal(data);
    *images = (lab_images){.model = (void *)model,
                           .data = data,
                           .model_bytes = cfpc_model_bytes(model),
                           .data_bytes = cfpc_data_bytes(data)};
    return CFPC_OK;
}

static size_t bank_bytes(const cfpc_system *sys)
{
    cfpc_lti *lti = NULL;
    const cfpc_status status = cfpc_lti_of_system(&lti, sys);
    const size_t bytes = status == CFPC_OK ? cfpc_bank_size(lti, 1) : 0;
    cfpc_lti_free(lti);
    return bytes;
}

// ---- from the core ---------------------------------------------------------------------------

static cfpc_status precision_read_model(const void *image, size_t bytes, lab_model_facts *facts)
{
    const cfpc_model *model = NULL;
    const cfpc_status status = cfpc_model_check(&model, image, bytes);
    if (status != CFPC_OK)
        return status;
    const cfpc_rule rule = cfpc_model_rule(model);
    const cfpc_guard guard = cfpc_model_guard(model);
    const cfpc_lti trace = cfpc_model_trace(model);
    const cfpc_adjoint_form adjoint = cfpc_model_adjoint(model);
    *facts = (lab_model_facts){.synapses = cfpc_model_synapses(model),
                               .steps = cfpc_model_steps(model),
                               .rule = lab_rule_in_double(&rule),
                               .guard = lab_guard_in_double(&guard),
                               .trace_states = trace.states,
                               .trace_lines = trace.lines,
                               .response_known = cfpc_model_response(model).outputs > 0,
                               .adjoint = adjoint.taps != NULL,
                               .lead = adjoint.lead,
                               .horizon = adjoint.horizon,
                               .past = (int32_t)adjoint.past,
                               .mutable_taps = adjoint.is_mutable,
                               .held = adjoint.held,
                               .dead_time_steps = cfpc_model_dead_time(model),
                               .only_blocks = cfpc_model_only_blocks(model),
                               .data_bytes = cfpc_data_size(model)};
    for (int32_t i = 0; i < trace.lines; i++)
        facts->trace_delays += trace.delay_steps[i];
    return CFPC_OK;
}

// Without its model only the checksum and the place of the weights can be checked.
static cfpc_status read_data(const void *image, size_t bytes, lab_data_facts *facts)
{
    cfpc_status status = cfpci_image_check(image, bytes, CFPC_MAGIC_DATA, sizeof(cfpc_data));
    const cfpc_data *data = image;
    if (status == CFPC_OK &&
        (data->synapses < 1 || data->weight_at > bytes ||
         data->weight_at % sizeof(cfpc_real) != 0 ||
         (uint64_t)data->synapses > (bytes - data->weight_at) / sizeof(cfpc_real)))
        status = CFPC_ALTERED;
    if (status != CFPC_OK)
        return status;
    const cfpc_real *weights = (const cfpc_real *)((const char *)image + data->weight_at);
    *facts = (lab_data_facts){.synapses = data->synapses,
                              .clock = cfpc_clock(data),
                              .flags = cfpc_flags(data),
                              .guard_acts = cfpc_guard_acts(data),
                              .guard_reason = (int32_t)cfpc_guard_last(data).reason,
                              .baseline = (double)cfpc_baseline(data),
                              .smallest = weights[0],
                              .largest = weights[0],
                              .model_identity = data->model_identity};
    for (int32_t j = 0; j < data->synapses; j++) {
        facts->smallest = weights[j] < facts->smallest ? weights[j] : facts->smallest;
        facts->largest = weights[j] > facts->largest ? weights[j] : facts->largest;
        facts->zeros += weights[j] == 0;
    }
    return CFPC_OK;
}

const lab_precision lab_own_precision = {.name = CFPC_REAL_IS_FLOAT ? "float" : "double",
                                         .real_bytes = sizeof(cfpc_real),
                                         .make = precision_make,
                                         .bank_bytes = bank_bytes,
                                         .read_model = precision_read_model,
                                         .read_data = read_data};
