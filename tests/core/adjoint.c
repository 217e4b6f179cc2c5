// SPDX-License-Identifier: Apache-2.0
// adjoint: learning with a teaching filter, against plain loops in double and against traces.
#include "cell_fixture.h"

#include "cfpc/lti.h"
#include "core/data_image.h"
#include "core/image.h"

enum { SYNAPSES = 13, STEPS = 60, TRIALS = 3, LEAD = 4, HORIZON = 9, TAPS = LEAD + HORIZON + 1 };

typedef struct inputs {
    cfpc_real x[STEPS][SYNAPSES];
    cfpc_real e[TRIALS][STEPS];
    cfpc_real taps[TAPS];
} inputs;

static void draw_inputs(unsigned seed, inputs *it)
{
    dice d = {seed};
    draw_reals(&d, STEPS * SYNAPSES, it->x[0]);
    draw_reals(&d, TRIALS * STEPS, it->e[0]);
    draw_reals(&d, TAPS, it->taps);
}

static cfpc_model_def def_of(const inputs *from, cfpc_mode mode, cfpc_past past)
{
    cfpc_model_def def = cfpc_default_model_def();
    def.synapses = SYNAPSES;
    def.rule = (cfpc_rule){.rate = (cfpc_real)0.01, .mode = mode};
    def.guard.on = false;
    def.adjoint =
        (cfpc_adjoint_form){.taps = from->taps, .lead = LEAD, .horizon = HORIZON, .past = past};
    if (past == CFPC_PAST_TABLE) {
        def.steps = STEPS;
        def.basis = from->x[0];
    }
    return def;
}

// ---- the form, read plainly ------------------------------------------------------------------

typedef struct plain {
    double w[SYNAPSES], v[SYNAPSES];
    double t[STEPS]; // of this trial
    double o[STEPS];
} plain;

// δ[m] = Σ_k a[k] t[m + k], with t = 0 outside the steps 0 ... last.
static double plain_delta(const inputs *from, const plain *it, int m, int last)
{
    double sum = 0;
    for (int k = -LEAD; k <= HORIZON; k++)
        if (m + k >= 0 && m + k <= last)
            sum += (double)from->taps[k + LEAD] * it->t[m + k];
    return sum;
}

static void plain_update(const cfpc_rule *rule, plain *it, const cfpc_real *x, double delta,
                         double leak)
{
    for (int j = 0; j < SYNAPSES; j++) {
        it->v[j] =
            (double)rule->momentum * it->v[j] + (x ? (double)rule->rate * (double)x[j] * delta : 0);
        it->w[j] = (1 - leak) * it->w[j] + it->v[j];
        if (rule->weight_low < rule->weight_high)
            it->w[j] = fmin(fmax(it->w[j], (double)rule->weight_low), (double)rule->weight_high);
    }
}

// A trial on line; returns nothing, leaves o and w.
static void plain_trial(const cfpc_rule *rule, const inputs *from, plain *it, int trial)
{
    for (int n = 0; n < STEPS; n++) {
        it->o[n] = 0;
        for (int j = 0; j < SYNAPSES; j++)
            it->o[n] += (double)from->x[n][j] * it->w[j];
        const double e = (double)from->e[trial][n];
        const int back = n - rule->inhibition_delay_steps;
        it->t[n] = (rule->rectified && e < 0 ? 0 : e) -
                   (back >= 0 ? (double)rule->inhibition * it->o[back] : 0);
        const int m = n - HORIZON;
        plain_update(rule, it, m >= 0 ? from->x[m] : NULL, plain_delta(from, it, m, n),
                     (double)rule->leak);
    }
    for (int m = STEPS - HORIZON; m < STEPS; m++)
        plain_update(rule, it, from->x[m], plain_delta(from, it, m, STEPS - 1), 0);
}

// ---- tests -----------------------------------------------------------------------------------

