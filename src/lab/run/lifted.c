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

// What arrives in a reactive trial, and the path from o to it.
static lab_outcome make_lesson(lifted *lifted, lab_why *why)
{
    const lab_setup *setup = lifted->setup;
    const lab_rig *rig = &setup->rig;
    if (lifted->by_error) {
        memcpy(lifted->t0, setup->e0, lifted->steps * sizeof *lifted->t0);
        return LAB_DONE;
    }
    int32_t late = 0;
    lab_outcome outcome = lab_lesson_path(&lifted->lesson, rig->spec, &rig->loop, why);
    if (outcome == LAB_DONE)
        outcome =
            lab_from_status(why, cfpc_steps_of(rig->spec->teach.delay_ms / 1e3, rig->step_s, &late),
                            rig->spec->file);
    if (outcome != LAB_DONE)
        return outcome;
    lab_trial reactive = {.teaching = lifted->drawn};
    outcome = lab_simulate_alone(rig, rig->first, rig->first + 1, &reactive, why);
    for (size_t n = 0; outcome == LAB_DONE && n < lifted->steps; n++)
        lifted->t0[n] = n >= (size_t)late ? lifted->drawn[n - (size_t)late] : 0;
    return outcome;
}

// ---- an update -------------------------------------------------------------------------------

// out = aᵀ x, a (G x G).
static void lifted_multiply(const lifted *lifted, const double *a, const double *x, double *out)
{
    memset(out, 0, lifted->bases * sizeof *out);
    lab_add_rows(out, a, lifted->bases, lifted->bases, x, 1, 1);
}

// g ← P g, P symmetric.
static void precondition(const lifted *lifted, double *g)
{
    const lab_spectrum *spectrum = lifted->rule->spectrum;
    double *room = lifted->room;
    if (spectrum) {
        lifted_multiply(lifted, spectrum->columns, g, room);
        for (size_t j = 0; j < lifted->bases; j++)
            room[j] /= spectrum->values[j] + lifted->rule->rho;
        lifted_multiply(lifted, spectrum->rows, room, g);
    } else if (lifted->rule->preconditioner) {
        lifted_multiply(lifted, lifted->rule->preconditioner, g, room);
        memcpy(g, room, lifted->bases * sizeof *g);
    }
}

// w and v by the gradient.
static cfpc_status lifted_update(lifted *lifted, double *w)
{
    const double momentum = (double)lifted->rule->rule.momentum,
                 leak = (double)lifted->rule->rule.leak;
    for (size_t j = 0; j < lifted->bases; j++) {
        lifted->v[j] = momentum * lifted->v[j] + lifted->rule->rate * lifted->g[j];
        w[j] = (1 - leak) * w[j] + lifted->v[j];
    }
    return lab_has_q(lifted->rule)
               ? lab_q_filter_apply(lifted->rule->q, (int32_t)lifted->steps, w, lifted->room)
               : CFPC_OK;
}

// ---- few weights: by a matrix ----------------------------------------------------------------

static cfpc_status learn_by_map(lifted *lifted, int trials, double *rrmse, double *w)
{
    const lab_setup *setup = lifted->setup;
    const double penalty = (double)lifted->rule->rule.output_penalty;
    const size_t g = lifted->bases, n = lifted->steps;
    double *z = calloc(2 * n * g + 2 * g * g + 4 * g, sizeof *z); // traces, L X, the map
    if (!z)
        return CFPC_NO_MEMORY;
    double *effect = z + n * g, *change = effect + n * g;
    const lab_trial_map map = {.steps = (int)n,
                               .bases = (int)g,
                               .problem = &setup->problem,
                               .map = change + 4 * g,
                               .start = change + 2 * g};
    // ZᵀL X + ρ XᵀX
    cfpc_status status = lab_traces(lifted->rule, map.steps, map.bases, setup->x, z);
    if (status == CFPC_OK && !lifted->by_error)
        status = cfpc_apply(&lifted->lesson, map.steps, map.bases, setup->x, effect);
    if (status == CFPC_OK) {
        lab_trial_map_fill(&map, z, lifted->by_error ? setup->problem.h : effect, lifted->t0);
        if (penalty != 0)
            lab_trial_map_add(&map, penalty, setup->x, setup->x);
    }
    for (int k = 0; status == CFPC_OK && k < trials; k++) {
        rrmse[k] = lab_trial_map_step(&map, w, change) / setup->baseline;
        if (k == trials - 1)
            break;
        memcpy(lifted->g, change, g * sizeof *lifted->g);
        precondition(lifted, lifted->g);
        status = lifted_update(lifted, w);
    }
    free(z);
    return status;
}

// ---- many: by filters ------------------------------------------------------------------------

// o = X w.
static void lifted_act(lifted *lifted, const double *w)
{
    if (lifted->is_identity) {
        memcpy(lifted->o, w, lifted->steps * sizeof *lifted->o);
        return;
    }
    for (size_t n = 0; n < lifted->steps; n++) {
        lifted->o[n] = 0;
        for (size_t j = 0; j < lifted->bases; j++)
            lifted->o[n] += lifted->setup->x[n * lifted->bases + j] * w[j];
    }
}

