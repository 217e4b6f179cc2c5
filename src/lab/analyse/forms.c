// SPDX-License-Identifier: Apache-2.0
#include "analyse/pieces.h"

#include <math.h>

#include "plant/paths.h"
#include "run/cell.h"

// Why a rule cannot have a form, NULL if it can.
static const char *impossible(const lab_rule_spec *rule_spec, lab_form form)
{
    if (form == LAB_BY_TRACES)
        return NULL;
    if (rule_spec->update == LAB_NORMALISED)
        return "a normalised update needs traces";
    if (rule_spec->output_penalty > 0)
        return "a penalty on o needs traces";
    if (form == LAB_BY_FILTER && rule_spec->update == LAB_PRECONDITIONED)
        return "the update is preconditioned";
    return NULL;
}

// A rule in another form, at the same fraction of the rate; a filtered trace becomes the forward
// model's. It borrows the preconditioner.
static lab_outcome make_other(lab_rule *rule, const lab_setup *setup, int index, lab_form form,
                              lab_why *why)
{
    const lab_rule *used = &setup->rule[index];
    lab_spec told = *setup->rig.spec; // borrows all but the form
    lab_rule_spec rule_spec = lab_rules(setup->rig.spec)[index];
    told.learning.form = form == LAB_BY_ADJOINT ? LAB_ADJOINT : LAB_TRACES;
    if (form == LAB_BY_FILTER) {
        rule_spec.trace = LAB_TRACE_WHITENED;
        rule_spec.whitening_rho = CFPC_WHITENING;
    } else if (lab_is_filtered(rule_spec.trace))
        rule_spec.trace = LAB_TRACE_FORWARD_MODEL;
    *rule = *used;
    rule->trace = (cfpc_system){0};
    rule->filter = (cfpc_teaching_filter){0};
    rule->response = (cfpc_system){0};
    lab_outcome outcome = lab_trace_make(&rule->trace, &told, &rule_spec, &setup->rig.believed,
                                         setup->rig.steps, setup->response, why);
    if (outcome == LAB_DONE && used->response.outputs > 0)
        outcome =
            lab_from_status(why, cfpc_select(&rule->response, &used->response, 0, 0), told.file);
    if (outcome == LAB_DONE)
        outcome =
            lab_filter_make(&rule->filter, &told, setup->rig.steps, &rule_spec, &rule->trace, why);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(why, lab_find_scale(rule, setup, &rule_spec), told.file);
    rule->rate = rule->scale > 0 ? used->rate * used->scale / rule->scale : used->rate;
    rule->rule.rate = (cfpc_real)rule->rate;
    return outcome;
}

static lab_outcome forms_measure(lab_form_analysis *analysis, const lab_setup *setup,
                                 const lab_rule *rule, lab_why *why)
{
    analysis->lead = rule->filter.lead;
    analysis->horizon = rule->filter.horizon;
    analysis->neglected = rule->filter.neglected;
    return lab_from_status(
        why, lab_cell_bytes(setup, rule, &analysis->synapse_bytes, &analysis->cell_bytes),
        setup->rig.spec->file);
}

// What is refused is a reason; what fails is not. most: the bound on line of the form that is used.
static lab_outcome study_other(lab_form_analysis *analysis, lab_arena *arena,
                               const lab_setup *setup, int index, lab_form form, double most,
                               lab_why *why)
{
    const lab_rule *used = &setup->rule[index];
    lab_rule rule;
    lab_outcome outcome = make_other(&rule, setup, index, form, why);
    if (outcome == LAB_DONE)
        outcome = forms_measure(analysis, setup, &rule, why);
    const double near = most > 0 && isfinite(most) ? most * rule.rate / used->rate : rule.rate;
    if (outcome == LAB_DONE)
        outcome = lab_analyse_briefly(&analysis->learning, arena, setup, &rule, near, why);
    if (outcome == LAB_REFUSED) {
        analysis->reason = lab_kept_text(arena, why->text);
        outcome = analysis->reason ? LAB_DONE : lab_no_memory(why, NULL);
    }
    lab_rule_free(&rule);
    return outcome;
}

lab_outcome lab_compare_forms(lab_analysis *analysis, const lab_setup *setup, lab_why *why)
{
    const int index = analysis->spec->main_rule;
    const lab_rule_spec *rule_spec = &lab_rules(setup->rig.spec)[index];
    const lab_form used = lab_is_filtered(rule_spec->trace)            ? LAB_BY_FILTER
                          : lab_is_adjoint(setup->rig.spec, rule_spec) ? LAB_BY_ADJOINT
                                                                       : LAB_BY_TRACES;
    if (setup->rig.spec->learning.frozen || setup->bases == 0 || setup->rule[index].is_learned)
        return LAB_DONE;
    lab_form_analysis *forms = lab_take(&analysis->arena, LAB_FORMS_COMPARED, sizeof *forms);
    if (!forms)
        return lab_no_memory(why, NULL);
    lab_outcome outcome = LAB_DONE;
    for (lab_form form = 0; outcome == LAB_DONE && form < LAB_FORMS_COMPARED; form++) {
        forms[form].is_used = form == used;
        forms[form].reason = form == used ? NULL : impossible(rule_spec, form);
        if (form == used) {
            forms[form].learning = analysis->learning;
            outcome = forms_measure(&forms[form], setup, &setup->rule[index], why);
        } else if (!forms[form].reason)
            outcome = study_other(&forms[form], &analysis->arena, setup, index, form,
                                  analysis->learning.online_rate_max, why);
    }
    analysis->forms = forms;
    return outcome;
}
