// SPDX-License-Identifier: Apache-2.0
#include "guard_proof.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/run.h"
#include "run/setup.h"
#include "spec/load.h"

#define ROUNDING (CFPC_REAL_IS_FLOAT ? 1e-5 : 1e-9)
#define ILL 30.0    // condition number
#define LEARNED 0.9 // rRMSE that counts as learned
#define RUN_ON 3    // maximum number of times a run is continued
#define MAX_DRAWS 1000

// ---- one run ---------------------------------------------------------------------------------

static double alone(const guard_curve *curve, int k)
{
    return curve->alone ? curve->alone[k] : 1;
}

// NAN counts as above everything.
static bool is_above(const guard_curve *curve, int k, double factor)
{
    return !(curve->rrmse[k] <= factor * alone(curve, k) * (1 + ROUNDING));
}

// The trial in which it acted last: without noise a frozen cell is above only where it acts again.
static int last_act(const guard_curve *curve)
{
    int act = curve->acted;
    for (int k = curve->acted; curve->acts > 1 && !curve->alone && k < curve->trials; k++)
        if (is_above(curve, k, 1))
            act = k + 1;
    return act;
}

static guard_end end_of(const guard_curve *curve, int last, bool mean_holds)
{
    if (curve->acted == 0)
        return mean_holds ? GUARD_LEARNS : GUARD_IS_ABOVE;
    return last_act(curve) <= curve->trials - last ? GUARD_SETTLED : GUARD_JUST_ACTED;
}

guard_verdict guard_judge(const guard_curve *curve, double factor, int last)
{
    guard_verdict verdict = {0};
    const int before = curve->acted > 0 ? curve->acted : curve->trials;
    double energy = 0, reactive = 0;
    for (int k = 0; k < curve->trials; k++) {
        const bool far_above = !(curve->rrmse[k] <= factor * (1 + ROUNDING));
        verdict.above_factor += far_above;
        verdict.after_act += far_above && k >= before;
        verdict.above += is_above(curve, k, 1) && k < before;
        if (k < curve->trials - last)
            continue;
        verdict.last_above += is_above(curve, k, 1);
        energy += pow(curve->rrmse[k], 2);
        reactive += pow(alone(curve, k), 2);
    }
    verdict.mean_holds = energy <= reactive * (1 + 2 * ROUNDING);
    verdict.end = end_of(curve, last, verdict.mean_holds);
    return verdict;
}

// ---- tallies ---------------------------------------------------------------------------------

static void add_counts(int *to, const int *more, int count)
{
    for (int i = 0; i < count; i++)
        to[i] += more[i];
}

void guard_tally_add(guard_tally *to, const guard_tally *more)
{
    to->loops += more->loops;
    to->posed += more->posed;
    to->ill += more->ill;
    to->runs += more->runs;
    to->held += more->held;
    to->mean_held += more->mean_held;
    to->acted += more->acted;
    to->acted_again += more->acted_again;
    to->single_above += more->single_above;
    to->stopped_well += more->stopped_well;
    to->spoiled += more->spoiled;
    add_counts(to->refused, more->refused, GUARD_REFUSALS);
    add_counts(to->ends, more->ends, GUARD_ENDS);
    add_counts(to->breaches, more->breaches, GUARD_BREACHES);
    add_counts(to->with, more->with, GUARD_MAX_TRIALS + 1);
    add_counts(to->without, more->without, GUARD_MAX_TRIALS + 1);
    for (int i = 0; i < more->listed && to->listed < GUARD_MAX_LISTED; i++)
        to->broken[to->listed++] = more->broken[i];
    if (!*to->refusal.text)
        to->refusal = more->refusal;
}

guard_spread guard_spread_of(const int runs[GUARD_MAX_TRIALS + 1])
{
    guard_spread spread = {NAN, NAN, NAN};
    long all = 0, below = 0;
    double sum = 0;
    for (int k = 0; k <= GUARD_MAX_TRIALS; k++) {
        all += runs[k];
        sum += (double)k * runs[k];
        if (runs[k] > 0)
            spread.worst = k;
    }
    for (int k = 0; k <= GUARD_MAX_TRIALS && isnan(spread.median); k++) {
        below += runs[k];
        if (all > 0 && 2 * below >= all)
            spread.median = k;
    }
    spread.mean = all > 0 ? sum / (double)all : NAN;
    return spread;
}

