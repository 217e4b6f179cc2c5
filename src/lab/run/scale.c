// SPDX-License-Identifier: Apache-2.0
#include "run/scale.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "cfpc/compile.h"
#include "cfpc/response.h"
#include "math/order.h"
#include "plant/dead_time.h"
#include "plant/granules.h"
#include "plant/paths.h"
#include "run/simulate.h"

enum {
    MAX_BLOCK = 64,      // maximum steps of a block
    MAX_VECTORS = 30,    // of the Lanczos iteration for λmax
    ENOUGH_CELLS = 20000 // to compute λmax from
};

int lab_scale_work(const lab_spec *spec)
{
    return spec->scale.place.line == 0 ? 0 : spec->scale.sizes.columns * spec->scale.trials;
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- the rate --------------------------------------------------------------------------------

static double scale_product(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int n = 0; n < count; n++)
        sum += a[n] * b[n];
    return sum;
}

// The largest eigenvalue of a symmetric tridiagonal matrix, by bisection: x lies above all of them
// where every pivot of the matrix minus x is negative (Sturm).
static double scale_largest_of(const double *diagonal, const double *beside, int count)
{
    double low = 0, high = 0;
    for (int k = 0; k < count; k++)
        high = cfpci_max(high, diagonal[k] + (k > 0 ? beside[k - 1] : 0) + beside[k]);
    for (int i = 0; i < 50; i++) {
        const double middle = (low + high) / 2;
        double pivot = diagonal[0] - middle;
        for (int k = 1; pivot < 0 && k < count; k++)
            pivot = diagonal[k] - middle - beside[k - 1] * beside[k - 1] / pivot;
        if (pivot < 0)
            high = middle;
        else
            low = middle;
    }
    return high;
}

typedef struct lanczos {
    double *v;                    // the present vector, of length 1                (N)
    double *before;               // the last                                       (N)
    double *image;                // of v                                           (N)
    double *work;                 // (N)
    double diagonal[MAX_VECTORS]; // of the tridiagonal matrix
    double beside[MAX_VECTORS];   //
} lanczos;

// Goes on to vector k + 1, the part of the image orthogonal to the vectors before. Returns its
// length.
static double next_vector(lanczos *lanczos, int k, int steps)
{
    double *next = lanczos->before;
    const double a = scale_product(lanczos->v, lanczos->image, steps),
                 b = k > 0 ? lanczos->beside[k - 1] : 0;
    for (int n = 0; n < steps; n++)
        next[n] = lanczos->image[n] - a * lanczos->v[n] - b * lanczos->before[n];
    const double length = sqrt(scale_product(next, next, steps));
    lanczos->diagonal[k] = a;
    lanczos->beside[k] = length;
    lanczos->before = lanczos->v;
    lanczos->v = next;
    return length;
}

// λmax(HᵀH) = λmax(T X Xᵀ Tᵀ), by the Lanczos iteration: power iteration would stop too soon where
// the next eigenvalue is near. With very many cells a sample of them is enough.
static cfpc_status scale_largest_eigenvalue(double *lambda, const lab_granules *granules,
                                            const cfpc_system *path)
{
    const int steps = granules->steps, stride = 1 + granules->count / ENOUGH_CELLS;
    double *block = calloc(4 * (size_t)steps, sizeof *block);
    *lambda = 0;
    if (!block)
        return CFPC_NO_MEMORY;
    lanczos lanczos = {
        block, block + steps, block + 2 * (size_t)steps, block + 3 * (size_t)steps, {0}, {0}};
    lab_random random = lab_random_seed(1, 0);
    for (int n = 0; n < steps; n++)
        lanczos.v[n] = lab_uniform(&random);
    double length = sqrt(scale_product(lanczos.v, lanczos.v, steps));
    cfpc_status status = CFPC_OK;
    for (int k = 0; status == CFPC_OK && k < MAX_VECTORS && length > 1e-9 * *lambda; k++) {
        for (int n = 0; n < steps; n++)
            lanczos.v[n] /= length;
        // the image of the present vector: T X Xᵀ Tᵀ v
        status = cfpc_apply_transpose(path, steps, 1, lanczos.v, lanczos.image);
        if (status == CFPC_OK) {
            lab_granules_gram(granules, stride, lanczos.image, lanczos.work);
            status = cfpc_apply(path, steps, 1, lanczos.work, lanczos.image);
        }
        length = next_vector(&lanczos, k, steps);
        *lambda = scale_largest_of(lanczos.diagonal, lanczos.beside, k + 1);
    }
    free(block);
    return status;
}

