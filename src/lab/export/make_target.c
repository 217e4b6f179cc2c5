// SPDX-License-Identifier: Apache-2.0
#include "export/make_target.h"

#include <ctype.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "export/cost.h"
#include "export/lab_only.h"
#include "export/weights.h"
#include "run/cell.h"

enum { MAX_COEFFICIENTS = 1 << 20 }; // of a bank: 4 MB in float, 20 MB of C source

static lab_outcome choose_name(lab_target *target, const char *name, lab_why *why)
{
    if (name && !lab_is_identifier(name))
        return lab_refuse(why,
                          "--name '%.80s' is not a C identifier: use letters, digits and '_', and "
                          "begin with a letter",
                          name);
    if (name && strncmp(name, "cfpc", 4) == 0)
        return lab_refuse(why, "--name '%.80s': names that begin with 'cfpc' are the library's own",
                          name);
    if (name && strlen(name) >= LAB_IDENTIFIER_BYTES)
        return lab_refuse(why, "--name '%.80s' is longer than %d letters", name,
                          LAB_IDENTIFIER_BYTES - 1);
    if (name)
        snprintf(target->name, sizeof target->name, "%s", name);
    else
        lab_identifier(target->name, target->of->name);
    for (size_t k = 0; k < sizeof target->upper; k++)
        target->upper[k] = (char)toupper((unsigned char)target->name[k]);
    return LAB_DONE;
}

// ---- signals ---------------------------------------------------------------------------------

// The C name of a signal, before others have it, too.
static void make_target_name_signal(const lab_spec *spec, lab_target_signal *signal)
{
    static const char *const plain[] = {
        [LAB_FROM_REFERENCE] = "reference",   [LAB_FROM_MEASUREMENT] = "measurement",
        [LAB_FROM_COMMAND] = "command",       [LAB_FROM_TOTAL_COMMAND] = "total_command",
        [LAB_FROM_PREDICTION] = "prediction", [LAB_FROM_ANGLE] = "turns"};
    const char *name = plain[signal->input], *kind = "";
    if (signal->input == LAB_FROM_CUE) {
        name = lab_cues(spec)[signal->source].name;
        kind = "_cue";
    } else if (signal->input == LAB_FROM_DISTURBANCE) {
        name = lab_disturbances(spec)[signal->source].name;
        kind = "_disturbance";
    }
    char clean[LAB_IDENTIFIER_BYTES];
    lab_identifier(clean, name);
    if (signal->ahead > 0)
        snprintf(signal->name, sizeof signal->name, "%s_ahead_%d", clean, signal->ahead);
    else
        snprintf(signal->name, sizeof signal->name, "%s%s", clean, kind);
}

// The index of a signal of which input, source and ahead are given; a new one where no bank has it.
// There is room for it.
static int signal_of(lab_target *target, lab_target_signal wanted)
{
    for (int i = 0; i < target->signals; i++) {
        const lab_target_signal *one = &target->signal[i];
        if (one->input == wanted.input && one->source == wanted.source &&
            one->ahead == wanted.ahead)
            return i;
    }

    // Of names that became the same identifier, the second ends in _2, the third in _3, ...
    char plain[LAB_NAME_BYTES];
    make_target_name_signal(target->spec, &wanted);
    memcpy(plain, wanted.name, sizeof plain);
    for (int i = 0, n = 2; i < target->signals;)
        if (strcmp(target->signal[i].name, wanted.name) == 0) {
            snprintf(wanted.name, sizeof wanted.name, "%.50s_%d", plain, n++);
            i = 0;
        } else
            i++;
    target->signal[target->signals] = wanted;
    return target->signals++;
}

// Each name after this type, with commas between; or, without signals, what there is instead.
static const char *list_signals(lab_target *target, const char *type, const char *instead)
{
    const size_t each = strlen(", ") + strlen(type) + LAB_NAME_BYTES,
                 size = (size_t)target->signals * each + strlen(instead) + 1;
    char *text = lab_take(&target->arena, size, 1);
    size_t used = 0;
    if (!text)
        return NULL;
    for (int i = 0; i < target->signals; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s%s", i > 0 ? ", " : "", type,
                                 target->signal[i].name);
    if (target->signals == 0)
        snprintf(text, size, "%s", instead);
    return text;
}