// out = from - system o.
static cfpc_status lifted_subtract(const lifted *lifted, const cfpc_system *system,
                                   const double *from, double *out)
{
    const cfpc_status status = cfpc_apply(system, (int32_t)lifted->steps, 1, lifted->o, out);
    for (size_t n = 0; n < lifted->steps; n++)
        out[n] = from[n] - out[n];
    return status;
}

// g = Xᵀ(Aᵀl - ρ o).
static cfpc_status lifted_draw(lifted *lifted)
{
    const lab_rule *rule = lifted->rule;
    const int32_t steps = (int32_t)lifted->steps;
    const cfpc_status status =
        lab_has_filter(rule)
            ? cfpc_teaching_filter_adjoint(&rule->filter, steps, 1, lifted->l, lifted->drawn)
            : cfpc_apply_transpose(&rule->trace, steps, 1, lifted->l, lifted->drawn);
    const double penalty = (double)rule->rule.output_penalty;
    lab_add_rows(lifted->drawn, lifted->o, 1, lifted->steps, &penalty, 1, -1);
    memset(lifted->g, 0, lifted->bases * sizeof *lifted->g);
    if (lifted->is_identity)
        memcpy(lifted->g, lifted->drawn, lifted->bases * sizeof *lifted->g);
    else
        lab_add_rows(lifted->g, lifted->setup->x, lifted->steps, lifted->bases, lifted->drawn, 1,
                     1);
    return status;
}

static cfpc_status learn_by_filters(lifted *lifted, int trials, double *rrmse, double *w)
{
    cfpc_status status = CFPC_OK;
    for (int k = 0; status == CFPC_OK && k < trials; k++) {
        double energy = 0;
        lifted_act(lifted, w);
        status = lifted_subtract(lifted, &lifted->path, lifted->setup->e0, lifted->e);
        for (size_t n = 0; n < lifted->steps; n++)
            energy += lifted->e[n] * lifted->e[n];
        rrmse[k] = sqrt(energy) / lifted->setup->baseline;
        if (k == trials - 1 || status != CFPC_OK)
            break;
        if (!lifted->by_error)
            status = lifted_subtract(lifted, &lifted->lesson, lifted->t0, lifted->l);
        if (status == CFPC_OK)
            status = lifted_draw(lifted);
        precondition(lifted, lifted->g);
        if (status == CFPC_OK)
            status = lifted_update(lifted, w);
    }
    return status;
}

// ---- one or the other ------------------------------------------------------------------------

static bool is_cheaper_by_map(const lifted *lifted, int trials)
{
    const double n = (double)lifted->steps, g = (double)lifted->bases;
    const double by_map = n * g * (2 * FILTER_WORK + g) + trials * 2 * g * g;
    const double by_filters = trials * n * (3 * FILTER_WORK + (lifted->is_identity ? 0 : 2 * g));
    return by_map < by_filters;
}

lab_outcome lab_lift(const lab_setup *setup, const lab_rule *rule, int trials, double *rrmse,
                     double *weights, lab_why *why)
{
    const lab_spec *spec = setup->rig.spec;
    const size_t n = (size_t)setup->rig.steps, g = (size_t)setup->bases, most = n > g ? n : g;
    lifted lifted = {.setup = setup,
                     .rule = rule,
                     .steps = n,
                     .bases = g,
                     .is_identity =
                         spec->basis.count == 1 && lab_banks(spec)[0].kind == LAB_IDENTITY,
                     .by_error = spec->teach.signal == LAB_TEACH_ERROR &&
                                 spec->teach.delay_ms == 0 && spec->olive.gain == 0};
    memset(weights, 0, g * sizeof *weights);
    double *room = calloc(5 * n + 2 * g + 2 * most, sizeof *room);
    if (!room)
        return lab_no_memory(why, spec->file);
    lifted.t0 = room;
    lifted.o = lifted.t0 + n;
    lifted.e = lifted.o + n;
    lifted.l = lifted.by_error ? lifted.e : lifted.e + n;
    lifted.drawn = lifted.e + 2 * n;
    lifted.g = lifted.drawn + n;
    lifted.v = lifted.g + g;
    lifted.room = lifted.v + g;
    lab_outcome outcome = lab_output_path(&lifted.path, spec, &setup->rig.loop, why);
    if (outcome == LAB_DONE)
        outcome = make_lesson(&lifted, why);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(why,
                                  is_cheaper_by_map(&lifted, trials)
                                      ? learn_by_map(&lifted, trials, rrmse, weights)
                                      : learn_by_filters(&lifted, trials, rrmse, weights),
                                  spec->file);
    free(room);
    cfpc_system_free(&lifted.path);
    cfpc_system_free(&lifted.lesson);
    return outcome;
}
