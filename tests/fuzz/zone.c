// SPDX-License-Identifier: Apache-2.0
// Fuzzing of zones: a small valid model is altered byte by byte as the input says, its checksum
// corrected. It is refused, or it runs, and so does a save of its data that was altered likewise.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/zone.h"
#include "core/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { MAX_CELLS = 3, MAX_TAPS = 12, MAX_BLOCK = 20, HEAD = 6, MAX_BYTES = 1 << 17 };

static void must(int holds)
{
    if (!holds)
        abort();
}

// ---- the zone that is altered ----------------------------------------------------------------

typedef struct parts {
    cfpc_zone_path paths[2 * MAX_CELLS];
    double taps[MAX_TAPS], rates[MAX_CELLS];
} parts;

// A definition of the sizes and kinds that the first bytes choose.
static cfpc_zone_def define(const uint8_t *head, parts *of)
{
    cfpc_zone_def def = cfpc_default_zone_def();
    def.synapses = 1 + head[0] % 9;
    def.cells = 1 + head[1] % MAX_CELLS;
    def.errors = head[1] & 64 ? 2 : 0;
    def.block_steps = 1 + head[2] % 7;
    def.leak = head[3] & 1 ? 0.25 : 0;
    def.weight_low = head[3] & 2 ? -1 : 0;
    def.weight_high = head[3] & 2 ? 1 : 0;
    def.precision = head[3] & 4 ? CFPC_ZONE_DOUBLE : CFPC_ZONE_FLOAT;
    def.past = head[3] & 8 ? CFPC_PAST_GIVEN : CFPC_PAST_KEPT;
    def.threads = 1 + head[3] / 64;
    def.guard.on = head[3] & 16;
    def.guard.repeats = true;
    def.guard.window_steps = head[2] / 7;
    def.paths = of->paths;
    def.rates = of->rates;
    const int32_t errors = def.errors ? def.errors : def.cells;
    const int32_t each = head[3] & 16 && errors > 1 ? 2 : 1;
    for (int32_t i = 0; i < MAX_TAPS; i++)
        of->taps[i] = (i * 37 + head[5]) % 17 / 16.0 - 0.5;
    for (int32_t p = 0; p < def.cells * each; p++) {
        of->rates[p / each] = 0.1;
        of->paths[p] = (cfpc_zone_path){.cell = p / each,
                                        .error = (p / each + p % each) % errors,
                                        .lead = head[4] % 4,
                                        .horizon = head[4] / 32,
                                        .taps = of->taps};
    }
    def.path_count = def.cells * each;
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

static bool make(const void *context, int32_t step, int32_t steps, int32_t first, int32_t count,
                 int32_t stride, cfpc_real *x)
{
    (void)context;
    for (int32_t n = 0; n < steps; n++)
        for (int32_t j = 0; j < count; j++)
            x[n * stride + j] = (cfpc_real)((step + n + first + j) % 5) / 4;
    return first % 3 == 0;
}

static void run(const cfpc_zone_model *model, cfpc_zone_data *data)
{
    const int32_t most = cfpc_zone_block_steps(model), block = most < MAX_BLOCK ? most : MAX_BLOCK;
    const size_t cells = (size_t)cfpc_zone_cells(model), errors = (size_t)cfpc_zone_errors(model);
    const cfpc_source source = {.kind = CFPC_MADE, .make = make};
    cfpc_real *e = errors <= MAX_BYTES ? calloc((size_t)block * errors, sizeof *e) : NULL;
    cfpc_real *o = calloc((size_t)block * cells, sizeof *o);
    for (int n = 0; e && o && n < 6; n++) {
        e[0] = (cfpc_real)0.5;
        must(cfpc_zone_step_block_by(cfpc_zone_plain(), 1, model, data, &source, e, 1 + n % block,
                                     o) == CFPC_OK);
        if (n == 3)
            must(cfpc_zone_next_trial(cfpc_zone_plain(), 1, model, data, &source) == CFPC_OK);
        if (n == 4)
            cfpc_zone_freeze(model, data, 0);
    }
    free(e);
    free(o);
}

// A save that was altered is refused, or is data like any other.
static void restore_altered(const cfpc_zone_model *model, cfpc_zone_data *data,
                            const uint8_t *edits, size_t count)
{
    const size_t bytes = cfpc_zone_data_bytes(data);
    void *save = malloc(bytes);
    if (!save)
        return;
    cfpc_zone_data_seal(data);
    memcpy(save, data, bytes);
    must(cfpc_zone_data_restore(model, data, save, bytes) == CFPC_OK);
    alter(save, bytes, edits, count);
    if (cfpc_zone_data_restore(model, data, save, bytes) == CFPC_OK)
        run(model, data);
    free(save);
}

static void use(const cfpc_zone_model *model, const uint8_t *edits, size_t count)
{
    const size_t bytes = cfpc_zone_data_size(model);
    must(bytes > 0);
    if (bytes > MAX_BYTES)
        return;
    void *mem = malloc(bytes);
    cfpc_zone_data *data = NULL;
    if (mem && cfpc_zone_data_init(mem, bytes, model, &data) == CFPC_OK) {
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
    const cfpc_zone_def def = define(bytes, &of);
    const size_t model_bytes = cfpc_zone_model_size(&def);
    must(model_bytes > 0);
    void *mem = malloc(model_bytes);
    const cfpc_zone_model *model = NULL;
    if (!mem)
        return 0;
    must(cfpc_zone_model_init(mem, model_bytes, &def, &model) == CFPC_OK);
    const size_t half = (size - HEAD) / 2; // half of the edits for the model, half for its data
    alter(mem, model_bytes, bytes + HEAD, half);
    if (cfpc_zone_model_check(mem, model_bytes, &model) == CFPC_OK)
        use(model, bytes + HEAD + half, size - HEAD - half);
    else
        must(model == NULL);
    free(mem);
    return 0;
}
