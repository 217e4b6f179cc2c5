// SPDX-License-Identifier: Apache-2.0
#include "guard_proof.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/run.h"
#include "run/setup.h"
#include "spec/load.h"

#define LEARNED 0.9 // rms over the twin's that counts as learned
#define SAME 0.02   // maximum difference of such a figure between learning with and without
#define HARMFUL 2.0 // rms over the twin's that counts as harmful
#define MAX_DRAWS 1000

// ---- one run ---------------------------------------------------------------------------------

enum { ROUNDS = 3 };

// Energy of the last trials up to trial k over the twin's. NAN counts as infinite.
static double energy_over(const guard_curve *curve, int k, int rounds)
{
    double sum = 0, alone = 0;
    for (int i = k - rounds + 1; i <= k; i++) {
        sum += pow(curve->rms[i], 2);
        alone += pow(curve->alone[i], 2);
    }
    return isfinite(sum) ? sum / alone : INFINITY;
}

static bool is_above(const guard_curve *curve, int k, double x)
{
    return !(curve->rms[k] <= (1 + x) * curve->alone[k]);
}

// Whether the cell was at work in all of the last trials, without being stopped.
static bool is_at_work(const guard_curve *curve, int k)
{
    for (int i = k - curve->rounds + 1; i <= k; i++)
        if (curve->rms[i] == curve->alone[i])
            return false;
    for (int i = 0; curve->guard && i < curve->guard->acts && i < LAB_GUARD_ACTS; i++) {
        const int acted = curve->guard->act[i].trial - 1 - curve->first;
        if (acted > k - curve->rounds && acted < k)
            return false;
    }
    return true;
}

static bool is_harm(const guard_curve *curve, int k, double x)
{
    return energy_over(curve, k, curve->rounds) > pow(1 + x, 2) && is_above(curve, k, 0) &&
           is_at_work(curve, k);
}

// What is left of an overwhelming output halves from trial to trial: the cell is silent.
static bool is_fading(const guard_curve *curve, int k)
{
    for (int i = k + 1; i <= k + curve->lag && i < curve->trials; i++)
        if (!(curve->rms[i] < 0.5 * curve->rms[i - 1]))
            return false;
    return curve->lag > 1;
}

static bool is_stopped(const guard_curve *curve, int k, double x)
{
    if (is_fading(curve, k))
        return true;
    for (int i = k + 1; i <= k + curve->lag; i++)
        if (i >= curve->trials || !is_above(curve, i, x))
            return true;
    return false;
}

int guard_harm(const guard_curve *curve, double x)
{
    for (int k = curve->rounds - 1; k < curve->trials; k++)
        if (is_harm(curve, k, x))
            return k;
    return -1;
}

