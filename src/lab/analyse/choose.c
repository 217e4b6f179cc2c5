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
#include "spec/cautions.h"

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
static void choose_try_rates(search *search, const lab_matrices *matrices, const lab_choice *with,
                             double scale)
{
    for (int i = 0; i < COUNT(leaks); i++)
        for (int k = 0; k < COUNT(rates); k++) {
            lab_choice tried = *with;
            tried.leak = cfpci_max(leaks[i], search->lesson->leak);
            tried.rate = rates[k] * scale;
            const lab_pace_of_learning pace = {
                .rate = tried.rate, .leak = tried.leak, .momentum = search->lesson->momentum};
            search->best->tried++;
            if (lab_find_worst(&tried.worst, matrices, pace, search->trials, NEARLY(search->least),
                               search->work) &&
                tried.worst.compared < NOTHING && search->count < search->room) {
                search->least = cfpci_min(search->least, tried.worst.compared);
                search->falling[search->count++] = tried;
            }
        }
}

static lab_outcome try_preconditioned(search *search, const lab_matrices *plain, lab_choice with)
{
    const int bases = search->models->setup->bases;
    const double most = lab_believed_problem(search->models->setup)->lambda_max;
    lab_outcome outcome = LAB_DONE;
    with.update = LAB_PRECONDITIONED;
    for (int i = 0; outcome == LAB_DONE && i < COUNT(regularisers); i++) {
        lab_matrices matrices = {0};
        with.rho = regularisers[i] * most;
        const cfpc_status status = cfpc_preconditioner(bases, search->gram, with.rho, search->p);
        if (status == CFPC_BAD_VALUE)
            continue;
        outcome = lab_from_status(search->why, status, NULL);
        if (outcome == LAB_DONE)
            outcome = lab_matrices_times(&matrices, plain, search->p, search->why);
        if (outcome == LAB_DONE)
            choose_try_rates(search, &matrices, &with,
                             1 + regularisers[i]); // λ/(λ + ρ) of the strongest
        lab_matrices_free(&matrices);
    }
    return outcome;
}

// The rule with this trace: its traces z, and its scale. LAB_REFUSED if it cannot have it.
static lab_outcome choose_make_trace(search *search, const lab_choice *with, double *scale)
{
    const lab_setup *setup = search->models->setup;
    const lab_spec *spec = setup->rig.spec;
    lab_rule_spec rule_spec = *search->of;
    lab_rule rule = {0};
    rule_spec.trace = with->trace;
    rule_spec.whitening_rho = with->whitening_rho;
    lab_outcome outcome = lab_trace_make(&rule.trace, spec, &rule_spec, &setup->rig.believed,
                                         setup->rig.steps, setup->response, search->why);
    if (outcome == LAB_DONE)
        outcome = lab_filter_make(&rule.filter, spec, setup->rig.steps, &rule_spec, &rule.trace,
                                  search->why);
    if (outcome == LAB_DONE) {
        cfpc_status status = lab_find_scale(&rule, setup, &rule_spec);
        if (status == CFPC_OK)
            status = lab_traces(&rule, setup->rig.steps, setup->bases, setup->x, search->z);
        outcome = lab_from_status(search->why, status, spec->file);
    }
    *scale = rule.scale > 0 ? 1 / rule.scale : 0;
    lab_rule_free(&rule);
    return outcome;
}

static lab_outcome try_trace(search *search, lab_trace_kind trace, double whitening_rho)
{
    const lab_choice with = {.trace = trace, .whitening_rho = whitening_rho, .update = LAB_PLAIN};
    const bool whitened = trace == LAB_TRACE_WHITENED;
    lab_matrices matrices = {0};
    double scale;
    lab_outcome outcome = choose_make_trace(search, &with, &scale);
    if (outcome == LAB_REFUSED) // its teaching filter is too long
        return LAB_DONE;
    if (outcome == LAB_DONE)
        outcome =
            lab_matrices_make(&matrices, search->models, search->lesson, search->z, search->why);
    if (outcome == LAB_DONE)
        choose_try_rates(search, &matrices, &with, scale);
    if (outcome == LAB_DONE && !whitened && !search->doubtful)
        outcome = try_preconditioned(search, &matrices, with);
    lab_matrices_free(&matrices);
    return outcome;
}

// ---- the choice ------------------------------------------------------------------------------

// The sufficient bound of what was chosen.
static lab_outcome choose_bound(search *search)
{
    const lab_setup *setup = search->models->setup;
    lab_choice *best = search->best;
    cfpc_lesson lesson = *search->lesson;
    cfpc_robust robust = {0};
    double scale;
    const bool preconditioned = best->update == LAB_PRECONDITIONED;
    lab_outcome outcome = choose_make_trace(search, best, &scale);
    cfpc_status status = CFPC_OK;
    if (outcome == LAB_DONE && preconditioned)
        status = cfpc_preconditioner(setup->bases, search->gram, best->rho, search->p);
    lesson.trace = search->z;
    lesson.effect = search->models->models[0].taught;
    lesson.basis = setup->x;
    lesson.preconditioner = preconditioned ? search->p : NULL;
    lesson.leak = best->leak;
    if (outcome == LAB_DONE && status == CFPC_OK && lesson.momentum == 0 &&
        isnan(search->models->unsafe_hz))
        status = cfpc_robust_bound(&robust, &lesson, &search->models->band, setup->rig.step_s);
    best->rate_max = robust.rate_max;
    return outcome == LAB_DONE ? lab_from_status(search->why, status, setup->rig.spec->file)
                               : outcome;
}

