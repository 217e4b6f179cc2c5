// SPDX-License-Identifier: Apache-2.0
// threads: every chunk runs once, on several threads if there are any, and the bits of outputs and
// weights do not depend on their number, whichever back end computes the products.
#include "zone/threads.h"

#include <stdatomic.h>
#include <time.h>

#include "zone_fixture.h"

enum { THREADS = 7, CHUNKS = 23 };

// ---- chunks ----------------------------------------------------------------------------------

typedef struct tally {
    atomic_int runs[CHUNKS];     // of each chunk
    atomic_int running[THREADS]; // chunks that run on each thread now
    atomic_int used[THREADS];    // chunks that ran on each thread
    atomic_int wrong;
    int wanted; // threads that a chunk waits for
} tally;

static int threads_used(tally *of)
{
    int used = 0;
    for (int k = 0; k < THREADS; k++)
        used += of->used[k] > 0;
    return used;
}

// The first chunk waits for a second thread, at most 10 s, so that one thread does not do all.
static void count_chunk(void *context, int32_t chunk, int32_t thread)
{
    tally *it = context;
    const struct timespec pause = {.tv_nsec = 1000000};
    const bool is_known = chunk >= 0 && chunk < CHUNKS && thread >= 0 && thread < THREADS;
    it->wrong += !is_known;
    if (!is_known)
        return;
    it->wrong += it->running[thread]++ != 0;
    it->runs[chunk]++;
    it->used[thread]++;
    for (int wait = 0; wait < 10000 && threads_used(it) < it->wanted; wait++)
        nanosleep(&pause, NULL);
    it->running[thread]--;
}

static void every_chunk_runs_once(void **state)
{
    (void)state;
    for (int32_t threads = 1; threads <= THREADS; threads++) {
        tally it = {.wanted = TEST_HAS_THREADS && threads > 1 ? 2 : 1};
        cfpci_zone_each_chunk(CHUNKS, threads, count_chunk, &it);
        assert_int_equal(it.wrong, 0);
        for (int k = 0; k < CHUNKS; k++)
            assert_int_equal(it.runs[k], 1);
        assert_in_range(threads_used(&it), it.wanted, threads);
    }
    cfpci_zone_each_chunk(0, THREADS, count_chunk, NULL);
}

// ---- blocks ----------------------------------------------------------------------------------

// What a trial leaves.
typedef struct left {
    cfpc_real *outputs;
    cfpc_real *weights;
    size_t output_bytes, weight_bytes;
} left;

static void free_left(left *it)
{
    free(it->outputs);
    free(it->weights);
}

static void copy_weights(const trial_case *of, zone *z, left *to)
{
    to->weight_bytes = (size_t)of->synapses * (size_t)of->cells * sizeof(cfpc_real);
    to->weights = must_calloc(1, to->weight_bytes);
    for (int32_t p = 0; p < of->cells; p++)
        cfpc_zone_get_weights(z->model, z->data, p, to->weights + (size_t)p * of->synapses);
}

// Runs a trial of four blocks and its end: the same inputs and errors every time.
static left run(const trial_case *of, const cfpc_zone_products *by, int32_t threads)
{
    dice d = {31};
    const int32_t steps = 4 * of->block_steps;
    const size_t width = (size_t)of->cells;
    left it = {.output_bytes = (size_t)steps * width * sizeof(cfpc_real)};
    defined def = make_def(of, &d);
    def.def.threads = THREADS;
    zone z = make_zone(&def.def);
    inputs in = make_inputs(of, steps, &d);
    maker makers[2];
    cfpc_real *errors = must_calloc((size_t)steps * width, sizeof *errors);
    for (size_t k = 0; k < (size_t)steps * width; k++)
        errors[k] = (cfpc_real)dice_between(&d, -1, 1);
    it.outputs = must_calloc(1, it.output_bytes);
    for (int32_t n = 0; n < steps; n += of->block_steps) {
        const cfpc_source source = block_source(&in, makers, n, of->past);
        assert_ok(cfpc_zone_step_block_by(by, threads, z.model, z.data, &source,
                                          errors + (size_t)n * width, of->block_steps,
                                          it.outputs + (size_t)n * width));
    }
    const cfpc_source source = block_source(&in, makers, steps, of->past);
    assert_ok(cfpc_zone_next_trial(by, threads, z.model, z.data, &source));
    copy_weights(of, &z, &it);
    free(errors);
    free_inputs(&in);
    free_zone(&z);
    free_def(&def);
    return it;
}

static void expect_same_bits(const trial_case *of, const cfpc_zone_products *by)
{
    static const int32_t threads[] = {2, 3, THREADS};
    left alone = run(of, by, 1);
    for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
        left it = run(of, by, threads[k]);
        assert_memory_equal(it.outputs, alone.outputs, it.output_bytes);
        assert_memory_equal(it.weights, alone.weights, it.weight_bytes);
        free_left(&it);
    }
    free_left(&alone);
}

static void expect_any_threads(const cfpc_zone_products *by)
{
    for (int precision = CFPC_ZONE_FLOAT; precision <= CFPC_ZONE_DOUBLE; precision++)
        for (int past = 0; past < 2; past++)
            expect_same_bits(&(trial_case){.synapses = 5 * 4096 + 100,
                                           .cells = 3,
                                           .block_steps = 7,
                                           .lead = 1,
                                           .horizon = 9,
                                           .kind = past ? CFPC_TAPPED : CFPC_HANDED,
                                           .past = past ? CFPC_PAST_GIVEN : CFPC_PAST_KEPT,
                                           .precision = (cfpc_zone_precision)precision},
                             by);
}

static void plain_bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    expect_any_threads(cfpc_zone_default_products());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_chunk_runs_once),
        cmocka_unit_test(plain_bits_do_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