static cfpc_real one_step(const cell *it, const inputs *from, cfpc_past past, int trial, int n)
{
    const cfpc_real e = from->e[trial][n];
    if (past == CFPC_PAST_TABLE)
        return cfpc_step(it->model, it->data, NULL, e);
    if (past == CFPC_PAST_KEPT)
        return cfpc_step(it->model, it->data, from->x[n], e);
    return cfpc_step_given(it->model, it->data, from->x[n],
                           n >= HORIZON ? from->x[n - HORIZON] : NULL, e);
}

static void end_trial(const cell *it, const inputs *from, cfpc_past past)
{
    for (int due = cfpc_due(it->data); past == CFPC_PAST_GIVEN && due > 0; due--)
        cfpc_learn_due(it->model, it->data, from->x[STEPS - due]);
    cfpc_next_trial(it->model, it->data);
}

// On line, rectified or not, with a leak, momentum, bounds and inhibition: as a plain loop.
static void learns_as_the_plain_loop(void **state)
{
    (void)state;
    const cfpc_rule rules[] = {
        {.rate = (cfpc_real)0.01},
        {.rate = (cfpc_real)0.01, .rectified = true},
        {.rate = (cfpc_real)0.01, .leak = (cfpc_real)0.01},
        {.rate = (cfpc_real)0.005, .momentum = (cfpc_real)0.5},
        {.rate = (cfpc_real)0.01, .weight_low = (cfpc_real)-0.02, .weight_high = (cfpc_real)0.01},
        {.rate = (cfpc_real)0.01, .inhibition = (cfpc_real)0.4, .inhibition_delay_steps = 3}};
    for (size_t k = 0; k < sizeof rules / sizeof rules[0]; k++) {
        inputs from;
        draw_inputs(100 + (unsigned)k, &from);
        cfpc_model_def def = def_of(&from, CFPC_ONLINE, CFPC_PAST_KEPT);
        def.rule = rules[k];
        cell it = cell_of(&def);
        plain twin = {0};
        for (int trial = 0; trial < TRIALS; trial++) {
            plain_trial(&def.rule, &from, &twin, trial);
            for (int n = 0; n < STEPS; n++)
                assert_near(one_step(&it, &from, CFPC_PAST_KEPT, trial, n), twin.o[n], TOLERANCE);
            end_trial(&it, &from, CFPC_PAST_KEPT);
            for (int j = 0; j < SYNAPSES; j++)
                assert_near(cfpc_weights(it.data)[j], twin.w[j], TOLERANCE);
        }
        cell_free(&it);
    }
}

// Whoever has the past inputs: the same bits.
static void the_past_is_the_same_wherever_it_comes_from(void **state)
{
    (void)state;
    static const cfpc_past pasts[] = {CFPC_PAST_KEPT, CFPC_PAST_TABLE, CFPC_PAST_GIVEN};
    for (int mode = CFPC_ONLINE; mode <= CFPC_BATCH; mode++) {
        inputs from;
        draw_inputs(7, &from);
        cell cells[3];
        for (int k = 0; k < 3; k++) {
            const cfpc_model_def def = def_of(&from, (cfpc_mode)mode, pasts[k]);
            cells[k] = cell_of(&def);
        }
        for (int trial = 0; trial < TRIALS; trial++) {
            for (int n = 0; n < STEPS; n++) {
                const cfpc_real o = one_step(&cells[0], &from, pasts[0], trial, n);
                for (int k = 1; k < 3; k++)
                    assert_true(one_step(&cells[k], &from, pasts[k], trial, n) == o);
            }
            for (int k = 0; k < 3; k++)
                end_trial(&cells[k], &from, pasts[k]);
            for (int k = 1; k < 3; k++)
                assert_memory_equal(cfpc_weights(cells[k].data), cfpc_weights(cells[0].data),
                                    SYNAPSES * sizeof(cfpc_real));
        }
        for (int k = 0; k < 3; k++) {
            assert_int_equal(cfpc_flags(cells[k].data), 0);
            cell_free(&cells[k]);
        }
    }
}

