// SPDX-License-Identifier: Apache-2.0
// learned: the forward model that is learned from a probe: what it finds, when it says so, and what
// a cell does with it.
#include "cell_fixture.h"

enum { STEPS = 12000 };

static cfpc_learned *learned_of(const cfpc_learned_def *def)
{
    const size_t bytes = cfpc_learned_size(def);
    assert_int_not_equal(bytes, 0);
    cfpc_learned *learned = NULL;
    assert_ok(cfpc_learned_init(&learned, must_calloc(1, bytes), bytes, def));
    assert_int_equal(cfpc_learned_bytes(learned), bytes);
    return learned;
}

static cfpc_learned_def some_def(void)
{
    cfpc_learned_def def = cfpc_default_learned_def();
    def.probe_rms = 1;
    return def;
}

// ---- the world -------------------------------------------------------------------------------

// What the probe does to the teaching signal: functions of one pole after a dead time, as the
// model assumes them, and noise.
typedef struct world {
    int dead_time;
    double theta[2];       // of the first two Laguerre functions
    double pole, state[2]; //
    double line[STEPS];    // their sum
    double noise, slow;    // standard deviation of white noise and, about, of slow noise
    double wave[2];        // state of the latter
    dice dice;             //
    int step;
} world;

static world world_of(const cfpc_learned_def *def, int dead_time, double first, double second)
{
    const double pole = (double)def->decay_steps / (1 + (double)def->decay_steps);
    return (world){.dead_time = dead_time,
                   .theta = {first, second},
                   .pole = pole,
                   .dice = {.state = 88172645463325252u}};
}

// Of variance 1, nearly normal.
static double normal(dice *d)
{
    double sum = 0;
    for (int k = 0; k < 12; k++)
        sum += dice_between(d, -0.5, 0.5);
    return sum;
}

static double answer(world *it, double probe)
{
    const double before = it->state[0];
    it->state[0] = it->pole * before + sqrt(1 - it->pole * it->pole) * probe;
    it->state[1] = it->pole * it->state[1] + before - it->pole * it->state[0];
    it->line[it->step % STEPS] = it->theta[0] * it->state[0] + it->theta[1] * it->state[1];
    const int at = it->step - it->dead_time;
    it->step++;
    it->wave[0] += 0.05 * (normal(&it->dice) * 9 - it->wave[0]); // about 1.6 Hz at 200 Hz
    it->wave[1] += 0.05 * (it->wave[0] - it->wave[1]);
    return -(at >= 0 ? it->line[at % STEPS] : 0) + it->noise * normal(&it->dice) +
           it->slow * it->wave[1];
}

static void run(cfpc_learned *learned, world *it, int steps)
{
    for (int n = 0; n < steps; n++)
        cfpc_learned_observe(learned, (cfpc_real)answer(it, (double)cfpc_learned_probe(learned)));
}

// The taps that the world has.
static void true_taps(const world *of, int count, double *taps)
{
    world it = *of;
    it.noise = it.slow = it.dead_time = it.step = 0;
    it.state[0] = it.state[1] = 0;
    for (int k = 0; k < count; k++)
        taps[k] = k < of->dead_time ? 0 : -answer(&it, k == of->dead_time);
}

static int peak_of(const cfpc_real *taps, int count)
{
    int peak = 0;
    for (int k = 1; k < count; k++)
        peak = taps[k] > taps[peak] ? k : peak;
    return peak;
}

// ---- what it finds ---------------------------------------------------------------------------

