// SPDX-License-Identifier: Apache-2.0
#include "spec/constants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/halton.h"
#include "base/nearest.h"
#include "base/number.h"
#include "math/elementary.h"
#include "math/order.h"
#include "spec/check_parts.h"
#include "spec/validate.h"

enum { MOST_CONSTANTS = LAB_HALTON_MAX, LONGEST_PART = 64 };
static const double NEAR_END = 0.01; // share of a range: a search closes in on its ends

// ---- where a number is -----------------------------------------------------------------------

// The field of a key that a struct of this table has, given its kind; NULL if there is none.
static const lab_field *own_field(const lab_table *table, const void *from, const char *key)
{
    const lab_field *field = lab_field_of(table, key);
    return field && lab_field_belongs(table, field, lab_selected(table, from)) ? field : NULL;
}

// The part of a path before its first dot; what follows it, or NULL at the end.
static const char *next_part(char *part, const char *path)
{
    const size_t length = strcspn(path, ".");
    snprintf(part, LONGEST_PART, "%.*s", (int)length, path);
    return path[length] ? path + length + 1 : NULL;
}

// Makes a list the spec's own. False without memory.
static bool own(lab_listing *list, size_t bytes, lab_arena *arena)
{
    if (!arena)
        return true;
    void *items = lab_take(arena, (size_t)list->count, bytes);
    if (items)
        list->items = memcpy(items, list->items, (size_t)list->count * bytes);
    return items != NULL;
}

// The entry of a list that a path goes on with: by its name or its number; of a list of one, that
// one. NULL if there is none.
static void *entry_of(const lab_table *table, lab_listing *list, const char **path,
                      lab_arena *arena)
{
    char part[LONGEST_PART] = "", *end;
    const char *rest = next_part(part, *path);
    const lab_field *name = lab_field_of(table, "name");
    const long number = strtol(part, &end, 10);
    int index = rest && *part && !*end && number >= 0 && number < list->count ? (int)number : -1;
    for (int i = list->count - 1; rest && name && i >= 0; i--) {
        const char *entry = (const char *)list->items + (size_t)i * table->bytes;
        if (strcmp(*(char *const *)(entry + name->offset), part) == 0)
            index = i;
    }
    if (index < 0 && list->count == 1)
        index = 0;
    else
        *path = rest;
    return index >= 0 && own(list, table->bytes, arena)
               ? (char *)list->items + (size_t)index * table->bytes
               : NULL;
}

typedef struct number_at {
    double *at; // NULL: there is none
    const lab_field *field;
} number_at;

// The number at a path below a struct; with an arena, the lists on the way become the spec's own.
static number_at find_number(const lab_table *table, void *from, const char *path, lab_arena *arena)
{
    while (path && from) {
        char part[LONGEST_PART];
        const char *rest = next_part(part, path);
        const lab_field *field = own_field(table, from, part);
        if (!field)
            break;
        void *at = (char *)from + field->offset;
        if (field->kind == LAB_NUMBER && !rest)
            return (number_at){at, field};
        if (!rest || (field->kind != LAB_SECTION && field->kind != LAB_LISTING) ||
            (field->kind == LAB_SECTION && field->optional && ((lab_place *)at)->line == 0))
            break;
        table = field->table;
        path = rest;
        from = field->kind == LAB_LISTING ? entry_of(table, at, &path, arena) : at;
    }
    return (number_at){0};
}

static const lab_table *rule_table(void)
{
    return lab_field_of(&lab_spec_table, "rules")->table;
}

static bool is_rules_own(const char *key)
{
    return lab_field_of(rule_table(), key) != NULL;
}

// The number of a constant: a key of the rule, or a path of the spec.
static number_at constants_constant_at(lab_spec *spec, int rule, const char *key, lab_arena *arena)
{
    if (!is_rules_own(key))
        return find_number(&lab_spec_table, spec, key, arena);
    if (!own(&spec->rules, rule_table()->bytes, arena))
        return (number_at){0};
    return find_number(rule_table(), &lab_rules(spec)[rule], key, arena);
}

void lab_constants_put(lab_spec *spec, int rule, const double *values, lab_arena *arena)
{
    const lab_listing tune = lab_rules(spec)[rule].tune;
    const lab_constant_spec *constants = tune.items;
    for (int i = 0; i < tune.count; i++) {
        const number_at number = constants_constant_at(spec, rule, constants[i].key, arena);
        if (number.at)
            *number.at = values[i];
    }
}

