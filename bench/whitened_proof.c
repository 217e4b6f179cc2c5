// SPDX-License-Identifier: Apache-2.0
#include "whitened_proof.h"

#include <math.h>
#include <stdlib.h>

#include "cfpc/trace.h"
#include "run/run.h"
#include "run/setup.h"
#include "spec/load.h"

enum { MAX_DRAWS = 4000 };

const double whitened_spacings[WHITENED_SPACINGS] = {2, 1};

// ---- one loop --------------------------------------------------------------------------------

static guard_form whole_form(const guard_draw *draw, lab_mode mode)
{
    return (guard_form){.mode = mode, .rules = (1u << draw->rules) - 1};
}

// The rate with the lowest error at this trial, from 1; one that has diverged is none.
static double best_at(const lab_record *record, int rules, int trial)
{
    double best = INFINITY;
    for (int i = 0; i < rules; i++)
        best = fmin(best, record->rule[i].rrmse[trial - 1]);
    return best;
}

// Runs all rates of one kind of rule in one mode.
static lab_outcome run_rates(lab_record *record, const guard_draw *draw, lab_mode mode,
                             lab_why *why)
{
    const guard_form form = whole_form(draw, mode);
    lab_spec spec;
    lab_plan plan;
    *record = (lab_record){0};
    lab_outcome outcome = guard_draw_spec(&plan, &spec, draw, &form, why);
    if (outcome == LAB_DONE)
        outcome = lab_run(record, &plan, 1, NULL, why);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
    return outcome;
}

lab_outcome whitened_compare(whitened_pair *it, const whitened_ranges *ranges, int loop,
                             int attempt, double spacing, lab_mode mode, lab_why *why)
{
    const int trial = mode == LAB_BATCH ? ranges->batch_trial : ranges->online_trial;
    lab_outcome outcome = LAB_DONE;
    for (int whitened = 0; outcome == LAB_DONE && whitened < 2; whitened++) {
        const whitened_form form = {
            .whitened = whitened, .spacing = spacing, .trials = whitened ? trial : ranges->trials};
        guard_draw *draw = whitened_draw_make(ranges, loop, attempt, &form);
        lab_record record = {0};
        outcome = draw ? run_rates(&record, draw, mode, why) : lab_fail(why, "memory ran out");
        if (outcome == LAB_DONE) {
            *(whitened ? &it->whitened : &it->plain) = best_at(&record, draw->rules, trial);
            if (!whitened)
                it->last = best_at(&record, draw->rules, ranges->trials);
            it->optimum = record.rrmse_optimum;
            it->lead = record.rule[0].filter.lead;
            it->horizon = record.rule[0].filter.horizon;
        }
        lab_record_free(&record);
        free(draw);
    }
    return outcome;
}

// Whether the loop, which is stable, comes to rest after the movements: a trial starts at rest.
static lab_outcome judge(const whitened_ranges *ranges, const cfpc_system *transfer, lab_why *why)
{
    cfpc_teaching_filter filter;
    const int32_t rest = (int32_t)(1e3 * ranges->after_s / ranges->step_ms);
    const cfpc_status status = cfpc_teaching_filter_of(&filter, transfer, CFPC_NEGLECT, rest);
    cfpc_teaching_filter_free(&filter);
    if (status == CFPC_TOO_LARGE)
        return lab_refuse(why, "it does not come to rest");
    return status == CFPC_OK ? LAB_DONE : lab_fail(why, "%s", cfpc_status_message(status));
}

// The response of a valid draw's loop is judged.
static lab_outcome check_draw(const whitened_ranges *ranges, const guard_draw *draw, lab_why *why)
{
    const guard_form form = whole_form(draw, LAB_BATCH);
    lab_spec spec;
    lab_plan plan;
    lab_setup setup = {0};
    lab_outcome outcome = guard_draw_spec(&plan, &spec, draw, &form, why);
    if (outcome == LAB_DONE)
        outcome = lab_setup_make(&setup, &plan, 0, 0, why);
    if (outcome == LAB_DONE)
        outcome = judge(ranges, &setup.problem.transfer, why);
    lab_setup_free(&setup);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
    return outcome;
}

lab_outcome whitened_check(const whitened_ranges *ranges, int loop, int attempt, lab_why *why)
{
    const whitened_form form = {.spacing = whitened_spacings[0], .trials = 2};
    guard_draw *draw = whitened_draw_make(ranges, loop, attempt, &form);
    lab_outcome outcome = draw ? check_draw(ranges, draw, why) : lab_fail(why, "memory ran out");
    free(draw);
    return outcome;
}

static lab_outcome guard_wrong_model(whitened_result *it, const whitened_ranges *ranges, int loop,
                                     int attempt, lab_why *why)
{
    const whitened_form form = {.whitened = true,
                                .spacing = whitened_spacings[0],
                                .misjudged = true,
                                .trials = ranges->guarded_trials};
    guard_draw *draw = whitened_draw_make(ranges, loop, attempt, &form);
    lab_outcome outcome = draw ? guard_prove_draw(&it->guarded, draw, loop, false, why)
                               : lab_fail(why, "memory ran out");
    free(draw);
    return outcome;
}

lab_outcome whitened_prove(whitened_result *it, const whitened_ranges *ranges, int loop,
                           lab_why *why)
{
    lab_outcome outcome = LAB_REFUSED;
    *it = (whitened_result){0};
    for (; outcome == LAB_REFUSED && it->attempts < MAX_DRAWS; it->attempts++) {
        outcome = whitened_check(ranges, loop, it->attempts, why);
        if (outcome == LAB_DONE)
            outcome = guard_wrong_model(it, ranges, loop, it->attempts, why);
    }
    it->modes = whitened_modes(ranges, loop, it->attempts - 1);
    for (int s = 0; outcome == LAB_DONE && s < WHITENED_SPACINGS; s++)
        for (int mode = 0; outcome == LAB_DONE && mode < GUARD_MODES; mode++)
            outcome = whitened_compare(&it->pair[s][mode], ranges, loop, it->attempts - 1,
                                       whitened_spacings[s], (lab_mode)mode, why);
    return outcome;
}
