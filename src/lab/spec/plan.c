// SPDX-License-Identifier: Apache-2.0
#include "spec/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "spec/check_parts.h"
#include "spec/constants.h"
#include "spec/load.h"
#include "spec/validate.h"

// ---- one rule --------------------------------------------------------------------------------

// What making a plan needs.
typedef struct planner {
    lab_plan *plan;
    const lab_source *source;
    const lab_settings *settings;
    lab_why *why;
} planner;

// The spec with settings put in, in this order: its own, a rule's, a phase's, a variant's. Any may
// be NULL.
static lab_outcome make_varied(const planner *planner, lab_spec *varied, const lab_settings *rule,
                               const lab_settings *phase, const lab_settings *variant)
{
    const lab_settings *const layers[] = {planner->settings, rule, phase, variant};
    lab_settings settings = {0};
    *varied = (lab_spec){0};
    lab_outcome outcome = LAB_DONE;
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof layers / sizeof layers[0]; i++)
        if (layers[i])
            outcome = lab_settings_add_all(&settings, layers[i], planner->why);
    if (outcome == LAB_DONE)
        outcome = lab_spec_make_part(varied, planner->source, &settings, planner->why);
    lab_settings_free(&settings);
    return outcome;
}

// A rule may have phases of its own: they are known only when its settings are in place.
static lab_outcome plan_add_rule(planner *planner, int rule)
{
    lab_plan *plan = planner->plan;
    const lab_spec *spec = plan->spec;
    const lab_rule_spec *rule_spec = &lab_rules(spec)[rule];
    lab_spec whole;
    lab_outcome outcome = make_varied(planner, &whole, &rule_spec->set, NULL, NULL);
    if (outcome == LAB_DONE && whole.phases.count != spec->phases.count)
        outcome = lab_spec_refuse(spec, rule_spec->place, planner->why,
                                  "rule '%s' has %d phase%s, the spec has %d: all rules must have "
                                  "the same",
                                  rule_spec->name, whole.phases.count,
                                  lab_plural(whole.phases.count), spec->phases.count);
    for (int p = 0; outcome == LAB_DONE && p < plan->phases; p++) {
        const lab_phase_spec *phase = whole.phases.count > 0 ? &lab_phases(&whole)[p] : NULL;
        lab_spec *made = &plan->specs[plan->count++];
        outcome = make_varied(planner, made, &rule_spec->set, phase ? &phase->set : NULL, NULL);
        made->main_rule = rule;
        made->modified = spec->modified;
        if (outcome == LAB_DONE && phase)
            made->learning.trials = phase->trials;
    }
    lab_spec_free(&whole);
    return outcome;
}

// ---- what must be the same -------------------------------------------------------------------

static bool is_as_long(const lab_spec *a, const lab_spec *b)
{
    return a->step_ms == b->step_ms && a->task.trial_s == b->task.trial_s &&
           a->rules.count == b->rules.count;
}

// A record has one length of trial for all rules, and the trials of the spec.
static lab_outcome check_length(const lab_plan *plan, int rule, int phase, lab_why *why)
{
    const lab_spec *spec = plan->spec, *made = lab_planned(plan, rule, phase);
    const lab_rule_spec *rule_spec = &lab_rules(spec)[rule];
    const bool phases = spec->phases.count > 0;
    const int trials = phases ? lab_phases(spec)[phase].trials : spec->learning.trials;
    if (phase > 0 && !is_as_long(made, lab_planned(plan, rule, 0)))
        return lab_spec_refuse(
            spec, rule_spec->set.count > 0 ? rule_spec->place : lab_phases(spec)[phase].place, why,
            "phase '%s' changes the number of bases, rules or steps", lab_phases(spec)[phase].name);
    if (!is_as_long(made, lab_planned(plan, 0, 0)))
        return lab_spec_refuse(spec, rule_spec->place, why,
                               "rule '%s' has other steps than the first; all rules must have the "
                               "same",
                               rule_spec->name);
    if (made->learning.trials != trials)
        return lab_spec_refuse(spec, rule_spec->place, why,
                               "rule '%s' has %d trials where the spec has %d; all rules must have "
                               "the same",
                               rule_spec->name, made->learning.trials, trials);
    return LAB_DONE;
}