double lab_constant_given(const lab_spec *spec, int rule, const lab_constant_spec *constant)
{
    lab_spec same = *spec; // borrows all, and changes nothing
    const number_at number = constants_constant_at(&same, rule, constant->key, NULL);
    return number.at ? *number.at : NAN;
}

// ---- what it changes -------------------------------------------------------------------------

static bool constants_begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

lab_reach lab_constants_reach(const lab_spec *spec, const lab_rule_spec *rule)
{
    const bool by_disturbance = spec->teach.signal == LAB_TEACH_DISTURBANCE;
    lab_reach furthest = LAB_REACHES_RULE;
    for (int i = 0; i < rule->tune.count; i++) {
        const char *key = lab_constants(rule)[i].key;
        // The olive is a part of the path from o only where a disturbance teaches.
        const bool of_lesson =
            (constants_begins(key, "olive.") && !by_disturbance) || strcmp(key, "teach.gain") == 0;
        const lab_reach reach = is_rules_own(key) ? LAB_REACHES_RULE
                                : of_lesson       ? LAB_REACHES_LESSON
                                                  : LAB_REACHES_ALL;
        furthest = reach > furthest ? reach : furthest;
    }
    return furthest;
}

// ---- before it is tuned ----------------------------------------------------------------------

bool lab_scans_rates(const lab_spec *spec, int rule)
{
    const lab_rule_spec *rule_spec = &lab_rules(spec)[rule];
    return spec->tune.rate_fractions.columns > 0 && rule_spec->tune.count == 0 &&
           (rule_spec->scan || (isnan(rule_spec->rate) && isnan(rule_spec->rate_fraction)));
}

bool lab_is_tuned_later(const lab_spec *spec, int rule, lab_why *caution)
{
    const lab_rule_spec *rule_spec = &lab_rules(spec)[rule];
    char keys[400] = "";
    for (int i = 0; i < rule_spec->tune.count; i++) {
        const size_t used = strlen(keys);
        snprintf(keys + used, sizeof keys - used, "%s%.60s", i > 0 ? ", " : "",
                 lab_constants(rule_spec)[i].key);
    }
    caution->text[0] = '\0';
    if (lab_searches(spec) && rule_spec->tune.count > 0)
        lab_say(caution,
                "rule '%s' is tuned when it runs (%s); this is about the values in the spec: for "
                "those that are found, analyse the spec.yaml of the run's result",
                rule_spec->name, keys);
    else if (lab_tunes(spec) && lab_scans_rates(spec, rule))
        lab_say(caution,
                "the rate of rule '%s' is tuned when it runs; this is about the rate in the spec: "
                "for the one that is found, analyse the spec.yaml of the run's result",
                rule_spec->name);
    return *caution->text != '\0';
}

// ---- its values ------------------------------------------------------------------------------

static bool constants_is_time(const char *key)
{
    const size_t length = strlen(key);
    return length > 3 && strcmp(key + length - 3, "_ms") == 0;
}

double lab_constant_value(const lab_spec *spec, const lab_constant_spec *constant, double share)
{
    const double low = constant->low, high = constant->high, step_ms = spec->step_ms;
    const double value = constant->scale == LAB_SCALE_LOG ? low * cfpci_pow(high / low, share)
                                                          : low + (high - low) * share;
    if (!constants_is_time(constant->key))
        return cfpci_min(high, cfpci_max(low, value));
    // A whole number of steps within the range; rounding may have left it.
    const double first = ceil(low / step_ms - 1e-6), last = floor(high / step_ms + 1e-6);
    return cfpci_min(last, cfpci_max(first, round(value / step_ms))) * step_ms;
}

bool lab_constant_at_end(const lab_spec *spec, const lab_constant_spec *constant, double value)
{
    return value <= lab_constant_value(spec, constant, NEAR_END) ||
           value >= lab_constant_value(spec, constant, 1 - NEAR_END);
}

void lab_constants_put_share(lab_spec *spec, int rule, double share, lab_arena *arena)
{
    const lab_rule_spec *rule_spec = &lab_rules(spec)[rule];
    double values[MOST_CONSTANTS];
    for (int i = 0; i < rule_spec->tune.count; i++)
        values[i] = lab_constant_value(spec, &lab_constants(rule_spec)[i], share);
    lab_constants_put(spec, rule, values, arena);
}

// ---- checks ----------------------------------------------------------------------------------

