// SPDX-License-Identifier: Apache-2.0
#include "export/target.h"

#include <string.h>

#include "plant/systems.h"
#include "run/cell.h"

bool lab_target_in_time(const lab_target *target)
{
    return target->in_time && target->bank_count == 0 && target->turning_count == 0;
}

lab_cell_numbers lab_target_cell(const lab_target *target, bool with_table)
{
    const bool table = with_table && lab_target_in_time(target);
    lab_cell_numbers cell = {.synapses = target->synapses,
                             .steps = table ? target->setup.rig.steps : 0,
                             .basis = table ? target->table : NULL,
                             .trace = &target->no_trace,
                             .past = table ? CFPC_PAST_TABLE : target->past,
                             .weights = target->weights,
                             .frozen = target->frozen};
    if (target->frozen)
        return cell;
    const cfpc_guard guard = lab_guard_of(&target->setup);
    cell.trace = &target->rule->trace;
    cell.filter = lab_has_filter(target->rule) ? &target->rule->filter : NULL;
    cell.preconditioner = target->rule->preconditioner;
    cell.rule = lab_rule_in_double(&target->rule->rule);
    cell.rule.rate = target->rule->rate;
    cell.rule.preconditioned = target->rule->preconditioner != NULL;
    cell.guard = lab_guard_in_double(&guard);
    cell.response = lab_response_of(target->rule);
    return cell;
}

void lab_target_free(lab_target *target)
{
    for (int i = 0; i < target->bank_count; i++)
        cfpc_system_free(&target->bank[i].system);
    cfpc_system_free(&target->no_trace);
    lab_images_free(&target->images);
    lab_basis_free(&target->basis);
    lab_setup_free(&target->setup);
    lab_arena_free(&target->arena);
    *target = (lab_target){0};
}

// ---- its texts -------------------------------------------------------------------------------

// What the simulated loop leaves out of the spec's.
static const char *lacks_of(const lab_spec *spec)
{
    return spec->loop.noise.process > 0 || spec->loop.noise.measurement > 0
               ? "the noise of the loop"
           : spec->loop.measurement_step > 0 ? "the rounding of what is measured"
                                             : "";
}

void lab_target_make_words(lab_target *target)
{
    static const char *const where[] = {
        [LAB_PLANT_INPUT] = "to the command",
        [LAB_FEEDFORWARD_INPUT] = "to the input of the feed-forward path",
        [LAB_CONTROLLER_INPUT] = "to the controller's input, beside the error"};
    static const char *const place[] = {[LAB_PLANT_INPUT] = "the command",
                                        [LAB_FEEDFORWARD_INPUT] = "the feed-forward path's input",
                                        [LAB_CONTROLLER_INPUT] = "the controller's input"};
    const bool counts = target->resets || target->in_time, two = target->two_lessons;
    const char *lesson = two ? "what teaches, and reports the error e to the guard"
                         : target->spec->teach.signal == LAB_TEACH_MEASURED_ERROR
                             ? "the measured error e = r - m, as the controller sees it"
                             : "the error e = r - y";
    const lab_word words[] = {
        {"name", target->name, 0},
        {"NAME", target->upper, 0},
        {"spec", target->spec->name, 0},
        {"rule", target->of->name, 0},
        {"real", target->real->name, 0},
        {"version", CFPC_VERSION, 0},
        {"parameters", target->parameters, 0},
        {"arguments", target->arguments, 0},
        {"where", where[target->spec->enters], 0},
        {"place", place[target->spec->enters], 0},
        {"lesson", two ? "teaching, e" : "e", 0},
        {"lesson_parameters", two ? "cfpc_real teaching, cfpc_real e" : "cfpc_real e", 0},
        {"lesson_meaning", lesson, 0},
        {"two_lessons", NULL, two},
        {"trials", NULL, target->resets},
        {"handed", NULL, target->handed},
        {"in_time", NULL, target->in_time},
        {"cycles", NULL, target->in_time && !target->resets},
        {"again", NULL, target->horizon >= 0 && target->past == CFPC_PAST_GIVEN},
        {"weights", NULL, target->weights != NULL},
        {"frozen", NULL, target->frozen},
        {"is_float", NULL, target->real->real_bytes == sizeof(float)},
        {"is_adjoint", NULL, target->horizon >= 0},
        {"synapses", NULL, target->synapses},
        {"step_s", NULL, target->setup.rig.step_s},
        {"trial_steps", NULL, counts ? target->trial_steps : 0},
        {"horizon", NULL, target->horizon},
        {"past", NULL, (target->horizon + 1) % (target->trial_steps > 0 ? target->trial_steps : 1)},
        {"lacks", lacks_of(target->spec), 0},
        {"saturates", NULL, lab_saturates(target->spec)},
        {"guarded", NULL, lab_target_cell(target, false).guard.on},
        {"model_bytes", NULL, (double)target->images.model_bytes},
        {"data_bytes", NULL, (double)target->images.data_bytes},
        {"stack_bytes", NULL, (double)target->cost.stack},
        {NULL, NULL, 0}};
    _Static_assert(sizeof words == sizeof target->words, "LAB_TARGET_WORDS counts them");
    memcpy(target->words, words, sizeof words);
}

void lab_put_filled(FILE *file, const lab_target *target, const char *text)
{
    lab_put_text(file, text, target->words);
}

lab_outcome lab_create_of_target(lab_folder *folder, const lab_target *target, const char *ending,
                                 FILE **file, lab_why *why)
{
    char name[LAB_NAME_BYTES + 16];
    snprintf(name, sizeof name, "%s%s", target->name, ending);
    return lab_folder_create(folder, name, file, why);
}