// ---- how a rule learns -----------------------------------------------------------------------

// What a rule in adjoint form cannot do.
static lab_outcome check_form(const lab_spec *spec, const lab_rule_spec *rule_spec, lab_why *why)
{
    const bool filtered = lab_is_filtered(rule_spec->trace);
    const char *instead = filtered                            ? "another trace"
                          : lab_learns_model(spec, rule_spec) ? "'believed: given'"
                                                              : "'learning: {form: traces}'";
    if (spec->believed.model == LAB_BELIEVED_LEARNED && filtered)
        return REFUSE(rule_spec,
                      "rule '%s' is %s, which needs a model that is known: use 'trace: "
                      "forward-model', or 'believed: given' in its 'set'",
                      rule_spec->name, lab_name_of_trace(rule_spec->trace));
    if (!lab_is_adjoint(spec, rule_spec))
        return LAB_DONE;
    if (lab_learns_model(spec, rule_spec) && spec->learning.mode != LAB_ONLINE)
        return REFUSE(rule_spec,
                      "rule '%s' learns its model while it runs: learning must be on line "
                      "(learning: {mode: online})",
                      rule_spec->name);
    if (rule_spec->update == LAB_NORMALISED)
        return REFUSE(rule_spec,
                      "rule '%s' learns in adjoint form, without traces to normalise by: use "
                      "'update: plain', or %s",
                      rule_spec->name, instead);
    if (rule_spec->output_penalty > 0)
        return REFUSE(rule_spec,
                      "rule '%s' learns in adjoint form, which has no 'output_penalty': remove it, "
                      "or use %s",
                      rule_spec->name, instead);
    if (filtered && rule_spec->update == LAB_PRECONDITIONED)
        return REFUSE(rule_spec,
                      "rule '%s' is %s and preconditioned, which undoes the loop more than once: "
                      "use 'update: plain', or 'trace: forward-model'",
                      rule_spec->name, lab_name_of_trace(rule_spec->trace));
    return LAB_DONE;
}

// A Q-filter filters a signal: the weights are one only if there is one per step.
static lab_outcome check_q(const lab_spec *spec, const lab_rule_spec *rule_spec, lab_why *why)
{
    if (isnan(rule_spec->q_hz))
        return LAB_DONE;
    if (spec->basis.count != 1 || lab_banks(spec)[0].kind != LAB_IDENTITY)
        return REFUSE(rule_spec,
                      "rule '%s' has a 'q_hz', which needs one weight per step: use 'basis: {kind: "
                      "identity}' in its 'set', or remove it",
                      rule_spec->name);
    if (spec->learning.mode == LAB_ONLINE)
        return REFUSE(rule_spec,
                      "rule '%s' has a 'q_hz', which works in batch only: use 'learning: {mode: "
                      "batch}', or remove it",
                      rule_spec->name);
    if (rule_spec->q_hz >= 500 / spec->step_ms)
        return REFUSE(rule_spec,
                      "'q_hz' of rule '%s' is %g; it must be below half the sampling rate, %g Hz",
                      rule_spec->name, rule_spec->q_hz, 500 / spec->step_ms);
    return LAB_DONE;
}

// What does not go with the mode and the form of a rule, which it may have for itself.
static lab_outcome plan_check_learning(const lab_spec *spec, int rule, lab_why *why)
{
    const lab_rule_spec *rule_spec = &lab_rules(spec)[rule];
    if (rule_spec->update == LAB_PRECONDITIONED && spec->learning.mode == LAB_ONLINE)
        return REFUSE(
            rule_spec,
            "rule '%s' has a preconditioned update, which works in batch only: use "
            "'update: plain', or choose another rule (--rule, in Python rule=), which leaves "
            "it out",
            rule_spec->name);
    const lab_outcome outcome = check_q(spec, rule_spec, why);
    return outcome == LAB_DONE ? check_form(spec, rule_spec, why) : outcome;
}

