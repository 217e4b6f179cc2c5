// SPDX-License-Identifier: Apache-2.0
// scale: very many granule cells in blocks learn as an ordinary run does, step by step; no number
// depends on the threads; a synapse takes so many bytes; what blocks cannot do is refused.
#include "lab/small_lab.h"

#include "run/measures.h"

enum { TRIALS = 4 };

#define SCALE_LOOP                                                                                 \
    "loop:\n"                                                                                      \
    "  plant: {kind: chain, stages: [{name: body, kind: lag, time_constant_ms: 100}]}\n"           \
    "  controller: {kind: pi, kp: 2, ki_per_s: 4}\n"                                               \
    "  delay_ms: 60\n"
#define SCALE_BASIS "basis: {kind: granule, count: 30, first_ms: 20, last_ms: 60}\n"
#define SCALE_RULES "rules:\n  - {name: fm, trace: forward-model}\n"
#define PLAIN_SPEC                                                                                 \
    SMALL_HEAD SCALE_LOOP SMALL_TASK SCALE_BASIS                                                   \
        "learning: {mode: online, trials: 4}\nguard: off\n" SCALE_RULES
#define SCALE_SPEC PLAIN_SPEC "scale: {sizes: [30], trials: 4}\n"

// ---- the same as step by step ----------------------------------------------------------------

// Both settings, one after the other.
typedef struct settings {
    const char *at[24];
} settings;

static settings with(const char *const *set, const char *one)
{
    settings all = {{NULL}};
    int count = 0;
    for (; *set; set++)
        all.at[count++] = *set;
    assert_in_range(count, 0, 22);
    all.at[count] = one;
    return all;
}

// The size that has as many cells as the experiment, beside an ordinary run at its rate.
static void expect_ordinary(const char *const *set, double tolerance)
{
    ran scale, plain;
    draft rate = {0};
    must_run(&scale, SCALE_SPEC, set, 1);
    const lab_scale_point *point = &scale.record.scale[scale.record.scale_sizes - 1];
    add(&rate, "rules.fm.rate=%.17g", point->rate);
    must_run(&plain, PLAIN_SPEC, with(set, rate.at).at, 1);
    assert_int_equal(point->synapses, plain.record.bases);
    assert_int_equal(scale.record.scale_trials, TRIALS);
    assert_near(point->lambda_max, plain.record.lambda_max, 1e-6 * plain.record.lambda_max);
    for (int k = 0; k < TRIALS; k++)
        assert_near(point->rrmse[k], plain.record.rule[0].rrmse[k], tolerance);
    assert_true(fabs(point->rrmse[TRIALS - 1] - 1) > 0.01);
    // and at the rate that the rule has by itself
    assert_near(point->rate, scale.record.rule[0].rate, 1e-6 * point->rate);
    ran_free(&scale);
    ran_free(&plain);
}

static void blocks_learn_as_steps_do(void **state)
{
    (void)state;
    expect_ordinary(SET_NOTHING, LAB_TOLERANCE);
    expect_ordinary(SET("learning.rate_fraction=1.2"), LAB_TOLERANCE);
    expect_ordinary(SET("basis.seed=7"), LAB_TOLERANCE);
}

static void whatever_the_loop(void **state)
{
    (void)state;
    expect_ordinary(SET("enters=plant-input"), LAB_TOLERANCE);
    expect_ordinary(SET("loop.delay_ms=0", "loop.measurement_delay_ms=60"), LAB_TOLERANCE);
    expect_ordinary(SET("loop.delay_ms=0", "loop.command_delay_ms=30"), LAB_TOLERANCE);
    expect_ordinary(SET("loop.saturation={low: -1.2, high: 1.2}"), LAB_TOLERANCE);
    expect_ordinary(SET("loop.noise={process: 0.1, measurement: 0.05}"), LAB_TOLERANCE);
    expect_ordinary(SET("disturbances=[{kind: step, at_s: 0.3, to: 0.5}]"), LAB_TOLERANCE);
}

