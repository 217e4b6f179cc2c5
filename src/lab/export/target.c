// SPDX-License-Identifier: Apache-2.0
#include "export/target.h"

#include <ctype.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/lab_only.h"
#include "export/weights.h"
#include "run/cell.h"

// ---- names -----------------------------------------------------------------------------------

// A C identifier in lower case: what is not a letter or a digit becomes '_'.
static void identifier(char *to, const char *from)
{
    size_t k = 0;
    if (isdigit((unsigned char)*from) || strncmp(from, "cfpc", 4) == 0) // the library's own names
        k = (size_t)snprintf(to, LAB_NAME_BYTES, "cell_");
    for (; *from && k + 1 < LAB_NAME_BYTES / 2; from++)
        to[k++] = isalnum((unsigned char)*from) ? (char)tolower((unsigned char)*from) : '_';
    to[k] = '\0';
}

static bool is_identifier(const char *name)
{
    bool is = isalpha((unsigned char)*name); // those that begin with '_' are the compiler's
    for (const char *at = name; *at; at++)
        is &= isalnum((unsigned char)*at) || *at == '_';
    return is;
}

static lab_outcome choose_name(lab_target *target, const char *name, lab_why *why)
{
    if (name && !is_identifier(name))
        return lab_refuse(why,
                          "--name '%.80s' is not a C identifier: use letters, digits and '_', and "
                          "begin with a letter",
                          name);
    if (name && strncmp(name, "cfpc", 4) == 0)
        return lab_refuse(why, "--name '%.80s': names that begin with 'cfpc' are the library's own",
                          name);
    if (name && strlen(name) >= LAB_NAME_BYTES / 2)
        return lab_refuse(why, "--name '%.80s' is longer than %d letters", name,
                          LAB_NAME_BYTES / 2 - 1);
    if (name)
        snprintf(target->name, sizeof target->name, "%s", name);
    else
        identifier(target->name, target->of->name);
    for (size_t k = 0; k < sizeof target->upper; k++)
        target->upper[k] = (char)toupper((unsigned char)target->name[k]);
    return LAB_DONE;
}

// ---- basis signals ---------------------------------------------------------------------------

static void name_signal(const lab_spec *spec, lab_target_signal *signal)
{
    static const char *const plain[] = {
        [LAB_FROM_REFERENCE] = "reference",   [LAB_FROM_MEASUREMENT] = "measurement",
        [LAB_FROM_COMMAND] = "command",       [LAB_FROM_TOTAL_COMMAND] = "total_command",
        [LAB_FROM_PREDICTION] = "prediction", [LAB_FROM_ANGLE] = "turns"};
    const char *name = signal->input == LAB_FROM_CUE ? lab_cues(spec)[signal->source].name
                       : signal->input == LAB_FROM_DISTURBANCE
                           ? lab_disturbances(spec)[signal->source].name
                           : plain[signal->input];
    char clean[LAB_NAME_BYTES];
    identifier(clean, name);
    if (signal->ahead > 0)
        snprintf(signal->name, sizeof signal->name, "%.40s_ahead_%d", clean, signal->ahead);
    else
        snprintf(signal->name, sizeof signal->name, "%.40s%s", clean,
                 signal->input == LAB_FROM_CUE           ? "_cue"
                 : signal->input == LAB_FROM_DISTURBANCE ? "_disturbance"
                                                         : "");
}

static bool is_taken(const lab_target *target, const char *name)
{
    for (int i = 0; i < target->signals; i++)
        if (strcmp(target->signal[i].name, name) == 0)
            return true;
    return false;
}

// Of names that became the same identifier, the second ends in _2, the third in _3, ...
static void make_different(const lab_target *target, lab_target_signal *signal)
{
    char plain[LAB_NAME_BYTES];
    memcpy(plain, signal->name, sizeof plain);
    for (int n = 2; is_taken(target, signal->name); n++)
        snprintf(signal->name, sizeof signal->name, "%.50s_%d", plain, n);
}

// The number of a signal; a new one if no other bank has it.
static int signal_of(lab_target *target, lab_target_signal wanted)
{
    for (int i = 0; i < target->signals; i++) {
        const lab_target_signal *one = &target->signal[i];
        if (one->input == wanted.input && one->source == wanted.source &&
            one->ahead == wanted.ahead)
            return i;
    }
    name_signal(target->spec, &wanted);
    make_different(target, &wanted);
    target->signal[target->signals] = wanted;
    return target->signals++;
}

// The kind of a bank and the bytes of its state; those of taps end with their place in the ring.
static void measure_bank(const lab_target *target, lab_target_bank *bank, lab_basis_kind kind)
{
    const cfpc_system *sys = &bank->system;
    const size_t real = target->real->real_bytes;
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
}

