// SPDX-License-Identifier: Apache-2.0
// precision: one program makes and reads models of both precisions, each with the layout of its own
// build of the core.
#include "export/precision.h"

#include <math.h>

#include "cfpc/cell.h"
#include "cfpc/compile.h"
#include "harness.h"

static lab_cell_numbers numbers_of(const cfpc_system *trace, const double *weights)
{
    return (lab_cell_numbers){.synapses = 7,
                              .trace = trace,
                              .rule = {.rate = 0.1, .leak = 1e-3, .batch = true},
                              .guard = {.on = true,
                                        .repeats = true,
                                        .factor = 1.7,
                                        .spread = 0.1,
                                        .window_steps = 50,
                                        .settle_steps = -1,
                                        .saturated_steps = 4,
                                        .tries = 2,
                                        .resume = 0.25},
                              .response = trace,
                              .weights = weights};
}

static void both_precisions_are_there(void **state)
{
    (void)state;
    assert_int_equal(lab_own_precision.real_bytes, sizeof(cfpc_real));
    assert_int_equal(lab_own_precision.real_bytes + lab_twin_precision.real_bytes, 4 + 8);
    assert_ptr_equal(lab_precision_of(4),
                     CFPC_REAL_IS_FLOAT ? &lab_own_precision : &lab_twin_precision);
    assert_string_equal(lab_precision_of(4)->name, "float");
    assert_string_equal(lab_precision_of(8)->name, "double");
    assert_null(lab_precision_of(2));
}

// The own precision is that of the library, byte for byte.
static void own_precision_is_the_library_s(void **state)
{
    (void)state;
    cfpc_system trace;
    lab_images images;
    const cfpc_model *model;
    assert_int_equal(cfpc_delay(&trace, 1e-3, 9), CFPC_OK);
    const lab_cell_numbers of = numbers_of(&trace, NULL);
    const cfpc_cell_def def = {
        .synapses = 7,
        .trace = &trace,
        .rule = {.rate = (cfpc_real)0.1, .leak = (cfpc_real)1e-3, .mode = CFPC_BATCH},
        .guard = {.on = true,
                  .repeats = true,
                  .factor = (cfpc_real)1.7,
                  .spread = (cfpc_real)0.1,
                  .window_steps = 50,
                  .settle_steps = -1,
                  .saturated_steps = 4,
                  .tries = 2,
                  .resume = (cfpc_real)0.25},
        .response = &trace};
    assert_int_equal(lab_own_precision.make(&images, &of), CFPC_OK);
    assert_int_equal(cfpc_compile(&model, &def), CFPC_OK);
    assert_int_equal(images.model_bytes, cfpc_model_bytes(model));
    assert_memory_equal(images.model, model, images.model_bytes);
    assert_int_equal(images.data_bytes, cfpc_data_size(model));
    cfpc_model_free(model);
    lab_images_free(&images);
    cfpc_system_free(&trace);
}

// Each reads what it made, rounded as its numbers are, and refuses what the other made.
static void each_reads_its_own(void **state)
{
    (void)state;
    const double weights[7] = {0.1, -2, 3, 0, 0, 0, 1.0 / 3};
    cfpc_system trace;
    assert_int_equal(cfpc_delay(&trace, 1e-3, 9), CFPC_OK);
    const lab_cell_numbers of = numbers_of(&trace, weights);
    for (size_t bytes = 4; bytes <= 8; bytes += 4) {
        const lab_precision *real = lab_precision_of(bytes), *other = lab_precision_of(12 - bytes);
        lab_images images;
        lab_model_facts model;
        lab_data_facts data;
        assert_int_equal(real->make(&images, &of), CFPC_OK);
        assert_int_equal(other->read_model(images.model, images.model_bytes, &model),
                         CFPC_OTHER_REAL);
        assert_int_equal(other->read_data(images.data, images.data_bytes, &data), CFPC_OTHER_REAL);
        assert_int_equal(real->read_model(images.model, images.model_bytes, &model), CFPC_OK);
        assert_int_equal(real->read_data(images.data, images.data_bytes, &data), CFPC_OK);
        assert_true(model.rule.rate == (bytes == 4 ? (double)0.1f : 0.1));
        assert_true(data.largest == 3 && data.smallest == -2);
        assert_int_equal(data.zeros, 3);
        assert_int_equal(model.trace_delays, 9);
        assert_int_equal(model.data_bytes, images.data_bytes);
        assert_true(model.rule.batch && model.guard.on && model.guard.repeats);
        assert_true(model.guard.factor == (bytes == 4 ? (double)1.7f : 1.7));
        assert_true(model.guard.spread == (bytes == 4 ? (double)0.1f : 0.1));
        assert_true(model.guard.resume == 0.25);
        assert_int_equal(model.guard.window_steps, 50);
        assert_int_equal(model.guard.settle_steps, 10); // nothing is left after the delay
        assert_int_equal(model.guard.saturated_steps, 4);
        assert_int_equal(model.guard.tries, 2);
        assert_true(model.response_known);
        lab_images_free(&images);
    }
    cfpc_system_free(&trace);
}

// A damaged image is refused, whatever its precision.
static void damage_is_found(void **state)
{
    (void)state;
    cfpc_system trace;
    assert_int_equal(cfpc_gain(&trace, 1), CFPC_OK);
    const lab_cell_numbers of = numbers_of(&trace, NULL);
    for (size_t bytes = 4; bytes <= 8; bytes += 4) {
        const lab_precision *real = lab_precision_of(bytes);
        lab_images images;
        lab_model_facts model;
        lab_data_facts data;
        assert_int_equal(real->make(&images, &of), CFPC_OK);
        ((char *)images.model)[images.model_bytes - 1] ^= 1;
        ((char *)images.data)[images.data_bytes - 1] ^= 1;
        assert_int_equal(real->read_model(images.model, images.model_bytes, &model), CFPC_ALTERED);
        assert_int_equal(real->read_data(images.data, images.data_bytes, &data), CFPC_ALTERED);
        assert_int_equal(real->read_data(images.data, images.data_bytes - 8, &data),
                         CFPC_TRUNCATED);
        lab_images_free(&images);
    }
    cfpc_system_free(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_precisions_are_there),
                                       cmocka_unit_test(own_precision_is_the_library_s),
                                       cmocka_unit_test(each_reads_its_own),
                                       cmocka_unit_test(damage_is_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