int guard_unstopped(const guard_curve *curve, double x)
{
    for (int k = curve->rounds - 1; k < curve->trials; k++)
        if (is_harm(curve, k, x) && !is_stopped(curve, k, x))
            return k;
    return -1;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// NAN counts as infinite.
double guard_end(const guard_curve *curve)
{
    enum { LAST = 7 };
    double ratios[LAST];
    for (int i = 0; i < LAST; i++) {
        const int k = curve->trials - LAST + i;
        const double ratio = curve->rms[k] / curve->alone[k];
        ratios[i] = isfinite(ratio) ? ratio : INFINITY;
    }
    qsort(ratios, LAST, sizeof *ratios, by_size);
    return ratios[LAST / 2];
}

// ---- counts ----------------------------------------------------------------------------------

static void add_counts(guard_counts *to, const guard_counts *more)
{
    to->loops += more->loops;
    to->runs += more->runs;
    to->controls += more->controls;
    to->harmful += more->harmful;
    to->acted += more->acted;
    to->paused += more->paused;
    to->harmed += more->harmed;
    to->alarms += more->alarms;
    to->learned += more->learned;
    to->lost += more->lost;
    to->barred += more->barred;
    to->regained += more->regained;
    to->steps += more->steps;
    to->pause += more->pause;
    to->learned_steps += more->learned_steps;
    to->learned_pause += more->learned_pause;
}

void guard_tally_add(guard_tally *to, const guard_tally *more)
{
    for (int i = 0; i < GUARD_REFUSALS; i++)
        to->refused[i] += more->refused[i];
    for (int i = 0; i < GUARD_KINDS; i++)
        add_counts(&to->of[i], &more->of[i]);
    to->runs += more->runs;
    to->held += more->held;
    to->acted += more->acted;
    for (int i = 0; i < more->listed && to->listed < GUARD_MAX_LISTED; i++)
        to->broken[to->listed++] = more->broken[i];
    if (!*to->refusal.text)
        to->refusal = more->refusal;
}

static guard_class class_of(const guard_draw *draw)
{
    if (draw->exact || (draw->resets && draw->phases == 1))
        return GUARD_KNOWS;
    return draw->resets ? GUARD_CHANGES : GUARD_UNKNOWN;
}

guard_counts guard_sum(const guard_tally *tally, guard_class of)
{
    guard_counts sum = {0};
    for (int i = 0; i < GUARD_FAMILIES; i++)
        add_counts(&sum, &tally->of[(int)of * GUARD_FAMILIES + i]);
    return sum;
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

// The loop in one mode with the guard, without it, and alone.
typedef struct trio {
    ran with, off, alone;
} trio;

static void trio_free(trio *it)
{
    ran_free(&it->with);
    ran_free(&it->off);
    ran_free(&it->alone);
}

static lab_outcome run_trio(trio *it, const guard_draw *draw, lab_mode mode, lab_why *why)
{
    const unsigned all = (1u << (draw->rules + draw->controls)) - 1,
                   rules = (1u << draw->rules) - 1;
    const guard_form with = {.mode = mode, .guarded = true, .rules = all},
                     off = {.mode = mode, .rules = rules},
                     alone = {.mode = mode, .frozen = true, .rules = 1};
    *it = (trio){0};
    lab_outcome outcome = run(&it->with, draw, &with, why);
    if (outcome == LAB_DONE)
        outcome = run(&it->off, draw, &off, why);
    return outcome == LAB_DONE ? run(&it->alone, draw, &alone, why) : outcome;
}

// ---- judging a run ---------------------------------------------------------------------------

typedef struct prover {
    const guard_draw *draw;
    int loop;
    bool noisy;
    guard_tally *tally;
    guard_counts *counts;
} prover;

static double x_of(const prover *it)
{
    return it->noisy || it->draw->family == GUARD_QUANTISED ? GUARD_X_NOISY : GUARD_X;
}

// The phase's part of a rule's curve.
static guard_curve curve_of(const prover *it, const lab_rule_record *rule, const trio *of,
                            int phase)
{
    const int window = of->with.record.rule[0].guard[0].window_steps, steps = of->with.record.steps;
    const int trials = it->draw->resets ? 1 : (window + steps - 1) / steps; // of a round
    int first = 0;
    for (int p = 0; p < phase; p++)
        first += it->draw->phase[p].trials;
    return (guard_curve){.trials = it->draw->phase[phase].trials,
                         .first = first,
                         .guard = &rule->guard[phase],
                         .rms = rule->rrmse + first,
                         .alone = of->alone.record.rule[0].rrmse + first,
                         .rounds = ROUNDS * trials,
                         .lag = it->draw->resets ? 1 : 1 + ROUNDS * trials};
}

static void note(const prover *it, lab_mode mode, int rule, guard_breach breach, double size)
{
    guard_tally *tally = it->tally;
    if (tally->listed < GUARD_MAX_LISTED)
        tally->broken[tally->listed++] = (guard_broken){it->loop, mode, rule, breach, size};
}

// Whether a single trial was so bad that the guard stops the cell within it.
static bool exceeds_factor(const guard_curve *curve)
{
    for (int k = 0; k < curve->trials; k++)
        if (is_above(curve, k, GUARD_FACTOR - 1))
            return true;
    return false;
}

// Whether a rule does harm in any phase; *where: the largest of those that are not stopped.
static bool harms(const prover *it, const lab_rule_record *rule, const trio *of, double x,
                  double *unstopped)
{
    bool any = false;
    *unstopped = 0;
    for (int p = 0; p < it->draw->phases; p++) {
        const guard_curve curve = curve_of(it, rule, of, p);
        const int at = guard_unstopped(&curve, x);
        any |= guard_harm(&curve, x) >= 0 || exceeds_factor(&curve);
        if (at >= 0)
            *unstopped = fmax(*unstopped, sqrt(energy_over(&curve, at, curve.rounds)));
    }
    return any;
}

static void count_pauses(const prover *it, const lab_rule_record *rule, int steps, bool *acted,
                         bool *paused, double *pause)
{
    for (int p = 0; p < it->draw->phases; p++) {
        *acted |= rule->guard[p].acts > 0;
        *paused |= rule->guard[p].pauses > 0;
        *pause += (double)rule->guard[p].paused_steps;
    }
    it->counts->steps += (double)steps * guard_draw_trials(it->draw);
    it->counts->pause += *pause;
}

// What is learned without the guard, and with it.
static bool is_lost(const prover *it, const trio *of, int index, double pause, double *size)
{
    guard_counts *c = it->counts;
    const int last = it->draw->phases - 1;
    const guard_curve with = curve_of(it, &of->with.record.rule[index], of, last),
                      off = curve_of(it, &of->off.record.rule[index], of, last);
    double unstopped;
    const bool harm = harms(it, &of->off.record.rule[index], of, GUARD_X, &unstopped);
    const double with_end = guard_end(&with), off_end = guard_end(&off);
    *size = with_end - off_end;
    c->harmful += !(off_end <= HARMFUL);
    if (!(off_end <= LEARNED))
        return false;
    if (harm) {
        c->barred++;
        c->regained += with_end <= LEARNED;
        return false;
    }
    c->learned++;
    c->learned_steps += (double)of->with.record.steps * guard_draw_trials(it->draw);
    c->learned_pause += pause;
    c->lost += *size > SAME;
    return *size > SAME;
}

static void count_run(const prover *it, const trio *of, lab_mode mode, int index)
{
    const lab_rule_record *rule = &of->with.record.rule[index];
    guard_counts *c = it->counts;
    bool acted = false, paused = false;
    double pause = 0, size = 0, lost = 0;
    count_pauses(it, rule, of->with.record.steps, &acted, &paused, &pause);
    harms(it, rule, of, x_of(it), &size);
    const bool loses = is_lost(it, of, index, pause, &lost);
    c->runs++;
    c->acted += acted;
    c->paused += paused;
    c->harmed += size > 0;
    it->tally->runs++;
    it->tally->acted += acted;
    it->tally->held += size == 0 && !loses;
    if (size > 0)
        note(it, mode, index, GUARD_HARMED, size);
    if (loses)
        note(it, mode, index, GUARD_LOST, lost);
}

static void count_control(const prover *it, const trio *of, lab_mode mode, int index)
{
    bool acted = false, paused = false;
    double pause = 0;
    count_pauses(it, &of->with.record.rule[index], of->with.record.steps, &acted, &paused, &pause);
    it->counts->controls++;
    it->counts->alarms += acted || paused;
    if (acted || paused)
        note(it, mode, index, GUARD_FALSE_ALARM, pause);
}

// ---- a loop ----------------------------------------------------------------------------------

static lab_outcome prove_mode(const prover *it, lab_mode mode, lab_why *why)
{
    trio runs;
    lab_outcome outcome = run_trio(&runs, it->draw, mode, why);
    for (int i = 0; outcome == LAB_DONE && i < it->draw->rules; i++)
        count_run(it, &runs, mode, i);
    for (int i = 0; outcome == LAB_DONE && i < it->draw->controls; i++)
        count_control(it, &runs, mode, it->draw->rules + i);
    trio_free(&runs);
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

// Without a reset between trials learning is on line.
lab_outcome guard_prove_draw(guard_tally *tally, const guard_draw *draw, int loop, bool noisy,
                             lab_why *why)
{
    guard_tally *counted = calloc(1, sizeof *counted);
    lab_outcome outcome = counted ? LAB_DONE : lab_fail(why, "memory ran out");
    if (counted) {
        guard_counts *counts =
            &counted->of[(int)class_of(draw) * GUARD_FAMILIES + (int)draw->family];
        const prover it = {draw, loop, noisy, counted, counts};
        counts->loops = 1;
        for (int mode = 0; outcome == LAB_DONE && mode < GUARD_MODES; mode++)
            if (draw->resets || mode == LAB_ONLINE)
                outcome = prove_mode(&it, (lab_mode)mode, why);
    }
    if (outcome == LAB_DONE)
        guard_tally_add(tally, counted);
    if (outcome == LAB_REFUSED)
        count_refusal(tally, why);
    free(counted);
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
