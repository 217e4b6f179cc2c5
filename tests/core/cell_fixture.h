// SPDX-License-Identifier: Apache-2.0
// cell_fixture: a model and its data on memory of exactly their size.
#ifndef CFPC_TESTS_CELL_FIXTURE_H
#define CFPC_TESTS_CELL_FIXTURE_H

#include "harness.h"

#include "cfpc/core.h"

typedef struct cell {
    const cfpc_model *model;
    cfpc_data *data;
} cell;

static inline const cfpc_model *model_of(const cfpc_model_def *def)
{
    const size_t bytes = cfpc_model_size(def);
    assert_int_not_equal(bytes, 0);
    const cfpc_model *model = NULL;
    assert_ok(cfpc_model_init(&model, must_calloc(1, bytes), bytes, def));
    return model;
}

static inline cfpc_data *data_of(const cfpc_model *model)
{
    const size_t bytes = cfpc_data_size(model);
    assert_int_not_equal(bytes, 0);
    cfpc_data *data = NULL;
    assert_ok(cfpc_data_init(&data, must_calloc(1, bytes), bytes, model));
    return data;
}

static inline cell cell_of(const cfpc_model_def *def)
{
    cell it = {.model = model_of(def)};
    it.data = data_of(it.model);
    return it;
}

static inline void cell_free(cell *it)
{
    free((void *)it->model);
    free(it->data);
}

static inline void draw_reals(dice *d, int count, cfpc_real *x)
{
    for (int k = 0; k < count; k++)
        x[k] = (cfpc_real)dice_between(d, -1, 1);
}

// A trace with two states and a line of 5 steps, hand-set and stable:
//     s⁺ = A s + b x,   y = c s + 0.25 v,   z = s_1 + x
static inline cfpc_lti small_trace(void)
{
    static const int32_t delay_steps[] = {5};
    static const cfpc_real matrix[] = {0.5,   -0.25, 1, 0,    //
                                       0.125, 0.75,  0, 0.5,  //
                                       1,     -0.5,  0, 0.25, //
                                       0,     1,     1, 0};
    return (cfpc_lti){.states = 2,
                      .inputs = 1,
                      .outputs = 1,
                      .lines = 1,
                      .delay_steps = delay_steps,
                      .matrix = matrix};
}

#endif