// What is tuned; the spec must be right at both ends of the ranges.
static lab_outcome check_constants(const lab_spec *spec, int rule, lab_why *why)
{
    lab_outcome outcome = lab_constants_check(spec, rule, why);
    for (int end = 0; outcome == LAB_DONE && lab_rules(spec)[rule].tune.count > 0 && end < 2;
         end++) {
        lab_arena arena = {0};
        lab_spec tried = *spec; // borrows all but what is tuned
        lab_constants_put_share(&tried, rule, end, &arena);
        outcome = arena.failed ? lab_no_memory(why, spec->file) : lab_spec_check(&tried, why);
        if (outcome == LAB_DONE)
            outcome = plan_check_learning(&tried, rule, why);
        lab_arena_free(&arena);
    }
    return outcome;
}

// A phase cannot change what is tuned: it has one value in all of them.
static lab_outcome check_tuned_phase(const lab_spec *spec, int rule, int phase, lab_why *why)
{
    const lab_rule_spec *rule_spec = &lab_rules(spec)[rule];
    if (spec->phases.count == 0)
        return LAB_DONE;
    const lab_phase_spec *in = &lab_phases(spec)[phase];
    for (int i = 0; i < in->set.count; i++) {
        const lab_constant_spec *constant = lab_constant_set_by(spec, rule, &in->set.items[i]);
        if (constant)
            return REFUSE(
                in,
                "'set' of phase '%s' cannot change '%.60s', which rule '%s' tunes: remove "
                "it from one of them",
                in->name, constant->key, rule_spec->name);
    }
    return LAB_DONE;
}

static lab_outcome plan_check_rules(const lab_plan *plan, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < plan->rules; i++) {
        for (int p = 0; outcome == LAB_DONE && p < plan->phases; p++)
            outcome = plan_check_learning(lab_planned(plan, i, p), i, why);
        if (outcome == LAB_DONE)
            outcome = check_constants(lab_planned(plan, i, 0), i, why);
        for (int p = 0; outcome == LAB_DONE && p < plan->phases; p++)
            outcome = check_tuned_phase(lab_planned(plan, i, p), i, p, why);
    }
    return outcome;
}

// ---- all of them -----------------------------------------------------------------------------

// The first rule with the same settings. One of which tuning changes more than the rule has a spec
// of its own.
static int first_alike(const lab_spec *spec, int rule)
{
    const lab_rule_spec *rules = lab_rules(spec);
    if (lab_constants_reach(spec, &rules[rule]) > LAB_REACHES_RULE)
        return rule;
    int first = 0;
    while (first < rule && (lab_constants_reach(spec, &rules[first]) > LAB_REACHES_RULE ||
                            !lab_settings_same(&rules[first].set, &rules[rule].set)))
        first++;
    return first;
}

static lab_outcome plan_add_rules(planner *planner)
{
    lab_plan *plan = planner->plan;
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < plan->rules; i++) {
        const int alike = first_alike(plan->spec, i);
        const int first = alike == i ? plan->count : plan->of[alike * plan->phases];
        for (int p = 0; p < plan->phases; p++)
            plan->of[i * plan->phases + p] = first + p;
        if (alike == i)
            outcome = plan_add_rule(planner, i);
    }
    return outcome;
}

// ---- loops that may be -----------------------------------------------------------------------

// The main rule in its first phase, in each variant of its band.
static lab_outcome plan_add_variants(planner *planner)
{
    lab_plan *plan = planner->plan;
    const int rule = plan->spec->main_rule;
    const lab_spec *base = lab_planned(plan, rule, 0);
    const int count = lab_loop_variant_count(base);
    if (count == 0)
        return LAB_DONE;
    plan->variants = calloc((size_t)count, sizeof *plan->variants);
    lab_outcome outcome = plan->variants ? LAB_DONE : lab_no_memory(planner->why, base->file);
    for (int i = 0; outcome == LAB_DONE && i < count; i++) {
        const lab_settings *phase = base->phases.count > 0 ? &lab_phases(base)[0].set : NULL;
        outcome =
            make_varied(planner, &plan->variants[plan->variant_count++],
                        &lab_rules(plan->spec)[rule].set, phase, &lab_loop_variants(base)[i].set);
    }
    return outcome;
}

