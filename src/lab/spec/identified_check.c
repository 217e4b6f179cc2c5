// SPDX-License-Identifier: Apache-2.0
// identified_check: what cannot go with a loop of which only the response is known.
#include <math.h>

#include "spec/check_parts.h"

// What of a loop's parts is said although the loop is identified; NULL: nothing.
static const char *part_of_loop(const lab_loop_spec *loop)
{
    return loop->delay_ms > 0                                              ? "delay_ms"
           : loop->command_delay_ms > 0                                    ? "command_delay_ms"
           : loop->measurement_delay_ms > 0                                ? "measurement_delay_ms"
           : loop->discretise != LAB_CLOSE_EACH                            ? "discretise"
           : !isnan(loop->saturation.low) || !isnan(loop->saturation.high) ? "saturation"
           : loop->noise.process > 0                                       ? "noise.process"
                                                                           : NULL;
}

// The command is not known: only what happens between r and the measured output is.
static lab_outcome check_without_command(const lab_spec *spec, lab_place place, const char *what,
                                         lab_why *why)
{
    if (spec->enters != LAB_CONTROLLER_INPUT)
        return lab_spec_refuse(spec, place, why,
                               "%s is known from r to the output only: o cannot enter at the "
                               "%s input; use 'enters: controller-input'",
                               what, spec->enters == LAB_PLANT_INPUT ? "plant's" : "feed-forward");
    if (spec->teach.signal == LAB_TEACH_COMMAND)
        return lab_spec_refuse(spec, place, why,
                               "%s has no command that could teach; use 'teach: {signal: error}'",
                               what);
    return LAB_DONE;
}

static lab_outcome check_loop(const lab_spec *spec, lab_why *why)
{
    const lab_loop_spec *loop = &spec->loop;
    if (loop->model != LAB_LOOP_IDENTIFIED)
        return LAB_DONE;
    if (part_of_loop(loop))
        return REFUSE(loop,
                      "an identified loop is known as a whole, delays included: remove '%s', or "
                      "use 'model: parts'",
                      part_of_loop(loop));
    if (spec->believed.place.line > 0 && spec->believed.model == LAB_BELIEVED_GIVEN &&
        lab_part_believed(&spec->believed))
        return REFUSE(&spec->believed,
                      "the loop is identified as a whole, so no part of it can be believed "
                      "otherwise: remove '%s', or use 'model: identified'",
                      lab_part_believed(&spec->believed));
    const lab_outcome outcome = check_without_command(spec, loop->place, "an identified loop", why);
    if (outcome != LAB_DONE)
        return outcome;
    for (int i = 0; i < spec->disturbances.count; i++)
        if (lab_disturbances(spec)[i].at == LAB_AT_PLANT_INPUT)
            return REFUSE(&lab_disturbances(spec)[i],
                          "an identified loop has no plant input that is known; use 'at: "
                          "plant-output'");
    for (int i = 0; i < spec->basis.count; i++) {
        const lab_basis_spec *bank = &lab_banks(spec)[i];
        if (lab_family_of_basis(bank->kind) == LAB_DRIVEN &&
            (bank->input == LAB_FROM_COMMAND || bank->input == LAB_FROM_TOTAL_COMMAND))
            return REFUSE(bank, "an identified loop has no command that could drive a basis; use "
                                "another 'input'");
    }
    return LAB_DONE;
}

static lab_outcome check_believed(const lab_spec *spec, lab_why *why)
{
    const lab_believed_spec *believed = &spec->believed;
    if (believed->model != LAB_BELIEVED_IDENTIFIED)
        return LAB_DONE;
    if (lab_part_believed(believed))
        return REFUSE(believed,
                      "an identified model is the whole loop, delays included: remove '%s', or use "
                      "'model: given'",
                      lab_part_believed(believed));
    if (spec->teach.signal == LAB_TEACH_DISTURBANCE)
        return REFUSE(believed, "a disturbance teaches, which o does not change: the model would "
                                "not be used; remove 'believed'");
    return check_without_command(spec, believed->place, "an identified model", why);
}

lab_outcome lab_check_identified(const lab_spec *spec, lab_why *why)
{
    const lab_outcome outcome = check_loop(spec, why);
    return outcome == LAB_DONE ? check_believed(spec, why) : outcome;
}
