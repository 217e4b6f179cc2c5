// SPDX-License-Identifier: Apache-2.0
#include "microzone/zone_learn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "cfpc/zone.h"

// A loop, or coupled ones, as they run.
typedef struct runner {
    cfpc_lti *lti;     // from outputs o to outputs y
    cfpc_bank *state;  //
    cfpc_bank *before; // at the beginning of the block
    size_t bytes;      // of each
} runner;

typedef struct learner {
    const lab_zone_lesson *lesson;
    const lab_zone_loops *loops;
    lab_granules *granules;
    lab_arena arena;
    runner *runner; // (P / coupled)
    const cfpc_zone_model *model;
    cfpc_zone_data *data;
    lab_random *noise; // of each cell; shared: the first                   (P)
    double *sum;       // of the squared errors of a trial                  (P)
    cfpc_real *e;      // that teach                                        (block x P)
    cfpc_real *o;      // (block x P)
} learner;

// ---- making it -------------------------------------------------------------------------------

// The paths by which errors teach cells. Returns their number.
static int list_paths(cfpc_zone_path *path, const learner *learner)
{
    const int k = learner->loops->coupled;
    int count = 0;
    for (int i = 0; i < learner->loops->count * k; i++) {
        const cfpc_teaching_filter *filter = &learner->lesson->filter[i];
        const int cell = i / k;
        if (filter->taps)
            path[count++] = (cfpc_zone_path){.cell = cell,
                                             .error = cell - cell % k + i % k,
                                             .lead = filter->lead,
                                             .horizon = filter->horizon,
                                             .taps = filter->taps};
    }
    return count;
}

static cfpc_status make_zone(learner *learner)
{
    cfpc_zone_def def = cfpc_default_zone_def();
    const int cells = learner->loops->count;
    cfpc_zone_path *path =
        lab_take(&learner->arena, (size_t)cells * (size_t)learner->loops->coupled, sizeof *path);
    if (!path)
        return CFPC_NO_MEMORY;
    def.synapses = learner->granules->count;
    def.cells = cells;
    def.errors = cells;
    def.block_steps = learner->lesson->block;
    def.path_count = list_paths(path, learner);
    def.paths = path;
    def.rates = learner->lesson->rate;
    def.precision = CFPC_ZONE_DOUBLE;
    def.past = CFPC_PAST_GIVEN; // by the granules
    def.guard.on = false;       // ways to teach are compared, and it would stop the worse ones
    def.threads = learner->lesson->threads;
    const size_t bytes = cfpc_zone_model_size(&def);
    void *block = lab_take(&learner->arena, bytes, 1);
    const cfpc_status status =
        block ? cfpc_zone_model_init(&learner->model, block, bytes, &def) : CFPC_NO_MEMORY;
    if (status != CFPC_OK)
        return status;
    const size_t data_bytes = cfpc_zone_data_size(learner->model);
    block = lab_take(&learner->arena, data_bytes, 1);
    return block ? cfpc_zone_data_init(&learner->data, block, data_bytes, learner->model)
                 : CFPC_NO_MEMORY;
}

static cfpc_status make_learner(learner *learner)
{
    const size_t cells = (size_t)learner->loops->count, block = (size_t)learner->lesson->block;
    const int groups = learner->loops->count / learner->loops->coupled;
    learner->runner = lab_take(&learner->arena, cells, sizeof *learner->runner);
    learner->noise = lab_take(&learner->arena, cells, sizeof *learner->noise);
    learner->sum = lab_take(&learner->arena, cells, sizeof *learner->sum);
    learner->e = lab_take(&learner->arena, block * cells, sizeof *learner->e);
    learner->o = lab_take(&learner->arena, block * cells, sizeof *learner->o);
    cfpc_status status = learner->arena.failed ? CFPC_NO_MEMORY : make_zone(learner);
    for (int i = 0; status == CFPC_OK && i < groups; i++) {
        runner *runner = &learner->runner[i];
        status = cfpc_lti_of_system(&runner->lti, &learner->loops->group[i]);
        if (status != CFPC_OK)
            break;
        runner->bytes = cfpc_bank_size(runner->lti, 1);
        runner->state = lab_take(&learner->arena, runner->bytes, 1);
        runner->before = lab_take(&learner->arena, runner->bytes, 1);
        status = !learner->arena.failed
                     ? cfpc_bank_init(&runner->state, runner->state, runner->bytes, runner->lti, 1)
                     : CFPC_NO_MEMORY;
    }
    for (int p = 0; status == CFPC_OK && p < learner->loops->count; p++)
        learner->noise[p] = lab_random_seed(learner->lesson->seed, p + 1);
    return status;
}

static void learner_free(learner *learner)
{
    for (int i = 0; learner->runner && i < learner->loops->count / learner->loops->coupled; i++)
        cfpc_lti_free(learner->runner[i].lti);
    lab_arena_free(&learner->arena);
}

// ---- a block ---------------------------------------------------------------------------------