// ---- basis signals ---------------------------------------------------------------------------

static lab_outcome add_bank(lab_target *target, const lab_driven *driven, lab_why *why)
{
    const size_t real = target->real->real_bytes;
    const lab_basis_kind kind = driven->spec->kind;
    lab_target_bank *bank = &target->bank[target->bank_count++];
    const cfpc_system *sys = &bank->system;
    *bank = (lab_target_bank){
        .column = driven->column,
        .signal = signal_of(target, (lab_target_signal){.input = driven->spec->input,
                                                        .source = driven->source,
                                                        .ahead = driven->ahead})};
    const cfpc_status status =
        lab_bank_network(&bank->system, driven->spec, target->setup.rig.step_s);
    if (status != CFPC_OK)
        return lab_from_status(why, status, target->spec->file);

    // The state of taps ends with their place in the ring.
    if (kind == LAB_TAPPED_DELAY) {
        bank->kind = LAB_BANK_OF_TAPS;
        bank->spacing = sys->lines > 0 ? sys->delay_steps[0] : 1;
        bank->length = sys->lines * bank->spacing + 1;
        bank->state_bytes = ((size_t)bank->length + 1) * real;
    } else if (kind == LAB_LEAKY_CASCADE) {
        bank->kind = LAB_BANK_LEAKY;
        bank->state_bytes = (size_t)sys->states * real;
    } else
        bank->state_bytes = target->real->bank_bytes(sys);

    const int64_t coefficients = (int64_t)cfpc_system_rows(sys) * (int64_t)cfpc_system_columns(sys);
    if (bank->kind == LAB_BANK_OF_LTI && coefficients > MAX_COEFFICIENTS)
        return lab_refuse(why,
                          "%s: a bank of %d basis signals has %" PRId64 " coefficients, too many "
                          "for a target; the maximum is %d",
                          target->spec->file, (int)sys->outputs, coefficients, MAX_COEFFICIENTS);
    return bank->state_bytes > 0 ? LAB_DONE : lab_no_memory(why, target->spec->file);
}

// Banks that signals drive, shapes in time, bumps over an angle; or all of them are handed in.
static lab_outcome take_basis(lab_target *target, lab_why *why)
{
    lab_basis *basis = &target->basis;
    lab_outcome outcome =
        lab_basis_make(basis, target->spec, &target->setup.rig.world, target->setup.rig.steps, why);
    if (outcome != LAB_DONE)
        return outcome;
    const size_t banks = (size_t)basis->driven_count;
    target->handed = basis->going_count > 0;
    target->table = basis->table;
    target->bank = lab_take(&target->arena, banks, sizeof *target->bank);
    target->signal = lab_take(&target->arena, banks + 1, sizeof *target->signal);
    if (target->arena.failed)
        return lab_no_memory(why, NULL);
    for (int i = 0; outcome == LAB_DONE && !target->handed && i < basis->driven_count; i++)
        outcome = add_bank(target, &basis->driven[i], why);
    target->turning_count = target->handed ? 0 : basis->turning_count;
    if (target->turning_count > 0)
        signal_of(target, (lab_target_signal){.input = LAB_FROM_ANGLE});
    target->in_time = !target->handed && lab_has_time(target->spec);
    target->parameters =
        list_signals(target, "cfpc_real ", target->handed ? "const cfpc_real *x" : "void");
    target->arguments = list_signals(target, "", target->handed ? "x" : "");
    return outcome == LAB_DONE && target->arena.failed ? lab_no_memory(why, NULL) : outcome;
}

// ---- the cell --------------------------------------------------------------------------------

static lab_outcome take_weights(lab_target *target, const lab_target_options *options, lab_why *why)
{
    if (options->frozen && !options->weights)
        return lab_refuse(
            why, "--frozen needs --weights RUN: the output of a cell that never learned is 0");
    if (!options->weights)
        return LAB_DONE;
    target->weights = lab_take(&target->arena, (size_t)target->synapses, sizeof *target->weights);
    return target->weights ? lab_weights_read(target->weights, target->synapses, options->weights,
                                              target->spec, target->of->name, why)
                           : lab_no_memory(why, NULL);
}

