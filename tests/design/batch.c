// SPDX-License-Identifier: Apache-2.0
// batch: the three forms of batch learning are one, however the bases are held, and the cheapest is
// taken.
#include "cfpc/batch.h"

#include "small_problem.h"

enum { TRIALS = 12, TRACES = 4, FORMS = 3 };

static const cfpc_batch_form forms[FORMS] = {CFPC_BATCH_PRIMAL, CFPC_BATCH_FACTORED,
                                             CFPC_BATCH_DUAL};

// ---- memory that runs out --------------------------------------------------------------------

// The linker sends the library's calls here; while `left` counts down, they succeed.
static int left = -1;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);

void *__wrap_malloc(size_t bytes)
{
    return left >= 0 && left-- == 0 ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return left >= 0 && left-- == 0 ? NULL : __real_calloc(count, bytes);
}

// ---- a random task ---------------------------------------------------------------------------

typedef struct task {
    int steps, bases;
    cfpc_system path, trace;
    double *x;    // by steps             (N x G)
    double *turn; // by bases             (G x N)
    float *f;     // by steps, rounded    (N x G)
    float *f_turn;
    double *e0;
    double rate;
    int asked; // entries written by `write`
    int fail;  // basis at which writing fails; 0: none
} task;

static void draw_trace(int kind, const cfpc_system *path, cfpc_system *trace)
{
    const double a = 0.75, b = 0.25, c = 1;
    if (kind == 0)
        assert_ok(cfpc_select(trace, path, 0, 0));
    else if (kind == 1)
        assert_ok(cfpc_gain(trace, 1));
    else if (kind == 2)
        assert_ok(cfpc_delay(trace, path->step_s, 5));
    else
        assert_ok(cfpc_state_space(trace, path->step_s, 1, &a, &b, &c, 0.5));
}

// All entries are floats, so that every way to hold them holds the same.
static task task_make(uint64_t seed, int steps, int bases, int kind)
{
    dice d = {seed};
    const size_t entries = (size_t)steps * (size_t)bases;
    task it = {.steps = steps, .bases = bases};
    it.x = must_calloc(entries, sizeof *it.x);
    it.turn = must_calloc(entries, sizeof *it.turn);
    it.f = must_calloc(entries, sizeof *it.f);
    it.f_turn = must_calloc(entries, sizeof *it.f_turn);
    it.e0 = must_calloc((size_t)steps, sizeof *it.e0);
    for (int n = 0; n < steps; n++)
        for (int j = 0; j < bases; j++) {
            const float x = (float)dice_between(&d, -1, 1);
            it.x[n * bases + j] = it.turn[j * steps + n] = x;
            it.f[n * bases + j] = it.f_turn[j * steps + n] = x;
        }
    draw_signal(&d, steps, it.e0);
    draw_transfer(&d, 0.97, &it.path);
    draw_trace(kind, &it.path, &it.trace);
    it.rate = 0.1 / (steps + bases);
    return it;
}

static void task_free(task *it)
{
    free(it->x);
    free(it->turn);
    free(it->f);
    free(it->f_turn);
    free(it->e0);
    cfpc_system_free(&it->path);
    cfpc_system_free(&it->trace);
}

// All trials: rrmse (trials) before each update, and, unless NULL, the weights of the last trial.
static cfpc_status run_trials(const cfpc_batch_def *def, double *rrmse, double *weights)
{
    cfpc_batch *it;
    cfpc_status status = cfpc_batch_make(&it, def);
    for (int32_t k = 0; status == CFPC_OK && k < def->trials; k++)
        status = cfpc_batch_trial(it, rrmse + k);
    if (status == CFPC_OK && weights)
        status = cfpc_batch_weights(it, weights);
    cfpc_batch_free(it);
    return status;
}

static cfpc_status write(void *context, int32_t first, int32_t count, double *x)
{
    task *it = context;
    const size_t steps = (size_t)it->steps, some = (size_t)count;
    if (it->fail > 0 && first + count > it->fail)
        return CFPC_NO_READ;
    memcpy(x, it->turn + (size_t)first * steps, some * steps * sizeof *x);
#ifdef _OPENMP
#pragma omp atomic
#endif
    it->asked += count * it->steps;
    return CFPC_OK;
}

