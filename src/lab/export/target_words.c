// SPDX-License-Identifier: Apache-2.0
#include "export/target_words.h"

#include <string.h>

#include "base/number.h"

static const char *target_words_where_of(const lab_target *target)
{
    switch (target->spec->enters) {
    case LAB_PLANT_INPUT:
        return "to the command";
    case LAB_FEEDFORWARD_INPUT:
        return "to the input of the feed-forward path";
    case LAB_CONTROLLER_INPUT:
        break;
    }
    return "to the controller's input, beside the error";
}

static const char *lesson_of(const lab_target *target)
{
    return target->two_lessons ? "what teaches, and reports the error e to the guard"
           : target->spec->teach.signal == LAB_TEACH_MEASURED_ERROR
               ? "the measured error e = r - m, as the controller sees it"
               : "the error e = r - y";
}

static const char *number(lab_target_words *to, double value)
{
    char *text = to->numbers[to->made++];
    snprintf(text, sizeof to->numbers[0], "%s", lab_number(value).text);
    return text;
}

static const char *bytes(lab_target_words *to, size_t count)
{
    char *text = to->numbers[to->made++];
    snprintf(text, sizeof to->numbers[0], "%zu", count);
    return text;
}

void lab_target_words_make(lab_target_words *to, const lab_target *target)
{
    const bool counts = target->resets || target->in_time, two = target->two_lessons;
    *to = (lab_target_words){0};
    const lab_word all[] = {
        {"name", target->name},
        {"NAME", target->upper},
        {"spec", target->spec->name},
        {"rule", target->of->name},
        {"real", target->real->name},
        {"version", CFPC_VERSION},
        {"parameters", target->parameters},
        {"arguments", target->arguments},
        {"where", target_words_where_of(target)},
        {"lesson", two ? "teaching, e" : "e"},
        {"lesson_parameters", two ? "cfpc_real teaching, cfpc_real e" : "cfpc_real e"},
        {"lesson_meaning", lesson_of(target)},
        {"is_float", target->real->real_bytes == sizeof(float) ? "1" : "0"},
        {"is_adjoint", target->horizon >= 0 ? "1" : "0"},
        {"synapses", number(to, target->synapses)},
        {"step_s", number(to, target->setup.rig.step_s)},
        {"trial_steps", number(to, counts ? target->trial_steps : 0)},
        {"horizon", number(to, target->horizon)},
        {"model_bytes", bytes(to, target->images.model_bytes)},
        {"data_bytes", bytes(to, target->images.data_bytes)},
        {"stack_bytes", bytes(to, target->cost.stack)},
        {NULL, NULL}};
    _Static_assert(sizeof all == sizeof to->words, "LAB_TARGET_WORDS counts them");
    memcpy(to->words, all, sizeof all);
}

lab_outcome lab_create_of_target(lab_folder *folder, const lab_target *target, const char *ending,
                                 FILE **file, lab_why *why)
{
    char name[LAB_NAME_BYTES + 16];
    snprintf(name, sizeof name, "%s%s", target->name, ending);
    return lab_folder_create(folder, name, file, why);
}
