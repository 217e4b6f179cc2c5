// SPDX-License-Identifier: Apache-2.0
#include "learn.h"

#include "cfpc/basis.h"
#include "cfpc/batch.h"
#include "cfpc/loop.h"
#include "cfpc/response.h"
#include "why.h"

// ---- bases -----------------------------------------------------------------------------------

// In the order of operations of the lab, so that no centre differs in its last digit.
cfpc_outcome web_bases(int32_t count, double width_ms, double spacing_ms, double step_ms,
                       int32_t steps, double *x)
{
    const double step_s = step_ms / 1e3;
    cfpc_time_basis_def def = cfpc_default_time_basis_def();
    def.count = count;
    def.width_s = width_ms / 1e3;
    def.spacing_s = spacing_ms / 1e3;
    def.first_s = (steps * step_s - (count - 1) * spacing_ms / 1e3) / 2;
    return web_ended_with(cfpc_time_basis(&def, step_s, steps, count, 0, x));
}

// ---- learning --------------------------------------------------------------------------------

// Where a trial's numbers go.
typedef struct trial {
    double *rrmse;   // (1)
    double *weights; // (bases)
    double *o;       // (steps)
    double *y;       // (steps)
    double *e;       // (steps)
} trial;

static trial trial_of(double *learned, int32_t number, int32_t trials, int32_t steps, int32_t bases)
{
    const size_t k = (size_t)number, all = (size_t)trials, n = (size_t)steps, g = (size_t)bases;
    double *weights = learned + 1 + all, *o = weights + all * g;
    return (trial){.rrmse = learned + 1 + k,
                   .weights = weights + k * g,
                   .o = o + k * n,
                   .y = o + (all + k) * n,
                   .e = o + (2 * all + k) * n};
}

static cfpc_status make_trace(cfpc_system *trace, const web_loop *loop, int32_t kind,
                              double delay_ms)
{
    int32_t delay = 0;
    if (kind == WEB_FORWARD_MODEL)
        return cfpc_select(trace, &loop->transfer, 0, 0); // a copy
    if (kind == WEB_NONE)
        return cfpc_gain(trace, 1);
    const cfpc_status status = cfpc_steps_of(delay_ms / 1e3, loop->step_s, &delay);
    return status == CFPC_OK ? cfpc_delay(trace, loop->step_s, delay) : status;
}

// What the weights of a trial made of it: o = X w, y = T (r + o), e = r - y.
static cfpc_status replay(const trial *it, const cfpc_problem *problem, const double *r)
{
    const size_t n = (size_t)problem->steps, g = (size_t)problem->bases;
    for (size_t i = 0; i < n; i++) {
        it->o[i] = 0;
        for (size_t j = 0; j < g; j++)
            it->o[i] += problem->basis[i * g + j] * it->weights[j];
        it->e[i] = r[i] + it->o[i]; // the drive, until y is known
    }
    const cfpc_status status = cfpc_apply(&problem->transfer, problem->steps, 1, it->e, it->y);
    for (size_t i = 0; i < n; i++)
        it->e[i] = r[i] - it->y[i];
    return status;
}

static cfpc_status learn(const cfpc_problem *problem, const cfpc_system *trace, const double *r,
                         double rate, int32_t trials, double *learned)
{
    cfpc_batch *learner = NULL;
    cfpc_batch_def def = cfpc_default_batch_def();
    def.bases =
        (cfpc_bases){.steps = problem->steps, .count = problem->bases, .doubles = problem->basis};
    def.path = &problem->transfer;
    def.trace = trace;
    def.e0 = problem->e0;
    def.rate = rate;
    def.trials = trials;
    cfpc_status status = cfpc_batch_make(&learner, &def);
    for (int32_t k = 0; status == CFPC_OK && k < trials; k++) {
        const trial it = trial_of(learned, k, trials, problem->steps, problem->bases);
        status = cfpc_batch_trial(learner, it.rrmse);
        if (status == CFPC_OK)
            status = cfpc_batch_weights(learner, it.weights);
        if (status == CFPC_OK)
            status = replay(&it, problem, r);
    }
    cfpc_batch_free(learner);
    return status;
}

cfpc_outcome web_learn(const web_loop *loop, int32_t steps, int32_t bases, const double *x,
                       const double *r, int32_t trace, double trace_delay_ms, double rate_fraction,
                       int32_t trials, double *learned)
{
    cfpc_problem problem = {0};
    cfpc_system system = {0};
    cfpc_status status =
        loop->stable ? make_trace(&system, loop, trace, trace_delay_ms) : CFPC_UNSTABLE;
    if (status == CFPC_OK)
        status = cfpc_problem_make(&problem, &loop->transfer, steps, bases, x, r);
    if (status == CFPC_OK) {
        learned[0] = problem.rrmse_optimum;
        status = learn(&problem, &system, r, cfpc_problem_rate(&problem, rate_fraction), trials,
                       learned);
    }
    cfpc_problem_free(&problem);
    cfpc_system_free(&system);
    return web_ended_with(status);
}