enum { HELD = 5 }; // ways to hold the bases

static cfpc_batch_def define(task *it, cfpc_batch_form form, int held)
{
    cfpc_batch_def def = cfpc_default_batch_def();
    def.bases = (cfpc_bases){.steps = it->steps, .count = it->bases};
    def.bases.order = held == 1 || held == 3 ? CFPC_BY_BASES : CFPC_BY_STEPS;
    def.bases.doubles = held == 0 ? it->x : held == 1 ? it->turn : NULL;
    def.bases.floats = held == 2 ? it->f : held == 3 ? it->f_turn : NULL;
    def.bases.write = held == 4 ? write : NULL;
    def.bases.context = it;
    def.path = &it->path;
    def.trace = &it->trace;
    def.e0 = it->e0;
    def.rate = it->rate;
    def.trials = TRIALS;
    def.form = form;
    return def;
}

// Trial by trial: o = X w, e = e0 - T o, w += η Zᵀe, with Z run and kept.
static void learn_by_traces(const task *it, int trials, double *rrmse, double *w)
{
    const size_t entries = (size_t)it->steps * (size_t)it->bases;
    double *z = must_calloc(entries, sizeof *z), *g = must_calloc((size_t)it->bases, sizeof *g);
    double *o = must_calloc((size_t)it->steps, sizeof *o), *e = must_calloc((size_t)it->steps, 8);
    assert_ok(cfpc_apply(&it->trace, it->steps, it->bases, it->x, z));
    memset(w, 0, (size_t)it->bases * sizeof *w);
    for (int k = 0; k < trials; k++) {
        if (k > 0)
            times_transposed(it->steps, it->bases, z, e, g);
        for (int j = 0; j < it->bases; j++)
            w[j] += it->rate * g[j];
        for (int n = 0; n < it->steps; n++)
            o[n] = dot(it->bases, it->x + n * it->bases, w);
        assert_ok(cfpc_apply(&it->path, it->steps, 1, o, e));
        for (int n = 0; n < it->steps; n++)
            e[n] = it->e0[n] - e[n];
        rrmse[k] = norm(it->steps, e) / norm(it->steps, it->e0);
    }
    free(z);
    free(g);
    free(o);
    free(e);
}

// ---- the forms are one -----------------------------------------------------------------------

static void expect_one_learning(task *it)
{
    double expected[TRIALS], found[TRIALS];
    double *w = must_calloc((size_t)it->bases, sizeof *w);
    double *found_w = must_calloc((size_t)it->bases, sizeof *w);
    learn_by_traces(it, TRIALS, expected, w);
    for (int form = 0; form < FORMS; form++)
        for (int held = 0; held < HELD; held++) {
            const cfpc_batch_def def = define(it, forms[form], held);
            assert_ok(run_trials(&def, found, found_w));
            for (int k = 0; k < TRIALS; k++)
                assert_near(found[k], expected[k], 1e-10 * expected[k]);
            assert_same(it->bases, found_w, w, 1e-10);
        }
    free(w);
    free(found_w);
}

static void every_form_learns_as_traces_do_at_every_size_trace_and_table(void **state)
{
    (void)state;
    const int sizes[] = {1, 7, 63, 65};
    for (int n = 0; n < 4; n++)
        for (int g = 0; g < 4; g++)
            for (int kind = 0; kind < TRACES; kind++) {
                task it =
                    task_make(9000u + (uint64_t)(16 * n + 4 * g + kind), sizes[n], sizes[g], kind);
                expect_one_learning(&it);
                task_free(&it);
            }
}

static void many_bases_of_several_slices_learn_as_traces_do(void **state)
{
    (void)state;
    task few_steps = task_make(9100, 7, 4096 + 65, 0), many_steps = task_make(9101, 2500, 63, 3);
    double expected[TRIALS], found[TRIALS], *w = must_calloc(4096 + 65, sizeof *w);
    double *found_w = must_calloc(4096 + 65, sizeof *w);
    task *tasks[] = {&few_steps, &many_steps};
    for (int i = 0; i < 2; i++) {
        learn_by_traces(tasks[i], TRIALS, expected, w);
        for (int form = 0; form < FORMS; form += 2)
            for (int held = 0; held < HELD; held++) {
                const cfpc_batch_def def = define(tasks[i], forms[form], held);
                if (tasks[i] == &many_steps && forms[form] == CFPC_BATCH_DUAL)
                    continue;
                assert_ok(run_trials(&def, found, found_w));
                assert_same(TRIALS, found, expected, 1e-10);
                assert_same(tasks[i]->bases, found_w, w, 1e-10);
            }
    }
    free(w);
    free(found_w);
    task_free(&few_steps);
    task_free(&many_steps);
}