static lab_outcome refuse_unknown(const lab_spec *spec, const lab_rule_spec *rule_spec,
                                  const lab_constant_spec *constant, lab_why *why)
{
    lab_hint hint = lab_hint_for(constant->key);
    for (const lab_field *field = rule_table()->fields; field->key; field++)
        if (field->kind == LAB_NUMBER && own_field(rule_table(), rule_spec, field->key))
            lab_hint_add(&hint, field->key);
    return REFUSE(constant,
                  "rule '%s' cannot tune '%.60s': it is neither a number of the rule nor the path "
                  "of one in the spec, as olive.gain; %s",
                  rule_spec->name, constant->key, hint.text);
}

// What all rules and trials have in common.
static bool is_fixed(const char *key)
{
    return strcmp(key, "step_ms") == 0 || strcmp(key, "task.trial_s") == 0 || lab_is_of_all(key) ||
           constants_begins(key, "phases") || constants_begins(key, "guard") ||
           constants_begins(key, "delay_scan");
}

// What belongs to the one who learns: what he believes and how he is taught and listens. All else
// is the task, the same for every rule.
static bool is_learners(const char *key)
{
    return constants_begins(key, "olive.") || constants_begins(key, "basis.") ||
           constants_begins(key, "prediction.") || constants_begins(key, "believed.") ||
           constants_begins(key, "learning.") || is_rules_own(key) ||
           strcmp(key, "teach.gain") == 0;
}

static bool is_in_range(const lab_field *field, const lab_constant_spec *constant)
{
    if (field->low == field->high)
        return true;
    return (field->above_low ? constant->low > field->low : constant->low >= field->low) &&
           constant->high <= field->high;
}

static bool tunes(const lab_rule_spec *rule_spec, const char *key)
{
    for (int i = 0; i < rule_spec->tune.count; i++)
        if (strcmp(lab_constants(rule_spec)[i].key, key) == 0)
            return true;
    return false;
}

// What takes the place of a rate, in the order of run/setup.c; NULL: nothing does.
static const char *instead_of_rate(const lab_spec *spec, const lab_rule_spec *rule_spec,
                                   const char *key)
{
    const bool fraction = strcmp(key, "rate_fraction") == 0,
               common = strcmp(key, "learning.rate") == 0,
               common_fraction = strcmp(key, "learning.rate_fraction") == 0;
    if (!fraction && !common && !common_fraction)
        return NULL;
    if (!isnan(rule_spec->rate) || tunes(rule_spec, "rate"))
        return "a 'rate', of its own or for every rule (--learning-rate, in Python rate=)";
    if (!fraction && (!isnan(rule_spec->rate_fraction) || tunes(rule_spec, "rate_fraction")))
        return "a 'rate_fraction' of its own";
    if (!fraction && rule_spec->update != LAB_PLAIN)
        return "an update that is scaled, with a rate of 1";
    if (common_fraction && (!isnan(spec->learning.rate) || tunes(rule_spec, "learning.rate")))
        return "the 'rate' of learning";
    return NULL;
}

// A constant that changes nothing: another takes its place, or another update has it.
static lab_outcome check_idle(const lab_spec *spec, const lab_rule_spec *rule_spec,
                              const lab_constant_spec *constant, lab_why *why)
{
    const char *key = constant->key, *instead = instead_of_rate(spec, rule_spec, key);
    const lab_update_kind update = rule_spec->update;
    const char *other = strcmp(key, "rho") == 0 && update != LAB_PRECONDITIONED ? "preconditioned"
                        : strcmp(key, "normaliser") == 0 && update != LAB_NORMALISED ? "normalised"
                                                                                     : NULL;
    if (instead)
        return REFUSE(constant,
                      "rule '%s' tunes '%s' but has %s, which takes its place: remove one of them",
                      rule_spec->name, key, instead);
    if (other)
        return REFUSE(constant,
                      "rule '%s' tunes '%s', which only a %s update has: use 'update: %s', or "
                      "remove it from 'tune'",
                      rule_spec->name, key, other, other);
    return LAB_DONE;
}

