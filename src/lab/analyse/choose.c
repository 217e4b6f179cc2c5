// SPDX-License-Identifier: Apache-2.0
#include "analyse/choose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/basis.h"
#include "math/order.h"
#include "plant/paths.h"
#include "run/rule.h"
#include "spec/model_doubt.h"

// What is tried. Whitening and preconditioning by ρ, as fractions of max|T|² and λmax(HᵀH); rates
// as fractions of the one that corrects the strongest direction at once.
static const double whitenings[] = {1, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3};
static const double regularisers[] = {1, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4};
static const double leaks[] = {0, 0.003, 0.01, 0.03, 0.06, 0.1};
static const double rates[] = {0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9, 1.1, 1.4, 1.7};

#define COUNT(of) ((int)(sizeof(of) / sizeof(of)[0]))

// Settings whose error is nearly as small as the smallest: of these, the one that ends lowest is
// chosen.
#define NEARLY(error) (1.1 * (error) + 0.01)

// An error at the trial of comparison that is hardly below the reactive one: nothing is learned.
#define NOTHING 0.99

// What the search shares.
typedef struct search {
    lab_choice *best;    // so far
    lab_choice *falling; // those that fall in every trial                  (count)
    int count, room;     //
    double least;        // smallest error of those
    const lab_models *models;
    const lab_rule_spec *of;
    const cfpc_lesson *lesson;
    int trials;
    bool doubtful; // the model failed a test: no update that trusts it in every direction
    double *gram;  // HᵀH as believed                                       (G x G)
    double *p;     // P                                                     (G x G)
    double *z;     // traces                                                (N x G)
    double *work;  // (3 G)
    lab_why *why;
} search;

// ---- one trace -------------------------------------------------------------------------------

// Every leak and rate with these matrices; scale: the rate that corrects the strongest direction.
static void try_rates(search *it, const lab_matrices *matrices, const lab_choice *with,
                      double scale)
{
    for (int i = 0; i < COUNT(leaks); i++)
        for (int k = 0; k < COUNT(rates); k++) {
            lab_choice tried = *with;
            tried.leak = cfpci_max(leaks[i], it->lesson->leak);
            tried.rate = rates[k] * scale;
            const lab_pace_of_learning pace = {
                .rate = tried.rate, .leak = tried.leak, .momentum = it->lesson->momentum};
            it->best->tried++;
            if (lab_find_worst(&tried.worst, matrices, pace, it->trials, NEARLY(it->least),
                               it->work) &&
                tried.worst.compared < NOTHING && it->count < it->room) {
                it->least = cfpci_min(it->least, tried.worst.compared);
                it->falling[it->count++] = tried;
            }
        }
}

static lab_outcome try_preconditioned(search *it, const lab_matrices *plain, lab_choice with)
{
    const int bases = it->models->setup->bases;
    const double most = lab_believed_problem(it->models->setup)->lambda_max;
    lab_outcome outcome = LAB_DONE;
    with.update = LAB_PRECONDITIONED;
    for (int i = 0; outcome == LAB_DONE && i < COUNT(regularisers); i++) {
        lab_matrices matrices = {0};
        with.rho = regularisers[i] * most;
        const cfpc_status status = cfpc_preconditioner(bases, it->gram, with.rho, it->p);
        if (status == CFPC_BAD_VALUE)
            continue;
        outcome = lab_from_status(it->why, status, NULL);
        if (outcome == LAB_DONE)
            outcome = lab_matrices_times(&matrices, plain, it->p, it->why);
        if (outcome == LAB_DONE)
            try_rates(it, &matrices, &with, 1 + regularisers[i]); // λ/(λ + ρ) of the strongest
        lab_matrices_free(&matrices);
    }
    return outcome;
}

