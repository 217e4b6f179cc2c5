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

static cfpc_rule rule_of(const lab_rule_numbers *of)
{
    return (cfpc_rule){.rate = (cfpc_real)of->rate,
                       .mode = of->batch ? CFPC_BATCH : CFPC_ONLINE,
                       .rectified = of->rectified,
                       .normaliser = (cfpc_real)of->normaliser,
                       .leak = (cfpc_real)of->leak,
                       .momentum = (cfpc_real)of->momentum,
                       .output_penalty = (cfpc_real)of->output_penalty,
                       .inhibition = (cfpc_real)of->inhibition,
                       .inhibition_delay_steps = of->inhibition_delay_steps,
                       .weight_low = (cfpc_real)of->weight_low,
                       .weight_high = (cfpc_real)of->weight_high};
}

static cfpc_guard guard_of(const lab_guard_numbers *of)
{
    return (cfpc_guard){.on = of->on,
                        .repeats = of->repeats,
                        .factor = (cfpc_real)of->factor,
                        .spread = (cfpc_real)of->spread,
                        .window_steps = of->window_steps,
                        .settle_steps = of->settle_steps,
                        .saturated_steps = of->saturated_steps,
                        .tries = of->tries,
                        .resume = (cfpc_real)of->resume};
}

// The data that a cell starts with.
static void set_up(cfpc_data *data, const lab_cell_numbers *of)
{
    cfpc_real *weights = cfpc_weights(data);
    for (int32_t j = 0; of->weights && j < of->synapses; j++)
        weights[j] = (cfpc_real)of->weights[j];
    if (of->frozen)
        cfpc_freeze(data);
    cfpc_data_seal(data);
}

static cfpc_status make(lab_images *images, const lab_cell_numbers *of)
{
    *images = (lab_images){0};
    const cfpc_cell_def def = {.synapses = of->synapses,
                               .steps = of->steps,
                               .basis = of->basis,
                               .trace = of->trace,
                               .filter = of->filter,
                               .past = of->past,
                               .rule = rule_of(&of->rule),
                               .preconditioner = of->preconditioner,
                               .guard = guard_of(&of->guard),
                               .response = of->response};
    const cfpc_model *model = NULL;
    cfpc_data *data = NULL;
    cfpc_status status = cfpc_compile(&model, &def);
    if (status == CFPC_OK)
        status = cfpc_data_make(&data, model);
    if (status != CFPC_OK) {
        cfpc_model_free(model);
        return status;
    }
    set_up(data, of);
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

static cfpc_status read_model(const void *image, size_t bytes, lab_model_facts *facts)
{
    const cfpc_model *model = NULL;
    const cfpc_status status = cfpc_model_check(image, bytes, &model);
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
                                         .make = make,
                                         .bank_bytes = bank_bytes,
                                         .read_model = read_model,
                                         .read_data = read_data};