// Least squares with forgetting over about 2 · memory steps: with white noise of variance σ², the
// error of θ has the covariance σ² R⁻¹ / (2 · memory), R the covariance of the functions of the
// probe. A probe nearly white in the functions' band has R near its own power density there; the
// test takes the measured one. Four standard errors, and the estimate is not exact by luck either.
static void finds_a_response_as_well_as_theory_allows(void **state)
{
    (void)state;
    double squares = 0;
    const int seeds = 20;
    for (int seed = 1; seed <= seeds; seed++) {
        cfpc_learned_def def = some_def();
        def.seed = (uint32_t)seed;
        def.whitening = 0; // the noise is white
        cfpc_learned *learned = learned_of(&def), *copy = learned_of(&def);
        world it = world_of(&def, 7 + seed, 0.8, 0), clean = it;
        it.noise = 2;
        double power = 0;
        for (int n = 0; n < STEPS; n++) {
            clean.noise = 0;
            answer(&clean, (double)cfpc_learned_probe(copy));
            power += pow(clean.state[0], 2) / STEPS;
        }
        run(learned, &it, STEPS);
        const double error =
            (double)cfpc_learned_estimate(learned)[it.dead_time] / sqrt(1 - it.pole * it.pole) -
            it.theta[0];
        const double standard = it.noise / sqrt(2.0 * def.memory_steps * power);
        assert_near(error, 0, 4 * standard);
        squares += pow(error / standard, 2) / seeds;
        assert_true(cfpc_learned_ready(learned));
        free(learned);
        free(copy);
    }
    assert_true(squares > 0.3 && squares < 2.5); // chi-squared of 20: beyond 3 standard deviations
}

// Without noise only the ridge (1e-5 of the power) and the memory of rounding are left.
static void finds_two_functions_and_the_dead_time(void **state)
{
    (void)state;
    for (int dead_time = 0; dead_time <= 50; dead_time += 5) {
        cfpc_learned_def def = some_def();
        def.functions = 2;
        def.decay_steps = 4;
        cfpc_learned *learned = learned_of(&def);
        world it = world_of(&def, dead_time, 1, -0.6);
        it.noise = 0.01;
        double taps[76], found[76];
        run(learned, &it, 3000);
        true_taps(&it, 76, taps);
        for (int k = 0; k < 76; k++)
            found[k] = (double)cfpc_learned_taps(learned)[k];
        assert_same(76, found, taps, 0.01);
        free(learned);
    }
}

static void finds_it_under_slow_noise_twenty_times_larger_thanks_to_whitening(void **state)
{
    (void)state;
    for (int whitening = 0; whitening <= 6; whitening += 6) {
        cfpc_learned_def def = some_def();
        def.whitening = whitening;
        cfpc_learned *learned = learned_of(&def);
        world it = world_of(&def, 24, 1, 0);
        it.slow = 20;
        run(learned, &it, STEPS);
        if (whitening == 6) {
            assert_true(cfpc_learned_ready(learned));
            assert_int_equal(peak_of(cfpc_learned_taps(learned), 76), 24);
        } else {
            assert_false(cfpc_learned_ready(learned));
        }
        free(learned);
    }
}

static void follows_a_dead_time_that_drifts(void **state)
{
    (void)state;
    cfpc_learned_def def = some_def();
    cfpc_learned *learned = learned_of(&def);
    world it = world_of(&def, 24, 1, 0);
    it.noise = 0.3;
    it.slow = 5;
    run(learned, &it, 4000);
    for (int drifted = 0; drifted < 12; drifted++) { // one step in one memory, as 1 ms per second
        it.dead_time++;
        run(learned, &it, 1000);
        assert_true(cfpc_learned_ready(learned));
        assert_near(peak_of(cfpc_learned_taps(learned), 76), it.dead_time, 2);
    }
    free(learned);
}

// ---- when it says so -------------------------------------------------------------------------

// The probe reaches nothing, as behind a command that is saturated all the time.
static void is_never_ready_if_the_probe_has_no_effect(void **state)
{
    (void)state;
    for (int seed = 1; seed <= 20; seed++) {
        cfpc_learned_def def = some_def();
        def.seed = (uint32_t)seed;
        def.memory_steps = 200;
        cfpc_learned *learned = learned_of(&def);
        world it = world_of(&def, 24, 0, 0);
        it.noise = 1;
        it.slow = 5;
        it.dice.state += (uint64_t)seed;
        for (int n = 0; n < STEPS; n++) { // 60 memories, judged 50 times in each
            cfpc_learned_observe(learned,
                                 (cfpc_real)answer(&it, (double)cfpc_learned_probe(learned)));
            assert_false(cfpc_learned_ready(learned));
            assert_true(cfpc_learned_taps(learned)[peak_of(cfpc_learned_taps(learned), 76)] == 0);
        }
        free(learned);
    }
}

static void is_never_ready_in_silence(void **state)
{
    (void)state;
    cfpc_learned_def def = some_def();
    cfpc_learned *learned = learned_of(&def);
    for (int n = 0; n < STEPS; n++) {
        cfpc_learned_probe(learned);
        cfpc_learned_observe(learned, 0);
        assert_false(cfpc_learned_ready(learned));
    }
    assert_true(cfpc_learned_share(learned) == 0);
    free(learned);
}