// The rule with this trace: its traces z, and its scale. LAB_REFUSED if it cannot have it.
static lab_outcome make_trace(search *it, const lab_choice *with, double *scale)
{
    const lab_setup *setup = it->models->setup;
    const lab_spec *spec = setup->rig.spec;
    lab_rule_spec of = *it->of;
    lab_rule rule = {0};
    of.trace = with->trace;
    of.whitening_rho = with->whitening_rho;
    lab_outcome outcome = lab_trace_make(&rule.trace, spec, &of, &setup->rig.believed,
                                         setup->rig.steps, setup->response, it->why);
    if (outcome == LAB_DONE)
        outcome = lab_filter_make(&rule.filter, spec, setup->rig.steps, &of, &rule.trace, it->why);
    if (outcome == LAB_DONE) {
        cfpc_status status = lab_find_scale(&rule, setup, &of);
        if (status == CFPC_OK)
            status = lab_traces(&rule, setup->rig.steps, setup->bases, setup->x, it->z);
        outcome = lab_from_status(it->why, status, spec->file);
    }
    *scale = rule.scale > 0 ? 1 / rule.scale : 0;
    lab_rule_free(&rule);
    return outcome;
}

static lab_outcome try_trace(search *it, lab_trace_kind trace, double whitening_rho)
{
    const lab_choice with = {.trace = trace, .whitening_rho = whitening_rho, .update = LAB_PLAIN};
    const bool whitened = trace == LAB_TRACE_WHITENED;
    lab_matrices matrices = {0};
    double scale;
    lab_outcome outcome = make_trace(it, &with, &scale);
    if (outcome == LAB_REFUSED) // its teaching filter is too long
        return LAB_DONE;
    if (outcome == LAB_DONE)
        outcome = lab_matrices_make(&matrices, it->models, it->lesson, it->z, it->why);
    if (outcome == LAB_DONE)
        try_rates(it, &matrices, &with, scale);
    if (outcome == LAB_DONE && !whitened && !it->doubtful)
        outcome = try_preconditioned(it, &matrices, with);
    lab_matrices_free(&matrices);
    return outcome;
}

// ---- the choice ------------------------------------------------------------------------------

// Of those that are nearly as good as the best at the trial of comparison, the one that ends
// lowest.
static void pick(search *it)
{
    const int tried = it->best->tried;
    for (int i = 0; i < it->count; i++) {
        const lab_choice *other = &it->falling[i];
        if (other->worst.compared > NEARLY(it->least) ||
            (it->best->found && !(other->worst.last < it->best->worst.last)))
            continue;
        *it->best = *other;
        it->best->found = true;
    }
    it->best->tried = tried;
}

// The sufficient bound of what was chosen.
static lab_outcome bound(search *it)
{
    const lab_setup *setup = it->models->setup;
    lab_choice *best = it->best;
    cfpc_lesson lesson = *it->lesson;
    cfpc_robust robust = {0};
    double scale;
    const bool preconditioned = best->update == LAB_PRECONDITIONED;
    lab_outcome outcome = make_trace(it, best, &scale);
    cfpc_status status = CFPC_OK;
    if (outcome == LAB_DONE && preconditioned)
        status = cfpc_preconditioner(setup->bases, it->gram, best->rho, it->p);
    lesson.trace = it->z;
    lesson.effect = it->models->models[0].taught;
    lesson.basis = setup->x;
    lesson.preconditioner = preconditioned ? it->p : NULL;
    lesson.leak = best->leak;
    if (outcome == LAB_DONE && status == CFPC_OK && lesson.momentum == 0 &&
        isnan(it->models->unsafe_hz))
        status = cfpc_robust_bound(&robust, &lesson, &it->models->band, setup->rig.step_s);
    best->rate_max = robust.rate_max;
    return outcome == LAB_DONE ? lab_from_status(it->why, status, setup->rig.spec->file) : outcome;
}

// A trace whose keys another does not have: the rule must be said anew.
static bool has_keys(lab_trace_kind trace)
{
    return trace != LAB_TRACE_FORWARD_MODEL && trace != LAB_TRACE_NONE;
}

// A key of the rule: a line of its own, or the next one of the map in the only line.
static void add_text(lab_choice *it, const lab_rule_spec *of, bool anew, const char *key,
                     const char *text)
{
    char *line = it->line[anew ? 0 : it->count];
    const size_t used = anew ? strlen(line) : 0, room = sizeof it->line[0] - used;
    if (anew)
        snprintf(line + used, room, ", %s: %s", key, text);
    else
        snprintf(line, room, "rules.%.64s.%s=%s", of->name, key, text);
    it->count += !anew;
}