// Where the weights can undo all of e0, the error falls far below what ‖e‖² by differences shows.
static void small_errors_keep_their_digits(void **state)
{
    (void)state;
    enum { LONG = 3000 };
    static double rrmse[FORMS][LONG];
    double e0[SMALL_STEPS], w[FORMS][SMALL_BASES];
    const double goal[SMALL_BASES] = {0.5, -1, 2, 0.25, -0.5, 1};
    small_problem small = small_problem_make(9200);
    for (int n = 0; n < SMALL_STEPS; n++)
        e0[n] = dot(SMALL_BASES, small.problem.h + n * SMALL_BASES, goal);
    cfpc_batch_def def = cfpc_default_batch_def();
    def.bases = (cfpc_bases){.steps = SMALL_STEPS, .count = SMALL_BASES, .doubles = small.basis};
    def.path = def.trace = &small.transfer;
    def.e0 = e0;
    def.rate = cfpc_problem_rate(&small.problem, 1);
    def.trials = LONG;
    for (int form = 0; form < FORMS; form++) {
        def.form = forms[form];
        assert_ok(run_trials(&def, rrmse[form], w[form]));
    }
    assert_true(rrmse[0][LONG - 1] < 1e-11);
    for (int form = 1; form < FORMS; form++) {
        for (int k = 0; k < LONG; k++)
            assert_near(rrmse[form][k], rrmse[0][k], 1e-10 * rrmse[0][k] + 1e-14);
        assert_same(SMALL_BASES, w[form], w[0], 1e-10);
        assert_same(SMALL_BASES, w[form], goal, 1e-9);
    }
    small_problem_free(&small);
}

static void it_ends_at_the_problems_optimum(void **state)
{
    (void)state;
    enum { LONG = 20000 };
    static double rrmse[LONG];
    small_problem small = small_problem_make(9201);
    for (int form = 0; form < FORMS; form++) {
        double w[SMALL_BASES];
        cfpc_batch_def def = cfpc_default_batch_def();
        def.bases =
            (cfpc_bases){.steps = SMALL_STEPS, .count = SMALL_BASES, .doubles = small.basis};
        def.path = def.trace = &small.transfer;
        def.e0 = small.problem.e0;
        def.rate = cfpc_problem_rate(&small.problem, 1);
        def.trials = form == 1 ? LONG : LONG / 10;
        def.form = forms[form];
        assert_ok(run_trials(&def, rrmse, w));
        assert_near(rrmse[def.trials - 1], small.problem.rrmse_optimum, 1e-6);
        assert_same(SMALL_BASES, w, small.problem.optimum, 1e-3);
    }
    small_problem_free(&small);
}

// ---- how the bases are held ------------------------------------------------------------------

static void written_bases_are_a_table_by_bases_bit_for_bit(void **state)
{
    (void)state;
    const int sizes[][2] = {{7, 2048 + 65}, {2500, 21}, {63, 700}, {5000, 9}};
    for (int i = 0; i < 4; i++) {
        task it = task_make(9300u + (uint64_t)i, sizes[i][0], sizes[i][1], 0);
        double rrmse[2][TRIALS], *w[2];
        for (int k = 0; k < 2; k++) {
            w[k] = must_calloc((size_t)it.bases, sizeof *w[k]);
            const cfpc_batch_def def = define(&it, CFPC_BATCH_PRIMAL, k == 0 ? 1 : 4);
            assert_ok(run_trials(&def, rrmse[k], w[k]));
        }
        assert_memory_equal(rrmse[0], rrmse[1], sizeof rrmse[0]);
        assert_memory_equal(w[0], w[1], (size_t)it.bases * sizeof *w[0]);
        free(w[0]);
        free(w[1]);
        task_free(&it);
    }
}

