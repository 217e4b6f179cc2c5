// SPDX-License-Identifier: Apache-2.0
// Fuzzing of models: a small valid model is altered byte by byte as the input says, its checksum
// mended. It is refused, or it runs, and so does a save of its data that was altered likewise.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/core.h"
#include "core/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum {
    MAX_SYNAPSES = 4,
    MAX_STEPS = 5,
    MAX_BLOCK = 20,
    HEAD = 8,
    MAX_BYTES = 1 << 16,
    MAX_TAPS = 12
};

static void must(int holds)
{
    if (!holds)
        abort();
}

// ---- the model that is altered ---------------------------------------------------------------

typedef struct parts {
    int32_t delay_steps[2];
    cfpc_real matrix[25], basis[MAX_STEPS * MAX_SYNAPSES];
    cfpc_real preconditioner[MAX_SYNAPSES * MAX_SYNAPSES];
    cfpc_real taps[MAX_TAPS];
} parts;

static void fill(cfpc_real *values, size_t count, uint8_t from)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (cfpc_real)((int)((i * 37 + from) % 17) - 8) / 16;
}

// The adjoint form, with the past from where the first bytes choose.
static void use_taps(cfpc_model_def *def, const uint8_t *head, parts *of)
{
    fill(of->taps, MAX_TAPS, head[6]);
    def->adjoint = (cfpc_adjoint_form){.taps = of->taps,
                                       .lead = head[5] / 8 % 4,
                                       .horizon = head[5] / 32,
                                       .past = head[3] & 32     ? CFPC_PAST_GIVEN
                                               : def->steps > 0 ? CFPC_PAST_TABLE
                                                                : CFPC_PAST_KEPT,
                                       .is_mutable = head[3] & 16,
                                       .held = head[3] & 128 && !def->guard.on};
    def->rule.normaliser = def->rule.output_penalty = 0; // they need traces
}

// A definition of the sizes and kinds that the first bytes choose.
static cfpc_model_def define(const uint8_t *head, parts *of)
{
    cfpc_model_def def = cfpc_default_model_def();
    def.synapses = 1 + head[0] % MAX_SYNAPSES;
    def.steps = head[1] % (MAX_STEPS + 1);
    def.basis = def.steps > 0 ? of->basis : NULL;
    def.trace = (cfpc_lti){.states = head[2] % 3,
                           .inputs = 1,
                           .outputs = 1,
                           .lines = head[3] % 3,
                           .delay_steps = of->delay_steps,
                           .matrix = of->matrix};
    of->delay_steps[0] = 1 + head[4] % 7;
    of->delay_steps[1] = 1 + head[5] % 7;
    fill(of->matrix, 25, head[6]);
    fill(of->basis, MAX_STEPS * MAX_SYNAPSES, head[6]);
    fill(of->preconditioner, MAX_SYNAPSES * MAX_SYNAPSES, head[6]);
    def.rule = (cfpc_rule){.rate = (cfpc_real)0.1,
                           .mode = head[7] & 1 ? CFPC_BATCH : CFPC_ONLINE,
                           .rectified = head[7] & 2,
                           .normaliser = head[7] & 4 ? 1 : 0,
                           .leak = (cfpc_real)(head[7] & 8 ? 0.25 : 0),
                           .momentum = (cfpc_real)(head[7] & 16 ? 0.5 : 0),
                           .output_penalty = head[7] & 32 ? 1 : 0,
                           .weight_low = head[7] & 64 ? -1 : 0,
                           .weight_high = head[7] & 64 ? 1 : 0};
    def.dead_time_steps = head[0] / 16;
    def.guard.on = head[2] < 128;
    def.guard.repeats = true;
    def.guard.window_steps = head[6] % 4;
    def.guard.settle_steps = head[6] / 4 % 4 - 1;
    def.guard.saturated_steps = head[6] / 16 % 4;
    if (head[4] & 32)
        def.response = def.trace;
    def.rule.inhibition = head[4] & 64 ? 1 : 0;
    def.rule.inhibition_delay_steps = head[4] % 5;
    if (head[7] & 128 && def.rule.mode == CFPC_BATCH)
        def.rule.preconditioner = of->preconditioner;
    if (head[3] & 64)
        use_taps(&def, head, of);
    return def;
}

