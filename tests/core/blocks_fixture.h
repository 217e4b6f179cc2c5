// SPDX-License-Identifier: Apache-2.0
// blocks_fixture: traces of every kind, and a cell in blocks beside its twin that steps.
#ifndef CFPC_TESTS_BLOCKS_FIXTURE_H
#define CFPC_TESTS_BLOCKS_FIXTURE_H

#include "cell_fixture.h"

#include "core/data_image.h"

enum { DEAD_TIME = 51, LINE = 50 };

// The paper's trace in modal form: three real modes behind a line, its loop closed.
static inline cfpc_lti modal_trace(void)
{
    static const int32_t delay_steps[] = {LINE};
    static const cfpc_real matrix[] = {(cfpc_real)0.99,
                                       0,
                                       0,
                                       0,
                                       1, //
                                       0,
                                       (cfpc_real)0.95,
                                       0,
                                       0,
                                       1, //
                                       0,
                                       0,
                                       (cfpc_real)0.7,
                                       0,
                                       1, //
                                       (cfpc_real)0.004,
                                       (cfpc_real)-0.0125,
                                       (cfpc_real)0.03,
                                       0,
                                       0, //
                                       (cfpc_real)-0.004,
                                       (cfpc_real)0.0125,
                                       (cfpc_real)-0.03,
                                       1,
                                       0};
    return (cfpc_lti){3, 1, 1, 1, delay_steps, matrix};
}

// One mode behind a line, not closed, and the line itself beside it.
static inline cfpc_lti open_trace(void)
{
    static const int32_t delay_steps[] = {7};
    static const cfpc_real matrix[] = {(cfpc_real)0.9,
                                       0,
                                       1, //
                                       (cfpc_real)0.3,
                                       0,
                                       (cfpc_real)0.125, //
                                       0,
                                       1,
                                       0};
    return (cfpc_lti){1, 1, 1, 1, delay_steps, matrix};
}

// Two modes and x itself, no line.
static inline cfpc_lti lag_trace(void)
{
    static const cfpc_real matrix[] = {(cfpc_real)0.9,
                                       0,
                                       1, //
                                       0,
                                       (cfpc_real)-0.5,
                                       1, //
                                       (cfpc_real)0.25,
                                       (cfpc_real)0.5,
                                       (cfpc_real)0.75};
    return (cfpc_lti){2, 1, 1, 0, NULL, matrix};
}

// Four modes, no line, x does not come through at once.
static inline cfpc_lti four_trace(void)
{
    static const cfpc_real matrix[] = {(cfpc_real)0.9,
                                       0,
                                       0,
                                       0,
                                       1, //
                                       0,
                                       (cfpc_real)-0.5,
                                       0,
                                       0,
                                       1, //
                                       0,
                                       0,
                                       (cfpc_real)0.25,
                                       0,
                                       1, //
                                       0,
                                       0,
                                       0,
                                       (cfpc_real)0.99,
                                       1, //
                                       1,
                                       -2,
                                       (cfpc_real)0.5,
                                       (cfpc_real)0.1,
                                       0};
    return (cfpc_lti){4, 1, 1, 0, NULL, matrix};
}

// Two lines, one state, everything full: no fast way.
static inline cfpc_lti two_line_trace(void)
{
    static const int32_t delay_steps[] = {3, 60};
    static const cfpc_real matrix[] = {(cfpc_real)0.5,
                                       (cfpc_real)0.3,
                                       (cfpc_real)-0.2,
                                       (cfpc_real)0.1, //
                                       1,
                                       (cfpc_real)0.2,
                                       (cfpc_real)0.4,
                                       (cfpc_real)-0.3, //
                                       (cfpc_real)0.7,
                                       1,
                                       0,
                                       (cfpc_real)0.25, //
                                       0,
                                       (cfpc_real)0.6,
                                       (cfpc_real)0.5,
                                       0};
    return (cfpc_lti){1, 1, 1, 2, delay_steps, matrix};
}

static inline cfpc_lti delay_trace(void)
{
    static const int32_t delay_steps[] = {13};
    return cfpc_trace_delay(delay_steps);
}

// One mode behind a line, not closed.
static inline cfpc_lti late_trace(void)
{
    static const int32_t delay_steps[] = {11};
    static const cfpc_real matrix[] = {(cfpc_real)0.9,
                                       0,
                                       1, //
                                       (cfpc_real)0.3,
                                       0,
                                       0, //
                                       0,
                                       1,
                                       0};
    return (cfpc_lti){1, 1, 1, 1, delay_steps, matrix};
}

enum { TRACES = 9 };

static inline cfpc_lti trace_of_kind(int kind)
{
    switch (kind) {
    case 0:
        return modal_trace();
    case 1:
        return open_trace();
    case 2:
        return lag_trace();
    case 3:
        return four_trace();
    case 4:
        return two_line_trace();
    case 5:
        return delay_trace();
    case 6:
        return small_trace();
    case 7:
        return late_trace();
    default:
        return cfpc_trace_none();
    }
}

// A cell that is not guarded and may be run in blocks.
static inline cfpc_model_def block_def(int32_t synapses, cfpc_lti trace)
{
    cfpc_model_def def = cfpc_default_model_def();
    def.synapses = synapses;
    def.trace = trace;
    def.rule.rate = (cfpc_real)0.01;
    def.guard = (cfpc_guard){0};
    def.dead_time_steps = DEAD_TIME;
    return def;
}

// Everything that a later step depends on is the same, bit for bit.
static inline void assert_same_cells(const cell *a, const cell *b)
{
    const size_t reals = (size_t)a->data->synapses * sizeof(cfpc_real);
    assert_memory_equal(cfpc_weights(a->data), cfpc_weights(b->data), reals);
    if (cfpc_traces(a->data) && cfpc_traces(b->data))
        assert_memory_equal(cfpc_traces(a->data), cfpc_traces(b->data), reals);
    const cfpc_bank *mine = cfpci_data_bank(a->data), *other = cfpci_data_bank(b->data);
    assert_memory_equal((const char *)mine + mine->head_at, (const char *)other + mine->head_at,
                        mine->scratch_at - mine->head_at);
    assert_int_equal(cfpc_clock(a->data), cfpc_clock(b->data));
    assert_int_equal(cfpc_flags(a->data), cfpc_flags(b->data));
    assert_true(a->data->fade == b->data->fade && a->data->share == b->data->share);
    assert_memory_equal(&a->data->output, &b->data->output, sizeof a->data->output);
    if (cfpc_model_rule(a->model).mode == CFPC_BATCH)
        assert_memory_equal(cfpci_data_array(a->data, a->data->sum_at),
                            cfpci_data_array(b->data, b->data->sum_at), reals);
}

#endif