static void bases_are_written_once_a_trial_or_once_for_all(void **state)
{
    (void)state;
    task it = task_make(9400, 65, 63, 0);
    const int whole = 65 * 63, expected[FORMS] = {(TRIALS - 1) * whole, whole, 2 * whole};
    double rrmse[TRIALS], w[63];
    for (int form = 0; form < FORMS; form++) {
        const cfpc_batch_def def = define(&it, forms[form], 4);
        it.asked = 0;
        assert_ok(run_trials(&def, rrmse, w));
        assert_int_equal(it.asked, expected[form]);
    }
    task_free(&it);
}

static void the_numbers_do_not_depend_on_the_threads(void **state)
{
    (void)state;
    task it = task_make(9500, 63, 5 * 2048 + 9, 0);
    const size_t bytes = (size_t)it.bases * sizeof(double);
    double rrmse[2][TRIALS], *first = must_calloc(1, bytes), *w = must_calloc(1, bytes);
    for (int held = 0; held < HELD; held++) {
        cfpc_batch_def def = define(&it, CFPC_BATCH_PRIMAL, held);
        assert_ok(run_trials(&def, rrmse[0], first));
        for (int threads = 2; threads <= 12; threads += 5) {
            def.threads = threads;
            assert_ok(run_trials(&def, rrmse[1], w));
            assert_memory_equal(rrmse[0], rrmse[1], sizeof rrmse[0]);
            assert_memory_equal(first, w, bytes);
        }
    }
    free(first);
    free(w);
    task_free(&it);
}

// ---- a learner -------------------------------------------------------------------------------

static void weights_are_those_of_the_last_trial_and_asking_changes_nothing(void **state)
{
    (void)state;
    task it = task_make(9600, 63, 7, 2);
    for (int form = 0; form < FORMS; form++) {
        const cfpc_batch_def def = define(&it, forms[form], 0);
        cfpc_batch *learner;
        double expected[TRIALS], rrmse, w[7], expected_w[7];
        assert_ok(cfpc_batch_make(&learner, &def));
        assert_int_equal(cfpc_batch_form_of(learner), forms[form]);
        for (int k = 0; k < TRIALS; k++) {
            assert_ok(cfpc_batch_trial(learner, &rrmse));
            assert_ok(cfpc_batch_weights(learner, w));
            learn_by_traces(&it, k + 1, expected, expected_w);
            assert_near(rrmse, expected[k], 1e-10 * expected[k]);
            for (int j = 0; j < 7; j++)
                assert_near(w[j], expected_w[j], 1e-10 * norm(7, expected_w));
        }
        cfpc_batch_free(learner);
    }
    cfpc_batch_free(NULL);
    task_free(&it);
}

static void without_an_error_there_is_nothing_to_learn(void **state)
{
    (void)state;
    task it = task_make(9650, 65, 7, 0);
    memset(it.e0, 0, 65 * sizeof *it.e0);
    for (int form = 0; form < FORMS; form++) {
        const cfpc_batch_def def = define(&it, forms[form], 0);
        double rrmse[TRIALS], w[7];
        assert_ok(run_trials(&def, rrmse, w));
        for (int k = 0; k < TRIALS; k++)
            assert_near(rrmse[k], 0, 0);
        assert_near(norm(7, w), 0, 0);
    }
    task_free(&it);
}

// ---- the choice ------------------------------------------------------------------------------

static double entries_of(const cfpc_system *sys)
{
    int count = 0;
    for (int k = 0; k < cfpc_system_rows(sys) * cfpc_system_columns(sys); k++)
        count += sys->matrix[k] != 0;
    return count;
}

// Multiply-adds, one by one, as the loops of the three forms would do them; Z = H or X.
static void count(const task *it, int trials, bool is_h, double *counts)
{
    const int n = it->steps, g = it->bases, k = n < g ? n : g;
    double filters = 0;
    memset(counts, 0, FORMS * sizeof *counts);
    for (int trial = 0; trial < trials; trial++) {
        for (int i = 0; i < n; i++)
            filters += entries_of(&it->path) + (trial > 0 ? entries_of(&it->trace) : 0);
        counts[1] += (double)k * g; // R w
        if (trial == 0)
            continue;
        for (int i = 0; i < n; i++) {
            counts[0] += g + g; // this step's share of Xᵀf and of X w
            counts[2] += n;     // a row of B f
        }
        counts[1] += (double)g * (is_h ? k : g); // Rᵀa or M w
    }
    counts[0] += filters;
    counts[2] += filters;
    for (int i = 0; i < n; i++) {
        counts[1] += g * entries_of(&it->path);     // a row of H
        counts[1] += is_h ? 0 : (double)g * g + g;  // its share of M and of z0
        counts[2] += (double)(i + 1) * g + 2.0 * g; // a row of B; its share of the weights
    }
    for (int j = 0; j < k; j++)
        for (int column = j + 1; column < g + 1; column++)
            counts[1] += 2 * (n - j); // a reflection: a product, and a sum
}