// Alters an image: each three bytes of the input are a place and what is mixed into it.
static void alter(void *image, size_t image_bytes, const uint8_t *edits, size_t count)
{
    uint8_t *at = image;
    for (size_t i = 0; i + 3 <= count; i += 3)
        at[(edits[i] | (size_t)edits[i + 1] << 8) % image_bytes] ^= edits[i + 2];
    cfpci_header *header = image;
    header->checksum = cfpci_image_checksum(image, image_bytes);
}

// ---- what must hold --------------------------------------------------------------------------

static void run(const cfpc_model *model, cfpc_data *data)
{
    cfpc_real *x = calloc((size_t)cfpc_model_synapses(model), sizeof *x);
    const cfpc_real error = (cfpc_real)0.5;
    cfpc_real output;
    for (int n = 0; x && n < 12; n++) {
        if (n == 4)
            cfpc_disable(data, 2);
        if (n == 8)
            cfpc_enable(data, 1);
        if (n == 6)
            cfpc_next_trial(model, data);
        cfpc_saturated(model, data, n > 8);
        cfpc_step(model, data, n % 3 ? NULL : x, error);
        cfpc_step_given(model, data, x, n % 2 ? NULL : x, error);
        if (n == 5)
            cfpc_learn_due(model, data, x);
        if (cfpc_model_only_blocks(model))
            must(cfpc_step_block(model, data, n % 3 ? NULL : x, &error, 1, &output) == CFPC_OK);
    }
    const cfpc_real e[MAX_BLOCK] = {(cfpc_real)0.25};
    cfpc_real o[MAX_BLOCK];
    const int32_t dead = cfpc_model_dead_time(model), block = dead < MAX_BLOCK ? dead : MAX_BLOCK;
    const cfpc_status status = cfpc_step_block(model, data, NULL, e, block, o);
    must(status == CFPC_OK ||
         (status == CFPC_MISSING && cfpc_model_adjoint(model).past == CFPC_PAST_GIVEN));
    cfpc_next_trial(model, data);
    (void)cfpc_guard_last(data);
    free(x);
}

// A save that was altered is refused, or is data like any other.
static void restore_altered(const cfpc_model *model, cfpc_data *data, const uint8_t *edits,
                            size_t count)
{
    const size_t bytes = cfpc_data_bytes(data);
    void *save = malloc(bytes);
    if (!save)
        return;
    cfpc_data_seal(data);
    memcpy(save, data, bytes);
    must(cfpc_data_restore(model, data, save, bytes) == CFPC_OK);
    alter(save, bytes, edits, count);
    if (cfpc_data_restore(model, data, save, bytes) == CFPC_OK)
        run(model, data);
    free(save);
}

static void use(const cfpc_model *model, const uint8_t *edits, size_t count)
{
    const size_t bytes = cfpc_data_size(model);
    if (bytes == 0 || bytes > MAX_BYTES)
        return;
    void *mem = malloc(bytes);
    cfpc_data *data = NULL;
    if (mem && cfpc_data_init(&data, mem, bytes, model) == CFPC_OK) {
        run(model, data);
        restore_altered(model, data, edits, count);
    }
    free(mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    parts of;
    if (size < HEAD)
        return 0;
    const cfpc_model_def def = define(bytes, &of);
    const size_t model_bytes = cfpc_model_size(&def);
    must(model_bytes > 0);
    void *mem = malloc(model_bytes);
    const cfpc_model *model = NULL;
    if (!mem)
        return 0;
    must(cfpc_model_init(&model, mem, model_bytes, &def) == CFPC_OK);
    const size_t half = (size - HEAD) / 2; // half of the edits for the model, half for its data
    alter(mem, model_bytes, bytes + HEAD, half);
    if (cfpc_model_check(&model, mem, model_bytes) == CFPC_OK)
        use(model, bytes + HEAD + half, size - HEAD - half);
    else
        must(model == NULL);
    free(mem);
    return 0;
}
