// SPDX-License-Identifier: Apache-2.0
#include "export/lab_only.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "plant/banks.h"
#include "spec/constants.h"

// What cannot be exported: whether the spec has it, where, and what is said of it.
typedef struct lab_only {
    bool has;
    lab_place place;
    const char *says;
} lab_only;

// Refuses the first that the spec has.
static lab_outcome check_all(const lab_spec *spec, const lab_only *all, size_t count, lab_why *why)
{
    for (size_t i = 0; i < count; i++)
        if (all[i].has)
            return lab_spec_refuse(spec, all[i].place, why, "%s", all[i].says);
    return LAB_DONE;
}

static lab_outcome lab_only_check_spec(const lab_spec *spec, lab_why *why)
{
    const lab_teach_spec *teach = &spec->teach;
    const lab_only all[] = {
        {spec->learning.frozen, spec->learning.place,
         "with `learning.frozen` nothing is learned: export the spec without it; --frozen exports "
         "trained weights"},
        {teach->noise > 0, teach->place,
         "`teach.noise` is simulated: a target has the noise of its own sensor; leave it out to "
         "export"},
        {lab_has_spikes(spec), teach->spikes.place,
         "`teach.spikes` is simulated: a target is taught by a signal; leave it out to export"},
        {!isnan(teach->delay_end_ms), teach->place,
         "`teach.delay_end_ms` is simulated: a model in flash has one delay; leave it out to "
         "export"}};
    return check_all(spec, all, sizeof all / sizeof all[0], why);
}

static lab_outcome lab_only_check_bank(const lab_spec *spec, const lab_basis_spec *bank,
                                       lab_why *why)
{
    // A file whose rows go on from trial to trial is an input of the exported cell, and so are the
    // banks beside it.
    bool handed = false;
    for (int i = 0; i < spec->basis.count; i++)
        handed |= lab_banks(spec)[i].kind == LAB_CSV_BASIS && !spec->task.repeats;
    const lab_only all[] = {
        {bank->kind == LAB_GRANULE, bank->place,
         "`basis.kind: granule` is a simulated layer of cells: use gaussian or raised-cosine to "
         "export"},
        {lab_family_of_basis(bank->kind) == LAB_DRIVEN && bank->input == LAB_FROM_PREDICTION,
         bank->place,
         "`basis.input: prediction` is a cascade of two cells, which cannot be exported: let a "
         "signal drive the bank"},
        {(lab_hears_loop(bank) || bank->kind == LAB_PERIODIC) && handed, bank->place,
         "a bank that is driven by the loop or its angle cannot be exported beside `basis.kind: "
         "csv` with `task.repeats: no`"}};
    return check_all(spec, all, sizeof all / sizeof all[0], why);
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

lab_outcome lab_check_exportable(const lab_plan *plan, int rule, lab_why *why)
{
    const lab_spec *spec = lab_planned(plan, rule, 0);
    const lab_rule_spec *rule_spec = &lab_rules(spec)[rule];
    lab_why caution;
    lab_outcome outcome = lab_only_check_spec(spec, why);
    for (int i = 0; outcome == LAB_DONE && i < spec->basis.count; i++)
        outcome = lab_only_check_bank(spec, &lab_banks(spec)[i], why);
    if (outcome != LAB_DONE)
        return outcome;
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