// In batch mode the weights are constant within a trial: the sum is that of the trace cut at the
// same horizon, z[n] = Σ a[k] x[n - k], which looks ahead by the lead.
static void a_trial_sums_what_the_cut_trace_would(void **state)
{
    (void)state;
    inputs from;
    draw_inputs(3, &from);
    const cfpc_model_def def = def_of(&from, CFPC_BATCH, CFPC_PAST_TABLE);
    cell it = cell_of(&def);
    for (int n = 0; n < STEPS; n++)
        one_step(&it, &from, CFPC_PAST_TABLE, 0, n);
    end_trial(&it, &from, CFPC_PAST_TABLE);
    for (int j = 0; j < SYNAPSES; j++) {
        double sum = 0;
        for (int n = 0; n < STEPS; n++)
            for (int k = -LEAD; k <= HORIZON; k++)
                if (n - k >= 0 && n - k < STEPS)
                    sum += (double)from.taps[k + LEAD] * (double)from.x[n - k][j] *
                           (double)from.e[0][n];
        assert_near(cfpc_weights(it.data)[j], 0.01 * sum,
                    0.01 * (CFPC_REAL_IS_FLOAT ? 1e-4 : 1e-10));
    }
    cell_free(&it);
}

// A single tap of 1 and no horizon is the rule without a trace, bit for bit.
static void one_tap_is_no_trace(void **state)
{
    (void)state;
    static const cfpc_real one = 1;
    inputs from;
    draw_inputs(5, &from);
    cfpc_model_def def = def_of(&from, CFPC_ONLINE, CFPC_PAST_KEPT);
    def.adjoint = (cfpc_adjoint_form){.taps = &one};
    cell adjoint = cell_of(&def);
    def.adjoint = (cfpc_adjoint_form){0};
    cell traces = cell_of(&def);
    for (int n = 0; n < STEPS; n++)
        assert_true(cfpc_step(adjoint.model, adjoint.data, from.x[n], from.e[0][n]) ==
                    cfpc_step(traces.model, traces.data, from.x[n], from.e[0][n]));
    assert_int_equal(cfpc_due(adjoint.data), 0);
    cell_free(&adjoint);
    cell_free(&traces);
}

// A trial shorter than the horizon: all of its inputs learn at its end.
static void a_short_trial_learns_at_its_end(void **state)
{
    (void)state;
    inputs from;
    draw_inputs(11, &from);
    const cfpc_model_def def = def_of(&from, CFPC_ONLINE, CFPC_PAST_KEPT);
    cell it = cell_of(&def);
    enum { SHORT = HORIZON - 3 };
    for (int n = 0; n < SHORT; n++)
        assert_true(one_step(&it, &from, CFPC_PAST_KEPT, 0, n) == 0);
    assert_int_equal(cfpc_due(it.data), SHORT);
    cfpc_next_trial(it.model, it.data);
    for (int j = 0; j < SYNAPSES; j++) {
        double sum = 0;
        for (int m = 0; m < SHORT; m++)
            for (int k = -LEAD; k <= HORIZON; k++)
                if (m + k >= 0 && m + k < SHORT)
                    sum += (double)from.taps[k + LEAD] * (double)from.x[m][j] *
                           (double)from.e[0][m + k];
        assert_near(cfpc_weights(it.data)[j], 0.01 * sum, TOLERANCE);
    }
    assert_int_equal(cfpc_due(it.data), 0);
    cell_free(&it);
}

static bool is_zero(const cell *it)
{
    for (int j = 0; j < SYNAPSES; j++)
        if (cfpc_weights(it->data)[j] != 0)
            return false;
    return true;
}

