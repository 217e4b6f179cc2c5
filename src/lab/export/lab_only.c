// SPDX-License-Identifier: Apache-2.0
#include "export/lab_only.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "plant/banks.h"
#include "spec/constants.h"

// What the spec as a whole has.
static lab_outcome check_spec(const lab_spec *spec, lab_why *why)
{
    if (spec->learning.frozen)
        return lab_spec_refuse(spec, spec->learning.place, why,
                               "with `learning.frozen` nothing is learned: export the spec without "
                               "it; --frozen exports trained weights");
    if (spec->teach.noise > 0)
        return lab_spec_refuse(spec, spec->teach.place, why,
                               "`teach.noise` is simulated: a target has the noise of its own "
                               "sensor; leave it out to export");
    if (lab_has_spikes(spec))
        return lab_spec_refuse(spec, spec->teach.spikes.place, why,
                               "`teach.spikes` is simulated: a target is taught by a signal; leave "
                               "it out to export");
    if (!isnan(spec->teach.delay_end_ms))
        return lab_spec_refuse(spec, spec->teach.place, why,
                               "`teach.delay_end_ms` is simulated: a model in flash has one delay; "
                               "leave it out to export");
    return LAB_DONE;
}

// A file whose rows go on from trial to trial is an input of the exported cell, and so are the
// banks beside it.
static bool is_passed_in(const lab_spec *spec)
{
    bool handed = false;
    for (int i = 0; i < spec->basis.count; i++)
        handed |= lab_banks(spec)[i].kind == LAB_CSV_BASIS && !spec->task.repeats;
    return handed;
}

static lab_outcome lab_only_check_bank(const lab_spec *spec, const lab_basis_spec *bank,
                                       lab_why *why)
{
    if (bank->kind == LAB_GRANULE)
        return lab_spec_refuse(spec, bank->place, why,
                               "`basis.kind: granule` is a simulated layer of cells: use gaussian "
                               "or raised-cosine to export");
    if (lab_family_of_basis(bank->kind) == LAB_DRIVEN && bank->input == LAB_FROM_PREDICTION)
        return lab_spec_refuse(spec, bank->place, why,
                               "`basis.input: prediction` is a cascade of two cells, which cannot "
                               "be exported: let a signal drive the bank");
    if ((lab_hears_loop(bank) || bank->kind == LAB_PERIODIC) && is_passed_in(spec))
        return lab_spec_refuse(
            spec, bank->place, why,
            "a bank that is driven by the loop or its angle cannot be exported beside `basis.kind: "
            "csv` with `task.repeats: no`");
    return LAB_DONE;
}

// Whether this is the spec.yaml of a result whose rules were tuned: it has the values that were
// found, beside the `tune` that found them.
static bool holds_found_values(const lab_spec *spec)
{
    static const char name[] = "spec.yaml", *const beside[] = {LAB_RESULT_LIST, "tuning.csv"};
    const char *slash = strrchr(spec->file, '/');
    const int folder = slash ? (int)(slash + 1 - spec->file) : 0;
    bool holds = strcmp(spec->file + folder, name) == 0;
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        char path[4096];
        const int length = snprintf(path, sizeof path, "%.*s%s", folder, spec->file, beside[i]);
        holds = holds && (size_t)length < sizeof path && access(path, F_OK) == 0;
    }
    return holds;
}

static lab_outcome lab_only_check_rule(const lab_plan *plan, int rule, lab_why *why)
{
    const lab_spec *spec = lab_planned(plan, rule, 0);
    const lab_rule_spec *rule_spec = &lab_rules(spec)[rule];
    lab_why caution;
    if (!isnan(rule_spec->q_hz))
        return lab_spec_refuse(spec, rule_spec->place, why,
                               "`q_hz` of rule '%s' filters a whole trial forward and backward, "
                               "which no target can: leave it out to export",
                               rule_spec->name);
    if (lab_learns_model(spec, rule_spec))
        return lab_spec_refuse(spec, spec->believed.place, why,
                               "`believed.model: learned` cannot be exported: identify the loop "
                               "(cfpc identify) and use model: identified");
    if (lab_is_tuned_later(plan->spec, rule, &caution) && !holds_found_values(plan->spec))
        return lab_spec_refuse(spec, rule_spec->place, why,
                               "`tune` gives rule '%s' its %s only when it runs: run it, and "
                               "export the spec.yaml of the result",
                               rule_spec->name, rule_spec->tune.count > 0 ? "values" : "rate");
    return LAB_DONE;
}

lab_outcome lab_check_exportable(const lab_plan *plan, int rule, lab_why *why)
{
    const lab_spec *spec = lab_planned(plan, rule, 0);
    lab_outcome outcome = check_spec(spec, why);
    for (int i = 0; outcome == LAB_DONE && i < spec->basis.count; i++)
        outcome = lab_only_check_bank(spec, &lab_banks(spec)[i], why);
    return outcome == LAB_DONE ? lab_only_check_rule(plan, rule, why) : outcome;
}