static void add_number(lab_choice *it, const lab_rule_spec *of, bool anew, const char *key,
                       double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.4g", value);
    add_text(it, of, anew, key, text);
}

static void tell(lab_choice *it, const lab_rule_spec *of)
{
    const bool whitened = it->trace == LAB_TRACE_WHITENED;
    const bool anew = has_keys(of->trace) && of->trace != it->trace;
    if (anew)
        snprintf(it->line[0], sizeof it->line[0], "rules.%.64s={name: %.64s", of->name, of->name);
    add_text(it, of, anew, "trace", whitened ? "whitened" : "forward-model");
    if (whitened)
        add_number(it, of, anew, "whitening_rho", it->whitening_rho);
    add_text(it, of, anew, "update", it->update == LAB_PLAIN ? "plain" : "preconditioned");
    if (it->update == LAB_PRECONDITIONED)
        add_number(it, of, anew, "rho", it->rho);
    add_number(it, of, anew, "rate", it->rate);
    if (it->leak != of->leak || (anew && it->leak > 0))
        add_number(it, of, anew, "leak", it->leak);
    if (anew && of->momentum > 0)
        add_number(it, of, anew, "momentum", of->momentum);
    if (anew && of->output_penalty > 0)
        add_number(it, of, anew, "output_penalty", of->output_penalty);
    if (anew) {
        const size_t used = strlen(it->line[0]);
        snprintf(it->line[0] + used, sizeof it->line[0] - used, "}");
        it->count = 1;
    }
}

// HᵀH as believed, from R.
static void fill_gram(search *it)
{
    const cfpc_problem *p = lab_believed_problem(it->models->setup);
    const size_t g = (size_t)p->bases;
    for (size_t k = 0; k < (size_t)p->range; k++)
        for (size_t i = 0; i < g; i++)
            for (size_t j = 0; j < g; j++)
                it->gram[i * g + j] += p->r[k * g + i] * p->r[k * g + j];
}

static lab_outcome scan(search *it)
{
    fill_gram(it);
    lab_outcome outcome = try_trace(it, LAB_TRACE_FORWARD_MODEL, CFPC_WHITENING);
    for (int i = 0; outcome == LAB_DONE && it->lesson->output_penalty == 0 && i < COUNT(whitenings);
         i++)
        outcome = try_trace(it, LAB_TRACE_WHITENED, whitenings[i]);
    pick(it);
    if (outcome == LAB_DONE && it->best->found)
        outcome = bound(it);
    if (outcome == LAB_DONE && it->best->found)
        tell(it->best, it->of);
    return outcome;
}

lab_outcome lab_choose(lab_choice *choice, const lab_models *models, int rule,
                       const cfpc_lesson *lesson, lab_why *why)
{
    const lab_setup *setup = models->setup;
    const size_t n = (size_t)setup->rig.steps, g = (size_t)setup->bases;
    const int room = (1 + COUNT(whitenings) + COUNT(regularisers)) * COUNT(leaks) * COUNT(rates);
    lab_why doubt;
    *choice = (lab_choice){0};
    search it = {.best = choice,
                 .falling = calloc((size_t)room, sizeof *it.falling),
                 .room = room,
                 .least = NOTHING,
                 .models = models,
                 .of = &lab_rules(setup->rig.spec)[rule],
                 .lesson = lesson,
                 .trials = setup->rig.spec->learning.trials,
                 .doubtful = lab_is_doubtful(setup->rig.spec, &doubt),
                 .gram = calloc(2 * g * g + n * g + 3 * g, sizeof(double)),
                 .why = why};
    if (!it.gram || !it.falling) {
        free(it.gram);
        free(it.falling);
        return lab_no_memory(why, NULL);
    }
    it.p = it.gram + g * g;
    it.z = it.p + g * g;
    it.work = it.z + n * g;
    const lab_outcome outcome = scan(&it);
    free(it.gram);
    free(it.falling);
    return outcome;
}