// A saturated step, a faded one and one whose error is not a number teach nothing, ever.
static void a_step_that_must_not_teach_enters_as_zero(void **state)
{
    (void)state;
    enum { SATURATED, FADED, NOT_FINITE, WAYS };
    for (int way = 0; way < WAYS; way++) {
        inputs from;
        draw_inputs(13, &from);
        cfpc_model_def def = def_of(&from, CFPC_ONLINE, CFPC_PAST_KEPT);
        def.guard = cfpc_default_guard();
        def.guard.on = way == SATURATED;
        def.guard.repeats = true;
        def.guard.saturated_steps = STEPS;
        def.guard.window_steps = 1;
        cell it = cell_of(&def), twin = cell_of(&def);
        cfpc_watch(it.model, it.data, 1); // the round of the loop alone
        cfpc_watch(twin.model, twin.data, 1);
        for (int n = 0; n < STEPS; n++) {
            const bool spoiled = n >= 20 && n < 25;
            cfpc_act(it.model, it.data, from.x[n]);
            cfpc_act(twin.model, twin.data, from.x[n]);
            if (way == SATURATED)
                cfpc_saturated(it.model, it.data, spoiled);
            if (way == FADED && (n == 19 || n == 24)) // acts from the next step on
                (n == 19 ? cfpc_disable : cfpc_enable)(it.data, 0);
            cfpc_teach(it.model, it.data,
                       spoiled && way == NOT_FINITE ? (cfpc_real)NAN : from.e[0][n]);
            cfpc_teach(twin.model, twin.data, spoiled ? 0 : from.e[0][n]);
        }
        cfpc_next_trial(it.model, it.data);
        cfpc_next_trial(twin.model, twin.data);
        assert_false(is_zero(&it));
        assert_memory_equal(cfpc_weights(it.data), cfpc_weights(twin.data),
                            SYNAPSES * sizeof(cfpc_real));
        cell_free(&it);
        cell_free(&twin);
    }
}

// Frozen, by the caller: nothing more is learned, also not what was due; after it is cleared, only
// what comes then.
static void freezing_drops_what_is_due(void **state)
{
    (void)state;
    inputs from;
    draw_inputs(17, &from);
    const cfpc_model_def def = def_of(&from, CFPC_ONLINE, CFPC_PAST_KEPT);
    cell it = cell_of(&def), twin = cell_of(&def);
    for (int n = 0; n < STEPS; n++) {
        if (n == HORIZON - 1) // nothing has been learned yet
            cfpc_freeze(it.data);
        if (n == HORIZON)
            cfpc_clear_flags(it.data, CFPC_FLAG_FROZEN);
        one_step(&it, &from, CFPC_PAST_KEPT, 0, n);
        cfpc_act(twin.model, twin.data, from.x[n]);
        cfpc_teach(twin.model, twin.data, n < HORIZON ? 0 : from.e[0][n]);
        assert_memory_equal(cfpc_weights(it.data), cfpc_weights(twin.data),
                            SYNAPSES * sizeof(cfpc_real));
    }
    cfpc_freeze(it.data);
    assert_int_equal(cfpc_due(it.data), 0);
    cfpc_next_trial(it.model, it.data);
    assert_memory_equal(cfpc_weights(it.data), cfpc_weights(twin.data),
                        SYNAPSES * sizeof(cfpc_real));
    cell_free(&it);
    cell_free(&twin);
}

// The guard pauses the cell, then acts: what is due is not learned, neither then nor later.
static void the_guard_drops_what_is_due(void **state)
{
    (void)state;
    enum { ROUND = 2 * HORIZON };
    inputs from;
    draw_inputs(19, &from);
    cfpc_model_def def = def_of(&from, CFPC_ONLINE, CFPC_PAST_KEPT);
    def.guard = cfpc_default_guard();
    def.guard.repeats = true;
    def.guard.window_steps = ROUND;
    def.guard.settle_steps = 0;
    def.guard.spread = 0;
    cell it = cell_of(&def);
    cfpc_real w[SYNAPSES];
    for (int n = 0; n < 4 * ROUND; n++) { // alone, at work, far too loud, alone again
        const bool was_paused = cfpc_guard_pauses(it.data) > 0;
        cfpc_step(it.model, it.data, from.x[n % STEPS], n / ROUND == 2 ? 9 : 1);
        if (!was_paused)
            memcpy(w, cfpc_weights(it.data), sizeof w);
        if (cfpc_guard_acts(it.data) > 0)
            assert_true(is_zero(&it));
        else
            assert_memory_equal(cfpc_weights(it.data), w, sizeof w);
        if (n == 2 * ROUND - 1 || was_paused)
            assert_int_equal(cfpc_due(it.data), was_paused ? 0 : HORIZON);
        assert_int_equal(was_paused, n > 2 * ROUND);
    }
    assert_true(w[0] != 0);
    assert_int_equal(cfpc_guard_last(it.data).reason, CFPC_GUARD_WORSE);
    cfpc_next_trial(it.model, it.data);
    assert_true(is_zero(&it));
    cell_free(&it);
}

