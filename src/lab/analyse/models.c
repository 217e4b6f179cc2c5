// SPDX-License-Identifier: Apache-2.0
#include "analyse/models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/radius.h"
#include "cfpc/certificate.h"
#include "cfpc/response.h"
#include "math/order.h"
#include "plant/paths.h"
#include "run/simulate.h"

const char *lab_no_band(const lab_setup *setup, const lab_rule *rule)
{
    const lab_spec *spec = setup->rig.spec;
    const char *reason = lab_not_affine(setup, rule);
    if (reason)
        return reason;
    if (spec->teach.signal == LAB_TEACH_DISTURBANCE || spec->olive.gain != 0)
        return "the olive inhibits";
    if (lab_has_feedforward(spec))
        return "there is a feed-forward path";
    return NULL;
}

// ---- a model ---------------------------------------------------------------------------------

static lab_outcome models_take_arrays(lab_models *models, lab_model *model, lab_why *why)
{
    const size_t n = (size_t)models->setup->rig.steps, g = (size_t)models->setup->bases;
    const bool by_error = models->setup->rig.spec->teach.signal == LAB_TEACH_ERROR;
    lab_arena *arena = &models->arena;
    model->effect = lab_take(arena, n * g, sizeof(double));
    model->taught = by_error ? model->effect : lab_take(arena, n * g, sizeof(double));
    model->e0 = lab_take(arena, n, sizeof(double));
    model->teaching = lab_take(arena, n, sizeof(double));
    model->gram = lab_take(arena, g * g, sizeof(double));
    model->along = lab_take(arena, g, sizeof(double));
    return arena->failed ? lab_no_memory(why, NULL) : LAB_DONE;
}

// What the error's curve needs of e0.
static void summarise(const lab_models *models, lab_model *model)
{
    const double *e0 = model->e0;
    const size_t n = (size_t)models->setup->rig.steps, g = (size_t)models->setup->bases;
    memset(model->gram, 0, g * g * sizeof *model->gram);
    memset(model->along, 0, g * sizeof *model->along);
    model->energy = 0;
    for (size_t k = 0; k < n; k++) {
        const double *h = model->effect + k * g;
        model->energy += e0[k] * e0[k];
        for (size_t i = 0; i < g; i++) {
            model->along[i] += h[i] * e0[k];
            for (size_t j = 0; j < g; j++)
                model->gram[i * g + j] += h[i] * h[j];
        }
    }
}

// The model of a closed loop: its paths, what the weights do through them, and a reactive trial.
static lab_outcome add_loop(lab_models *models, const char *name, const lab_spec *spec,
                            const lab_loop *loop, lab_why *why)
{
    const lab_setup *setup = models->setup;
    const int32_t steps = setup->rig.steps, bases = setup->bases;
    lab_model *model = &models->models[models->count++];
    lab_simulation simulation = {0};
    lab_rig rig = setup->rig; // borrows all but the loop
    rig.spec = spec;
    rig.loop = *loop;
    model->name = name;
    lab_outcome outcome = models_take_arrays(models, model, why);
    if (outcome == LAB_DONE)
        outcome = lab_output_path(&model->output, spec, loop, why);
    if (outcome == LAB_DONE)
        outcome = lab_teaching_path(&model->lesson, spec, loop, why);
    if (outcome == LAB_DONE) {
        cfpc_status status = cfpc_apply(&model->output, steps, bases, setup->x, model->effect);
        if (status == CFPC_OK && model->taught != model->effect)
            status = cfpc_apply(&model->lesson, steps, bases, setup->x, model->taught);
        outcome = lab_from_status(why, status, spec->file);
    }
    if (outcome == LAB_DONE)
        outcome = lab_simulation_make(&simulation, &rig, why);
    if (outcome == LAB_DONE) {
        lab_trial kept = {.e = model->e0, .teaching = model->teaching};
        lab_simulate_trial(&rig, &simulation, NULL, rig.first, &kept);
        summarise(models, model);
    }
    lab_simulation_free(&simulation);
    return outcome;
}

// ---- the believed one and the variants -------------------------------------------------------