// The settings as --set takes them: a line for each key of the rule, or, where it has a trace with
// keys of its own now, the whole rule in one line.
static void choose_tell(lab_choice *choice, const lab_rule_spec *rule)
{
    const bool whitened = choice->trace == LAB_TRACE_WHITENED;
    const bool plain = choice->update == LAB_PLAIN;
    const bool whole = rule->trace != LAB_TRACE_FORWARD_MODEL && rule->trace != LAB_TRACE_NONE &&
                       rule->trace != choice->trace;
    const struct {
        bool is;
        const char *key, *text; // NULL: the number
        double number;
    } keys[] = {
        {true, "trace", whitened ? "whitened" : "forward-model", 0},
        {whitened, "whitening_rho", NULL, choice->whitening_rho},
        {true, "update", plain ? "plain" : "preconditioned", 0},
        {!plain, "rho", NULL, choice->rho},
        {true, "rate", NULL, choice->rate},
        {choice->leak != rule->leak || (whole && choice->leak > 0), "leak", NULL, choice->leak},
        {whole && rule->momentum > 0, "momentum", NULL, rule->momentum},
        {whole && rule->output_penalty > 0, "output_penalty", NULL, rule->output_penalty}};
    char *line = choice->line[0];
    const size_t size = sizeof choice->line[0];
    if (whole)
        snprintf(line, size, "rules.%.64s={name: %.64s", rule->name, rule->name);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char number[32];
        snprintf(number, sizeof number, "%.4g", keys[i].number);
        const char *text = keys[i].text ? keys[i].text : number;
        const size_t used = strlen(line);
        if (keys[i].is && whole)
            snprintf(line + used, size - used, ", %s: %s", keys[i].key, text);
        else if (keys[i].is)
            snprintf(choice->line[choice->count++], size, "rules.%.64s.%s=%s", rule->name,
                     keys[i].key, text);
    }
    if (whole) {
        snprintf(line + strlen(line), size - strlen(line), "}");
        choice->count = 1;
    }
}

static lab_outcome choose_scan(search *search)
{
    // HᵀH as believed, from R.
    const cfpc_problem *p = lab_believed_problem(search->models->setup);
    const size_t g = (size_t)p->bases;
    for (size_t k = 0; k < (size_t)p->range; k++)
        for (size_t i = 0; i < g; i++)
            for (size_t j = 0; j < g; j++)
                search->gram[i * g + j] += p->r[k * g + i] * p->r[k * g + j];
    const int traces = search->lesson->output_penalty == 0 ? COUNT(whitenings) : 0;
    lab_outcome outcome = try_trace(search, LAB_TRACE_FORWARD_MODEL, CFPC_WHITENING);
    for (int i = 0; outcome == LAB_DONE && i < traces; i++)
        outcome = try_trace(search, LAB_TRACE_WHITENED, whitenings[i]);
    // Of those that are nearly as good as the best at the trial of comparison, the one that ends
    // lowest.
    const int tried = search->best->tried;
    for (int i = 0; i < search->count; i++) {
        const lab_choice *other = &search->falling[i];
        if (other->worst.compared > NEARLY(search->least) ||
            (search->best->found && !(other->worst.last < search->best->worst.last)))
            continue;
        *search->best = *other;
        search->best->found = true;
    }
    search->best->tried = tried;
    if (outcome == LAB_DONE && search->best->found)
        outcome = choose_bound(search);
    if (outcome == LAB_DONE && search->best->found)
        choose_tell(search->best, search->of);
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
    search search = {.best = choice,
                     .falling = calloc((size_t)room, sizeof *search.falling),
                     .room = room,
                     .least = NOTHING,
                     .models = models,
                     .of = &lab_rules(setup->rig.spec)[rule],
                     .lesson = lesson,
                     .trials = setup->rig.spec->learning.trials,
                     .doubtful = lab_is_doubtful(setup->rig.spec, &doubt),
                     .gram = calloc(2 * g * g + n * g + 3 * g, sizeof(double)),
                     .why = why};
    if (!search.gram || !search.falling) {
        free(search.gram);
        free(search.falling);
        return lab_no_memory(why, NULL);
    }
    search.p = search.gram + g * g;
    search.z = search.p + g * g;
    search.work = search.z + n * g;
    const lab_outcome outcome = choose_scan(&search);
    free(search.gram);
    free(search.falling);
    return outcome;
}
