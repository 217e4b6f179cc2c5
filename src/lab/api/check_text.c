// SPDX-License-Identifier: Apache-2.0
#include "api/check_text.h"

#include "api/experiment.h"
#include "base/number.h"
#include "base/text.h"
#include "microzone/zone.h"
#include "run/measures.h"
#include "run/run.h"
#include "run/variants.h"
#include "spec/idle_bank.h"
#include "spec/model_doubt.h"

// A model that failed a test of its own; a bank that does nothing.
static void report_doubt(FILE *file, const lab_spec *spec)
{
    lab_why doubt;
    if (lab_is_doubtful(spec, &doubt))
        fprintf(file, "  CAUTION: %s\n", doubt.text);
    if (lab_has_idle_bank(spec, &doubt))
        fprintf(file, "  CAUTION: %s\n", doubt.text);
}

static lab_outcome check_text_report(FILE *file, const lab_spec *spec, const lab_setup *setup,
                                     int rule, int phase, lab_why *why)
{
    double radius = 0;
    const bool own = lab_rules(spec)[rule].set.count > 0;
    const lab_outcome outcome =
        lab_from_status(why, cfpc_spectral_radius(&setup->rig.loop.closed, &radius), spec->file);
    if (outcome == LAB_DONE)
        fprintf(
            file,
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
        report_doubt(file, setup->rig.spec);
    return outcome;
}

// How a response is used: as a small system, or as a filter with one line per tap.
static void report_response(FILE *file, const lab_spec *spec, const lab_setup *setup, int rule)
{
    const cfpc_system *trace = &setup->rule[rule].trace;
    if (lab_rules(spec)[rule].trace != LAB_TRACE_RESPONSE)
        return;
    fprintf(file, "  rule %s: its response is ", lab_rules(spec)[rule].name);
    if (trace->states == 0 && trace->lines > 1)
        fprintf(file, "used as a filter, tap by tap: %d lines\n", trace->lines);
    else
        fprintf(file, "realised with %d state%s and %d line%s\n", trace->states,
                lab_plural(trace->states), trace->lines, lab_plural(trace->lines));
}

static void report_form(FILE *file, const lab_spec *spec, const lab_setup *setup, int rule)
{
    const lab_filter_record filter = lab_filter_of(&setup->rule[rule]);
    if (filter.is_adjoint)
        fprintf(file, "  rule %s: %s\n", lab_rules(spec)[rule].name,
                lab_filter_sentence(&filter, setup->rig.step_s).text);
}

// Each setup once: rules without their own settings share one.
static lab_outcome report_all(FILE *file, const lab_spec *spec, const lab_variants *variants,
                              lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    bool shared = false;
    for (int i = 0; outcome == LAB_DONE && i < variants->rules; i++) {
        const bool own = lab_rules(spec)[i].set.count > 0;
        for (int p = 0; outcome == LAB_DONE && (own || !shared) && p < variants->phases; p++)
            outcome = check_text_report(file, spec, lab_variant(variants, i, p), i, p, why);
        shared |= !own;
        if (outcome == LAB_DONE) {
            report_response(file, spec, lab_variant(variants, i, 0), i);
            report_form(file, spec, lab_variant(variants, i, 0), i);
        }
    }
    return outcome;
}

static lab_outcome report_zone(FILE *file, const lab_spec *spec, lab_why *why)
{
    lab_zone_plan plan;
    if (spec->zone.place.line == 0)
        return LAB_DONE;
    const lab_outcome outcome = lab_zone_prepare(&plan, spec, why);
    if (outcome == LAB_DONE && plan.block > 0)
        fprintf(file,
                "  zone: %d cells of %d synapses each, blocks of %d steps, teaching filters of up "
                "to %d steps\n",
                plan.cells, plan.synapses, plan.block, plan.horizon);
    else if (outcome == LAB_DONE)
        fprintf(file, "  zone: two joints of %d synapses each, stable at all %d couplings\n",
                plan.synapses, spec->zone.couplings.columns);
    return outcome;
}

// Claims, columns and the like must name measures that a run has.
static lab_outcome check_measures(const lab_variants *variants, lab_why *why)
{
    lab_record record;
    lab_measures measures = {0};
    lab_outcome outcome = lab_run_blank(&record, variants, why);
    if (outcome == LAB_DONE)
        outcome = lab_measures_make(&measures, &record, variants->plan->spec, why);
    lab_measures_free(&measures);
    lab_record_free(&record);
    return outcome;
}

lab_outcome lab_check_text(FILE *file, const cfpc_experiment *experiment, lab_why *why)
{
    lab_variants variants = {0};
    lab_outcome outcome = lab_variants_make(&variants, &experiment->plan, why);
    if (outcome == LAB_DONE)
        outcome = check_measures(&variants, why);
    if (outcome == LAB_DONE)
        outcome = report_all(file, &experiment->spec, &variants, why);
    if (outcome == LAB_DONE)
        outcome = report_zone(file, &experiment->spec, why);
    lab_variants_free(&variants);
    return outcome;
}