// Each widens the band by how far it is from the believed response.
static lab_outcome models_add_variants(lab_models *models, const lab_spec *variants, int count,
                                       lab_why *why)
{
    const lab_spec *spec = models->setup->rig.spec;
    const size_t frequencies = (size_t)models->band.count;
    double *re = calloc(2 * frequencies, sizeof *re);
    if (!re)
        return lab_no_memory(why, NULL);
    double *im = re + frequencies;
    cfpc_status status = cfpc_frequency_response(&models->models[0].lesson, models->band.count,
                                                 models->band.hz, re, im);
    lab_outcome outcome = lab_from_status(why, status, spec->file);
    for (int i = 0; outcome == LAB_DONE && i < count; i++) {
        const char *name = lab_loop_variants(spec)[i].name;
        lab_loop loop;
        outcome = lab_loop_make(&loop, &variants[i], false, why);
        if (outcome == LAB_REFUSED) {
            const lab_why because = *why;
            lab_say(why, "variant '%s' of the band: %s", name, because.text);
        }
        if (outcome == LAB_DONE)
            outcome = add_loop(models, name, &variants[i], &loop, why);
        if (outcome == LAB_DONE) {
            status = lab_radius_widen(&models->band, &models->models[models->count - 1].lesson, re,
                                      im, models->band.radius);
            outcome = lab_from_status(why, status, variants[i].file);
        }
        lab_loop_free(&loop);
    }
    models->variants = count;
    free(re);
    return outcome;
}

// ---- members of the edge ---------------------------------------------------------------------

// columns of y += sign times those of x, through a response.
static void add_convolved(int steps, int columns, const double *response, double sign,
                          const double *x, double *y)
{
    const size_t g = (size_t)columns;
    for (int k = 0; k < steps; k++) {
        const double by = sign * response[k];
        const double *from = x;
        double *to = y + (size_t)k * g;
        for (size_t i = 0; by != 0 && i < (size_t)(steps - k) * g; i++)
            to[i] += by * from[i];
    }
}

// The believed model, with this deviation (N) of the path to the teaching signal. That of the path
// to the output is `early` steps earlier; the deviation is moved there.
static void models_deviate(const lab_models *models, lab_model *model, int32_t early,
                           double *deviation)
{
    const lab_setup *setup = models->setup;
    const int steps = setup->rig.steps, bases = setup->bases;
    const size_t n = (size_t)steps, entries = n * (size_t)bases;
    const lab_model *believed = &models->models[0];
    const bool drives = setup->rig.spec->enters == LAB_CONTROLLER_INPUT;
    memcpy(model->taught, believed->taught, entries * sizeof *model->taught);
    memcpy(model->teaching, believed->teaching, n * sizeof *model->teaching);
    add_convolved(steps, bases, deviation, 1, setup->x, model->taught);
    if (drives) // r enters where o does: e = r - (T̂ + Δ) r
        add_convolved(steps, 1, deviation, -1, setup->r, model->teaching);
    memmove(deviation, deviation + early, (n - (size_t)early) * sizeof *deviation);
    memset(deviation + n - (size_t)early, 0, (size_t)early * sizeof *deviation);
    if (model->taught != model->effect) {
        memcpy(model->effect, believed->effect, entries * sizeof *model->effect);
        add_convolved(steps, bases, deviation, 1, setup->x, model->effect);
    }
    memcpy(model->e0, believed->e0, n * sizeof *model->e0);
    if (drives)
        add_convolved(steps, 1, deviation, -1, setup->r, model->e0);
    summarise(models, model);
}

static cfpc_status scaled_copy(cfpc_system *copy, const cfpc_system *path, double by)
{
    const cfpc_status status = cfpc_select(copy, path, 0, 0);
    if (status == CFPC_OK)
        lab_scale_output(copy, by);
    return status;
}

// A model of the edge; deviation: (N). On line it must be a system: one that differs by a gain, of
// index 0 more, of 1 less.
static lab_outcome add_member(lab_models *models, int index, int32_t early, double *deviation,
                              lab_why *why)
{
    const lab_rig *rig = &models->setup->rig;
    const lab_model *believed = &models->models[0];
    const double relative = rig->spec->believed.band.relative;
    const double more = index == 0 ? relative : -relative;
    lab_model *model = &models->models[models->count++];
    cfpc_status status = CFPC_OK;
    model->name = "edge";
    const lab_outcome outcome = models_take_arrays(models, model, why);
    if (outcome != LAB_DONE)
        return outcome;
    if (rig->spec->learning.mode == LAB_ONLINE) {
        for (int n = 0; n < rig->steps; n++)
            deviation[n] = more * models->response[n];
        status = scaled_copy(&model->output, &believed->output, 1 + more);
        if (status == CFPC_OK)
            status = scaled_copy(&model->lesson, &believed->lesson, 1 + more);
    } else
        status = cfpc_band_member(&models->edge, rig->step_s, rig->steps, models->response, index,
                                  deviation);
    if (status == CFPC_OK)
        models_deviate(models, model, early, deviation);
    return lab_from_status(why, status, rig->spec->file);
}