static lab_outcome add_bank(lab_target *target, const lab_driven *driven, lab_why *why)
{
    lab_target_bank *bank = &target->bank[target->bank_count++];
    *bank = (lab_target_bank){
        .column = driven->column,
        .signal = signal_of(target, (lab_target_signal){.input = driven->spec->input,
                                                        .source = driven->source,
                                                        .ahead = driven->ahead})};
    const cfpc_status status =
        lab_bank_network(&bank->system, driven->spec, target->setup.rig.step_s);
    if (status == CFPC_OK)
        measure_bank(target, bank, driven->spec->kind);
    const int64_t most = (int64_t)1 << 20, // 4 MB in float, 20 MB of C source
        coefficients =
            (int64_t)cfpc_system_rows(&bank->system) * cfpc_system_columns(&bank->system);
    if (status == CFPC_OK && bank->kind == LAB_BANK_OF_LTI && coefficients > most)
        return lab_refuse(why,
                          "%s: a bank of %d basis signals has %" PRId64 " coefficients, too many "
                          "for a target; the maximum is %" PRId64,
                          target->spec->file, (int)bank->system.outputs, coefficients, most);
    return lab_from_status(why,
                           status == CFPC_OK && bank->state_bytes == 0 ? CFPC_NO_MEMORY : status,
                           target->spec->file);
}

static bool is_in_time(const lab_basis_spec *bank)
{
    const lab_basis_family family = lab_family_of_basis(bank->kind);
    return family != LAB_DRIVEN && family != LAB_TURNING;
}

// Whether all basis signals are functions of the time in the trial.
static bool all_in_time(const lab_target *target)
{
    return target->in_time && target->bank_count == 0 && target->turning_count == 0;
}

static lab_outcome take_basis(lab_target *target, lab_why *why)
{
    const lab_spec *spec = target->spec;
    lab_outcome outcome = lab_basis_make(&target->basis, spec, &target->setup.rig.world,
                                         target->setup.rig.steps, why);
    if (outcome != LAB_DONE)
        return outcome;
    target->handed = target->basis.going_count > 0;
    target->table = target->basis.table;
    target->bank =
        lab_take(&target->arena, (size_t)target->basis.driven_count, sizeof *target->bank);
    target->signal =
        lab_take(&target->arena, (size_t)target->basis.driven_count + 1, sizeof *target->signal);
    if (target->arena.failed)
        return lab_no_memory(why, NULL);
    for (int i = 0; outcome == LAB_DONE && !target->handed && i < target->basis.driven_count; i++)
        outcome = add_bank(target, &target->basis.driven[i], why);
    target->turning_count = target->handed ? 0 : target->basis.turning_count;
    if (target->turning_count > 0)
        signal_of(target, (lab_target_signal){.input = LAB_FROM_ANGLE});
    for (int i = 0; !target->handed && i < spec->basis.count; i++)
        target->in_time |= is_in_time(&lab_banks(spec)[i]);
    return outcome;
}

static lab_outcome pack(lab_target *target, bool interpolate, lab_why *why)
{
    const int steps = target->setup.rig.steps, g = target->synapses;
    const size_t bytes = target->real->real_bytes;
    if (!target->in_time)
        return LAB_DONE;
    const cfpc_status status =
        interpolate
            ? lab_shapes_interpolate(&target->shapes, &target->arena, target->table, steps, g,
                                     bytes, target->spec, target->basis.first)
            : lab_shapes_pack(&target->shapes, &target->arena, target->table, steps, g, bytes);
    return lab_from_status(why, status, target->spec->file);
}

// ---- the cell --------------------------------------------------------------------------------

static lab_rule_numbers rule_numbers(const lab_target *target)
{
    if (target->frozen)
        return (lab_rule_numbers){0};
    lab_rule_numbers rule = lab_rule_in_double(&target->rule->rule);
    rule.rate = target->rule->rate;
    rule.preconditioned = target->rule->preconditioner != NULL;
    return rule;
}

static lab_guard_numbers guard_numbers(const lab_target *target)
{
    if (target->frozen)
        return (lab_guard_numbers){0};
    const cfpc_guard guard = lab_guard_of(&target->setup, target->rule);
    return lab_guard_in_double(&guard);
}

lab_cell_numbers lab_target_cell(const lab_target *target, bool with_table)
{
    const bool filtered = lab_has_filter(target->rule) && !target->frozen;
    const bool table = with_table && all_in_time(target);
    return (lab_cell_numbers){.synapses = target->synapses,
                              .steps = table ? target->setup.rig.steps : 0,
                              .basis = table ? target->table : NULL,
                              .trace = target->frozen ? &target->plain : &target->rule->trace,
                              .filter = filtered ? &target->rule->filter : NULL,
                              .past = table ? CFPC_PAST_TABLE : target->past,
                              .preconditioner =
                                  target->frozen ? NULL : target->rule->preconditioner,
                              .rule = rule_numbers(target),
                              .guard = guard_numbers(target),
                              .weights = target->weights,
                              .baseline = target->frozen ? 0 : target->baseline,
                              .spread = target->spread,
                              .frozen = target->frozen};
}

