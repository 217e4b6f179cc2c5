// SPDX-License-Identifier: Apache-2.0
// constants: the numbers of a rule that are tuned, by the keys and paths of the spec: where each is
// in a spec, and which values it may have.
#ifndef CFPC_LAB_CONSTANTS_H
#define CFPC_LAB_CONSTANTS_H

#include "base/arena.h"
#include "spec/spec.h"

static inline lab_constant_spec *lab_constants(const lab_rule_spec *rule)
{
    return rule->tune.items;
}

// What a constant changes: the rule alone, which other rules share the settings of; what arrives as
// its lesson; or all that is made of a spec.
typedef enum lab_reach { LAB_REACHES_RULE, LAB_REACHES_LESSON, LAB_REACHES_ALL } lab_reach;

// The furthest of a rule's constants.
lab_reach lab_constants_reach(const lab_spec *spec, const lab_rule_spec *rule);

// Whether better values are searched for: one evaluation is that of the values in the spec.
static inline bool lab_searches(const lab_spec *spec)
{
    return lab_tunes(spec) && spec->tune.evaluations > 1;
}

// Whether rates are tried for a rule: not if it has constants of its own, or a rate and no `scan`.
bool lab_scans_rates(const lab_spec *spec, int rule);

// Whether a rule is tuned when it runs: then, in one sentence, that what is said of the values in
// its spec need not hold for those that are found; otherwise "".
bool lab_is_tuned_later(const lab_spec *spec, int rule, lab_why *caution);

// Refuses constants of a rule that cannot be tuned, given the spec of the rule: unknown keys, those
// that change nothing, and ranges beyond what the key may have.
lab_outcome lab_constants_check(const lab_spec *spec, int rule, lab_why *why);

// The constant of a rule that a setting would give a value, which tuning replaces; NULL: none.
const lab_constant_spec *lab_constant_set_by(const lab_spec *spec, int rule,
                                             const lab_setting *setting);

// Refuses a setting of a rule that is tuned, or one that every rule tunes; not where one of the
// settings says what the rule tunes (NULL: none does).
lab_outcome lab_check_setting(const lab_spec *spec, const lab_setting *setting,
                              const lab_settings *settings, lab_why *why);

// The value that the spec of the rule gives a constant; NAN if none.
double lab_constant_given(const lab_spec *spec, int rule, const lab_constant_spec *constant);

// The value at a share, 0 to 1, of the range; a time is a whole number of steps.
double lab_constant_value(const lab_spec *spec, const lab_constant_spec *constant, double share);

// Whether a value is within 1 % of an end of its range: a better one may lie beyond.
bool lab_constant_at_end(const lab_spec *spec, const lab_constant_spec *constant, double value);

// Puts the values of a rule's constants into a spec that borrows another's lists: those on the way
// are copied into the arena, which has failed if memory ran out.
void lab_constants_put(lab_spec *spec, int rule, const double *values, lab_arena *arena);

// The same for values that are all at a share of their range.
void lab_constants_put_share(lab_spec *spec, int rule, double share, lab_arena *arena);

// Writes the values down in a spec of its own, as keys and settings of the rule; of one whose rate
// was chosen from a list, the rate.
lab_outcome lab_constants_note(lab_spec *spec, int rule, const double *values, lab_why *why);

#endif