// ---- runs of the lab -------------------------------------------------------------------------

// A spec and its results.
typedef struct ran {
    lab_spec spec;
    lab_plan plan;
    lab_record record;
} ran;

static void ran_free(ran *it)
{
    lab_record_free(&it->record);
    lab_plan_free(&it->plan);
    lab_spec_free(&it->spec);
}

static lab_outcome run(ran *it, const guard_draw *draw, const guard_form *form, lab_why *why)
{
    *it = (ran){0};
    lab_outcome outcome = guard_draw_spec(&it->plan, &it->spec, draw, form, why);
    return outcome == LAB_DONE ? lab_run(&it->record, &it->plan, 1, NULL, why) : outcome;
}

// The loop in one mode with the guard, and the loop alone if its trials differ.
typedef struct guarded {
    guard_form form;
    ran with, alone;
} guarded;

static void guarded_free(guarded *it)
{
    ran_free(&it->with);
    ran_free(&it->alone);
}

static lab_outcome run_guarded(guarded *it, const guard_draw *draw, const guard_form *form,
                               bool noisy, lab_why *why)
{
    guard_form by_itself = *form;
    by_itself.frozen = true;
    by_itself.rules &= ~(form->rules - 1); // the first of them
    *it = (guarded){.form = *form};
    lab_outcome outcome = run(&it->with, draw, form, why);
    return outcome == LAB_DONE && noisy ? run(&it->alone, draw, &by_itself, why) : outcome;
}

// The phase's part of a rule's curve; `index` counts the rules of the form.
static guard_curve curve_of(const guarded *it, const guard_draw *draw, int index, int phase)
{
    const lab_rule_record *rule = &it->with.record.rule[index];
    const int first = phase * draw->trials;
    return (guard_curve){
        .trials = phase == it->form.phases - 1 ? it->form.last_trials : draw->trials,
        .rrmse = rule->rrmse + first,
        .alone = it->alone.record.rule ? it->alone.record.rule[0].rrmse + first : NULL,
        .acts = rule->guard[phase].acts,
        .acted = rule->guard[phase].acts > 0 ? rule->guard[phase].trial - first : 0};
}

// ---- judging a loop --------------------------------------------------------------------------

typedef struct prover {
    const guard_draw *draw;
    int loop;
    bool noisy;
    guard_tally *tally;
    lab_why *why;
} prover;

static guard_verdict judge(const guarded *it, const guard_draw *draw, int index, int phase)
{
    const lab_guard_spec *guard = &it->with.spec.guard;
    const guard_curve curve = curve_of(it, draw, index, phase);
    return guard_judge(&curve, guard->factor, guard->trials);
}

static bool is_open(const guard_verdict *verdict)
{
    return verdict->end == GUARD_JUST_ACTED || verdict->end == GUARD_IS_ABOVE;
}

static guard_breach breach_of(const guard_verdict *verdict, const guard_curve *curve, bool noisy)
{
    if (verdict->after_act > 0)
        return GUARD_AFTER_ACT;
    if (verdict->above_factor > 1)
        return GUARD_TWO_ABOVE;
    if (verdict->above_factor > 0 && curve->acted == 0)
        return GUARD_UNSEEN;
    if (is_open(verdict))
        return GUARD_NEVER_ENDS;
    const bool each = verdict->end == GUARD_SETTLED && !noisy;
    return (each ? verdict->last_above == 0 : verdict->mean_holds) ? GUARD_HOLDS : GUARD_LAST_ABOVE;
}