// The loop alone, Σ (e + T̂ o)²: the response runs once, on o, as with a trace per synapse.
static void the_guard_knows_the_loop_alone_from_the_output(void **state)
{
    (void)state;
    inputs from;
    draw_inputs(23, &from);
    cfpc_model_def def = def_of(&from, CFPC_BATCH, CFPC_PAST_KEPT);
    def.rule.rate = 0;
    def.trace = def.response = small_trace();
    def.guard = cfpc_default_guard();
    def.guard.spread = 0;
    cell it = cell_of(&def);
    def.guard.on = false;
    def.adjoint = (cfpc_adjoint_form){0};
    cell twin = cell_of(&def); // only for its traces
    double sum = 0;
    cfpc_watch(it.model, it.data, 100); // a trial of the loop alone
    cfpc_next_trial(it.model, it.data);
    for (int j = 0; j < SYNAPSES; j++)
        cfpc_weights(it.data)[j] = (cfpc_real)(0.1 * (j + 1));
    for (int n = 0; n < STEPS; n++) {
        one_step(&it, &from, CFPC_PAST_KEPT, 0, n);
        cfpc_act(twin.model, twin.data, from.x[n]);
        double forward = 0;
        for (int j = 0; j < SYNAPSES; j++)
            forward += (double)cfpc_traces(twin.data)[j] * 0.1 * (j + 1);
        sum += pow((double)from.e[0][n] + forward, 2);
    }
    assert_int_equal(cfpc_guard_pauses(it.data), 0);
    assert_near(it.data->guard.alone, sum, sum * TOLERANCE);
    cell_free(&it);
    cell_free(&twin);
}

// Taps that are replaced while the cell runs: from then on as if they had always been these.
static void taps_can_be_replaced(void **state)
{
    (void)state;
    inputs from, other;
    draw_inputs(29, &from);
    draw_inputs(31, &other);
    cfpc_model_def def = def_of(&from, CFPC_ONLINE, CFPC_PAST_KEPT);
    def.adjoint.is_mutable = true;
    cell it = cell_of(&def);
    def.adjoint.taps = other.taps;
    def.adjoint.is_mutable = false;
    cell twin = cell_of(&def);
    cfpc_set_taps(twin.model, twin.data, from.taps); // changes nothing
    for (int n = 0; n < STEPS; n++) {
        if (n == HORIZON) // the first input that learns
            cfpc_set_taps(it.model, it.data, other.taps);
        one_step(&it, &from, CFPC_PAST_KEPT, 0, n);
        one_step(&twin, &from, CFPC_PAST_KEPT, 0, n);
    }
    assert_false(is_zero(&it));
    assert_memory_equal(cfpc_weights(it.data), cfpc_weights(twin.data),
                        SYNAPSES * sizeof(cfpc_real));
    cfpc_data_reset(it.model, it.data); // the model's again
    def.adjoint.taps = from.taps;
    cell first = cell_of(&def);
    for (int n = 0; n < STEPS; n++)
        assert_true(one_step(&it, &from, CFPC_PAST_KEPT, 0, n) ==
                    one_step(&first, &from, CFPC_PAST_KEPT, 0, n));
    cell_free(&it);
    cell_free(&twin);
    cell_free(&first);
}

// Without the past that only the caller has, nothing is learned, and a flag says so.
static void a_missing_past_sets_a_flag(void **state)
{
    (void)state;
    inputs from;
    draw_inputs(37, &from);
    cfpc_model_def def = def_of(&from, CFPC_ONLINE, CFPC_PAST_GIVEN);
    cell given = cell_of(&def);
    def = def_of(&from, CFPC_ONLINE, CFPC_PAST_TABLE);
    cell table = cell_of(&def);
    for (int n = 0; n < STEPS; n++)
        cfpc_step(given.model, given.data, from.x[n], from.e[0][n]);
    assert_true(is_zero(&given));
    assert_int_equal(cfpc_flags(given.data), CFPC_FLAG_NO_PAST);
    cfpc_step(table.model, table.data, from.x[0], from.e[0][0]);
    assert_int_equal(cfpc_flags(table.data), CFPC_FLAG_NO_PAST);
    cell_free(&given);
    cell_free(&table);
}