static void what_it_does_is_counted_right(void **state)
{
    (void)state;
    const int sizes[] = {1, 7, 63}, trials[] = {1, 2, 50};
    for (int i = 0; i < 27; i++) {
        for (int kind = 0; kind < 2; kind++) {
            task it = task_make(9700, sizes[i % 3], sizes[i / 3 % 3], kind);
            cfpc_batch_def def = define(&it, CFPC_BATCH_CHEAPEST, 3);
            double counts[FORMS];
            def.trials = trials[i / 9];
            count(&it, def.trials, kind == 0, counts);
            for (int form = 0; form < FORMS; form++) {
                cfpc_batch_cost cost;
                assert_ok(cfpc_batch_predict(&cost, &def, forms[form]));
                assert_near(cost.multiply_adds, counts[form], 1e-12 * counts[form]);
                assert_near(cost.total_s,
                            cost.set_up_s + (def.trials - 1) * cost.trial_s + cost.weights_s,
                            1e-12 * cost.total_s);
            }
            task_free(&it);
        }
    }
}

static void the_cheapest_form_is_taken(void **state)
{
    (void)state;
    task it = task_make(9800, 1, 1, 0);
    const int sizes[] = {1, 20, 300, 2500, 50000, 1500000}, trials[] = {1, 2, 50, 2000, 1000000};
    int taken[4] = {0};
    for (int i = 0; i < 6 * 6 * 5; i++) {
        cfpc_batch_def def = define(&it, CFPC_BATCH_CHEAPEST, i % HELD);
        def.bases.steps = sizes[i % 6];
        def.bases.count = sizes[i / 6 % 6];
        def.trials = trials[i / 36];
        cfpc_batch_form form, least = CFPC_BATCH_CHEAPEST;
        double least_s = INFINITY;
        for (int k = 0; k < FORMS; k++) {
            cfpc_batch_cost cost;
            assert_ok(cfpc_batch_predict(&cost, &def, forms[k]));
            least = cost.total_s < least_s ? forms[k] : least;
            least_s = fmin(cost.total_s, least_s);
        }
        assert_ok(cfpc_batch_choose(&form, &def));
        assert_int_equal(form, least);
        taken[form]++;
    }
    for (int form = CFPC_BATCH_PRIMAL; form <= CFPC_BATCH_DUAL; form++)
        assert_true(taken[form] > 5);
    task_free(&it);
}

// The paper's sizes, many bases for a few trials, many bases for many trials; and memory for none.
static void the_choice_is_what_sizes_and_trials_suggest(void **state)
{
    (void)state;
    task it = task_make(9801, 1, 1, 0);
    const struct {
        int steps, bases, trials;
        cfpc_batch_form form;
    } cases[] = {{2500, 20, 50, CFPC_BATCH_FACTORED},
                 {2500, 50000, 5, CFPC_BATCH_PRIMAL},
                 {2500, 50000, 100000, CFPC_BATCH_DUAL},
                 {2500, 20, 1, CFPC_BATCH_PRIMAL}};
    for (int i = 0; i < 4; i++) {
        cfpc_batch_def def = define(&it, CFPC_BATCH_CHEAPEST, 2);
        def.bases.steps = cases[i].steps;
        def.bases.count = cases[i].bases;
        def.trials = cases[i].trials;
        cfpc_batch_form form;
        cfpc_batch_cost cost;
        assert_ok(cfpc_batch_choose(&form, &def));
        assert_int_equal(form, cases[i].form);
        assert_ok(cfpc_batch_predict(&cost, &def, form));
        def.max_bytes = cost.bytes_held;
        assert_ok(cfpc_batch_choose(&form, &def));
        assert_int_equal(form, cases[i].form);
        def.max_bytes = 1;
        assert_ok(cfpc_batch_choose(&form, &def));
        assert_int_equal(form, CFPC_BATCH_PRIMAL);
    }
    task_free(&it);
}

