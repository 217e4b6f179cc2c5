// SPDX-License-Identifier: Apache-2.0
#include "analyse/learner.h"

#include <stdlib.h>

#include "cfpc/response.h"
#include "plant/paths.h"
#include "run/simulate.h"

static bool learner_is_online(const lab_setup *setup)
{
    return setup->rig.spec->learning.mode == LAB_ONLINE;
}

const char *lab_not_affine(const lab_setup *setup, const lab_rule *rule)
{
    const cfpc_rule *r = &rule->rule;
    if (rule->is_learned)
        return "its forward model is learned while it runs";
    if (setup->rig.spec->phases.count > 1)
        return "there are phases";
    if (setup->nonlinear)
        return setup->nonlinear;
    if (setup->rig.spec->learning.frozen)
        return "nothing is learned";
    if (lab_has_noisy_teacher(setup->rig.spec))
        return lab_has_spikes(setup->rig.spec) ? "the teaching signal arrives as spikes"
                                               : "there is noise on the teaching signal";
    if (lab_has_q(rule))
        return "a Q-filter is applied to what is learned";
    if (r->rectified)
        return "the teaching signal is rectified";
    if (r->weight_low < r->weight_high)
        return "the weights are bounded";
    if (learner_is_online(setup) && r->momentum != 0)
        return "momentum is used on line";
    return NULL;
}

// Noise and rounding are added to what is measured: whether the weights stay bounded does not
// depend on them, as they are bounded themselves or of finite variance.
static bool is_linear(const lab_setup *setup, const lab_rule *rule)
{
    const lab_spec *spec = setup->rig.spec;
    return rule->rule.weight_low == rule->rule.weight_high && !lab_has_q(rule) &&
           !(learner_is_online(setup) && rule->rule.momentum != 0) && !lab_saturates(spec) &&
           !lab_limits_output(spec) && !setup->hears_loop && spec->phases.count <= 1 &&
           spec->teach.sign == LAB_SIGNED && !lab_has_spikes(spec) && // clipped below
           !spec->learning.frozen && !rule->is_learned;
}

bool lab_mean_is_affine(const lab_setup *setup, const lab_rule *rule)
{
    return setup->rig.spec->task.reset && setup->rig.spec->task.repeats && is_linear(setup, rule);
}

bool lab_mean_is_linear(const lab_setup *setup, const lab_rule *rule)
{
    return learner_is_online(setup) && is_linear(setup, rule);
}

// Whether the error alone teaches.
static bool by_error(const lab_setup *setup)
{
    return setup->rig.spec->teach.signal == LAB_TEACH_ERROR && setup->rig.spec->olive.gain == 0;
}

// The path from o to what teaches. With inhibition it includes all that lies before the cell.
static lab_outcome taught_path(cfpc_system *path, const lab_spec *spec, const lab_loop *loop,
                               lab_why *why)
{
    return spec->olive.gain == 0 ? lab_teaching_path(path, spec, loop, why)
                                 : lab_lesson_path(path, spec, loop, why);
}

// What a reactive trial teaches where that is not the error; with inhibition, as it arrives.
static lab_outcome record_teaching(lab_learner *learner, int32_t late, lab_why *why)
{
    lab_simulation simulation;
    const int steps = learner->setup->rig.steps;
    learner->teaching = calloc((size_t)steps, sizeof *learner->teaching);
    if (!learner->teaching)
        return lab_no_memory(why, NULL);
    lab_trial reactive = {.teaching = learner->teaching};
    lab_outcome outcome = lab_simulation_make(&simulation, &learner->setup->rig, why);
    if (outcome == LAB_DONE)
        lab_simulate_trial(&learner->setup->rig, &simulation, NULL, learner->setup->rig.first,
                           &reactive);
    lab_simulation_free(&simulation);
    for (int n = steps - 1; late > 0 && n >= 0; n--)
        learner->teaching[n] = n >= late ? learner->teaching[n - late] : 0;
    return outcome;
}

static void learner_fill(lab_learner *learner, int32_t late)
{
    const lab_setup *setup = learner->setup;
    const cfpc_rule *rule = &learner->rule->rule;
    const size_t entries = (size_t)setup->rig.steps * (size_t)setup->bases;
    learner->lesson =
        (cfpc_lesson){.steps = setup->rig.steps,
                      .bases = setup->bases,
                      .late_steps = late,
                      .trace = learner->trace,
                      .teaching = learner->teaching ? learner->teaching : setup->e0,
                      .basis = setup->x,
                      .preconditioner = learner->rule->preconditioner,
                      .output_penalty = (double)rule->output_penalty,
                      .leak = (double)rule->leak,
                      .momentum = (double)rule->momentum,
                      .filter = lab_has_filter(learner->rule) ? &learner->rule->filter : NULL};
    learner->rate = learner->rule->rate;
    if (learner_is_online(setup))
        learner->normaliser = (double)rule->normaliser;
    else if (rule->normaliser > 0) { // the same energy in every trial
        double energy = 0;
        for (size_t k = 0; k < entries; k++)
            energy += learner->trace[k] * learner->trace[k];
        learner->rate /= (double)rule->normaliser + energy;
    }
}