// A block is a sweep's 64 steps at most, and the last of a trial may be shorter.
static void dead_times_longer_than_a_block(void **state)
{
    (void)state;
    expect_ordinary(SET("loop.delay_ms=750", "loop.controller={kind: p, kp: 0.5}",
                        "task={kind: step, at_s: 0.2, trial_s: 2}"),
                    LAB_TOLERANCE);
}

static void whatever_the_rule(void **state)
{
    (void)state;
    expect_ordinary(SET("olive={gain: 0.5, delay_ms: 30}"), LAB_TOLERANCE);
    expect_ordinary(SET("rules.fm.leak=0.01"), LAB_TOLERANCE);
    expect_ordinary(SET("teach.sign=rectified"), LAB_TOLERANCE);
    expect_ordinary(SET("rules.fm.weight_low=0", "rules.fm.weight_high=0.05"), LAB_TOLERANCE);
    expect_ordinary(SET("rules=[{name: fm, trace: none}]"), LAB_TOLERANCE);
    expect_ordinary(SET("rules=[{name: fm, trace: delay, delay_ms: 70}]"), LAB_TOLERANCE);
    expect_ordinary(SET("rules=[{name: fm, trace: alpha, time_constant_ms: 50}]"), LAB_TOLERANCE);
    expect_ordinary(SET("rules=[{name: fm, trace: exponential, time_constant_ms: 50}]"),
                    LAB_TOLERANCE);
}

// Without traces, too: the granules give what they were M steps ago, also at the end of a trial.
static void whatever_the_form(void **state)
{
    (void)state;
#define SHORT_FILTER "learning.neglect=0.02" // shorter than a trial
    expect_ordinary(SET("learning.form=adjoint", SHORT_FILTER), LAB_TOLERANCE);
    expect_ordinary(SET("learning.form=adjoint", SHORT_FILTER, "rules.fm.leak=0.01"),
                    LAB_TOLERANCE);
    expect_ordinary(SET("learning.form=adjoint", SHORT_FILTER, "olive={gain: 0.5, delay_ms: 30}"),
                    LAB_TOLERANCE);
    expect_ordinary(SET("rules=[{name: fm, trace: whitened}]", SHORT_FILTER), LAB_TOLERANCE);
}

// ---- the rate --------------------------------------------------------------------------------

// λmax of close eigenvalues, which plain powers miss by several percent.
static void the_largest_eigenvalue_is_the_problems(void **state)
{
    (void)state;
    const char *const entries[] = {"enters=controller-input", "enters=plant-input"};
    for (int seed = 1; seed <= 6; seed++)
        for (int at = 0; at < 2; at++) {
            ran it;
            draft seeded = {0};
            add(&seeded, "basis.seed=%d", seed);
            must_run(&it, SCALE_SPEC,
                     SET(seeded.at, entries[at], "basis.count=150", "scale.sizes=[150]",
                         "scale.trials=1", "learning.trials=1"),
                     1);
            assert_near(it.record.scale[0].lambda_max, it.record.lambda_max,
                        1e-3 * it.record.lambda_max);
            ran_free(&it);
        }
}

// From 20,000 on, it is taken from some of them.
static void some_cells_stand_for_very_many(void **state)
{
    (void)state;
    ran it;
    must_run(&it, SCALE_SPEC, SET("scale.sizes=[19999, 50000]", "scale.trials=1"), 1);
    const lab_scale_point *point = it.record.scale;
    const double each = point[0].lambda_max / 19999;
    assert_near(point[1].lambda_max / 50000, each, 0.02 * each);
    assert_near(point[1].rrmse[0], point[0].rrmse[0], 0.01);
    ran_free(&it);
}