static void is_no_longer_ready_when_the_response_changes_at_once(void **state)
{
    (void)state;
    cfpc_learned_def def = some_def();
    cfpc_learned *learned = learned_of(&def);
    world it = world_of(&def, 24, 1, 0);
    it.noise = 0.3;
    run(learned, &it, 4000);
    assert_true(cfpc_learned_ready(learned));
    it.theta[0] = -1; // the teacher's sign is turned round
    run(learned, &it, 500);
    assert_false(cfpc_learned_ready(learned));
    run(learned, &it, 6000);
    assert_true(cfpc_learned_ready(learned)); // and it is learned again
    assert_true(cfpc_learned_taps(learned)[24] < 0);
    free(learned);
}

static void is_no_longer_ready_when_the_probe_no_longer_arrives(void **state)
{
    (void)state;
    cfpc_learned_def def = some_def();
    cfpc_learned *learned = learned_of(&def);
    world it = world_of(&def, 24, 1, 0);
    it.noise = 0.3;
    run(learned, &it, 4000);
    assert_true(cfpc_learned_ready(learned));
    it.theta[0] = 0;
    run(learned, &it, 3000);
    assert_false(cfpc_learned_ready(learned));
    free(learned);
}

static void recovers_from_signals_that_overflow(void **state)
{
    (void)state;
    cfpc_learned_def def = some_def();
    cfpc_learned *learned = learned_of(&def);
    world it = world_of(&def, 24, 1, 0);
    it.noise = 0.3;
    run(learned, &it, 4000);
    const cfpc_real huge = CFPC_REAL_IS_FLOAT ? (cfpc_real)1e30 : (cfpc_real)1e200;
    const cfpc_real bad[] = {huge, -huge, (cfpc_real)INFINITY, (cfpc_real)NAN};
    for (int k = 0; k < 4; k++) {
        cfpc_learned_probe(learned);
        cfpc_learned_observe(learned, bad[k]);
    }
    run(learned, &it, 50);
    assert_false(cfpc_learned_ready(learned));
    run(learned, &it, 4000);
    assert_true(cfpc_learned_ready(learned));
    assert_int_equal(peak_of(cfpc_learned_taps(learned), 76), 24);
    free(learned);
}

// ---- the probe -------------------------------------------------------------------------------

// The variance of an estimate of the rms over n steps of noise with this bandwidth is small; the
// corners are those of first-order filters, so that bands above the upper one are reduced, not cut.
static void the_probe_has_its_rms_and_band(void **state)
{
    (void)state;
    const double bands[][2] = {{0.02, 0.125}, {0, 0.01}, {0.001, 0.5}};
    for (int b = 0; b < 3; b++) {
        cfpc_learned_def def = some_def();
        def.probe_rms = (cfpc_real)0.3;
        def.probe_low = (cfpc_real)bands[b][0];
        def.probe_high = (cfpc_real)bands[b][1];
        cfpc_learned *learned = learned_of(&def);
        double sum = 0, mean = 0, last = 0, change = 0;
        const int steps = 400000;
        for (int n = 0; n < steps; n++) {
            const double p = (double)cfpc_learned_probe(learned);
            sum += p * p / steps;
            mean += p / steps;
            change += (p - last) * (p - last) / steps;
            last = p;
        }
        assert_near(sqrt(sum), 0.3, 0.01);
        assert_near(mean, 0, 0.02);
        if (bands[b][1] < 0.02)
            assert_true(change < 0.01 * sum); // slow: 2π · 0.01 per step, squared
        free(learned);
    }
}

// The generator works on integers; only the band's arithmetic can differ, in the last bits.
static void the_probe_is_the_same_on_every_machine(void **state)
{
    (void)state;
    const double first[] = {0.7814030279882931, 0.6866779657160259, 0.4958976641898891,
                            0.9544345263694809, 1.1651122451429006};
    cfpc_learned_def def = some_def();
    cfpc_learned *learned = learned_of(&def);
    for (size_t k = 0; k < sizeof first / sizeof first[0]; k++)
        assert_near((double)cfpc_learned_probe(learned), first[k], 10 * TOLERANCE);
    free(learned);
}