// The errors of a group in a block with these outputs; with NULL they are 0.
static void run_group(learner *learner, int group, int first, int steps, const cfpc_real *o,
                      cfpc_real *e)
{
    const int k = learner->loops->coupled, cells = learner->loops->count;
    const double *e0 = learner->loops->e0 + (size_t)(group * k) * (size_t)learner->loops->steps;
    for (int i = 0; i < steps; i++) {
        cfpc_real y[LAB_MAX_COUPLED];
        const cfpc_real *at = o ? o + (size_t)i * (size_t)cells + group * k : NULL;
        cfpc_bank_step(learner->runner[group].lti, learner->runner[group].state, at, y);
        for (int m = 0; m < k; m++)
            e[(size_t)i * (size_t)cells + (size_t)(group * k + m)] =
                (cfpc_real)(e0[(size_t)m * (size_t)learner->loops->steps + (size_t)(first + i)] -
                            (double)y[m]);
    }
}

// What the teacher adds: white, in proportion to the reactive error of each loop.
static void add_noise(learner *learner, int steps)
{
    const lab_zone_lesson *lesson = learner->lesson;
    const size_t cells = (size_t)learner->loops->count;
    const double unit = lesson->noise / sqrt(learner->loops->steps);
    for (size_t i = 0; i < (size_t)steps; i++) {
        const double all = lesson->is_shared ? lab_normal(&learner->noise[0]) : 0;
        for (size_t p = 0; p < cells; p++) {
            const double one = lesson->is_shared ? all : lab_normal(&learner->noise[p]);
            learner->e[i * cells + p] += (cfpc_real)(unit * learner->loops->e0_norm[p] * one);
        }
    }
}

static cfpc_status zone_learn_run_block(learner *learner, int first, int steps)
{
    const cfpc_source source = lab_granules_block(learner->granules, first);
    const size_t cells = (size_t)learner->loops->count;
    const int groups = learner->loops->count / learner->loops->coupled;
    // the errors before the outputs are known: these do not reach them within the block
    for (int g = 0; g < groups; g++) {
        runner *at = &learner->runner[g];
        memcpy(at->before, at->state, at->bytes);
        run_group(learner, g, first, steps, NULL, learner->e);
        memcpy(at->state, at->before, at->bytes);
    }
    for (size_t i = 0; i < (size_t)steps * cells; i++) {
        const double e = (double)learner->e[i];
        learner->sum[i % cells] += e * e;
    }
    if (learner->lesson->noise > 0)
        add_noise(learner, steps);
    const cfpc_status status = cfpc_zone_step_block_by(
        cfpc_zone_default_products(), learner->lesson->threads, learner->model, learner->data,
        &source, learner->e, steps, learner->o);
    for (int g = 0; status == CFPC_OK && g < groups; g++)
        run_group(learner, g, first, steps, learner->o, learner->e);
    return status;
}

// ---- a trial ---------------------------------------------------------------------------------

static cfpc_status zone_learn_run_trial(learner *learner, double *rrmse, double *outputs)
{
    const int steps = learner->loops->steps, cells = learner->loops->count,
              block = learner->lesson->block;
    cfpc_status status = CFPC_OK;
    memset(learner->sum, 0, (size_t)cells * sizeof *learner->sum);
    for (int g = 0; g < cells / learner->loops->coupled; g++)
        cfpc_bank_reset(learner->runner[g].state);
    for (int n = 0; status == CFPC_OK && n < steps; n += block) {
        const int count = steps - n < block ? steps - n : block;
        status = zone_learn_run_block(learner, n, count);
        for (size_t i = 0; outputs && i < (size_t)count * (size_t)cells; i++)
            outputs[(size_t)n * (size_t)cells + i] = (double)learner->o[i];
    }
    const cfpc_source after = lab_granules_block(learner->granules, steps);
    if (status == CFPC_OK)
        status = cfpc_zone_next_trial(cfpc_zone_default_products(), learner->lesson->threads,
                                      learner->model, learner->data, &after);
    for (int p = 0; p < cells; p++) {
        const double value = sqrt(learner->sum[p]) / learner->loops->baseline[p];
        rrmse[p] = isfinite(value) ? value : INFINITY;
    }
    return status;
}

static cfpc_status keep_weights(const learner *learner, double *weights)
{
    const int synapses = learner->granules->count;
    cfpc_real *w = calloc((size_t)synapses, sizeof *w);
    if (!w)
        return CFPC_NO_MEMORY;
    for (int p = 0; p < learner->loops->count; p++) {
        cfpc_zone_get_weights(learner->model, learner->data, p, w);
        for (int j = 0; j < synapses; j++)
            weights[(size_t)p * (size_t)synapses + (size_t)j] = (double)w[j];
    }
    free(w);
    return CFPC_OK;
}

lab_outcome lab_zone_learn(const lab_zone_learned *learned, const lab_zone_lesson *lesson,
                           const lab_zone_loops *loops, lab_granules *granules, lab_pace *pace,
                           lab_why *why)
{
    learner learner = {.lesson = lesson, .loops = loops, .granules = granules};
    lab_outcome outcome = lab_from_status(why, make_learner(&learner), "zone");
    for (int k = 0; outcome == LAB_DONE && k < lesson->trials; k++) {
        double *rrmse = learned->rrmse + (size_t)k * (size_t)loops->count;
        double *outputs = k == lesson->trials - 1 ? learned->outputs : NULL;
        outcome = lab_from_status(why, zone_learn_run_trial(&learner, rrmse, outputs), "zone");
        if (outcome == LAB_DONE)
            outcome = lab_tick(pace, lesson->name, why);
    }
    if (outcome == LAB_DONE && learned->weights)
        outcome = lab_from_status(why, keep_weights(&learner, learned->weights), "zone");
    learner_free(&learner);
    return outcome;
}