// A step that nobody teaches, or that lacks its past, teaches 0: the steps after it learn as if it
// had.
static void a_step_without_a_teacher_teaches_nothing(void **state)
{
    (void)state;
    inputs from;
    draw_inputs(47, &from);
    const cfpc_model_def def = def_of(&from, CFPC_ONLINE, CFPC_PAST_GIVEN);
    cell silent = cell_of(&def), lacks = cell_of(&def), twin = cell_of(&def);
    for (int n = 0; n < STEPS; n++) {
        if (n == 20) {
            cfpc_act(silent.model, silent.data, from.x[n]);
            cfpc_step(lacks.model, lacks.data, from.x[n], from.e[0][n]);
            cfpc_act(twin.model, twin.data, from.x[n]);
            cfpc_teach_given(twin.model, twin.data, NULL, 0);
            continue;
        }
        const cfpc_real o = one_step(&twin, &from, CFPC_PAST_GIVEN, 0, n);
        assert_true(one_step(&silent, &from, CFPC_PAST_GIVEN, 0, n) == o);
        assert_true(one_step(&lacks, &from, CFPC_PAST_GIVEN, 0, n) == o);
    }
    assert_false(is_zero(&twin));
    cell_free(&silent);
    cell_free(&lacks);
    cell_free(&twin);
}

// Whatever the caller gives for them.
static void inputs_of_before_the_trial_do_not_learn(void **state)
{
    (void)state;
    inputs from;
    draw_inputs(53, &from);
    const cfpc_model_def def = def_of(&from, CFPC_ONLINE, CFPC_PAST_GIVEN);
    cell it = cell_of(&def), twin = cell_of(&def);
    for (int n = 0; n < STEPS; n++) {
        const cfpc_real *past = from.x[n >= HORIZON ? n - HORIZON : STEPS - 1];
        assert_true(cfpc_step_given(it.model, it.data, from.x[n], past, from.e[0][n]) ==
                    one_step(&twin, &from, CFPC_PAST_GIVEN, 0, n));
    }
    cell_free(&it);
    cell_free(&twin);
}

// The second copy of the taps in an image is checked as well.
static void altered_taps_are_refused(void **state)
{
    (void)state;
    inputs from;
    draw_inputs(59, &from);
    const cfpc_model_def def = def_of(&from, CFPC_ONLINE, CFPC_PAST_KEPT);
    const cfpc_model *model = model_of(&def), *checked = NULL;
    cfpc_real *taps = (cfpc_real *)cfpc_model_adjoint(model).taps;
    cfpci_header *header = (cfpci_header *)model;
    taps[TAPS + 3] = (cfpc_real)NAN;
    header->checksum = cfpci_image_checksum(model, header->bytes);
    assert_int_equal(cfpc_model_check(&checked, model, cfpc_model_bytes(model)), CFPC_ALTERED);
    assert_null(checked);
    free((void *)model);
}

// Saved in the middle of a trial and restored: it goes on with the same bits.
static void a_save_keeps_what_is_due(void **state)
{
    (void)state;
    inputs from;
    draw_inputs(41, &from);
    cfpc_model_def def = def_of(&from, CFPC_ONLINE, CFPC_PAST_KEPT);
    def.adjoint.is_mutable = true;
    cell it = cell_of(&def), other = cell_of(&def);
    for (int n = 0; n < STEPS / 2; n++)
        one_step(&it, &from, CFPC_PAST_KEPT, 0, n);
    cfpc_data_seal(it.data);
    assert_ok(cfpc_data_restore(other.model, other.data, it.data, cfpc_data_bytes(it.data)));
    for (int n = STEPS / 2; n < STEPS; n++)
        assert_true(one_step(&it, &from, CFPC_PAST_KEPT, 0, n) ==
                    one_step(&other, &from, CFPC_PAST_KEPT, 0, n));
    const cfpc_model *checked = NULL;
    assert_ok(cfpc_model_check(&checked, it.model, cfpc_model_bytes(it.model)));
    cell_free(&it);
    cell_free(&other);
}