// However the rule comes by its rate: with other cells it has the same share of 1/λmax.
static void the_rate_is_the_rules_own_share(void **state)
{
    (void)state;
    const char *const *rates[] = {SET("learning.rate_fraction=0.3"),
                                  SET("rules.fm.rate_fraction=0.2"), SET("rules.fm.rate=0.01"),
                                  SET("learning.rate=0.012"),
                                  SET("tune={rate_fractions: [0.1, 0.7, 3]}")};
    for (int i = 0; i < 5; i++) {
        ran it;
        must_run(&it, SCALE_SPEC, with(rates[i], "scale.sizes=[10, 30, 70]").at, 1);
        const double share = it.record.rule[0].rate * it.record.lambda_max;
        assert_int_equal(it.record.scale_sizes, 3);
        for (int k = 0; k < 3; k++) {
            const lab_scale_point *point = &it.record.scale[k];
            assert_near(point->rate * point->lambda_max, share, 1e-9 * share);
        }
        ran_free(&it);
    }
    expect_ordinary(SET("rules.fm.rate_fraction=0.2"), LAB_TOLERANCE);
}

// The rate and the traces are what the cell believes; the loop is what it is.
static void the_cell_may_be_mistaken(void **state)
{
    (void)state;
    expect_ordinary(SET("believed={delay_ms: 40}"), LAB_TOLERANCE);
}

// ---- sizes -----------------------------------------------------------------------------------

static void each_size_is_a_run_of_its_own(void **state)
{
    (void)state;
    const int sizes[] = {10, 30, 150};
    ran all;
    must_run(&all, SCALE_SPEC, SET("scale.sizes=[10, 30, 150]"), 1);
    assert_int_equal(all.record.scale_sizes, 3);
    for (int i = 0; i < 3; i++) {
        ran one;
        draft size = {0}, count = {0};
        add(&size, "scale.sizes=[%d]", sizes[i]);
        add(&count, "basis.count=%d", sizes[i]);
        const lab_scale_point *point = &all.record.scale[i];
        must_run(&one, SCALE_SPEC, SET(size.at), 1);
        assert_int_equal(point->synapses, sizes[i]);
        assert_int_equal(one.record.scale[0].synapses, sizes[i]);
        assert_memory_equal(point->rrmse, one.record.scale[0].rrmse, TRIALS * sizeof(double));
        assert_true(point->rate == one.record.scale[0].rate);
        ran_free(&one);
        expect_ordinary(SET(size.at, count.at), LAB_TOLERANCE);
    }
    for (int k = 0; k < TRIALS; k++) // the experiment's own is none of them
        assert_near(all.record.scale[1].rrmse[k], all.record.rule[0].rrmse[k], 10 * LAB_TOLERANCE);
    ran_free(&all);
}

static void threads_do_not_change_a_bit(void **state)
{
    (void)state;
    const char *const threads[] = {"scale.threads=1", "scale.threads=2", "scale.threads=7"};
    ran it[3];
    for (int i = 0; i < 3; i++)
        must_run(&it[i], SCALE_SPEC, SET("scale.sizes=[9000]", threads[i]), 1);
    for (int i = 1; i < 3; i++) {
        assert_memory_equal(it[0].record.scale[0].rrmse, it[i].record.scale[0].rrmse,
                            TRIALS * sizeof(double));
        assert_true(it[0].record.scale[0].rate == it[i].record.scale[0].rate);
    }
    assert_true(it[0].record.scale[0].rrmse[TRIALS - 1] < 0.9);
    for (int i = 0; i < 3; i++)
        ran_free(&it[i]);
}

static const char paper_plant[] =
    "loop.plant={kind: chain, stages: [{name: orbit, kind: leaky-integrator, time_constant_ms: "
    "100}, {name: muscle, kind: lag, time_constant_ms: 3}]}";

// Of 100,000 synapses of the paper's cell in this form.
static double bytes_of_synapse(const char *form, const char *task)
{
    ran it;
    must_run(&it, SCALE_SPEC,
             SET(paper_plant, "loop.controller={kind: pi, kp: 20, ki_per_s: 100}",
                 "loop.delay_ms=50", "step_ms=1", task, "scale.sizes=[100000]", "scale.trials=1",
                 form),
             1);
    const double bytes = it.record.scale[0].bytes / 100000;
    ran_free(&it);
    return bytes;
}