// Leading zeros of the response of a path (N).
static int32_t models_dead_time_of(int steps, const double *response)
{
    int32_t zeros = 0;
    while (zeros < steps && response[zeros] == 0)
        zeros++;
    return zeros;
}

// What o does to the output does not follow from what it does to the command: then there are none.
// On line there are two, if the band is one of gains.
static lab_outcome add_members(lab_models *models, int members, lab_why *why)
{
    const lab_spec *spec = models->setup->rig.spec;
    const int32_t steps = models->setup->rig.steps;
    double most = 0;
    for (int32_t k = 0; k < models->edge.count; k++)
        most = cfpci_max(most, models->edge.radius[k]);
    if (spec->learning.mode != LAB_BATCH) {
        const bool gains = lab_gives_band(spec) && !isnan(spec->believed.band.relative);
        members = gains && members >= 2 ? 2 : 0;
    }
    if (!(most > 0) || spec->teach.signal == LAB_TEACH_COMMAND)
        members = 0;
    double *work = calloc((size_t)steps, sizeof *work);
    if (!work)
        return lab_no_memory(why, NULL);
    // How much earlier o reaches the output than the teaching signal, in the believed loop.
    const cfpc_status status = cfpc_impulse_response(&models->models[0].output, steps, work);
    const int32_t early =
        models_dead_time_of(steps, models->response) - models_dead_time_of(steps, work);
    lab_outcome outcome = lab_from_status(why, status, spec->file);
    for (int i = 0; outcome == LAB_DONE && i < members; i++, models->members++)
        outcome = add_member(models, i, early, work, why);
    free(work);
    return outcome;
}

// ---- all of them -----------------------------------------------------------------------------

static cfpc_status models_find_bands(lab_models *models)
{
    const cfpc_system *path = &models->models[0].lesson;
    cfpc_status status = cfpc_impulse_response(path, models->setup->rig.steps, models->response);
    if (status == CFPC_OK)
        status = lab_radius_make(&models->edge, &models->magnitude, &models->unsafe_hz,
                                 &models->arena, models->setup, path);
    if (status == CFPC_OK)
        status = cfpc_band_make(&models->band, models->edge.count);
    if (status == CFPC_OK) {
        memcpy(models->band.hz, models->edge.hz,
               (size_t)models->edge.count * sizeof *models->band.hz);
        memcpy(models->band.radius, models->edge.radius,
               (size_t)models->edge.count * sizeof *models->band.radius);
    }
    return status;
}

lab_outcome lab_models_make(lab_models *models, const lab_setup *setup, const lab_spec *variants,
                            int count, int members, lab_why *why)
{
    const lab_spec *spec = setup->rig.spec;
    *models = (lab_models){.setup = setup};
    models->models =
        lab_take(&models->arena, 1 + (size_t)count + (size_t)members, sizeof *models->models);
    models->response = lab_take(&models->arena, (size_t)setup->rig.steps, sizeof(double));
    if (models->arena.failed)
        return lab_no_memory(why, NULL);
    lab_outcome outcome = add_loop(models, "believed", spec, &setup->rig.believed, why);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(why, models_find_bands(models), spec->file);
    if (outcome == LAB_DONE && count > 0)
        outcome = models_add_variants(models, variants, count, why);
    if (outcome == LAB_DONE)
        outcome = add_members(models, members, why);
    return outcome;
}

void lab_models_free(lab_models *models)
{
    for (int i = 0; i < models->count; i++) {
        cfpc_system_free(&models->models[i].output);
        cfpc_system_free(&models->models[i].lesson);
    }
    cfpc_band_free(&models->band);
    cfpc_band_free(&models->edge);
    lab_arena_free(&models->arena);
    *models = (lab_models){0};
}