static void the_probe_fades_with_what_teaches(void **state)
{
    (void)state;
    cfpc_learned_def def = some_def();
    cfpc_learned *learned = learned_of(&def);
    world it = world_of(&def, 24, 1, 0);
    it.slow = 10;
    it.noise = 0.1;
    run(learned, &it, 6000);
    it.slow = 1; // the error falls to about a tenth
    run(learned, &it, 6000);
    assert_true(cfpc_learned_ready(learned));
    assert_near((double)cfpc_learned_share(learned), 1, 0.2);
    double sum = 0;
    for (int n = 0; n < 2000; n++) {
        const double p = (double)cfpc_learned_probe(learned);
        cfpc_learned_observe(learned, (cfpc_real)answer(&it, p));
        sum += p * p / 2000;
    }
    assert_true(sqrt(sum) > 0.05 && sqrt(sum) < 0.25);
    free(learned);
}

static void the_probe_fades_no_further_than_it_may(void **state)
{
    (void)state;
    cfpc_learned_def def = some_def();
    def.probe_least = (cfpc_real)0.5;
    cfpc_learned *learned = learned_of(&def);
    world it = world_of(&def, 24, 1, 0);
    it.slow = 10;
    run(learned, &it, 6000);
    it.slow = 0.1;
    run(learned, &it, 6000);
    double sum = 0;
    for (int n = 0; n < 2000; n++)
        sum += pow((double)cfpc_learned_probe(learned), 2) / 2000;
    assert_near(sqrt(sum), 0.5, 0.1);
    free(learned);
}

// ---- an image --------------------------------------------------------------------------------

static void repeats_bit_for_bit_and_continues_from_a_copy(void **state)
{
    (void)state;
    cfpc_learned_def def = some_def();
    def.functions = 3;
    cfpc_learned *learned = learned_of(&def), *copy = learned_of(&def);
    const size_t bytes = cfpc_learned_bytes(learned);
    world it = world_of(&def, 13, 1, 0.3), later;
    it.noise = 0.5;
    run(learned, &it, 3000);
    memcpy(copy, learned, bytes);
    later = it;
    run(learned, &it, 3000);
    run(copy, &later, 3000);
    assert_memory_equal(learned, copy, bytes);
    cfpc_learned_reset(copy);
    it = later = world_of(&def, 13, 1, 0.3);
    memset(learned, 0x5a, bytes);
    assert_ok(cfpc_learned_init(&learned, learned, bytes, &def));
    assert_memory_equal(learned, copy, bytes);
    free(learned);
    free(copy);
}

static void refused(cfpc_learned_def def, cfpc_status status)
{
    cfpc_learned *learned = NULL;
    _Alignas(8) char mem[64];
    assert_int_equal(cfpc_learned_init(&learned, mem, sizeof mem, &def), status);
    assert_null(learned);
    if (status != CFPC_MEMORY_TOO_SMALL)
        assert_int_equal(cfpc_learned_size(&def), 0);
}

// The default definition with one member changed.
#define REFUSED(member, value, status)                                                             \
    do {                                                                                           \
        cfpc_learned_def changed = some_def();                                                     \
        changed.member = (value);                                                                  \
        refused(changed, (status));                                                                \
    } while (0)

