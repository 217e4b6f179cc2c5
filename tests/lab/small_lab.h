// SPDX-License-Identifier: Apache-2.0
// small_lab: a small spec, specs written by printf, settings put into them, and runs that must
// succeed.
#ifndef CFPC_TESTS_SMALL_LAB_H
#define CFPC_TESTS_SMALL_LAB_H

#include "harness.h"
#include "run/cell.h"
#include "run/run.h"
#include "spec/load.h"

// 100 steps of 10 ms, a plant of first order, PI, 5 bases; every line is named by what it holds.
#define SMALL_HEAD                                                                                 \
    "name: small\n"                                                                                \
    "title: a small loop\n"                                                                        \
    "step_ms: 10\n"
#define SMALL_LOOP                                                                                 \
    "loop:\n"                                                                                      \
    "  plant: {kind: chain, stages: [{name: body, kind: lag, time_constant_ms: 100}]}\n"           \
    "  controller: {kind: pi, kp: 2, ki_per_s: 4}\n"                                               \
    "  delay_ms: 20\n"
#define SMALL_TASK "task: {kind: step, at_s: 0.2, trial_s: 1}\n"
#define SMALL_BASIS "basis: {kind: gaussian, count: 5, width_ms: 100, spacing_ms: 200}\n"
#define SMALL_LEARNING "learning: {trials: 4}\n"
#define SMALL_RULES                                                                                \
    "rules:\n"                                                                                     \
    "  - {name: fm, trace: forward-model}\n"                                                       \
    "  - {name: wh, trace: none}\n"
#define SMALL_SPEC SMALL_HEAD SMALL_LOOP SMALL_TASK SMALL_BASIS SMALL_LEARNING SMALL_RULES

// What the simulated and the computed loop may be apart.
#define LAB_TOLERANCE (CFPC_REAL_IS_FLOAT ? 2e-4 : 1e-9)

// ---- specs -----------------------------------------------------------------------------------

// A text that grows.
typedef struct draft {
    char at[16384];
    size_t used;
} draft;

__attribute__((format(printf, 2, 3))) static inline void add(draft *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int count = vsnprintf(to->at + to->used, sizeof to->at - to->used, format, arguments);
    va_end(arguments);
    to->used += (size_t)count;
    assert_true(count >= 0 && to->used < sizeof to->at);
}

// Settings as a list: SET("loop.delay_ms=80", "learning.trials=3").
#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})
#define SET_NOTHING ((const char *const[]){NULL})

// Spec and plan of a text that came from `file`, with these settings; free both in either case.
static inline lab_outcome plan_from(lab_plan *plan, lab_spec *spec, const char *file,
                                    const char *yaml, const char *const *set, lab_why *why)
{
    lab_settings settings = {0};
    *plan = (lab_plan){0};
    *spec = (lab_spec){0};
    *why = (lab_why){0};
    lab_outcome outcome = LAB_DONE;
    for (; outcome == LAB_DONE && *set; set++)
        outcome = lab_settings_add(&settings, *set, why);
    if (outcome == LAB_DONE)
        outcome = lab_plan_parse(plan, spec, file, yaml, &settings, why);
    lab_settings_free(&settings);
    return outcome;
}

static inline void must(lab_outcome outcome, const lab_why *why)
{
    if (outcome != LAB_DONE)
        fail_msg("%s", why->text);
}

static inline void must_plan(lab_plan *plan, lab_spec *spec, const char *yaml,
                             const char *const *set)
{
    lab_why why;
    must(plan_from(plan, spec, "spec.yaml", yaml, set, &why), &why);
}

// The spec alone.
static inline lab_outcome parse_from(lab_spec *spec, const char *file, const char *yaml,
                                     const char *const *set, lab_why *why)
{
    lab_settings settings = {0};
    *spec = (lab_spec){0};
    *why = (lab_why){0};
    lab_outcome outcome = LAB_DONE;
    for (; outcome == LAB_DONE && *set; set++)
        outcome = lab_settings_add(&settings, *set, why);
    if (outcome == LAB_DONE)
        outcome = lab_spec_parse(spec, file, yaml, &settings, why);
    lab_settings_free(&settings);
    return outcome;
}

static inline void must_parse(lab_spec *spec, const char *yaml, const char *const *set)
{
    lab_why why;
    must(parse_from(spec, "spec.yaml", yaml, set, &why), &why);
}

// ---- setups and runs -------------------------------------------------------------------------

// A spec and what it describes.
typedef struct built {
    lab_spec spec;
    lab_plan plan;
    lab_setup setup;
} built;

static inline void must_build(built *it, const char *yaml, const char *const *set)
{
    lab_why why;
    must_plan(&it->plan, &it->spec, yaml, set);
    must(lab_setup_make(&it->setup, &it->plan, it->spec.main_rule, 0, &why), &why);
}

static inline void built_free(built *it)
{
    lab_setup_free(&it->setup);
    lab_plan_free(&it->plan);
    lab_spec_free(&it->spec);
}

// A spec and what came out.
typedef struct ran {
    lab_spec spec;
    lab_plan plan;
    lab_record record;
} ran;

static inline void must_run(ran *it, const char *yaml, const char *const *set, int repeats)
{
    lab_why why;
    must_plan(&it->plan, &it->spec, yaml, set);
    must(lab_run(&it->record, &it->plan, repeats, NULL, &why), &why);
}

static inline void ran_free(ran *it)
{
    lab_record_free(&it->record);
    lab_plan_free(&it->plan);
    lab_spec_free(&it->spec);
}

// A tick for lab_progress. context: int[3], the ticks so far, their total, and the one to stop at.
static inline bool count_ticks(void *context, const char *what, int done, int total)
{
    int *seen = context;
    (void)what;
    assert_int_equal(done, ++seen[0]);
    seen[1] = total;
    return done < seen[2];
}

// What parsing, building or running says of a spec that must be refused.
static inline lab_why refusal_of(const char *file, const char *yaml, const char *const *set)
{
    lab_spec spec;
    lab_plan plan;
    lab_record record = {0};
    lab_why why;
    lab_outcome outcome = plan_from(&plan, &spec, file, yaml, set, &why);
    if (outcome == LAB_DONE)
        outcome = lab_run(&record, &plan, 1, NULL, &why);
    lab_record_free(&record);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
    if (outcome != LAB_REFUSED)
        fail_msg("not refused (%d) with '%s': %s", (int)outcome, *set ? *set : "no setting",
                 outcome == LAB_FAILED ? why.text : "");
    return why;
}

static inline void expect_refusal(const char *yaml, const char *const *set, const char *message)
{
    const lab_why why = refusal_of("spec.yaml", yaml, set);
    assert_string_equal(why.text, message);
}

#endif
