// SPDX-License-Identifier: Apache-2.0
// The on-line rule in the paper's loop, timed: w += η h e at every step, h the forward model's
// trace, including the simulated loop; step by step, or in blocks of the loop's dead time with the
// trace in modal form. Prints one line of JSON: the seconds per step (the median of the repeats),
// the final weights and the root-mean-square error of each trial.
//   bench_online SYNAPSES REPEATS blocks|steps
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cfpc/basis.h"
#include "cfpc/blocks.h"
#include "cfpc/cell.h"
#include "cfpc/compile.h"
#include "cfpc/response.h"
#include "clock.h"
#include "paper_loop.h"

enum { TRIALS = 3, STEPS = PAPER_STEPS, DELAY = PAPER_DELAY, MAX_BLOCK = 64 };

// ---- the loop, step by step ------------------------------------------------------------------

typedef struct running {
    double slow, fast, mix, gain; // ṗ = -p/0.1 + u, ẏ = (p - y)/0.003, exact while u holds
    double p, y, integral;
    double errors[DELAY]; // ring
    int head;
} running;

static running at_rest(void)
{
    const double slow_s = 0.1, fast_s = 0.003;
    running it = {.slow = exp(-PAPER_STEP_S / slow_s), .fast = exp(-PAPER_STEP_S / fast_s)};
    it.mix = slow_s / (slow_s - fast_s) * (it.slow - it.fast);
    it.gain = slow_s;
    return it;
}

// Advances y by one step with this error, r - y + o.
static void advance(running *it, double error)
{
    const double c = it->errors[it->head];
    it->errors[it->head] = error;
    it->head = it->head + 1 < DELAY ? it->head + 1 : 0;
    const double u = it->gain * (20 * c + 100 * it->integral);
    it->integral += PAPER_STEP_S * c;
    const double p = it->p;
    it->p = it->slow * p + (1 - it->slow) * u;
    it->y = it->fast * it->y + it->mix * p + (1 - it->fast - it->mix) * u;
}

// ---- trials ----------------------------------------------------------------------------------

static double trial_by_steps(const cfpc_model *model, cfpc_data *data, const double *r)
{
    running loop = at_rest();
    double squares = 0;
    for (int n = 0; n < STEPS; n++) {
        const double e = r[n] - loop.y;
        const double o = (double)cfpc_step(model, data, NULL, (cfpc_real)e);
        squares += e * e;
        advance(&loop, e + o);
    }
    cfpc_next_trial(model, data);
    return sqrt(squares / STEPS);
}

// Runs the loop through some steps with these outputs of the cell; returns the sum of the squared
// errors.
static double run_loop(running *loop, int steps, const double *r, const cfpc_real *o, cfpc_real *e)
{
    double squares = 0;
    for (int n = 0; n < steps; n++) {
        const double error = r[n] - loop->y;
        e[n] = (cfpc_real)error;
        squares += error * error;
        advance(loop, error + (double)o[n]);
    }
    return squares;
}

// The cell's output in a block does not affect the errors of that block: the loop is first run
// ahead without it, for the errors, and then again with it.
static double trial_by_blocks(const cfpc_model *model, cfpc_data *data, const double *r)
{
    static const cfpc_real nothing[MAX_BLOCK];
    const int block = cfpc_model_dead_time(model);
    running loop = at_rest();
    double squares = 0;
    for (int n = 0; n < STEPS; n += block) {
        cfpc_real e[MAX_BLOCK], o[MAX_BLOCK];
        const int steps = STEPS - n < block ? STEPS - n : block;
        running ahead = loop;
        run_loop(&ahead, steps, r + n, nothing, e);
        if (cfpc_step_block(model, data, NULL, e, steps, o) != CFPC_OK)
            return NAN;
        squares += run_loop(&loop, steps, r + n, o, e);
    }
    cfpc_next_trial(model, data);
    return sqrt(squares / STEPS);
}