// Continues the rule in this phase, K + 1 trials and K more each time, until it has settled.
static lab_outcome run_on(const prover *it, const guarded *of, int index, int rule, int phase,
                          guard_verdict *verdict, guard_breach *breach)
{
    const int last = of->with.spec.guard.trials;
    const guard_curve was = curve_of(of, it->draw, index, phase);
    guard_form form = of->form;
    lab_outcome outcome = LAB_DONE;
    form.rules = 1u << rule;
    form.phases = phase + 1;
    form.last_trials = was.trials;
    for (int i = 0; outcome == LAB_DONE && is_open(verdict) && i < RUN_ON; i++) {
        guarded longer;
        form.last_trials += 2 * last + 1;
        outcome = run_guarded(&longer, it->draw, &form, it->noisy, it->why);
        if (outcome == LAB_DONE) {
            const guard_curve is = curve_of(&longer, it->draw, 0, phase);
            *verdict = judge(&longer, it->draw, 0, phase);
            *breach = !it->noisy && was.acted > 0 && was.acted != is.acted
                          ? GUARD_TWIN_DIFFERS
                          : breach_of(verdict, &is, it->noisy);
        }
        guarded_free(&longer);
    }
    return outcome;
}

static void note_breach(const prover *it, const guard_curve *curve, lab_mode mode, int rule,
                        int phase, guard_breach breach, int last)
{
    guard_tally *tally = it->tally;
    double worst = 0;
    tally->breaches[breach]++;
    if (breach == GUARD_HOLDS || tally->listed >= GUARD_MAX_LISTED)
        return;
    for (int k = curve->trials - last; k < curve->trials; k++)
        worst = fmax(worst, pow(curve->rrmse[k] / alone(curve, k), 2));
    tally->broken[tally->listed++] = (guard_broken){it->loop, mode, rule, phase, breach, worst};
}

// One run: a rule in a phase.
static lab_outcome count_run(const prover *it, const guarded *of, int rule, int phase)
{
    guard_tally *tally = it->tally;
    const guard_curve curve = curve_of(of, it->draw, rule, phase);
    guard_verdict verdict = judge(of, it->draw, rule, phase);
    guard_breach breach = breach_of(&verdict, &curve, it->noisy);
    tally->runs++;
    tally->acted += curve.acts > 0;
    tally->acted_again += curve.acts > 1;
    tally->ends[verdict.end]++;
    tally->single_above += verdict.end == GUARD_LEARNS && verdict.last_above > 0;
    if (curve.acts > 0)
        tally->with[verdict.above]++;
    const bool broken = breach != GUARD_HOLDS && breach != GUARD_NEVER_ENDS;
    lab_outcome outcome = broken ? LAB_DONE : run_on(it, of, rule, rule, phase, &verdict, &breach);
    tally->held += breach == GUARD_HOLDS;
    tally->mean_held += verdict.mean_holds;
    note_breach(it, &curve, of->form.mode, rule, phase, breach, of->with.spec.guard.trials);
    return outcome;
}

// ---- without the guard -----------------------------------------------------------------------

static bool has_acted(const lab_rule_record *rule, int phases)
{
    for (int p = 0; p < phases; p++)
        if (rule->guard[p].acts > 0)
            return true;
    return false;
}

// The same run without the guard, for runs in which it acted.
static void count_without(const prover *it, const guard_curve *with, const double *rrmse)
{
    guard_curve without = *with;
    const int end = with->trials - 1;
    int above = 0;
    without.rrmse = rrmse;
    for (int k = 0; k < with->trials; k++)
        above += is_above(&without, k, 1);
    it->tally->without[above]++;
    it->tally->stopped_well += rrmse[end] < LEARNED;
    it->tally->spoiled += rrmse[end] < LEARNED && !(with->rrmse[end] < LEARNED);
}

// Runs the rules in which it acted again without it.
static lab_outcome run_without(const prover *it, const guarded *of)
{
    guard_form form = of->form;
    form.guarded = false;
    form.rules = 0;
    for (int i = 0; i < it->draw->rules; i++)
        if (has_acted(&of->with.record.rule[i], form.phases))
            form.rules |= 1u << i;
    if (form.rules == 0)
        return LAB_DONE;
    ran off;
    lab_outcome outcome = run(&off, it->draw, &form, it->why);
    for (int i = 0, k = 0; outcome == LAB_DONE && i < it->draw->rules; i++) {
        if (!(form.rules >> i & 1))
            continue;
        for (int p = 0; p < form.phases; p++) {
            const guard_curve with = curve_of(of, it->draw, i, p);
            if (with.acts > 0)
                count_without(it, &with, off.record.rule[k].rrmse + p * it->draw->trials);
        }
        k++;
    }
    ran_free(&off);
    return outcome;
}

