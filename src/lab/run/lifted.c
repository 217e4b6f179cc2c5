// SPDX-License-Identifier: Apache-2.0
#include "run/lifted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rows.h"
#include "cfpc/response.h"
#include "plant/paths.h"
#include "population/trial_map.h"
#include "run/q_filter.h"
#include "run/simulate.h"

#define FILTER_WORK 60. // multiply-adds per step of a filter, about

bool lab_can_lift(const lab_setup *setup, const lab_rule *rule)
{
    const cfpc_rule *r = &rule->rule;
    return !setup->nonlinear && !rule->is_learned && r->mode == CFPC_BATCH && !r->rectified &&
           r->normaliser == 0 && r->weight_low == r->weight_high &&
           !setup->rig.spec->learning.frozen && !lab_has_noisy_teacher(setup->rig.spec);
}

// A rule that is lifted, and the room that its trials need.
typedef struct lifted {
    const lab_setup *setup;
    const lab_rule *rule;
    size_t steps, bases; // N, G
    bool is_identity;    // X is I
    bool by_error;       // the lesson is the error
    cfpc_system path;    // T
    cfpc_system lesson;  // L, where it is another
    double *t0;          // lesson of a reactive trial             (N)
    double *o, *e, *l;   // signals of a trial; l may be e         (N)
    double *drawn;       // Aᵀl                                    (N)
    double *g, *v;       // gradient, change of the weights        (G)
    double *room;        // for the Q-filter and the update        (2 x max(N, G))
} lifted;

// ---- what a lesson is ------------------------------------------------------------------------

static bool is_by_error(const lab_spec *spec)
{
    return spec->teach.signal == LAB_TEACH_ERROR && spec->teach.delay_ms == 0 &&
           spec->olive.gain == 0;
}

// What arrives in a reactive trial.
static lab_outcome record_lesson(lifted *it, lab_why *why)
{
    const lab_rig *rig = &it->setup->rig;
    lab_scene scene;
    lab_trial reactive = {.teaching = it->drawn};
    int32_t late = 0;
    lab_outcome outcome = lab_from_status(
        why, cfpc_steps_of(rig->spec->teach.delay_ms / 1e3, rig->step_s, &late), rig->spec->file);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = lab_scene_make(&scene, rig, why);
    if (outcome == LAB_DONE)
        lab_simulate_trial(rig, &scene, NULL, rig->first, &reactive);
    lab_scene_free(&scene);
    for (size_t n = 0; outcome == LAB_DONE && n < it->steps; n++)
        it->t0[n] = n >= (size_t)late ? it->drawn[n - (size_t)late] : 0;
    return outcome;
}

static lab_outcome make_lesson(lifted *it, lab_why *why)
{
    const lab_setup *setup = it->setup;
    if (it->by_error) {
        memcpy(it->t0, setup->e0, it->steps * sizeof *it->t0);
        return LAB_DONE;
    }
    const lab_outcome outcome =
        lab_lesson_path(&it->lesson, setup->rig.spec, &setup->rig.loop, why);
    return outcome == LAB_DONE ? record_lesson(it, why) : outcome;
}

// ---- an update -------------------------------------------------------------------------------

static double energy(size_t count, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += x[i] * x[i];
    return sum;
}

// out = aᵀ x, a (G x G).
static void multiply(const lifted *it, const double *a, const double *x, double *out)
{
    memset(out, 0, it->bases * sizeof *out);
    lab_add_rows(out, a, it->bases, it->bases, x, 1, 1);
}

// g ← P g, P symmetric.
static void precondition(const lifted *it, double *g)
{
    const lab_spectrum *spectrum = it->rule->spectrum;
    double *room = it->room;
    if (spectrum) {
        multiply(it, spectrum->columns, g, room);
        for (size_t j = 0; j < it->bases; j++)
            room[j] /= spectrum->values[j] + it->rule->rho;
        multiply(it, spectrum->rows, room, g);
    } else if (it->rule->preconditioner) {
        multiply(it, it->rule->preconditioner, g, room);
        memcpy(g, room, it->bases * sizeof *g);
    }
}

// w and v by the gradient.
static cfpc_status update(lifted *it, double *w)
{
    const double momentum = (double)it->rule->rule.momentum, leak = (double)it->rule->rule.leak;
    for (size_t j = 0; j < it->bases; j++) {
        it->v[j] = momentum * it->v[j] + it->rule->rate * it->g[j];
        w[j] = (1 - leak) * w[j] + it->v[j];
    }
    return lab_has_q(it->rule) ? lab_q_filter_apply(it->rule->q, (int32_t)it->steps, w, it->room)
                               : CFPC_OK;
}

// ---- few weights: by a matrix ----------------------------------------------------------------

// The map with ZᵀLX + ρ XᵀX; z and effect are room for traces and L X.
static cfpc_status make_map(const lifted *it, const lab_trial_map *map, double *z, double *effect)
{
    const lab_setup *setup = it->setup;
    const double penalty = (double)it->rule->rule.output_penalty;
    cfpc_status status = lab_traces(it->rule, map->steps, map->bases, setup->x, z);
    if (status == CFPC_OK && !it->by_error)
        status = cfpc_apply(&it->lesson, map->steps, map->bases, setup->x, effect);
    if (status != CFPC_OK)
        return status;
    lab_trial_map_fill(map, z, it->by_error ? setup->problem.h : effect, it->t0);
    if (penalty != 0)
        lab_trial_map_add(map, penalty, setup->x, setup->x);
    return CFPC_OK;
}

