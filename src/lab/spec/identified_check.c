// SPDX-License-Identifier: Apache-2.0
#include "spec/identified_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "spec/beside.h"
#include "spec/check_parts.h"

// ---- the files -------------------------------------------------------------------------------

static lab_outcome identified_check_step(const lab_spec *spec, lab_place place, const char *file,
                                         const lab_model_file *model, lab_why *why)
{
    if (fabs(model->step_ms - spec->step_ms) <= 1e-6 * spec->step_ms)
        return LAB_DONE;
    return lab_spec_refuse(spec, place, why,
                           "'%.200s' is a model for steps of %g ms, the spec has steps of %g ms; "
                           "set 'step_ms: %g', or identify from a log with the spec's step",
                           file, model->step_ms, spec->step_ms, model->step_ms);
}

static lab_outcome read_one(lab_spec *spec, lab_place place, const char *file,
                            const lab_model_files *known, lab_why *why)
{
    char *path;
    lab_why reason = {0};
    if (!lab_is_model_name(file))
        return lab_spec_refuse(spec, place, why,
                               "the model file '%.200s' must end in .yaml, as `cfpc identify` "
                               "writes it",
                               file);
    lab_outcome outcome = lab_path_beside(&path, spec, file, &reason);
    const lab_known_model *model =
        outcome == LAB_DONE ? lab_model_files_add(&spec->models, path, known) : NULL;
    free(path);
    if (outcome == LAB_DONE && !model)
        return lab_no_memory(why, NULL);
    if (model) {
        outcome = model->outcome;
        reason = model->why;
    }
    if (outcome != LAB_DONE) {
        lab_spec_say(spec, place, why, "%s", reason.text);
        return outcome;
    }
    return identified_check_step(spec, place, file, &model->model, why);
}

lab_outcome lab_read_models(lab_spec *spec, const lab_model_files *known, lab_why *why)
{
    const lab_system_spec *systems[] = {&spec->loop.plant, &spec->loop.controller,
                                        &spec->loop.feedforward, &spec->believed.plant,
                                        &spec->believed.controller};
    lab_outcome outcome = LAB_DONE;
    if (spec->loop.model == LAB_LOOP_IDENTIFIED)
        outcome = read_one(spec, spec->loop.place, spec->loop.file, known, why);
    if (outcome == LAB_DONE && spec->believed.model == LAB_BELIEVED_IDENTIFIED)
        outcome = read_one(spec, spec->believed.place, spec->believed.file, known, why);
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof systems / sizeof systems[0]; i++)
        if (systems[i]->place.line > 0 && systems[i]->kind == LAB_IDENTIFIED)
            outcome = read_one(spec, systems[i]->place, systems[i]->file, known, why);
    return outcome;
}

// ---- what cannot go with it ------------------------------------------------------------------

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

static lab_outcome check_inputs(const lab_spec *spec, lab_why *why)
{
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
    return outcome == LAB_DONE ? check_inputs(spec, why) : outcome;
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
