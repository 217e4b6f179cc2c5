// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "base/number.h"
#include "base/text.h"
#include "load.h"
#include "run/measures.h"
#include "run/run.h"
#include "run/variants.h"
#include "spec/idle_bank.h"
#include "spec/model_doubt.h"
#include "verbs.h"

// A model that failed a test of its own; a bank that does nothing.
static void report_doubt(const lab_spec *spec)
{
    lab_why doubt;
    if (lab_is_doubtful(spec, &doubt))
        printf("  CAUTION: %s\n", doubt.text);
    if (lab_has_idle_bank(spec, &doubt))
        printf("  CAUTION: %s\n", doubt.text);
}

static lab_outcome report(const lab_spec *spec, const lab_setup *setup, int rule, int phase,
                          lab_why *why)
{
    double radius = 0;
    const bool own = lab_rules(spec)[rule].set.count > 0;
    const lab_outcome outcome =
        lab_from_status(why, cfpc_spectral_radius(&setup->rig.loop.closed, &radius), spec->file);
    if (outcome == LAB_DONE)
        printf(
            "%s%s%s%s%s: fine; %d step%s, %d %s, %d rule%s; largest pole %s; %s%s; taught by %s\n",
            spec->name, own ? ", rule " : "", own ? lab_rules(spec)[rule].name : "",
            spec->phases.count > 0 ? ", phase " : "",
            spec->phases.count > 0 ? lab_phases(spec)[phase].name : "", setup->rig.steps,
            lab_plural(setup->rig.steps), setup->bases, setup->bases == 1 ? "basis" : "bases",
            setup->rules, lab_plural(setup->rules), lab_beside_one(radius).text,
            setup->nonlinear ? "not a linear problem: " : "a linear problem",
            setup->nonlinear ? setup->nonlinear : "",
            lab_teacher_phrase(setup->rig.spec->teach.signal));
    if (outcome == LAB_DONE)
        report_doubt(setup->rig.spec);
    return outcome;
}

// How a response is used: as a small system, or as a filter with one line per tap.
static void report_response(const lab_spec *spec, const lab_setup *setup, int rule)
{
    const cfpc_system *trace = &setup->rule[rule].trace;
    if (lab_rules(spec)[rule].trace != LAB_TRACE_RESPONSE)
        return;
    printf("  rule %s: its response is ", lab_rules(spec)[rule].name);
    if (trace->states == 0 && trace->lines > 1)
        printf("used as a filter, tap by tap: %d lines\n", trace->lines);
    else
        printf("realised with %d state%s and %d line%s\n", trace->states, lab_plural(trace->states),
               trace->lines, lab_plural(trace->lines));
}

static void report_form(const lab_spec *spec, const lab_setup *setup, int rule)
{
    const lab_filter_record filter = lab_filter_of(&setup->rule[rule]);
    if (filter.is_adjoint)
        printf("  rule %s: %s\n", lab_rules(spec)[rule].name,
               lab_filter_sentence(&filter, setup->rig.step_s).text);
}

// Each setup once: rules without their own settings share one.
static lab_outcome report_all(const lab_spec *spec, const lab_variants *variants, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    bool shared = false;
    for (int i = 0; outcome == LAB_DONE && i < variants->rules; i++) {
        const bool own = lab_rules(spec)[i].set.count > 0;
        for (int p = 0; outcome == LAB_DONE && (own || !shared) && p < variants->phases; p++)
            outcome = report(spec, lab_variant(variants, i, p), i, p, why);
        shared |= !own;
        if (outcome == LAB_DONE) {
            report_response(spec, lab_variant(variants, i, 0), i);
            report_form(spec, lab_variant(variants, i, 0), i);
        }
    }
    return outcome;
}

// Claims, columns and the like must name measures that a run has.
static lab_outcome check_measures(const lab_plan *plan, lab_why *why)
{
    lab_record record;
    lab_measures measures = {0};
    lab_outcome outcome = lab_run_blank(&record, plan, why);
    if (outcome == LAB_DONE)
        outcome = lab_measures_make(&measures, &record, plan->spec, why);
    lab_measures_free(&measures);
    lab_record_free(&record);
    return outcome;
}

static int check(const app_line *line)
{
    lab_why why;
    cfpc_experiment it;
    lab_variants variants = {0};
    lab_outcome outcome = app_load_plan(&it, line, &why);
    if (outcome == LAB_DONE)
        outcome = lab_variants_make(&variants, &it.plan, &why);
    if (outcome == LAB_DONE)
        outcome = check_measures(&it.plan, &why);
    if (outcome == LAB_DONE)
        outcome = report_all(&it.spec, &variants, &why);
    if (outcome != LAB_DONE)
        fprintf(stderr, "cfpc: %s\n", why.text);
    lab_variants_free(&variants);
    lab_experiment_clear(&it);
    return outcome;
}

static const app_option options[] = {
    {"--set", "KEY=VALUE", "set a key, e.g. loop.delay_ms=80; repeatable", true}, {0}};

const app_verb app_verb_check = {.name = "check",
                                 .arguments = "SPEC",
                                 .summary = "check whether a spec is valid, without running it",
                                 .text = "It also prints how a measured response is realised, "
                                         "and, of a rule in adjoint form, the\nhorizon and lead of "
                                         "its teaching filter.\n",
                                 .options = options,
                                 .positionals = 1,
                                 .run = check};