static cfpc_status init(const cfpc_model_def *def)
{
    static _Alignas(8) char room[1 << 16];
    const cfpc_model *model = NULL;
    return cfpc_model_init(&model, room, sizeof room, def);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    inputs from;
    draw_inputs(43, &from);
    const cfpc_model_def good = def_of(&from, CFPC_ONLINE, CFPC_PAST_KEPT);
    assert_ok(init(&good));
    cfpc_model_def def = good;
    def.rule.normaliser = 1;
    assert_int_equal(init(&def), CFPC_NEEDS_TRACES);
    def = good;
    def.rule.output_penalty = 1;
    assert_int_equal(init(&def), CFPC_NEEDS_TRACES);
    def = good;
    def.adjoint.lead = -1;
    assert_int_equal(init(&def), CFPC_BAD_SIZE);
    def = good;
    def.adjoint.horizon = INT32_MAX;
    assert_int_equal(init(&def), CFPC_BAD_SIZE);
    def = good;
    def.adjoint.past = CFPC_PAST_TABLE; // there is none
    assert_int_equal(init(&def), CFPC_MISSING);
    def = good;
    def.adjoint.past = (cfpc_past)3;
    assert_int_equal(init(&def), CFPC_BAD_VALUE);
    def = good;
    def.only_blocks = true;
    def.dead_time_steps = 5;
    assert_int_equal(init(&def), CFPC_BAD_SHAPE);
    from.taps[2] = (cfpc_real)INFINITY;
    assert_int_equal(init(&good), CFPC_BAD_VALUE);
}

// Bytes per synapse with a table: the weight. Per tap: one number. And little else.
static void it_needs_no_memory_per_synapse_but_its_weight(void **state)
{
    (void)state;
    static cfpc_real table[2 * 1000], taps[1001];
    const int32_t synapses[] = {20, 1000}, horizons[] = {100, 1000};
    size_t bytes[2][2];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            cfpc_model_def def = cfpc_default_model_def();
            def.synapses = synapses[i];
            def.steps = 2;
            def.basis = table;
            def.guard.on = false;
            def.adjoint =
                (cfpc_adjoint_form){.taps = taps, .horizon = horizons[k], .past = CFPC_PAST_TABLE};
            cell it = cell_of(&def);
            bytes[i][k] = cfpc_data_bytes(it.data);
            cell_free(&it);
        }
    const size_t real = sizeof(cfpc_real), rest = bytes[0][0] - (20 + 101) * real;
    assert_in_range(rest, 0, 2048);
    assert_in_range(bytes[1][0] - bytes[0][0], 980 * real - 64, 980 * real + 64); // aligned
    assert_in_range(bytes[0][1] - bytes[0][0], 900 * real - 64, 900 * real + 64); // arrays
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learns_as_the_plain_loop),
        cmocka_unit_test(the_past_is_the_same_wherever_it_comes_from),
        cmocka_unit_test(a_trial_sums_what_the_cut_trace_would),
        cmocka_unit_test(one_tap_is_no_trace),
        cmocka_unit_test(a_short_trial_learns_at_its_end),
        cmocka_unit_test(a_step_that_must_not_teach_enters_as_zero),
        cmocka_unit_test(freezing_drops_what_is_due),
        cmocka_unit_test(the_guard_drops_what_is_due),
        cmocka_unit_test(the_guard_knows_the_loop_alone_from_the_output),
        cmocka_unit_test(taps_can_be_replaced),
        cmocka_unit_test(a_missing_past_sets_a_flag),
        cmocka_unit_test(a_step_without_a_teacher_teaches_nothing),
        cmocka_unit_test(inputs_of_before_the_trial_do_not_learn),
        cmocka_unit_test(altered_taps_are_refused),
        cmocka_unit_test(a_save_keeps_what_is_due),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(it_needs_no_memory_per_synapse_but_its_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
