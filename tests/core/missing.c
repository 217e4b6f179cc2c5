// SPDX-License-Identifier: Apache-2.0
// missing: NULL and zeroed definitions are answered with a status (the contract of cfpc/status.h).
#include "cfpc/core.h"
#include "harness.h"

static const int32_t one_step = 1;

// ---- lti -------------------------------------------------------------------------------------

static void a_bank_of_no_lti(void **state)
{
    (void)state;
    uint64_t mem[64];
    cfpc_bank *bank;
    const cfpc_lti zeroed = {0}, without_matrix = {.inputs = 1, .outputs = 1};
    cfpc_lti without_delays = cfpc_trace_delay(&one_step);
    without_delays.delay_steps = NULL;
    const cfpc_lti *all[] = {NULL, &zeroed, &without_matrix, &without_delays};
    const cfpc_status expected[] = {CFPC_MISSING, CFPC_BAD_SIZE, CFPC_MISSING, CFPC_MISSING};
    for (int k = 0; k < 4; k++) {
        assert_int_equal(cfpc_lti_check(all[k]), expected[k]);
        assert_int_equal(cfpc_bank_size(all[k], 1), 0);
        assert_int_equal(cfpc_bank_init(&bank, mem, sizeof mem, all[k], 1), expected[k]);
        assert_null(bank);
    }
}

// ---- model and data --------------------------------------------------------------------------

static void a_model_of_no_definition(void **state)
{
    (void)state;
    uint64_t mem[64];
    const cfpc_model *model;
    const cfpc_model_def zeroed = {0};
    cfpc_model_def without_trace = cfpc_default_model_def(), without_matrix = without_trace;
    without_trace.trace = (cfpc_lti){0};
    without_matrix.trace.matrix = NULL;
    const cfpc_model_def *all[] = {NULL, &zeroed, &without_trace, &without_matrix};
    const cfpc_status expected[] = {CFPC_MISSING, CFPC_BAD_SIZE, CFPC_BAD_SHAPE, CFPC_MISSING};
    for (int k = 0; k < 4; k++) {
        assert_int_equal(cfpc_model_size(all[k]), 0);
        assert_int_equal(cfpc_model_init(&model, mem, sizeof mem, all[k]), expected[k]);
        assert_null(model);
    }
    assert_int_equal(cfpc_model_check(&model, NULL, 0), CFPC_MEMORY_UNALIGNED);
}

static const cfpc_model *some_model(void *mem, size_t bytes)
{
    const cfpc_model *model;
    cfpc_model_def def = cfpc_default_model_def();
    def.guard.on = false;
    def.dead_time_steps = 4;
    assert_ok(cfpc_model_init(&model, mem, bytes, &def));
    return model;
}

static void data_of_no_model(void **state)
{
    (void)state;
    uint64_t model_mem[512], mem[256];
    cfpc_data *data;
    assert_int_equal(cfpc_data_size(NULL), 0);
    assert_int_equal(cfpc_data_init(&data, mem, sizeof mem, NULL), CFPC_MISSING);
    assert_null(data);
    const cfpc_model *model = some_model(model_mem, sizeof model_mem);
    assert_ok(cfpc_data_init(&data, mem, sizeof mem, model));
    assert_int_equal(cfpc_data_copy(NULL, data), CFPC_MISSING);
    assert_int_equal(cfpc_data_copy(data, NULL), CFPC_MISSING);
    assert_int_equal(cfpc_data_restore(NULL, data, mem, sizeof mem), CFPC_MISSING);
    assert_int_equal(cfpc_data_restore(model, NULL, mem, sizeof mem), CFPC_MISSING);
    assert_int_equal(cfpc_data_restore(model, data, NULL, 0), CFPC_MEMORY_UNALIGNED);
}

// ---- blocks ----------------------------------------------------------------------------------

static void a_block_of_no_source(void **state)
{
    (void)state;
    uint64_t model_mem[512], mem[256];
    const cfpc_real e[4] = {0};
    const int32_t start[5] = {0};
    cfpc_real o[4];
    cfpc_data *data;
    const cfpc_model *model = some_model(model_mem, sizeof model_mem);
    assert_ok(cfpc_data_init(&data, mem, sizeof mem, model));
    const cfpc_source sources[] = {{.kind = CFPC_TAPPED, .spacing_steps = 1},
                                   {.kind = CFPC_LEAKY},
                                   {.kind = CFPC_SPARSE},
                                   {.kind = CFPC_SPARSE, .start = start},
                                   {.kind = CFPC_MADE}};
    for (int k = 0; k < 5; k++)
        assert_int_equal(cfpc_step_block_from(model, data, &sources[k], e, 4, o), CFPC_MISSING);
    const cfpc_source zeroed = {0}; // the model's own table, which may be none
    assert_ok(cfpc_step_block_from(model, data, &zeroed, e, 4, o));
    assert_int_equal(cfpc_step_block_from(model, data, NULL, e, 4, o), CFPC_MISSING);
    assert_int_equal(cfpc_step_block_from(NULL, data, &zeroed, e, 4, o), CFPC_MISSING);
    assert_int_equal(cfpc_step_block_from(model, NULL, &zeroed, e, 4, o), CFPC_MISSING);
    assert_int_equal(cfpc_step_block(NULL, data, NULL, e, 4, o), CFPC_MISSING);
    assert_int_equal(cfpc_step_block(model, NULL, NULL, e, 4, o), CFPC_MISSING);
    assert_int_equal(cfpc_clock(data), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bank_of_no_lti), cmocka_unit_test(a_model_of_no_definition),
        cmocka_unit_test(data_of_no_model), cmocka_unit_test(a_block_of_no_source)};
    return cmocka_run_group_tests_name("core.missing", tests, NULL, NULL);
}