static lab_outcome check_constant(const lab_spec *spec, const lab_rule_spec *rule_spec, int rule,
                                  const lab_constant_spec *constant, lab_why *why)
{
    lab_spec same = *spec; // borrows all, and changes nothing
    const number_at number = is_fixed(constant->key)
                                 ? (number_at){0}
                                 : constants_constant_at(&same, rule, constant->key, NULL);
    if (!number.at)
        return refuse_unknown(spec, rule_spec, constant, why);
    if (!is_learners(constant->key))
        return REFUSE(constant,
                      "'%.60s' is the task's, not the rule's: a rule may tune its own keys, "
                      "teach.gain, and what is below learning, olive, basis, prediction and "
                      "believed",
                      constant->key);
    if (!(constant->low < constant->high))
        return REFUSE(constant, "'low' of %g is not below 'high' of %g", constant->low,
                      constant->high);
    if (constant->scale == LAB_SCALE_LOG && !(constant->low > 0))
        return REFUSE(constant, "a logarithmic scale needs a 'low' above 0; this is %g",
                      constant->low);
    if (!is_in_range(number.field, constant))
        return REFUSE(constant, "'%s' must be %s %g and at most %g; the range goes from %g to %g",
                      constant->key, number.field->above_low ? "above" : "at least",
                      number.field->low, number.field->high, constant->low, constant->high);
    if (constants_is_time(constant->key) &&
        floor(constant->high / spec->step_ms + 1e-6) * spec->step_ms <
            constant->low - 1e-6 * spec->step_ms)
        return REFUSE(constant, "there is no whole number of steps of %g ms from %g to %g",
                      spec->step_ms, constant->low, constant->high);
    if (!lab_searches(spec) && isnan(*number.at))
        return REFUSE(constant,
                      "rule '%s' is tuned by 1 evaluation, that of the values in the spec, which "
                      "has none for '%s': give it one, or use 2 evaluations or more",
                      rule_spec->name, constant->key);
    return check_idle(spec, rule_spec, constant, why);
}

lab_outcome lab_constants_check(const lab_spec *spec, int rule, lab_why *why)
{
    const lab_rule_spec *rule_spec = &lab_rules(spec)[rule];
    const lab_constant_spec *constants = lab_constants(rule_spec);
    if (rule_spec->tune.count == 0)
        return LAB_DONE;
    if (!lab_tunes(spec))
        return REFUSE(rule_spec,
                      "rule '%s' has constants to tune, but the spec has no 'tune', which says how "
                      "often: add 'tune: {evaluations: 200}'",
                      rule_spec->name);
    if (rule_spec->tune.count > MOST_CONSTANTS)
        return REFUSE(rule_spec, "rule '%s' tunes %d constants; the maximum is %d", rule_spec->name,
                      rule_spec->tune.count, MOST_CONSTANTS);
    for (int i = 0; i < rule_spec->tune.count; i++) {
        for (int k = 0; k < i; k++)
            if (strcmp(constants[i].key, constants[k].key) == 0)
                return REFUSE(&constants[i], "rule '%s' tunes '%.60s' twice", rule_spec->name,
                              constants[i].key);
        const lab_outcome outcome = check_constant(spec, rule_spec, rule, &constants[i], why);
        if (outcome != LAB_DONE)
            return outcome;
    }
    return LAB_DONE;
}

// ---- set to no effect ------------------------------------------------------------------------

// What follows the name, or the number, of a rule in a path below `rules`; NULL: it is not this
// rule's.
static const char *below_rule(const lab_spec *spec, int rule, const char *path)
{
    const lab_rule_spec *rule_spec = &lab_rules(spec)[rule];
    char part[LONGEST_PART], number[16];
    if (!constants_begins(path, "rules."))
        return NULL;
    const char *rest = next_part(part, path + strlen("rules."));
    snprintf(number, sizeof number, "%d", rule);
    return strcmp(part, rule_spec->name) == 0 || strcmp(part, number) == 0 ? rest : NULL;
}

static const lab_constant_spec *constant_of_path(const lab_spec *spec, int rule, const char *path)
{
    const lab_rule_spec *rule_spec = &lab_rules(spec)[rule];
    const char *below = below_rule(spec, rule, path);
    const char *put = below && constants_begins(below, "set.") ? below + strlen("set.")
                      : below                                  ? ""
                                                               : path;
    lab_spec same = *spec; // borrows all, and changes nothing
    const double *at = find_number(&lab_spec_table, &same, put, NULL).at;
    for (int i = 0; i < rule_spec->tune.count; i++) {
        const lab_constant_spec *constant = &lab_constants(rule_spec)[i];
        const char *key = constant->key;
        const bool is_same = strcmp(put, key) == 0 ||
                             (at && at == find_number(&lab_spec_table, &same, key, NULL).at);
        if (is_rules_own(key) ? below && strcmp(below, key) == 0 : is_same)
            return constant;
    }
    return NULL;
}