lab_outcome lab_learner_make(lab_learner *learner, const lab_setup *setup, const lab_rule *rule,
                             lab_why *why)
{
    const lab_spec *spec = setup->rig.spec;
    int32_t late = 0;
    *learner = (lab_learner){.setup = setup, .rule = rule};
    learner->trace = calloc((size_t)setup->rig.steps * (size_t)setup->bases, sizeof(double));
    lab_outcome outcome = learner->trace ? LAB_DONE : lab_no_memory(why, NULL);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(
            why, lab_traces(rule, setup->rig.steps, setup->bases, setup->x, learner->trace),
            spec->file);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(
            why, cfpc_steps_of(spec->teach.delay_ms / 1e3, setup->rig.step_s, &late), spec->file);
    const bool inhibited = spec->olive.gain != 0; // then the delay is part of the path
    if (outcome == LAB_DONE && !by_error(setup))
        outcome = record_teaching(learner, inhibited ? late : 0, why);
    if (outcome == LAB_DONE)
        outcome = lab_output_path(&learner->error_path, spec, &setup->rig.loop, why);
    if (outcome == LAB_DONE)
        outcome = taught_path(&learner->teaching_path, spec, &setup->rig.loop, why);
    if (outcome == LAB_DONE)
        learner_fill(learner, inhibited ? 0 : late);
    return outcome;
}

void lab_learner_free(lab_learner *learner)
{
    free(learner->trace);
    free(learner->teaching);
    cfpc_system_free(&learner->error_path);
    cfpc_system_free(&learner->teaching_path);
    *learner = (lab_learner){0};
}

// posed: the problem of the error path; NULL: it is posed here.
static cfpc_status map_batch(cfpc_learning_map *map, const lab_learner *learner,
                             const cfpc_problem *posed, const cfpc_system *error_path,
                             const cfpc_system *teaching_path)
{
    const lab_setup *setup = learner->setup;
    cfpc_lesson lesson = learner->lesson;
    cfpc_problem problem = {0};
    double *effect = NULL;
    cfpc_status status = posed ? CFPC_OK
                               : cfpc_problem_pose(&problem, error_path, setup->rig.steps,
                                                   setup->bases, setup->x, setup->e0);
    if (status == CFPC_OK && !by_error(setup)) {
        effect = calloc((size_t)setup->rig.steps * (size_t)setup->bases, sizeof *effect);
        status = effect
                     ? cfpc_apply(teaching_path, setup->rig.steps, setup->bases, setup->x, effect)
                     : CFPC_NO_MEMORY;
        lesson.effect = effect;
    }
    if (status == CFPC_OK)
        status = cfpc_learning_map_make(map, &lesson, posed ? posed : &problem);
    cfpc_problem_free(&problem);
    free(effect);
    return status;
}

// The problem of the loop that is, if the setup has posed it.
static const cfpc_problem *posed_by(const lab_setup *setup)
{
    return setup->nonlinear ? NULL : &setup->problem;
}

cfpc_status lab_learner_map(cfpc_learning_map *map, const lab_learner *learner,
                            const lab_loop *other)
{
    const lab_setup *setup = learner->setup;
    cfpc_system paths[2] = {0};
    lab_why why;
    *map = (cfpc_learning_map){0};
    if (other && (lab_output_path(&paths[0], setup->rig.spec, other, &why) != LAB_DONE ||
                  taught_path(&paths[1], setup->rig.spec, other, &why) != LAB_DONE)) {
        cfpc_system_free(&paths[0]);
        return CFPC_NO_MEMORY;
    }
    const cfpc_system *error_path = other ? &paths[0] : &learner->error_path;
    const cfpc_system *teaching_path = other ? &paths[1] : &learner->teaching_path;
    const cfpc_status status =
        learner_is_online(setup)
            ? cfpc_learning_map_online(map, &learner->lesson, teaching_path,
                                       by_error(setup) ? NULL : error_path, setup->e0,
                                       learner->rate, learner->normaliser)
            : map_batch(map, learner, other ? NULL : posed_by(setup), error_path, teaching_path);
    cfpc_system_free(&paths[0]);
    cfpc_system_free(&paths[1]);
    return status;
}

cfpc_status lab_learner_verdict(cfpc_verdict *verdict, bool *certain, const lab_learner *learner,
                                const cfpc_lags *lags, const lab_loop *other)
{
    cfpc_system path = {0};
    lab_why why;
    const cfpc_status status = taught_path(&path, learner->setup->rig.spec, other, &why) == LAB_DONE
                                   ? cfpc_lags_verdict(lags, &path, learner->rate, verdict, certain)
                                   : CFPC_NO_MEMORY;
    cfpc_system_free(&path);
    return status;
}

cfpc_status lab_learner_batch_map(cfpc_learning_map *map, const lab_learner *learner)
{
    *map = (cfpc_learning_map){0};
    return map_batch(map, learner, posed_by(learner->setup), &learner->error_path,
                     &learner->teaching_path);
}

double lab_learner_rate(const lab_learner *learner)
{
    return learner_is_online(learner->setup) ? 1 : learner->rate;
}

double lab_learner_work(const lab_learner *learner, bool online)
{
    const cfpc_lesson *lesson = &learner->lesson;
    const double steps = lesson->steps, bases = lesson->bases;
    const double taps = lesson->filter ? lesson->filter->lead + lesson->filter->horizon : 0;
    return online ? steps * bases * (10 * bases + taps) : 6 * steps * bases * bases;
}
