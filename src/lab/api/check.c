// SPDX-License-Identifier: Apache-2.0
// check: whether an experiment can be run, and what would be run, in words: one line per setup.
#include "api/call.h"
#include "api/experiment.h"
#include "base/number.h"
#include "base/text.h"
#include "microzone/zone.h"
#include "run/measures.h"
#include "run/run.h"
#include "run/variants.h"
#include "spec/cautions.h"

static lab_outcome put_setup(FILE *to, const lab_spec *spec, const lab_setup *setup, int rule,
                             int phase, lab_why *why)
{
    double radius = 0;
    lab_why doubt;
    const bool own = lab_rules(spec)[rule].set.count > 0;
    const lab_outcome outcome =
        lab_from_status(why, cfpc_spectral_radius(&setup->rig.loop.closed, &radius), spec->file);
    if (outcome != LAB_DONE)
        return outcome;
    fprintf(to,
            "%s%s%s%s%s: fine; %d step%s, %d %s, %d rule%s; largest pole %s; %s%s; taught by %s\n",
            spec->name, own ? ", rule " : "", own ? lab_rules(spec)[rule].name : "",
            spec->phases.count > 0 ? ", phase " : "",
            spec->phases.count > 0 ? lab_phases(spec)[phase].name : "", setup->rig.steps,
            lab_plural(setup->rig.steps), setup->bases, setup->bases == 1 ? "basis" : "bases",
            setup->rules, lab_plural(setup->rules), lab_beside_one(radius).text,
            setup->nonlinear ? "not a linear problem: " : "a linear problem",
            setup->nonlinear ? setup->nonlinear : "",
            lab_teacher_phrase(setup->rig.spec->teach.signal));
    // A model that failed a test of its own; a bank that does nothing.
    if (lab_is_doubtful(setup->rig.spec, &doubt))
        fprintf(to, "  CAUTION: %s\n", doubt.text);
    if (lab_has_idle_bank(setup->rig.spec, &doubt))
        fprintf(to, "  CAUTION: %s\n", doubt.text);
    return LAB_DONE;
}

// How a rule's response is used, as a small system or as a filter with one line per tap; and its
// teaching filter.
static void check_put_forms(FILE *to, const lab_rule_spec *rule, const lab_rule *made,
                            double step_s)
{
    const cfpc_system *trace = &made->trace;
    if (rule->trace == LAB_TRACE_RESPONSE && trace->states == 0 && trace->lines > 1)
        fprintf(to, "  rule %s: its response is used as a filter, tap by tap: %d lines\n",
                rule->name, trace->lines);
    else if (rule->trace == LAB_TRACE_RESPONSE)
        fprintf(to, "  rule %s: its response is realised with %d state%s and %d line%s\n",
                rule->name, trace->states, lab_plural(trace->states), trace->lines,
                lab_plural(trace->lines));
    const lab_filter_record filter = lab_filter_of(made);
    if (filter.is_adjoint)
        fprintf(to, "  rule %s: %s\n", rule->name, lab_filter_sentence(&filter, step_s).text);
}

// Each setup once: rules without their own settings share one.
static lab_outcome put_setups(FILE *to, const lab_spec *spec, const lab_variants *variants,
                              lab_why *why)
{
    bool shared = false;
    for (int i = 0; i < variants->rules; i++) {
        const lab_rule_spec *rule = &lab_rules(spec)[i];
        const bool own = rule->set.count > 0;
        for (int p = 0; (own || !shared) && p < variants->phases; p++) {
            const lab_outcome outcome = put_setup(to, spec, lab_variant(variants, i, p), i, p, why);
            if (outcome != LAB_DONE)
                return outcome;
        }
        shared |= !own;
        const lab_setup *first = lab_variant(variants, i, 0);
        check_put_forms(to, rule, &first->rule[i], first->rig.step_s);
    }
    return LAB_DONE;
}

static lab_outcome check_put(FILE *to, const void *context, lab_why *why)
{
    const cfpc_experiment *experiment = context;
    const lab_spec *spec = &experiment->spec;
    lab_zone_plan zone = {0};
    lab_variants variants = {0};
    lab_record record = {0};
    lab_measures measures = {0};
    lab_outcome outcome = lab_variants_make(&variants, &experiment->plan, why);
    // Claims, columns and the like must name measures that a run has.
    if (outcome == LAB_DONE)
        outcome = lab_run_blank(&record, &variants, why);
    if (outcome == LAB_DONE)
        outcome = lab_measures_make(&measures, &record, variants.plan->spec, why);
    lab_measures_free(&measures);
    lab_record_free(&record);
    if (outcome == LAB_DONE)
        outcome = put_setups(to, spec, &variants, why);
    if (outcome == LAB_DONE && spec->zone.place.line > 0)
        outcome = lab_zone_prepare(&zone, spec, why);
    if (outcome == LAB_DONE && zone.block > 0)
        fprintf(to,
                "  zone: %d cells of %d synapses each, blocks of %d steps, teaching filters of up "
                "to %d steps\n",
                zone.cells, zone.synapses, zone.block, zone.horizon);
    else if (outcome == LAB_DONE && spec->zone.place.line > 0)
        fprintf(to, "  zone: two joints of %d synapses each, stable at all %d couplings\n",
                zone.synapses, spec->zone.couplings.columns);
    lab_variants_free(&variants);
    return outcome;
}

cfpc_outcome cfpc_experiment_check(const cfpc_experiment *experiment, char **text, cfpc_why *why)
{
    return lab_tell_program(text, check_put, experiment, "experiment", why);
}
