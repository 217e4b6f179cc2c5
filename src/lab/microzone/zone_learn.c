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
    runner *runner;    // (P / coupled)
    void *model_block; // memory of the model and of the data
    void *data_block;  //
    const cfpc_zone_model *model;
    cfpc_zone_data *data;
    lab_random *noise; // of each cell; shared: the first                   (P)
    double *sum;       // of the squared errors of a trial                  (P)
    cfpc_real *e;      // that teach                                        (block x P)
    cfpc_real *o;      // (block x P)
} learner;

// ---- making it -------------------------------------------------------------------------------

// The paths by which errors teach cells. Returns their number.
static int list_paths(cfpc_zone_path *path, const learner *it)
{
    const int k = it->loops->coupled;
    int count = 0;
    for (int i = 0; i < it->loops->count * k; i++) {
        const cfpc_teaching_filter *filter = &it->lesson->filter[i];
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

static cfpc_status make_zone(learner *it)
{
    cfpc_zone_def def = cfpc_default_zone_def();
    const int cells = it->loops->count;
    cfpc_zone_path *path =
        lab_take(&it->arena, (size_t)cells * (size_t)it->loops->coupled, sizeof *path);
    if (!path)
        return CFPC_NO_MEMORY;
    def.synapses = it->granules->count;
    def.cells = cells;
    def.errors = cells;
    def.block_steps = it->lesson->block;
    def.path_count = list_paths(path, it);
    def.paths = path;
    def.rates = it->lesson->rate;
    def.precision = CFPC_ZONE_DOUBLE;
    def.past = CFPC_PAST_GIVEN; // by the granules
    def.guard.on = false;       // ways to teach are compared, and it would stop the worse ones
    def.threads = it->lesson->threads;
    const size_t bytes = cfpc_zone_model_size(&def);
    it->model_block = malloc(bytes > 0 ? bytes : 1);
    cfpc_status status = it->model_block
                             ? cfpc_zone_model_init(it->model_block, bytes, &def, &it->model)
                             : CFPC_NO_MEMORY;
    if (status != CFPC_OK)
        return status;
    const size_t data_bytes = cfpc_zone_data_size(it->model);
    it->data_block = malloc(data_bytes);
    return it->data_block ? cfpc_zone_data_init(it->data_block, data_bytes, it->model, &it->data)
                          : CFPC_NO_MEMORY;
}

static cfpc_status make_runner(runner *it, const cfpc_system *group)
{
    cfpc_status status = cfpc_lti_of_system(&it->lti, group);
    if (status != CFPC_OK)
        return status;
    it->bytes = cfpc_bank_size(it->lti, 1);
    it->state = malloc(it->bytes);
    it->before = malloc(it->bytes);
    if (!it->state || !it->before)
        return CFPC_NO_MEMORY;
    return cfpc_bank_init(it->state, it->bytes, it->lti, 1, &it->state);
}

static cfpc_status make_learner(learner *it)
{
    const size_t cells = (size_t)it->loops->count, block = (size_t)it->lesson->block;
    const int groups = it->loops->count / it->loops->coupled;
    it->runner = lab_take(&it->arena, cells, sizeof *it->runner);
    it->noise = lab_take(&it->arena, cells, sizeof *it->noise);
    it->sum = lab_take(&it->arena, cells, sizeof *it->sum);
    it->e = lab_take(&it->arena, block * cells, sizeof *it->e);
    it->o = lab_take(&it->arena, block * cells, sizeof *it->o);
    cfpc_status status = it->arena.failed ? CFPC_NO_MEMORY : make_zone(it);
    for (int i = 0; status == CFPC_OK && i < groups; i++)
        status = make_runner(&it->runner[i], &it->loops->group[i]);
    for (int p = 0; status == CFPC_OK && p < it->loops->count; p++)
        it->noise[p] = lab_random_seed(it->lesson->seed, p + 1);
    return status;
}

static void learner_free(learner *it)
{
    for (int i = 0; it->runner && i < it->loops->count / it->loops->coupled; i++) {
        free(it->runner[i].state);
        free(it->runner[i].before);
        cfpc_lti_free(it->runner[i].lti);
    }
    free(it->model_block);
    free(it->data_block);
    lab_arena_free(&it->arena);
}

// ---- a block ---------------------------------------------------------------------------------

// The errors of a group in a block with these outputs; with NULL they are 0.
static void run_group(learner *it, int group, int first, int steps, const cfpc_real *o,
                      cfpc_real *e)
{
    const int k = it->loops->coupled, cells = it->loops->count;
    const double *e0 = it->loops->e0 + (size_t)(group * k) * (size_t)it->loops->steps;
    for (int i = 0; i < steps; i++) {
        cfpc_real y[LAB_MAX_COUPLED];
        const cfpc_real *at = o ? o + (size_t)i * (size_t)cells + group * k : NULL;
        cfpc_bank_step(it->runner[group].lti, it->runner[group].state, at, y);
        for (int m = 0; m < k; m++)
            e[(size_t)i * (size_t)cells + (size_t)(group * k + m)] =
                (cfpc_real)(e0[(size_t)m * (size_t)it->loops->steps + (size_t)(first + i)] -
                            (double)y[m]);
    }
}

// The errors before the outputs are known: these do not reach them within the block.
static void foresee(learner *it, int first, int steps)
{
    for (int g = 0; g < it->loops->count / it->loops->coupled; g++) {
        runner *at = &it->runner[g];
        memcpy(at->before, at->state, at->bytes);
        run_group(it, g, first, steps, NULL, it->e);
        memcpy(at->state, at->before, at->bytes);
    }
}

static void sum_squares(learner *it, int steps)
{
    const size_t cells = (size_t)it->loops->count;
    for (size_t i = 0; i < (size_t)steps; i++)
        for (size_t p = 0; p < cells; p++) {
            const double e = (double)it->e[i * cells + p];
            it->sum[p] += e * e;
        }
}

// What the teacher adds: white, in proportion to the reactive error of each loop.
static void add_noise(learner *it, int steps)
{
    const lab_zone_lesson *lesson = it->lesson;
    const size_t cells = (size_t)it->loops->count;
    const double unit = lesson->noise / sqrt(it->loops->steps);
    for (size_t i = 0; i < (size_t)steps; i++) {
        const double all = lesson->is_shared ? lab_normal(&it->noise[0]) : 0;
        for (size_t p = 0; p < cells; p++) {
            const double one = lesson->is_shared ? all : lab_normal(&it->noise[p]);
            it->e[i * cells + p] += (cfpc_real)(unit * it->loops->e0_norm[p] * one);
        }
    }
}

static cfpc_status run_block(learner *it, int first, int steps)
{
    const cfpc_source source = lab_granules_block(it->granules, first);
    foresee(it, first, steps);
    sum_squares(it, steps);
    if (it->lesson->noise > 0)
        add_noise(it, steps);
    const cfpc_status status = cfpc_zone_step_block_by(
        cfpc_zone_plain(), it->lesson->threads, it->model, it->data, &source, it->e, steps, it->o);
    for (int g = 0; status == CFPC_OK && g < it->loops->count / it->loops->coupled; g++)
        run_group(it, g, first, steps, it->o, it->e);
    return status;
}

// ---- a trial ---------------------------------------------------------------------------------

static void keep_outputs(const learner *it, double *outputs, int first, int steps)
{
    const size_t cells = (size_t)it->loops->count;
    for (size_t i = 0; i < (size_t)steps * cells; i++)
        outputs[(size_t)first * cells + i] = (double)it->o[i];
}

static cfpc_status run_trial(learner *it, double *rrmse, double *outputs)
{
    const int steps = it->loops->steps, cells = it->loops->count, block = it->lesson->block;
    cfpc_status status = CFPC_OK;
    memset(it->sum, 0, (size_t)cells * sizeof *it->sum);
    for (int g = 0; g < cells / it->loops->coupled; g++)
        cfpc_bank_reset(it->runner[g].state);
    for (int n = 0; status == CFPC_OK && n < steps; n += block) {
        const int count = steps - n < block ? steps - n : block;
        status = run_block(it, n, count);
        if (outputs)
            keep_outputs(it, outputs, n, count);
    }
    const cfpc_source after = lab_granules_block(it->granules, steps);
    if (status == CFPC_OK)
        status = cfpc_zone_next_trial(cfpc_zone_plain(), it->lesson->threads, it->model, it->data,
                                      &after);
    for (int p = 0; p < cells; p++) {
        const double value = sqrt(it->sum[p]) / it->loops->baseline[p];
        rrmse[p] = isfinite(value) ? value : INFINITY;
    }
    return status;
}

static cfpc_status keep_weights(const learner *it, double *weights)
{
    const int synapses = it->granules->count;
    cfpc_real *w = calloc((size_t)synapses, sizeof *w);
    if (!w)
        return CFPC_NO_MEMORY;
    for (int p = 0; p < it->loops->count; p++) {
        cfpc_zone_get_weights(it->model, it->data, p, w);
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
    learner it = {.lesson = lesson, .loops = loops, .granules = granules};
    lab_outcome outcome = lab_from_status(why, make_learner(&it), "zone");
    for (int k = 0; outcome == LAB_DONE && k < lesson->trials; k++) {
        double *rrmse = learned->rrmse + (size_t)k * (size_t)loops->count;
        double *outputs = k == lesson->trials - 1 ? learned->outputs : NULL;
        outcome = lab_from_status(why, run_trial(&it, rrmse, outputs), "zone");
        if (outcome == LAB_DONE)
            outcome = lab_tick(pace, lesson->name, why);
    }
    if (outcome == LAB_DONE && learned->weights)
        outcome = lab_from_status(why, keep_weights(&it, learned->weights), "zone");
    learner_free(&it);
    return outcome;
}