// Refuses a number of the spec that in float is 0, subnormal (with fewer digits) or infinite, and
// was not.
static lab_outcome check_number(const lab_target *target, const char *name, double value,
                                lab_why *why)
{
    const double size = fabs(value);
    if (value == 0 || !isfinite(value) || (size >= (double)FLT_MIN && size <= (double)FLT_MAX))
        return LAB_DONE;
    return lab_refuse(why, "rule '%s': its %s, %g, is too %s for float; use --real double",
                      target->of->name, name, value, size < 1 ? "small" : "large");
}

static lab_outcome check_numbers(const lab_target *target, lab_why *why)
{
    const lab_cell_numbers cell = lab_target_cell(target, false);
    const lab_rule_numbers rule = cell.rule;
    const lab_guard_numbers guard = cell.guard;
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"rate", rule.rate},
                   {"normaliser", rule.normaliser},
                   {"leak", rule.leak},
                   {"momentum", rule.momentum},
                   {"output penalty", rule.output_penalty},
                   {"inhibition", rule.inhibition},
                   {"lowest weight", rule.weight_low},
                   {"highest weight", rule.weight_high},
                   {"guard's factor", guard.factor},
                   {"guard's spread", guard.spread},
                   {"guard's resume", guard.resume}};
    lab_outcome outcome = LAB_DONE;
    if (target->real->real_bytes != sizeof(float))
        return LAB_DONE;
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof numbers / sizeof numbers[0]; i++)
        outcome = check_number(target, numbers[i].name, numbers[i].value, why);
    for (int j = 0; outcome == LAB_DONE && target->weights && j < target->synapses; j++)
        if (fabs(target->weights[j]) > (double)FLT_MAX)
            outcome = check_number(target, "weight", target->weights[j], why);
    return outcome;
}

static lab_outcome make_target_make_cell(lab_target *target, lab_why *why)
{
    const lab_teach_spec *teach = &target->spec->teach;
    cfpc_status status = cfpc_gain(&target->no_trace, 1);
    target->past = lab_target_in_time(target) ? CFPC_PAST_GIVEN : CFPC_PAST_KEPT;
    target->horizon =
        lab_has_filter(target->rule) && !target->frozen ? target->rule->filter.horizon : -1;
    target->two_lessons = teach->delay_ms > 0 || teach->signal == LAB_TEACH_COMMAND ||
                          teach->signal == LAB_TEACH_DISTURBANCE;
    const lab_cell_numbers cell = lab_target_cell(target, false);
    if (status == CFPC_OK)
        status = target->real->make(&target->images, &cell);
    return lab_spec_from_status(target->spec, target->of->place, "the cell", status, why);
}

// ---- all of it -------------------------------------------------------------------------------

lab_outcome lab_target_make(lab_target *target, const lab_plan *plan,
                            const lab_target_options *options, lab_why *why)
{
    const int rule = plan->spec->main_rule;
    *target = (lab_target){.spec = lab_planned(plan, rule, 0),
                           .real = lab_precision_of(options->real_bytes),
                           .frozen = options->frozen};
    target->of = &lab_rules(target->spec)[rule];
    target->resets = target->spec->task.reset;
    lab_outcome outcome = lab_check_exportable(plan, rule, why);
    if (outcome == LAB_DONE)
        outcome = choose_name(target, options->name, why);
    if (outcome == LAB_DONE && options->weights)
        outcome = lab_weights_check(options->weights, plan->spec, target->of->name, why);
    if (outcome == LAB_DONE)
        outcome = lab_setup_make(&target->setup, plan, rule, 0, why);
    if (outcome != LAB_DONE)
        return outcome;
    target->rule = &target->setup.rule[rule];
    target->synapses = target->setup.bases;
    target->trial_steps = target->setup.rig.steps;
    outcome = take_basis(target, why);
    if (outcome == LAB_DONE)
        outcome = take_weights(target, options, why);
    if (outcome == LAB_DONE)
        outcome = check_numbers(target, why);
    if (outcome == LAB_DONE)
        outcome = make_target_make_cell(target, why);
    if (outcome == LAB_DONE)
        outcome = lab_target_fit(target, options, why);
    if (outcome == LAB_DONE)
        lab_target_make_words(target);
    return outcome;
}
