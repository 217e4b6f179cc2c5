// SPDX-License-Identifier: Apache-2.0
#include "export/target_signals.h"

#include <stdio.h>
#include <string.h>

#include "export/identifier.h"

// ---- names -----------------------------------------------------------------------------------

static void target_signals_name_signal(const lab_spec *spec, lab_target_signal *signal)
{
    static const char *const plain[] = {
        [LAB_FROM_REFERENCE] = "reference",   [LAB_FROM_MEASUREMENT] = "measurement",
        [LAB_FROM_COMMAND] = "command",       [LAB_FROM_TOTAL_COMMAND] = "total_command",
        [LAB_FROM_PREDICTION] = "prediction", [LAB_FROM_ANGLE] = "turns"};
    const char *name = signal->input == LAB_FROM_CUE ? lab_cues(spec)[signal->source].name
                       : signal->input == LAB_FROM_DISTURBANCE
                           ? lab_disturbances(spec)[signal->source].name
                           : plain[signal->input];
    char clean[LAB_IDENTIFIER_BYTES];
    lab_identifier(clean, name);
    if (signal->ahead > 0)
        snprintf(signal->name, sizeof signal->name, "%s_ahead_%d", clean, signal->ahead);
    else
        snprintf(signal->name, sizeof signal->name, "%s%s", clean,
                 signal->input == LAB_FROM_CUE           ? "_cue"
                 : signal->input == LAB_FROM_DISTURBANCE ? "_disturbance"
                                                         : "");
}

static bool target_signals_is_taken(const lab_target *target, const char *name)
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
    for (int n = 2; target_signals_is_taken(target, signal->name); n++)
        snprintf(signal->name, sizeof signal->name, "%.50s_%d", plain, n);
}

int lab_target_signal_of(lab_target *target, lab_target_signal wanted)
{
    for (int i = 0; i < target->signals; i++) {
        const lab_target_signal *one = &target->signal[i];
        if (one->input == wanted.input && one->source == wanted.source &&
            one->ahead == wanted.ahead)
            return i;
    }
    target_signals_name_signal(target->spec, &wanted);
    make_different(target, &wanted);
    target->signal[target->signals] = wanted;
    return target->signals++;
}

// ---- arguments -------------------------------------------------------------------------------

// Each name after this type, with commas between; or, without signals, what there is instead.
static const char *target_signals_list(lab_target *target, const char *type, const char *instead)
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

bool lab_target_list_signals(lab_target *target)
{
    target->parameters =
        target_signals_list(target, "cfpc_real ", target->handed ? "const cfpc_real *x" : "void");
    target->arguments = target_signals_list(target, "", target->handed ? "x" : "");
    return !target->arena.failed;
}