// Refuses a number of the spec that is 0 (subnormal numbers are) or infinite in float, and was not.
static lab_outcome check_number(const lab_target *target, const char *name, double value,
                                lab_why *why)
{
    const double size = fabs(value);
    if (value == 0 || !isfinite(value) || (size >= (double)FLT_MIN && size <= (double)FLT_MAX))
        return LAB_DONE;
    return lab_refuse(why, "rule '%s': its %s, %g, is %s in float; use --real double",
                      target->of->name, name, value, size < 1 ? "0" : "infinite");
}

static lab_outcome check_numbers(const lab_target *target, lab_why *why)
{
    const lab_rule_numbers rule = rule_numbers(target);
    const lab_guard_numbers guard = guard_numbers(target);
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
                   {"guard's resume", guard.resume},
                   {"guard's drift", guard.drift}};
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

// What teaches is the error that the guard watches, or another signal.
static bool has_two_lessons(const lab_spec *spec)
{
    return spec->teach.delay_ms > 0 || spec->teach.signal == LAB_TEACH_COMMAND ||
           spec->teach.signal == LAB_TEACH_DISTURBANCE;
}

static lab_outcome make_cell(lab_target *target, lab_why *why)
{
    const lab_guard_numbers guard = guard_numbers(target);
    cfpc_status status = cfpc_gain(&target->plain, 1);
    lab_baseline_of(&target->setup, guard.window_steps, target->rule->rule.mode == CFPC_ONLINE,
                    &target->baseline, &target->spread);
    target->past = all_in_time(target) ? CFPC_PAST_GIVEN : CFPC_PAST_KEPT;
    target->horizon =
        lab_has_filter(target->rule) && !target->frozen ? target->rule->filter.horizon : -1;
    target->two_lessons = has_two_lessons(target->spec);
    const lab_cell_numbers cell = lab_target_cell(target, false);
    if (status == CFPC_OK)
        status = target->real->make(&target->images, &cell);
    return lab_spec_from_status(target->spec, target->of->place, "the cell", status, why);
}

static lab_outcome take_weights(lab_target *target, const lab_target_options *options, lab_why *why)
{
    if (options->frozen && !options->weights)
        return lab_refuse(why,
                          "--frozen needs --weights RUN: a cell that never learned puts out 0");
    if (!options->weights)
        return LAB_DONE;
    target->weights = lab_take(&target->arena, (size_t)target->synapses, sizeof *target->weights);
    return target->weights ? lab_weights_read(target->weights, target->synapses, options->weights,
                                              target->spec, target->of->name, why)
                           : lab_no_memory(why, NULL);
}

// ---- what it costs ---------------------------------------------------------------------------

static lab_cost_system system_of(const cfpc_system *sys)
{
    lab_cost_system of = {.cells = cfpc_system_rows(sys) * cfpc_system_columns(sys),
                          .rows = cfpc_system_rows(sys)};
    for (int k = 0; k < of.cells; k++)
        of.entries += sys->matrix[k] != 0;
    return of;
}

static size_t constants_of(const lab_target_bank *bank, size_t real_bytes)
{
    const cfpc_system *sys = &bank->system;
    if (bank->kind != LAB_BANK_OF_LTI)
        return bank->kind == LAB_BANK_LEAKY ? 2 * (size_t)sys->states * real_bytes : 0;
    return (size_t)cfpc_system_rows(sys) * (size_t)cfpc_system_columns(sys) * real_bytes +
           (size_t)sys->lines * sizeof(int32_t);
}

// Mean number of basis signals in time or over an angle that are not 0.
static double active_of(const lab_target *target)
{
    double sum = 0;
    for (int j = 0; target->in_time && j < target->synapses; j++)
        sum += (double)target->shapes.length[j] / target->setup.rig.steps;
    for (int i = 0; i < target->turning_count; i++) {
        const cfpc_periodic *of = &target->basis.turning[i].periodic;
        sum += (double)of->length * of->synapses / of->points;
    }
    return sum;
}