// ---- one size --------------------------------------------------------------------------------

typedef struct sized {
    const lab_setup *setup;
    int rule;
    lab_granules granules;
    lab_running_loop running;
    cfpc_bank *before; // the loop at a block's beginning
    const cfpc_model *model;
    cfpc_data *data;
    int block; // steps
} sized;

// The cell, at the same fraction of 1/λmax that the rule has in the experiment.
static lab_outcome scale_make_cell(sized *sized, lab_scale_point *point, int32_t dead_time,
                                   lab_why *why)
{
    const lab_setup *setup = sized->setup;
    const lab_spec *spec = setup->rig.spec;
    const lab_rule *rule = &setup->rule[sized->rule];
    if (sized->block < 1)
        return lab_spec_refuse(spec, spec->scale.place, why,
                               "the output reaches what teaches it within the step: there is no "
                               "dead time for blocks");
    if (point->lambda_max == 0)
        return lab_spec_refuse(spec, spec->scale.place, why,
                               "of %d granule cells no signal reaches the output within a trial",
                               point->synapses);
    point->rate = rule->rate * lab_believed_problem(setup)->lambda_max / point->lambda_max;
    cfpc_cell_def def = {.synapses = sized->granules.count,
                         .trace = &rule->trace,
                         .filter = lab_has_filter(rule) ? &rule->filter : NULL,
                         .past = CFPC_PAST_GIVEN, // by the granules
                         .rule = rule->rule,
                         .dead_time_steps = dead_time,
                         .only_blocks = !lab_has_filter(rule),
                         .modal = !lab_has_filter(rule)};
    def.rule.rate = (cfpc_real)point->rate;
    cfpc_status status = cfpc_compile(&sized->model, &def);
    if (status == CFPC_ILL_CONDITIONED) {
        def.modal = false;
        status = cfpc_compile(&sized->model, &def);
    }
    if (status == CFPC_OK)
        status = cfpc_data_make(&sized->data, sized->model);
    if (status == CFPC_BAD_SHAPE)
        return lab_spec_refuse(spec, spec->scale.place, why,
                               "'scale' runs in blocks, which this rule cannot: a plain update "
                               "without momentum and output_penalty, and a small trace");
    return lab_from_status(why, status, spec->file);
}

// What a size needs, its λmax, and the cell.
static lab_outcome make_sized(sized *made, const lab_setup *setup, int rule, lab_scale_point *point,
                              lab_why *why)
{
    const lab_spec *spec = setup->rig.spec;
    cfpc_system path = {0};
    int32_t dead_time = 0;
    *made = (sized){.setup = setup, .rule = rule};
    const lab_outcome outcome = lab_teaching_path(&path, spec, &setup->rig.believed, why);
    if (outcome != LAB_DONE) {
        cfpc_system_free(&path);
        return outcome;
    }
    cfpc_status status = lab_granules_make(&made->granules, lab_banks(spec), setup->rig.step_s,
                                           setup->rig.steps, point->synapses, spec->seed);
    if (status == CFPC_OK)
        status = lab_running_loop_make(&made->running, spec, &setup->rig.loop);
    if (status == CFPC_OK)
        status = lab_dead_time(&dead_time, spec, &setup->rig.loop.from_o);
    if (status == CFPC_OK)
        status = scale_largest_eigenvalue(&point->lambda_max, &made->granules, &path);
    if (status == CFPC_OK && !(made->before = malloc(cfpc_bank_size(made->running.lti, 1))))
        status = CFPC_NO_MEMORY;
    cfpc_system_free(&path);
    made->block = dead_time < MAX_BLOCK ? dead_time : MAX_BLOCK;
    return status == CFPC_OK ? scale_make_cell(made, point, dead_time, why)
                             : lab_from_status(why, status, spec->file);
}

// Runs the loop for some steps with these outputs of the cell; with NULL they are 0.
static void run_loop(sized *sized, int trial, int first, int steps, const cfpc_real *o,
                     cfpc_real *e)
{
    const lab_world *world = &sized->setup->rig.world;
    for (int i = 0; i < steps; i++) {
        const int n = first + i;
        const double r = lab_world_reference(world, trial, n);
        lab_running_loop_step(&sized->running, r, lab_world_push(world, trial, n),
                              lab_world_shift(world, trial, n), o ? (double)o[i] : 0);
        e[i] = (cfpc_real)(r - sized->running.y);
    }
}