const lab_constant_spec *lab_constant_set_by(const lab_spec *spec, int rule,
                                             const lab_setting *setting)
{
    const lab_constant_spec *found = NULL;
    if (setting->value->kind != LAB_MAP)
        return constant_of_path(spec, rule, setting->path);
    // A map gives a value to what is below it.
    for (lab_node *child = setting->value->child; child && !found; child = child->next) {
        char path[4 * LONGEST_PART];
        snprintf(path, sizeof path, "%.191s.%.63s", setting->path, child->key);
        found = lab_constant_set_by(spec, rule, &(lab_setting){.path = path, .value = child});
    }
    return found;
}

// A rate that is scanned for although the rule has one.
static lab_outcome check_scanned(const lab_spec *spec, const lab_setting *setting, lab_why *why)
{
    for (int i = 0; i < spec->rules.count; i++) {
        const lab_rule_spec *rule_spec = &lab_rules(spec)[i];
        const char *below = below_rule(spec, i, setting->path);
        if (rule_spec->scan && lab_scans_rates(spec, i) && below &&
            (strcmp(below, "rate") == 0 || strcmp(below, "rate_fraction") == 0))
            return lab_refuse(why,
                              "setting '%.80s' has no effect, as the rate of rule '%s' is chosen "
                              "from 'tune.rate_fractions': set rules.%s.scan=no, too",
                              setting->path, rule_spec->name, rule_spec->name);
    }
    return LAB_DONE;
}

lab_outcome lab_check_setting(const lab_spec *spec, const lab_setting *setting,
                              const lab_settings *settings, lab_why *why)
{
    const lab_constant_spec *constant = NULL;
    int rule = 0, count = 0;
    for (int i = 0; lab_searches(spec) && i < spec->rules.count; i++) {
        // Another setting may say what the rule tunes: this may then give a value that it must
        // have.
        bool is_told = false;
        for (int k = 0; settings && k < settings->count; k++) {
            const char *below = below_rule(spec, i, settings->items[k].path);
            is_told |= below && strcmp(below, "tune") == 0;
        }
        if (is_told)
            continue;
        const lab_constant_spec *of_rule = lab_constant_set_by(spec, i, setting);
        rule = of_rule && !constant ? i : rule;
        constant = constant ? constant : of_rule;
        count += of_rule != NULL;
    }
    if (!constant)
        return check_scanned(spec, setting, why);
    if (!constants_begins(setting->path, "rules.") && count < spec->rules.count)
        return LAB_DONE;
    return lab_refuse(why,
                      "setting '%.80s' has no effect, as '%.60s' of rule '%s' is tuned: remove it "
                      "from 'tune' of the rule",
                      setting->path, constant->key, lab_rules(spec)[rule].name);
}

// ---- noted -----------------------------------------------------------------------------------

static lab_outcome note_setting(lab_settings *set, const char *path, double value, lab_why *why)
{
    lab_number_text text = lab_number(value);
    const lab_node node = {.kind = LAB_SCALAR, .text = text.text};
    for (int i = 0; i < set->count; i++)
        if (strcmp(set->items[i].path, path) == 0 && set->items[i].value->kind == LAB_SCALAR) {
            char *copy = strdup(text.text);
            if (!copy)
                return lab_no_memory(why, NULL);
            free(set->items[i].value->text);
            set->items[i].value->text = copy;
            return LAB_DONE;
        }
    return lab_settings_add_node(set, path, &node, why);
}

lab_outcome lab_constants_note(lab_spec *spec, int rule, const double *values, lab_why *why)
{
    lab_rule_spec *rule_spec = &lab_rules(spec)[rule];
    lab_outcome outcome = LAB_DONE;
    // A rate that was chosen is a multiple of the unit of rates; where the update is scaled, of 1.
    if (lab_scans_rates(spec, rule)) {
        *(rule_spec->update == LAB_PLAIN ? &rule_spec->rate_fraction : &rule_spec->rate) =
            values[0];
        rule_spec->scan = true;
    }
    for (int i = 0; outcome == LAB_DONE && i < rule_spec->tune.count; i++) {
        const char *key = lab_constants(rule_spec)[i].key;
        const number_at number =
            is_rules_own(key) ? constants_constant_at(spec, rule, key, NULL) : (number_at){0};
        if (number.at)
            *number.at = values[i];
        else
            outcome = note_setting(&rule_spec->set, key, values[i], why);
    }
    return outcome;
}
