// SPDX-License-Identifier: Apache-2.0
#include "spec/check_parts.h"

#include <string.h>

enum {
    MAX_RULES = 64, // in all cases
    MAX_RATES = 64,
    LONGEST_TITLE = 32, // of a column
    MAX_TRIALS = 1000000
};

bool lab_is_of_all(const char *path)
{
    static const char *const common[] = {"rules",      "cases", "tune",   "table",  "scale",
                                         "population", "zone",  "story",  "claims", "rule",
                                         "runs",       "seed",  "applied"};
    const size_t length = strcspn(path, ".");
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++)
        if (strlen(common[i]) == length && strncmp(path, common[i], length) == 0)
            return true;
    return false;
}

static lab_outcome rule_check_rule(const lab_spec *spec, const lab_rule_spec *rule, lab_why *why)
{
    if (strcmp(rule->name, "trial") == 0 || strcmp(rule->name, "optimum") == 0)
        return REFUSE(rule, "a rule cannot be named '%s': curves.csv has a column of that name",
                      rule->name);
    int in_case = 0;
    while (in_case < spec->cases.count && strcmp(lab_cases(spec)[in_case].name, rule->in_case) != 0)
        in_case++;
    if (in_case == spec->cases.count && (spec->cases.count > 0 || *rule->in_case))
        return REFUSE(rule, "rule '%s' is in the case '%.60s', which is not in 'cases'", rule->name,
                      rule->in_case);
    if (rule->weight_low >= rule->weight_high)
        return REFUSE(rule, "'weight_low' of %g is not below 'weight_high' of %g", rule->weight_low,
                      rule->weight_high);
    for (int i = 0; i < rule->set.count; i++)
        if (lab_is_of_all(rule->set.items[i].path))
            return REFUSE(rule, "'set' of rule '%s' cannot change '%.60s'", rule->name,
                          rule->set.items[i].path);
    return rule->trace == LAB_TRACE_DELAY
               ? lab_check_time(spec, rule->place, "delay_ms", rule->delay_ms, why)
               : LAB_DONE;
}

lab_outcome lab_check_rules(const lab_spec *spec, lab_why *why)
{
    if (spec->rules.count > MAX_RULES)
        return REFUSE(spec, "'rules' has %d entries; the maximum is %d", spec->rules.count,
                      MAX_RULES);
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < spec->rules.count; i++) {
        outcome = CHECK_NAME("rule", &spec->rules, lab_rule_spec, i);
        if (outcome == LAB_DONE)
            outcome = rule_check_rule(spec, &lab_rules(spec)[i], why);
    }
    return outcome;
}

lab_outcome lab_check_cases(const lab_spec *spec, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < spec->cases.count; i++) {
        const lab_case_spec *in_case = &lab_cases(spec)[i];
        bool runs = false, written_out = true; // if they are not, lab_check_rules says why
        for (int k = 0; k < spec->rules.count; k++) {
            runs |= strcmp(lab_rules(spec)[k].in_case, in_case->name) == 0;
            written_out &= *lab_rules(spec)[k].in_case != '\0';
        }
        outcome = CHECK_NAME("case", &spec->cases, lab_case_spec, i);
        if (outcome == LAB_DONE && !runs && written_out)
            outcome = REFUSE(in_case, "no rule runs in the case '%.60s'", in_case->name);
    }
    return outcome;
}

lab_outcome lab_check_table(const lab_spec *spec, lab_why *why)
{
    for (int i = 0; i < spec->table.count; i++) {
        const lab_column_spec *column = &lab_columns(spec)[i];
        if (strlen(column->title) > LONGEST_TITLE)
            return REFUSE(column, "title '%.40s…' is longer than %d characters", column->title,
                          LONGEST_TITLE);
        if (column->low <= 0 || column->high <= 0 || column->low >= column->high)
            return REFUSE(column, "'low' and 'high' must be above 0, and 'low' below 'high': the "
                                  "axis is logarithmic");
    }
    return LAB_DONE;
}

lab_outcome lab_check_tune(const lab_spec *spec, lab_why *why)
{
    const lab_tune_spec *tune = &spec->tune;
    int constants = 0;
    if (tune->place.line == 0)
        return LAB_DONE;
    for (int i = 0; i < spec->rules.count; i++)
        constants += lab_rules(spec)[i].tune.count;
    if (tune->rate_fractions.columns == 0 && constants == 0)
        return REFUSE(
            tune, "'tune' needs 'rate_fractions' to try, or a rule with a 'tune' of its own, which "
                  "lists constants");
    if (tune->rate_fractions.columns > MAX_RATES)
        return REFUSE(tune, "'rate_fractions' has %d numbers; the maximum is %d",
                      tune->rate_fractions.columns, MAX_RATES);
    for (int i = 0; i < tune->rate_fractions.columns; i++)
        if (!(tune->rate_fractions.values[i] > (i > 0 ? tune->rate_fractions.values[i - 1] : 0)))
            return REFUSE(tune, "'rate_fractions' must be above 0 and increase; %g does not",
                          tune->rate_fractions.values[i]);
    return LAB_DONE;
}

// What a phase cannot change, as it belongs to the whole run.
static bool is_of_run(const char *path)
{
    return strcmp(path, "learning.trials") == 0 || strncmp(path, "phases", 6) == 0 ||
           (lab_is_of_all(path) && strncmp(path, "rules", 5) != 0);
}

lab_outcome lab_check_phases(const lab_spec *spec, lab_why *why)
{
    double trials = 0;
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < spec->phases.count; i++) {
        const lab_phase_spec *phase = &lab_phases(spec)[i];
        outcome = CHECK_NAME("phase", &spec->phases, lab_phase_spec, i);
        if (outcome == LAB_DONE && *phase->against && lab_against(spec, i) < 0)
            outcome = REFUSE(phase, "there is no phase '%.60s' before '%s' to compare it with",
                             phase->against, phase->name);
        for (int k = 0; outcome == LAB_DONE && k < phase->set.count; k++)
            if (is_of_run(phase->set.items[k].path))
                outcome = REFUSE(phase, "'set' of phase '%s' cannot change '%.60s'", phase->name,
                                 phase->set.items[k].path);
        trials += phase->trials;
    }
    if (outcome == LAB_DONE && trials > MAX_TRIALS)
        return REFUSE(spec, "the phases have %.0f trials together; the maximum is %d", trials,
                      MAX_TRIALS);
    return outcome;
}