// A block: the cell's output in it cannot reach the error within it, so the errors are known
// before.
static cfpc_status scale_run_block(sized *sized, int trial, int first, int steps, double *sum)
{
    cfpc_real e[MAX_BLOCK], o[MAX_BLOCK];
    const cfpc_source source = lab_granules_block(&sized->granules, first);
    const size_t bytes = cfpc_bank_size(sized->running.lti, 1);
    const lab_running_loop before = sized->running;
    memcpy(sized->before, sized->running.state, bytes);
    run_loop(sized, trial, first, steps, NULL, e);
    sized->running = before;
    memcpy(sized->running.state, sized->before, bytes);
    const cfpc_status status = cfpc_step_block_threads(sized->model, sized->data, &source, e, steps,
                                                       o, sized->setup->rig.spec->scale.threads);
    if (status == CFPC_OK)
        run_loop(sized, trial, first, steps, o, e);
    for (int i = 0; i < steps; i++)
        *sum += (double)e[i] * (double)e[i];
    return status;
}

static cfpc_status scale_run_trial(sized *sized, int trial, double *norm)
{
    const int steps = sized->setup->rig.steps;
    double sum = 0;
    cfpc_status status = CFPC_OK;
    lab_running_loop_seed(&sized->running, trial);
    lab_running_loop_reset(&sized->running);
    if (trial > 0) { // what is still due of the one before is learned, in adjoint form
        const cfpc_source source = lab_granules_block(&sized->granules, steps);
        status = cfpc_learn_due_threads(sized->model, sized->data, &source,
                                        sized->setup->rig.spec->scale.threads);
        cfpc_next_trial(sized->model, sized->data);
    }
    for (int n = 0; status == CFPC_OK && n < steps; n += sized->block)
        status = scale_run_block(sized, trial, n,
                                 steps - n < sized->block ? steps - n : sized->block, &sum);
    *norm = sqrt(sum);
    return status;
}

static lab_outcome scale_run_size(const lab_setup *setup, int rule, lab_scale_point *point,
                                  lab_pace *pace, lab_why *why)
{
    sized sized;
    lab_outcome outcome = make_sized(&sized, setup, rule, point, why);
    const int trials = setup->rig.spec->scale.trials;
    const double start_s = now_s();
    if (outcome == LAB_DONE)
        point->bytes = (double)cfpc_data_size(sized.model);
    for (int k = 0; outcome == LAB_DONE && k < trials; k++) {
        double norm = NAN;
        char name[96];
        outcome = lab_from_status(why, scale_run_trial(&sized, k, &norm), setup->rig.spec->file);
        if (point->diverged_at == 0 &&
            (!isfinite(norm) || (cfpc_flags(sized.data) & CFPC_FLAG_NOT_FINITE)))
            point->diverged_at = k + 1;
        point->rrmse[k] = point->diverged_at > 0 ? NAN : norm / setup->baseline;
        point->seconds = now_s() - start_s;
        point->realtime = (k + 1) * setup->rig.steps * setup->rig.step_s / point->seconds;
        snprintf(name, sizeof name, "%d synapses, %.2g a second, %.2g x real time, %.0f MB",
                 point->synapses, point->synapses * point->realtime / setup->rig.step_s,
                 point->realtime, point->bytes / 1e6);
        if (outcome == LAB_DONE)
            outcome = lab_tick(pace, name, why);
    }
    lab_granules_free(&sized.granules);
    lab_running_loop_free(&sized.running);
    free(sized.before);
    cfpc_data_free(sized.data);
    cfpc_model_free(sized.model);
    return outcome;
}

// ---- all sizes -------------------------------------------------------------------------------

lab_outcome lab_run_scale(lab_record *record, const lab_setup *setup, int rule, lab_pace *pace,
                          lab_why *why)
{
    const lab_scale_spec *scale = &setup->rig.spec->scale;
    lab_outcome outcome = LAB_DONE;
    if (setup->rig.spec->learning.frozen)
        return lab_spec_refuse(setup->rig.spec, scale->place, why,
                               "'scale' learns, and 'learning' is frozen");
    if (setup->rule[rule].is_learned)
        return lab_spec_refuse(setup->rig.spec, scale->place, why,
                               "'scale' runs cells with a given model: use 'believed: given'");
    for (int i = 0; outcome == LAB_DONE && i < record->scale_sizes; i++)
        outcome = scale_run_size(setup, rule, &record->scale[i], pace, why);
    return outcome;
}