lab_outcome lab_plan_make(lab_plan *plan, const lab_spec *spec, const lab_source *source,
                          const lab_settings *settings, lab_why *why)
{
    const int phases = spec->phases.count > 0 ? spec->phases.count : 1;
    const size_t most = (size_t)phases * (size_t)spec->rules.count;
    planner planner = {.plan = plan, .source = source, .settings = settings, .why = why};
    *plan = (lab_plan){.spec = spec,
                       .rules = spec->rules.count,
                       .phases = phases,
                       .specs = calloc(most, sizeof *plan->specs),
                       .of = calloc(most, sizeof *plan->of)};
    if (!plan->specs || !plan->of)
        return lab_no_memory(why, spec->file);
    lab_outcome outcome = plan_add_rules(&planner);
    for (int i = 0; settings && outcome == LAB_DONE && i < settings->count; i++)
        outcome = lab_check_setting(spec, &settings->items[i], settings, why);
    for (int i = 0; i < plan->rules; i++)
        for (int p = 0; outcome == LAB_DONE && p < phases; p++)
            outcome = check_length(plan, i, p, why);
    if (outcome == LAB_DONE)
        outcome = plan_add_variants(&planner);
    return outcome == LAB_DONE ? plan_check_rules(plan, why) : outcome;
}

void lab_plan_free(lab_plan *plan)
{
    for (int i = 0; plan->specs && i < plan->count; i++)
        lab_spec_free(&plan->specs[i]);
    for (int i = 0; i < plan->variant_count; i++)
        lab_spec_free(&plan->variants[i]);
    free(plan->specs);
    free(plan->variants);
    free(plan->of);
    *plan = (lab_plan){0};
}

// Spec and plan of a source that was read, or not; it is not needed any more.
static lab_outcome make_both(lab_outcome outcome, lab_plan *plan, lab_spec *spec,
                             lab_source *source, const lab_settings *settings, lab_why *why)
{
    *plan = (lab_plan){0};
    *spec = (lab_spec){0};
    if (outcome == LAB_DONE)
        outcome = lab_spec_make(spec, source, settings, why);
    if (outcome == LAB_DONE)
        outcome = lab_plan_make(plan, spec, source, settings, why);
    lab_source_free(source);
    return outcome;
}

lab_outcome lab_plan_load(lab_plan *plan, lab_spec *spec, const char *file,
                          const lab_settings *settings, lab_why *why)
{
    lab_source source;
    return make_both(lab_source_load(&source, file, why), plan, spec, &source, settings, why);
}

lab_outcome lab_plan_parse(lab_plan *plan, lab_spec *spec, const char *file, const char *text,
                           const lab_settings *settings, lab_why *why)
{
    lab_source source;
    const lab_outcome outcome = lab_source_parse(&source, file, text, why);
    return make_both(outcome, plan, spec, &source, settings, why);
}

int lab_first_trial(const lab_plan *plan, int rule, int phase)
{
    int first = 0;
    for (int p = 0; p < phase; p++)
        first += lab_planned(plan, rule, p)->learning.trials;
    return first;
}

// ---- rules that are left out -----------------------------------------------------------------

static bool has(const lab_node *map, const char *key, const char *text)
{
    const char *there = map ? lab_node_text(map, key) : NULL;
    return there && strcmp(there, text) == 0;
}

static int remove_batch_rules(lab_node *rules, const char *rule)
{
    int removed = 0;
    for (lab_node **at = &rules->child; *at;) {
        const bool batch_only = has(*at, "update", "preconditioned") ||
                                ((*at)->kind == LAB_MAP && lab_node_find(*at, "q_hz"));
        if (batch_only && !has(*at, "name", rule)) {
            lab_node_drop(at);
            removed++;
        } else
            at = &(*at)->next;
    }
    return removed;
}

lab_outcome lab_leave_out(lab_settings *settings, const lab_source *source, const char *rule,
                          lab_why *why)
{
    lab_node *tree = NULL;
    lab_outcome outcome = lab_source_tree(&tree, source, settings, why);
    lab_node *rules = outcome == LAB_DONE ? lab_node_find(tree, "rules") : NULL;
    if (rules && rules->kind == LAB_LIST &&
        has(lab_node_find(tree, "learning"), "mode", "online") &&
        remove_batch_rules(rules, rule) > 0)
        outcome = lab_settings_add_node(settings, "rules", rules, why);
    lab_node_free(tree);
    return outcome;
}