// ---- a loop ----------------------------------------------------------------------------------

static guard_form whole_form(const guard_draw *draw, lab_mode mode)
{
    return (guard_form){.mode = mode,
                        .guarded = true,
                        .rules = (1u << draw->rules) - 1,
                        .phases = draw->phases,
                        .last_trials = draw->trials};
}

// cond(H) of the first phase, where the problem is linear.
static lab_outcome measure_condition(const prover *it)
{
    const guard_form form = whole_form(it->draw, LAB_BATCH);
    lab_spec spec;
    lab_plan plan;
    lab_setup setup = {0};
    lab_outcome outcome = guard_draw_spec(&plan, &spec, it->draw, &form, it->why);
    if (outcome == LAB_DONE)
        outcome = lab_setup_make(&setup, &plan, 0, 0, it->why);
    if (outcome == LAB_DONE && !setup.nonlinear) {
        const cfpc_problem *problem = &setup.problem;
        it->tally->posed++;
        it->tally->ill += !(problem->s[0] <= ILL * problem->s[problem->range - 1]);
    }
    lab_setup_free(&setup);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
    return outcome;
}

static lab_outcome prove_mode(const prover *it, lab_mode mode)
{
    const guard_form form = whole_form(it->draw, mode);
    guarded runs;
    lab_outcome outcome = run_guarded(&runs, it->draw, &form, it->noisy, it->why);
    for (int i = 0; outcome == LAB_DONE && i < it->draw->rules; i++)
        for (int p = 0; outcome == LAB_DONE && p < form.phases; p++)
            outcome = count_run(it, &runs, i, p);
    if (outcome == LAB_DONE)
        outcome = run_without(it, &runs);
    guarded_free(&runs);
    return outcome;
}

static guard_refusal refusal_of(const lab_why *why)
{
    static const char *const says[GUARD_OTHER] = {
        "the loop is unstable", "the believed loop is unstable", "feeds itself at once",
        "the trace", "no basis signal reaches"};
    int reason = 0;
    while (reason < GUARD_OTHER && !strstr(why->text, says[reason]))
        reason++;
    return (guard_refusal)reason;
}

static void count_refusal(guard_tally *tally, const lab_why *why)
{
    const guard_refusal refusal = refusal_of(why);
    tally->refused[refusal]++;
    if (refusal == GUARD_OTHER && !*tally->refusal.text)
        tally->refusal = *why;
}

lab_outcome guard_prove_draw(guard_tally *tally, const guard_draw *draw, int loop, bool noisy,
                             lab_why *why)
{
    guard_tally counted = {.loops = 1};
    const prover it = {draw, loop, noisy, &counted, why};
    lab_outcome outcome = measure_condition(&it);
    for (int mode = 0; outcome == LAB_DONE && mode < GUARD_MODES; mode++)
        outcome = prove_mode(&it, (lab_mode)mode);
    if (outcome == LAB_DONE)
        guard_tally_add(tally, &counted);
    if (outcome == LAB_REFUSED)
        count_refusal(tally, why);
    return outcome;
}

lab_outcome guard_prove(guard_tally *tally, const guard_ranges *ranges, int loop, bool noisy,
                        lab_why *why)
{
    lab_outcome outcome = LAB_REFUSED;
    for (int attempt = 0; outcome == LAB_REFUSED && attempt < MAX_DRAWS; attempt++) {
        guard_draw *draw = guard_draw_make(ranges, loop, attempt, noisy);
        outcome = draw ? guard_prove_draw(tally, draw, loop, noisy, why)
                       : lab_fail(why, "memory ran out");
        free(draw);
    }
    return outcome;
}