static void refuses_what_cannot_be_learned(void **state)
{
    (void)state;
    REFUSED(probe_rms, 0, CFPC_NO_PROBE);
    REFUSED(probe_rms, -1, CFPC_NO_PROBE);
    REFUSED(probe_rms, (cfpc_real)INFINITY, CFPC_BAD_VALUE);
    REFUSED(probe_low, (cfpc_real)0.2, CFPC_BAD_VALUE);
    REFUSED(probe_low, (cfpc_real)1e-9, CFPC_BAD_VALUE);
    REFUSED(probe_high, (cfpc_real)0.6, CFPC_BAD_VALUE);
    REFUSED(probe_high, 0, CFPC_BAD_VALUE);
    REFUSED(probe_least, -1, CFPC_BAD_VALUE);
    REFUSED(probe_least, 2, CFPC_BAD_VALUE);
    REFUSED(dead_time_steps, -1, CFPC_BAD_SIZE);
    REFUSED(horizon, some_def().dead_time_steps, CFPC_BAD_SIZE);
    REFUSED(horizon, INT32_MAX, CFPC_BAD_SIZE);
    REFUSED(functions, 0, CFPC_BAD_SIZE);
    REFUSED(functions, CFPC_LEARNED_FUNCTIONS + 1, CFPC_BAD_SIZE);
    REFUSED(decay_steps, 0, CFPC_BAD_VALUE);
    REFUSED(decay_steps, (cfpc_real)1e9, CFPC_BAD_VALUE);
    REFUSED(whitening, -1, CFPC_BAD_SIZE);
    REFUSED(whitening, CFPC_LEARNED_WHITENING + 1, CFPC_BAD_SIZE);
    REFUSED(memory_steps, 49, CFPC_BAD_SIZE);
    REFUSED(memory_steps, INT32_MAX, CFPC_BAD_SIZE);
    REFUSED(share, 0, CFPC_BAD_VALUE);
    REFUSED(share, 1, CFPC_BAD_VALUE);
    refused(some_def(), CFPC_MEMORY_TOO_SMALL);
    cfpc_learned *learned = NULL;
    assert_int_equal(cfpc_learned_init(&learned, NULL, 0, NULL), CFPC_MISSING);
    assert_int_equal(cfpc_learned_size(NULL), 0);
}

// ---- a cell ----------------------------------------------------------------------------------

// A plant y[n+1] = x0[n] weight + o[n], seen DELAY steps late: r = x0 must be followed.
enum { DELAY = 30, SYNAPSES = 2 };

typedef struct reflex {
    cfpc_real late[DELAY];
    double y;
} reflex;

static double reflex_step(reflex *it, int n, double r, double o)
{
    const double e = r - it->y, arrived = (double)it->late[n % DELAY];
    it->late[n % DELAY] = (cfpc_real)e;
    it->y = 0.2 * it->y + 0.8 * o;
    return arrived;
}

static cell cell_with(const cfpc_learned_def *def, bool is_mutable)
{
    cfpc_real *wrong = must_calloc((size_t)def->horizon + 1, sizeof *wrong);
    wrong[0] = 1; // as if the teacher were not late
    cfpc_model_def model = cfpc_default_model_def();
    model.synapses = SYNAPSES;
    model.rule.rate = (cfpc_real)0.02;
    model.guard.on = false;
    model.adjoint = (cfpc_adjoint_form){
        .taps = wrong, .horizon = def->horizon, .past = CFPC_PAST_KEPT, .is_mutable = is_mutable};
    const cell it = cell_of(&model);
    free(wrong);
    return it;
}

static void a_cell_with_a_wrong_model_waits_for_the_right_one_and_then_learns(void **state)
{
    (void)state;
    cfpc_learned_def def = some_def();
    def.probe_rms = (cfpc_real)0.05;
    cell it = cell_with(&def, true);
    cfpc_learned *learned = learned_of(&def);
    assert_ok(cfpc_learned_fits(learned, it.model));
    reflex loop = {0};
    double x[SYNAPSES] = {0}, first = 0, last = 0;
    dice d = {.state = 1234567};
    bool waited = false;
    for (int n = 0; n < STEPS; n++) {
        x[1] = x[0];
        x[0] += 0.1 * (normal(&d) - x[0]);
        const cfpc_real in[SYNAPSES] = {(cfpc_real)x[0], (cfpc_real)x[1]};
        const double o = (double)(cfpc_act(it.model, it.data, in) + cfpc_learned_probe(learned));
        const bool idle = cfpc_weights(it.data)[0] == 0 && cfpc_weights(it.data)[1] == 0;
        const double e = x[0] - loop.y;
        assert_true(cfpc_learned_ready(learned) || idle || waited);
        waited |= cfpc_learned_ready(learned);
        cfpc_learned_teach(it.model, it.data, learned, (cfpc_real)reflex_step(&loop, n, x[0], o));
        first += n < 400 ? e * e / 400 : 0;
        last += n >= STEPS - 400 ? e * e / 400 : 0;
    }
    assert_true(waited);
    assert_int_equal(peak_of(cfpc_learned_taps(learned), 76), DELAY + 1);
    assert_true(sqrt(last) < 0.6 * sqrt(first)); // one step cannot be foreseen: 0.44
    free(learned);
    cell_free(&it);
}