static cfpc_status learn_by_map(lifted *it, int trials, double *rrmse, double *w)
{
    const size_t g = it->bases, n = it->steps;
    double *z = calloc(2 * n * g + 2 * g * g + 4 * g, sizeof *z);
    if (!z)
        return CFPC_NO_MEMORY;
    double *effect = z + n * g, *change = effect + n * g;
    const lab_trial_map map = {.steps = (int)n,
                               .bases = (int)g,
                               .problem = &it->setup->problem,
                               .map = change + 4 * g,
                               .start = change + 2 * g};
    cfpc_status status = make_map(it, &map, z, effect);
    for (int k = 0; status == CFPC_OK && k < trials; k++) {
        rrmse[k] = lab_trial_map_step(&map, w, change) / it->setup->baseline;
        if (k == trials - 1)
            break;
        memcpy(it->g, change, g * sizeof *it->g);
        precondition(it, it->g);
        status = update(it, w);
    }
    free(z);
    return status;
}

// ---- many: by filters ------------------------------------------------------------------------

// o = X w.
static void act(lifted *it, const double *w)
{
    if (it->is_identity) {
        memcpy(it->o, w, it->steps * sizeof *it->o);
        return;
    }
    for (size_t n = 0; n < it->steps; n++) {
        it->o[n] = 0;
        for (size_t j = 0; j < it->bases; j++)
            it->o[n] += it->setup->x[n * it->bases + j] * w[j];
    }
}

// out = from - system o.
static cfpc_status subtract(const lifted *it, const cfpc_system *system, const double *from,
                            double *out)
{
    const cfpc_status status = cfpc_apply(system, (int32_t)it->steps, 1, it->o, out);
    for (size_t n = 0; n < it->steps; n++)
        out[n] = from[n] - out[n];
    return status;
}

// g = Xᵀ(Aᵀl - ρ o).
static cfpc_status draw(lifted *it)
{
    const lab_rule *rule = it->rule;
    const int32_t steps = (int32_t)it->steps;
    const cfpc_status status =
        lab_has_filter(rule)
            ? cfpc_teaching_filter_adjoint(&rule->filter, steps, 1, it->l, it->drawn)
            : cfpc_adjoint(&rule->trace, steps, 1, it->l, it->drawn);
    const double penalty = (double)rule->rule.output_penalty;
    lab_add_rows(it->drawn, it->o, 1, it->steps, &penalty, 1, -1);
    memset(it->g, 0, it->bases * sizeof *it->g);
    if (it->is_identity)
        memcpy(it->g, it->drawn, it->bases * sizeof *it->g);
    else
        lab_add_rows(it->g, it->setup->x, it->steps, it->bases, it->drawn, 1, 1);
    return status;
}

static cfpc_status learn_by_filters(lifted *it, int trials, double *rrmse, double *w)
{
    cfpc_status status = CFPC_OK;
    for (int k = 0; status == CFPC_OK && k < trials; k++) {
        act(it, w);
        status = subtract(it, &it->path, it->setup->e0, it->e);
        rrmse[k] = sqrt(energy(it->steps, it->e)) / it->setup->baseline;
        if (k == trials - 1 || status != CFPC_OK)
            break;
        if (!it->by_error)
            status = subtract(it, &it->lesson, it->t0, it->l);
        if (status == CFPC_OK)
            status = draw(it);
        precondition(it, it->g);
        if (status == CFPC_OK)
            status = update(it, w);
    }
    return status;
}

// ---- one or the other ------------------------------------------------------------------------

static bool is_cheaper_by_map(const lifted *it, int trials)
{
    const double n = (double)it->steps, g = (double)it->bases;
    const double by_map = n * g * (2 * FILTER_WORK + g) + trials * 2 * g * g;
    const double by_filters = trials * n * (3 * FILTER_WORK + (it->is_identity ? 0 : 2 * g));
    return by_map < by_filters;
}

static cfpc_status take_room(lifted *it)
{
    const size_t n = it->steps, g = it->bases, most = n > g ? n : g;
    double *room = calloc(5 * n + 2 * g + 2 * most, sizeof *room);
    if (!room)
        return CFPC_NO_MEMORY;
    it->t0 = room;
    it->o = it->t0 + n;
    it->e = it->o + n;
    it->l = it->by_error ? it->e : it->e + n;
    it->drawn = it->e + 2 * n;
    it->g = it->drawn + n;
    it->v = it->g + g;
    it->room = it->v + g;
    return CFPC_OK;
}

lab_outcome lab_lift(const lab_setup *setup, const lab_rule *rule, int trials, double *rrmse,
                     double *weights, lab_why *why)
{
    const lab_spec *spec = setup->rig.spec;
    lifted it = {.setup = setup,
                 .rule = rule,
                 .steps = (size_t)setup->rig.steps,
                 .bases = (size_t)setup->bases,
                 .is_identity = spec->basis.count == 1 && lab_banks(spec)[0].kind == LAB_IDENTITY,
                 .by_error = is_by_error(spec)};
    memset(weights, 0, it.bases * sizeof *weights);
    lab_outcome outcome = lab_from_status(why, take_room(&it), spec->file);
    if (outcome == LAB_DONE)
        outcome = lab_output_path(&it.path, spec, &setup->rig.loop, why);
    if (outcome == LAB_DONE)
        outcome = make_lesson(&it, why);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(why,
                                  is_cheaper_by_map(&it, trials)
                                      ? learn_by_map(&it, trials, rrmse, weights)
                                      : learn_by_filters(&it, trials, rrmse, weights),
                                  spec->file);
    free(it.t0);
    cfpc_system_free(&it.path);
    cfpc_system_free(&it.lesson);
    return outcome;
}