// ---- refused ---------------------------------------------------------------------------------

static void expect_refused(cfpc_batch_def def, cfpc_status expected)
{
    double rrmse[TRIALS];
    cfpc_batch *learner = (cfpc_batch *)&def;
    assert_int_equal(cfpc_batch_make(&learner, &def), expected);
    assert_null(learner);
    assert_int_equal(run_trials(&def, rrmse, NULL), expected);
}

static void bad_sizes_numbers_and_systems_are_refused(void **state)
{
    (void)state;
    task it = task_make(9900, 7, 7, 0);
    const cfpc_batch_def good = define(&it, CFPC_BATCH_CHEAPEST, 0);
    cfpc_system lag, two, slow;
    assert_ok(cfpc_lag(&lag, 0.1, 1)); // continuous
    assert_ok(cfpc_system_make(&two, 1e-3, 0, 1, 2, 0));
    assert_ok(cfpc_delay(&slow, 2 * it.path.step_s, 3));
    const struct {
        int32_t steps, bases, trials, threads;
        double rate, max_bytes;
        int form, order;
        cfpc_status status;
    } cases[] = {
        {0, 7, 3, 1, 1, 0, 0, 0, CFPC_BAD_SIZE},    {7, 0, 3, 1, 1, 0, 0, 0, CFPC_BAD_SIZE},
        {7, 7, 0, 1, 1, 0, 0, 0, CFPC_BAD_SIZE},    {7, 7, 3, 0, 1, 0, 0, 0, CFPC_BAD_SIZE},
        {7, 7, 3, 1, NAN, 0, 0, 0, CFPC_BAD_VALUE}, {7, 7, 3, 1, 1, -1, 0, 0, CFPC_BAD_VALUE},
        {7, 7, 3, 1, 1, NAN, 0, 0, CFPC_BAD_VALUE}, {7, 7, 3, 1, 1, 0, 4, 0, CFPC_BAD_VALUE},
        {7, 7, 3, 1, 1, 0, 0, 2, CFPC_BAD_VALUE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cfpc_batch_def def = good;
        def.bases.steps = cases[i].steps;
        def.bases.count = cases[i].bases;
        def.bases.order = (cfpc_order)cases[i].order;
        def.trials = cases[i].trials;
        def.threads = cases[i].threads;
        def.rate = cases[i].rate;
        def.max_bytes = cases[i].max_bytes;
        def.form = (cfpc_batch_form)cases[i].form;
        expect_refused(def, cases[i].status);
    }
    const cfpc_system *const systems[] = {&lag, &two, &slow, NULL};
    for (int i = 0; i < 4; i++) {
        cfpc_batch_def def = good;
        def.trace = systems[i];
        expect_refused(def, systems[i] ? CFPC_BAD_SHAPE : CFPC_MISSING);
        def.path = systems[i];
        def.trace = good.trace;
        expect_refused(def, systems[i] ? CFPC_BAD_SHAPE : CFPC_MISSING);
    }
    cfpc_batch_cost cost;
    assert_int_equal(cfpc_batch_predict(&cost, &good, CFPC_BATCH_CHEAPEST), CFPC_BAD_VALUE);
    cfpc_system_free(&lag);
    cfpc_system_free(&two);
    cfpc_system_free(&slow);
    task_free(&it);
}

static void bases_that_are_not_there_or_there_twice_are_refused(void **state)
{
    (void)state;
    task it = task_make(9901, 7, 7, 0);
    cfpc_batch_def def = define(&it, CFPC_BATCH_CHEAPEST, 0);
    def.bases.floats = it.f;
    expect_refused(def, CFPC_BAD_VALUE);
    def.bases.floats = NULL;
    def.bases.doubles = NULL;
    expect_refused(def, CFPC_BAD_VALUE);
    def = define(&it, CFPC_BATCH_CHEAPEST, 0);
    def.e0 = NULL;
    expect_refused(def, CFPC_BAD_VALUE);
    def.e0 = it.e0;
    it.e0[6] = INFINITY;
    expect_refused(def, CFPC_BAD_VALUE);
    task_free(&it);
}

static void bases_that_are_not_finite_are_refused_or_told(void **state)
{
    (void)state;
    task it = task_make(9902, 65, 7, 1);
    it.x[8] = NAN;
    expect_refused(define(&it, CFPC_BATCH_FACTORED, 0), CFPC_BAD_VALUE);
    expect_refused(define(&it, CFPC_BATCH_DUAL, 0), CFPC_BAD_VALUE);
    const cfpc_batch_def def = define(&it, CFPC_BATCH_PRIMAL, 0);
    double rrmse[TRIALS];
    assert_ok(run_trials(&def, rrmse, NULL));
    assert_true(isnan(rrmse[TRIALS - 1]));
    task_free(&it);
}

static void bases_that_cannot_be_written_end_the_learning(void **state)
{
    (void)state;
    task it = task_make(9903, 65, 2048 + 7, 0);
    cfpc_batch_def def = define(&it, CFPC_BATCH_PRIMAL, 4);
    double rrmse, *w = must_calloc((size_t)it.bases, sizeof *w);
    cfpc_batch *learner;
    it.fail = 2050;
    for (int threads = 1; threads <= 2; threads++) {
        def.threads = threads;
        assert_ok(cfpc_batch_make(&learner, &def));
        assert_ok(cfpc_batch_trial(learner, &rrmse));
        assert_int_equal(cfpc_batch_trial(learner, &rrmse), CFPC_NO_READ);
        it.fail = 0;
        assert_int_equal(cfpc_batch_trial(learner, &rrmse), CFPC_NO_READ);
        assert_int_equal(cfpc_batch_weights(learner, w), CFPC_NO_READ);
        it.fail = 2050;
        cfpc_batch_free(learner);
    }
    expect_refused(define(&it, CFPC_BATCH_DUAL, 4), CFPC_NO_READ);
    free(w);
    task_free(&it);
    it = task_make(9904, 65, 63, 0);
    it.fail = 60;
    expect_refused(define(&it, CFPC_BATCH_FACTORED, 4), CFPC_NO_READ);
    task_free(&it);
}

// Every allocation fails once; whatever was made before it is given back (the sanitizers see that).
static void memory_that_runs_out_is_a_status(void **state)
{
    (void)state;
    task it = task_make(9905, 63, 7, 3);
    for (int form = 0; form < FORMS; form++)
        for (int held = 3; held < HELD; held++) {
            const cfpc_batch_def def = define(&it, forms[form], held);
            cfpc_status status = CFPC_NO_MEMORY;
            double rrmse[TRIALS], w[7];
            int failed = -1;
            while (status == CFPC_NO_MEMORY) {
                left = ++failed;
                status = run_trials(&def, rrmse, w);
                left = -1;
            }
            assert_ok(status);
            assert_true(failed > 8);
        }
    task_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_learns_as_traces_do_at_every_size_trace_and_table),
        cmocka_unit_test(many_bases_of_several_slices_learn_as_traces_do),
        cmocka_unit_test(small_errors_keep_their_digits),
        cmocka_unit_test(it_ends_at_the_problems_optimum),
        cmocka_unit_test(written_bases_are_a_table_by_bases_bit_for_bit),
        cmocka_unit_test(bases_are_written_once_a_trial_or_once_for_all),
        cmocka_unit_test(the_numbers_do_not_depend_on_the_threads),
        cmocka_unit_test(weights_are_those_of_the_last_trial_and_asking_changes_nothing),
        cmocka_unit_test(without_an_error_there_is_nothing_to_learn),
        cmocka_unit_test(what_it_does_is_counted_right),
        cmocka_unit_test(the_cheapest_form_is_taken),
        cmocka_unit_test(the_choice_is_what_sizes_and_trials_suggest),
        cmocka_unit_test(bad_sizes_numbers_and_systems_are_refused),
        cmocka_unit_test(bases_that_are_not_there_or_there_twice_are_refused),
        cmocka_unit_test(bases_that_are_not_finite_are_refused_or_told),
        cmocka_unit_test(bases_that_cannot_be_written_end_the_learning),
        cmocka_unit_test(memory_that_runs_out_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