static void a_synapse_takes_so_many_bytes(void **state)
{
    (void)state;
    const double most = CFPC_REAL_IS_FLOAT ? 220 : 440;
    const double bytes =
        bytes_of_synapse("learning.form=traces", "task={kind: step, at_s: 0, trial_s: 0.06}");
    assert_true(bytes <= most && bytes > most / 2);
    const double weight = bytes_of_synapse("learning.form=adjoint", // trials longer than the filter
                                           "task={kind: step, at_s: 0, trial_s: 0.8}");
    // Beside the weights there are the head of the data and the teaching filter, some 800 taps
    // twice and their ring: 20 KB in all, shared by the synapses.
    assert_near(weight, sizeof(cfpc_real), 0.25);
}

// ---- told ------------------------------------------------------------------------------------

static double measured(const lab_measures *all, const char *name)
{
    for (int i = 0; i < all->count; i++)
        if (strcmp(all->measure[i].name, name) == 0)
            return all->measure[i].value;
    fail_msg("no figure '%s'", name);
    return NAN;
}

static void sizes_have_figures(void **state)
{
    (void)state;
    ran it;
    lab_measures all;
    lab_why why;
    must_run(&it, SCALE_SPEC, SET("scale.sizes=[10, 30]"), 1);
    must(lab_measures_make(&all, &it.record, &it.spec, &why), &why);
    const lab_scale_point *point = it.record.scale;
    assert_true(measured(&all, "scale.10.rrmse_last") == point[0].rrmse[TRIALS - 1]);
    assert_true(measured(&all, "scale.30.rrmse_last") == point[1].rrmse[TRIALS - 1]);
    assert_true(measured(&all, "scale.10.rate") == point[0].rate);
    assert_true(measured(&all, "scale.30.rate") == point[1].rate);
    assert_true(measured(&all, "scale.30.bytes_per_synapse") == point[1].bytes / 30);
    lab_measures_free(&all);
    ran_free(&it);
}

static void a_trial_is_a_piece_of_the_work_and_can_be_stopped(void **state)
{
    (void)state;
    int seen[3] = {0, 0, 1000}; // done, total, when to stop
    const lab_progress progress = {.tick = count_ticks, .context = seen};
    lab_spec spec;
    lab_plan plan;
    lab_record record;
    lab_why why;
    must_plan(&plan, &spec, SCALE_SPEC, SET("scale.sizes=[10, 30]"));
    must(lab_run(&record, &plan, 1, &progress, &why), &why);
    assert_int_equal(seen[0], 3 * TRIALS);
    assert_int_equal(seen[1], 3 * TRIALS);
    lab_record_free(&record);
    seen[0] = 0;
    seen[2] = TRIALS + 3;
    assert_int_equal(lab_run(&record, &plan, 1, &progress, &why), LAB_FAILED);
    assert_string_equal(why.text, "stopped");
    assert_int_equal(seen[0], TRIALS + 3);
    lab_record_free(&record);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
}

// ---- refused ---------------------------------------------------------------------------------

typedef struct refusal {
    const char *set, *says;
} refusal;

static void expect_refusals(const refusal *cases, int count)
{
    for (int i = 0; i < count; i++) {
        draft message = {0};
        add(&message, "spec.yaml:14:1: %s", cases[i].says);
        expect_refusal(SCALE_SPEC, SET(cases[i].set), message.at);
    }
}

#define NO_SIZE "'sizes' must be increasing whole numbers, at most 4000000; "
#define ONE_BANK "'scale' needs a single bank of granules (basis: {kind: granule, …})"
#define ON_LINE                                                                                    \
    "'scale' needs on-line learning, a reset between trials and no guard (learning: {mode: "       \
    "online}, guard: off)"
#define BY_ERROR                                                                                   \
    "'scale' needs the error r - y as its teaching signal, without a delay and noise (teach: {})"