static lab_cost_of facts_of(const lab_target *target)
{
    const lab_cell_numbers cell = lab_target_cell(target, false);
    const bool rows = target->in_time || target->turning_count > 0,
               again = rows && cell.filter && target->past == CFPC_PAST_GIVEN;
    lab_cost_of of = {.real_bytes = target->real->real_bytes,
                      .synapses = target->synapses,
                      .trace = system_of(cell.trace),
                      .taps = cell.filter ? cell.filter->lead + cell.filter->horizon + 1 : 0,
                      .guarded = cell.guard.on,
                      .learns = !target->frozen,
                      .normalised = cell.rule.normaliser > 0,
                      .momentum = cell.rule.momentum > 0 || cell.rule.output_penalty > 0,
                      .rows = rows + again,
                      .active = active_of(target)};
    for (int i = 0; i < target->bank_count; i++) {
        const lab_target_bank *one = &target->bank[i];
        const lab_cost_system bank = system_of(&one->system);
        if (one->kind == LAB_BANK_OF_TAPS)
            of.delayed += one->system.outputs;
        else if (one->kind == LAB_BANK_LEAKY) {
            of.leaky.rows += one->system.states;
            of.leaky.cells += one->system.states * (one->system.states + 1) / 2;
        } else {
            of.banks.cells += bank.cells;
            of.banks.entries += bank.entries;
            of.banks.rows += bank.rows;
        }
    }
    return of;
}

static void count_bytes(lab_target *target)
{
    const size_t real = target->real->real_bytes, g = (size_t)target->synapses;
    const lab_cost_of of = facts_of(target);
    target->flash_constants = target->images.model_bytes + (target->weights ? g * real : 0) +
                              (target->in_time ? lab_shapes_bytes(&target->shapes, real) : 0);
    target->ram = target->images.data_bytes + (target->handed ? 0 : g * real) + 16;
    for (int i = 0; i < target->bank_count; i++) {
        target->flash_constants += constants_of(&target->bank[i], real);
        target->ram +=
            target->bank[i].state_bytes + (target->bank[i].kind == LAB_BANK_OF_LTI ? 8 : 0);
    }
    for (int i = 0; i < target->turning_count; i++)
        target->flash_constants += ((size_t)target->basis.turning[i].periodic.length + 1) * real;
    target->cost = lab_cost_estimate(&of);
}

static size_t flash_of(const lab_target *target)
{
    return target->flash_constants + target->cost.code;
}

// What a model larger than any microcontroller's is made of.
static lab_outcome refuse_large(const lab_target *target, double limit, lab_why *why)
{
    const cfpc_system *trace = &target->rule->trace;
    return lab_refuse(why,
                      "rule '%s' needs %zu bytes of flash, more than %.0f: its trace has %d states "
                      "and %d delay lines for %d synapses; --flash SIZE exports it all the same",
                      target->of->name, flash_of(target), limit, trace->states, trace->lines,
                      target->synapses);
}

static lab_outcome check_fit(const lab_target *target, const lab_target_options *options,
                             lab_why *why)
{
    const size_t ram = target->ram + target->cost.stack;
    if (options->flash == 0 && options->usual_flash > 0 &&
        (double)flash_of(target) > options->usual_flash)
        return refuse_large(target, options->usual_flash, why);
    if (options->flash > 0 && (double)flash_of(target) > options->flash)
        return lab_refuse(why,
                          "rule '%s' needs %zu bytes of flash (%zu of constants, about %zu of "
                          "code); --flash says that there are %.0f",
                          target->of->name, flash_of(target), target->flash_constants,
                          target->cost.code, options->flash);
    if (options->ram > 0 && (double)ram > options->ram)
        return lab_refuse(why,
                          "rule '%s' needs %zu bytes of RAM (%zu of data, about %zu of stack); "
                          "--ram says that there are %.0f",
                          target->of->name, ram, target->ram, target->cost.stack, options->ram);
    return LAB_DONE;
}

// All as it is or, if that does not fit, with one shape per bank.
static lab_outcome fit(lab_target *target, const lab_target_options *options, lab_why *why)
{
    lab_outcome outcome = pack(target, false, why);
    if (outcome != LAB_DONE)
        return outcome;
    count_bytes(target);
    if (options->flash > 0 && (double)flash_of(target) > options->flash && target->in_time) {
        const lab_shape_table whole = target->shapes;
        outcome = pack(target, true, why);
        if (lab_shapes_bytes(&target->shapes, target->real->real_bytes) >=
            lab_shapes_bytes(&whole, target->real->real_bytes))
            target->shapes = whole;
        count_bytes(target);
    }
    return outcome == LAB_DONE ? check_fit(target, options, why) : outcome;
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
        outcome = make_cell(target, why);
    return outcome == LAB_DONE ? fit(target, options, why) : outcome;
}

void lab_target_free(lab_target *target)
{
    for (int i = 0; i < target->bank_count; i++)
        cfpc_system_free(&target->bank[i].system);
    cfpc_system_free(&target->plain);
    lab_images_free(&target->images);
    lab_basis_free(&target->basis);
    lab_setup_free(&target->setup);
    lab_arena_free(&target->arena);
    *target = (lab_target){0};
}