// Rest, up, rest, down, rest: half a second each.
static double target(int n)
{
    const double t = n * PAPER_STEP_S;
    return t < 0.5 ? 0 : t < 1 ? (t - 0.5) / 0.5 : t < 1.5 ? 1 : t < 2 ? (2 - t) / 0.5 : 0;
}

// Gaussians over the paper's range of centres, 0.3 s to 2.2 s; subnormal tails are zero.
static cfpc_status make_model(const cfpc_model **model, int32_t synapses, bool in_blocks)
{
    const cfpc_time_basis_def gaussians = {.count = synapses,
                                           .first_s = 0.3,
                                           .spacing_s = synapses > 1 ? 1.9 / (synapses - 1) : 0,
                                           .width_s = 0.05};
    const size_t entries = (size_t)STEPS * (size_t)synapses;
    cfpc_system trace = {0};
    int32_t dead_time = 0;
    double *x = malloc(entries * sizeof *x);
    cfpc_status status = x ? paper_transfer(&trace) : CFPC_NO_MEMORY;
    status = status ? status : cfpc_dead_time(&trace, MAX_BLOCK, &dead_time);
    status =
        status ? status : cfpc_time_basis(&gaussians, PAPER_STEP_S, STEPS, gaussians.count, 0, x);
    for (size_t k = 0; status == CFPC_OK && k < entries; k++)
        x[k] = x[k] < 1e-300 ? 0 : x[k];
    const cfpc_cell_def def = {.synapses = synapses,
                               .steps = STEPS,
                               .basis = x,
                               .trace = &trace,
                               .rule.rate = (cfpc_real)(0.05 / synapses),
                               .rule.mode = CFPC_ONLINE,
                               .dead_time_steps = in_blocks ? dead_time : 0,
                               .only_blocks = in_blocks,
                               .modal = in_blocks};
    status = status ? status : cfpc_compile(model, &def);
    cfpc_system_free(&trace);
    free(x);
    return status;
}

static void print(int32_t synapses, double seconds, const double *rmse, const cfpc_real *w)
{
    printf("{\"seconds\": %.9g, \"rmse\": [", seconds);
    for (int k = 0; k < TRIALS; k++)
        printf("%s%.17g", k ? ", " : "", rmse[k]);
    printf("], \"weights\": [");
    for (int32_t j = 0; j < synapses; j++)
        printf("%s%.17g", j ? ", " : "", (double)w[j]);
    printf("]}\n");
}

int main(int count, char **words)
{
    const int32_t synapses = count > 1 ? atoi(words[1]) : 20;
    const int repeats = count > 2 ? atoi(words[2]) : 11;
    const bool in_blocks = count <= 3 || strcmp(words[3], "steps") != 0;
    const cfpc_model *model = NULL;
    cfpc_data *data = NULL;
    double r[STEPS], rmse[TRIALS];
    double *seconds = calloc((size_t)(repeats > 0 ? repeats : 1), sizeof *seconds);
    if (repeats < 1 || !seconds || make_model(&model, synapses, in_blocks) != CFPC_OK ||
        cfpc_data_make(&data, model) != CFPC_OK) {
        fprintf(stderr, "bench_online: it cannot be set up\n");
        free(seconds);
        return 1;
    }
    for (int n = 0; n < STEPS; n++)
        r[n] = target(n);
    for (int i = 0; i < repeats; i++) {
        cfpc_data_reset(model, data);
        const double start = now_s();
        for (int k = 0; k < TRIALS; k++)
            rmse[k] = (in_blocks ? trial_by_blocks : trial_by_steps)(model, data, r);
        seconds[i] = (now_s() - start) / (TRIALS * STEPS);
    }
    print(synapses, median(repeats, seconds), rmse, cfpc_weights(data));
    cfpc_data_free(data);
    cfpc_model_free(model);
    free(seconds);
    return 0;
}