static void one_call_does_the_same_as_its_parts(void **state)
{
    (void)state;
    cfpc_learned_def def = some_def();
    cell whole = cell_with(&def, true), parts = cell_with(&def, true);
    cfpc_learned *of_whole = learned_of(&def), *of_parts = learned_of(&def);
    world it = world_of(&def, 24, 1, 0);
    it.noise = 0.3;
    double e = 0;
    for (int n = 0; n < 3000; n++) {
        const cfpc_real x[SYNAPSES] = {(cfpc_real)sin(n * 0.1), (cfpc_real)cos(n * 0.07)};
        const cfpc_real o = cfpc_act(parts.model, parts.data, x) + cfpc_learned_probe(of_parts);
        cfpc_learned_teach(parts.model, parts.data, of_parts, (cfpc_real)e);
        cfpc_watch(parts.model, parts.data, (cfpc_real)e);
        assert_true(cfpc_learned_step(whole.model, whole.data, of_whole, x, (cfpc_real)e) == o);
        e = answer(&it, (double)o);
    }
    assert_memory_equal(of_whole, of_parts, cfpc_learned_bytes(of_whole));
    assert_memory_equal(whole.data, parts.data, cfpc_data_bytes(whole.data));
    assert_true(cfpc_learned_ready(of_whole));
    free(of_whole);
    free(of_parts);
    cell_free(&whole);
    cell_free(&parts);
}

static void a_cell_with_other_taps_does_not_fit(void **state)
{
    (void)state;
    cfpc_learned_def def = some_def(), longer = def;
    longer.horizon++;
    cell fixed = cell_with(&def, false), other = cell_with(&longer, true);
    cfpc_learned *learned = learned_of(&def);
    assert_int_equal(cfpc_learned_fits(learned, fixed.model), CFPC_BAD_SHAPE);
    assert_int_equal(cfpc_learned_fits(learned, other.model), CFPC_BAD_SHAPE);
    assert_int_equal(cfpc_learned_fits(NULL, fixed.model), CFPC_MISSING);
    assert_int_equal(cfpc_learned_fits(learned, NULL), CFPC_MISSING);
    free(learned);
    cell_free(&fixed);
    cell_free(&other);
}

// Another rms changes the probe by that factor and nothing else; one that is none is ignored.
static void another_rms_scales_the_probe(void **state)
{
    (void)state;
    const cfpc_learned_def def = some_def();
    cfpc_learned *it = learned_of(&def), *twin = learned_of(&def);
    cfpc_learned_set_rms(it, 4 * def.probe_rms);
    cfpc_learned_set_rms(it, 0);
    cfpc_learned_set_rms(it, (cfpc_real)NAN);
    for (int n = 0; n < 100; n++)
        assert_true(cfpc_learned_probe(it) == 4 * cfpc_learned_probe(twin));
    free(it);
    free(twin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_rms_scales_the_probe),
        cmocka_unit_test(finds_a_response_as_well_as_theory_allows),
        cmocka_unit_test(finds_two_functions_and_the_dead_time),
        cmocka_unit_test(finds_it_under_slow_noise_twenty_times_larger_thanks_to_whitening),
        cmocka_unit_test(follows_a_dead_time_that_drifts),
        cmocka_unit_test(is_never_ready_if_the_probe_has_no_effect),
        cmocka_unit_test(is_never_ready_in_silence),
        cmocka_unit_test(is_no_longer_ready_when_the_response_changes_at_once),
        cmocka_unit_test(is_no_longer_ready_when_the_probe_no_longer_arrives),
        cmocka_unit_test(recovers_from_signals_that_overflow),
        cmocka_unit_test(the_probe_has_its_rms_and_band),
        cmocka_unit_test(the_probe_is_the_same_on_every_machine),
        cmocka_unit_test(the_probe_fades_with_what_teaches),
        cmocka_unit_test(the_probe_fades_no_further_than_it_may),
        cmocka_unit_test(repeats_bit_for_bit_and_continues_from_a_copy),
        cmocka_unit_test(refuses_what_cannot_be_learned),
        cmocka_unit_test(a_cell_with_a_wrong_model_waits_for_the_right_one_and_then_learns),
        cmocka_unit_test(one_call_does_the_same_as_its_parts),
        cmocka_unit_test(a_cell_with_other_taps_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
