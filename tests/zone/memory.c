// SPDX-License-Identifier: Apache-2.0
// The memory of a zone: too little or unaligned memory is refused, and a reset leaves nothing
// behind.
#include "zone_fixture.h"

static const trial_case small = {.synapses = 40,
                                 .cells = 3,
                                 .block_steps = 6,
                                 .lead = 2,
                                 .horizon = 9,
                                 .paths_per_cell = 2,
                                 .steps = 40};

static zone small_zone(uint64_t seed)
{
    dice d = {.state = seed};
    defined def = make_def(&small, &d);
    zone z = make_zone(&def.def);
    free_def(&def);
    return z;
}

// Some blocks of random inputs and errors; the last block's outputs.
static void run_some(zone *z, int blocks, dice *d, cfpc_real out[18])
{
    cfpc_real x[6 * 40], e[6 * 3];
    for (int block = 0; block < blocks; block++) {
        for (int i = 0; i < 6 * 40; i++)
            x[i] = (cfpc_real)dice_between(d, -1, 1);
        for (int i = 0; i < 6 * 3; i++)
            e[i] = (cfpc_real)dice_between(d, -1, 1);
        assert_ok(cfpc_zone_step_block(z->model, z->data, x, e, 4 + block % 3, out));
    }
}

static void memory_that_does_not_do(void **state)
{
    (void)state;
    dice d = {.state = 3};
    defined def = make_def(&small, &d);
    const size_t bytes = cfpc_zone_model_size(&def.def);
    char *memory = must_calloc(1, bytes + 8);
    const cfpc_zone_model *model;
    assert_int_equal(cfpc_zone_model_init(&model, memory, bytes - 1, &def.def),
                     CFPC_MEMORY_TOO_SMALL);
    assert_null(model);
    assert_int_equal(cfpc_zone_model_init(&model, memory + 4, bytes, &def.def),
                     CFPC_MEMORY_UNALIGNED);
    assert_int_equal(cfpc_zone_model_init(&model, NULL, bytes, &def.def), CFPC_MEMORY_UNALIGNED);
    assert_ok(cfpc_zone_model_init(&model, memory, bytes, &def.def));

    const size_t needed = cfpc_zone_data_size(model);
    char *space = must_calloc(1, needed + 8);
    cfpc_zone_data *data;
    assert_int_equal(cfpc_zone_data_init(&data, space, needed - 1, model), CFPC_MEMORY_TOO_SMALL);
    assert_null(data);
    assert_int_equal(cfpc_zone_data_init(&data, space + 4, needed, model), CFPC_MEMORY_UNALIGNED);
    assert_int_equal(cfpc_zone_data_init(&data, space, needed, NULL), CFPC_MISSING);
    assert_ok(cfpc_zone_data_init(&data, space + 8, needed, model)); // 8 bytes are enough
    free(space);
    free(memory);
    free_def(&def);
}

static void reset_is_as_new(void **state)
{
    (void)state;
    zone z = small_zone(4), fresh = small_zone(4);
    dice d = {.state = 9};
    cfpc_real out[18];
    run_some(&z, 5, &d, out);
    cfpc_zone_freeze(z.model, z.data, -1);
    cfpc_zone_data_reset(z.model, z.data);
    assert_memory_equal(z.data, fresh.data, cfpc_zone_data_size(fresh.model));
    free_zone(&z);
    free_zone(&fresh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_that_does_not_do),
        cmocka_unit_test(reset_is_as_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