#define NO_BLOCKS                                                                                  \
    "'scale' runs in blocks, which this rule cannot: a plain update without momentum and "         \
    "output_penalty, and a small trace"

static void sizes_that_are_none_are_refused(void **state)
{
    (void)state;
    const refusal cases[] = {{"scale.sizes=[30, 20]", NO_SIZE "20 is not"},
                             {"scale.sizes=[30, 30]", NO_SIZE "30 is not"},
                             {"scale.sizes=[2.5]", NO_SIZE "2.5 is not"},
                             {"scale.sizes=[0, 5]", NO_SIZE "0 is not"},
                             {"scale.sizes=[-3]", NO_SIZE "-3 is not"},
                             {"scale.sizes=[5, 5000000]", NO_SIZE "5e+06 is not"}};
    expect_refusals(cases, 6);
    const lab_why why = refusal_of("spec.yaml", SCALE_SPEC, SET("scale.sizes=[]"));
    assert_non_null(strstr(why.text, "'sizes' is empty"));
    const refusal many = {"scale.sizes=[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]",
                          "'sizes' has 17 numbers; it needs 1 to 16"};
    expect_refusals(&many, 1);
}

static void what_is_no_scale_is_refused(void **state)
{
    (void)state;
    const refusal cases[] = {
        {"basis={kind: gaussian, count: 5, width_ms: 100, spacing_ms: 200}", ONE_BANK},
        {"basis=[{kind: granule, count: 5, last_ms: 60}, {kind: identity}]", ONE_BANK},
        {"learning.mode=batch", ON_LINE},
        {"task.reset=no", ON_LINE},
        {"guard=on", ON_LINE},
        {"teach.signal=command", BY_ERROR},
        {"teach.signal=measured-error", BY_ERROR},
        {"teach.delay_ms=20", BY_ERROR},
        {"learning.frozen=yes", "'scale' learns, and 'learning' is frozen"},
        {"believed=learned", "'scale' runs cells with a given model: use 'believed: given'"},
        {"olive={gain: 0.5, delay_ms: 0}", "the output reaches what teaches it within the step: "
                                           "there is no dead time for blocks"},
        {"rules.fm.momentum=0.5", NO_BLOCKS},
        {"rules.fm.update=normalised", NO_BLOCKS},
        {"rules.fm.output_penalty=0.1", NO_BLOCKS}};
    expect_refusals(cases, sizeof cases / sizeof cases[0]);
}

// The only cell is over before anything can come of it.
static void cells_that_reach_nothing_are_refused(void **state)
{
    (void)state;
    expect_refusal(SCALE_SPEC,
                   SET("scale.sizes=[1]", "basis={kind: granule, count: 30, first_ms: 60, last_ms: "
                                          "150, seed: 1}"),
                   "spec.yaml:14:1: of 1 granule cells no signal reaches the output within a "
                   "trial");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_learn_as_steps_do),
        cmocka_unit_test(whatever_the_loop),
        cmocka_unit_test(dead_times_longer_than_a_block),
        cmocka_unit_test(whatever_the_rule),
        cmocka_unit_test(whatever_the_form),
        cmocka_unit_test(the_largest_eigenvalue_is_the_problems),
        cmocka_unit_test(some_cells_stand_for_very_many),
        cmocka_unit_test(the_rate_is_the_rules_own_share),
        cmocka_unit_test(the_cell_may_be_mistaken),
        cmocka_unit_test(each_size_is_a_run_of_its_own),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(a_synapse_takes_so_many_bytes),
        cmocka_unit_test(sizes_have_figures),
        cmocka_unit_test(a_trial_is_a_piece_of_the_work_and_can_be_stopped),
        cmocka_unit_test(sizes_that_are_none_are_refused),
        cmocka_unit_test(what_is_no_scale_is_refused),
        cmocka_unit_test(cells_that_reach_nothing_are_refused),
    };
    return cmocka_run_group_tests_name("lab.scale", tests, NULL, NULL);
}
