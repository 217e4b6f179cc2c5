// SPDX-License-Identifier: Apache-2.0
#include "analyse/models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/frequency.h"
#include "cfpc/robust.h"
#include "cfpc/transfer.h"
#include "plant/paths.h"
#include "run/simulate.h"

enum { MAX_FREQUENCIES = 1 << 15 };

// ---- model files -----------------------------------------------------------------------------

// The file of the plant that is believed, if it is identified; else NULL.
static const char *plant_file(const lab_spec *spec)
{
    const bool own = spec->believed.place.line > 0 && spec->believed.plant.place.line > 0;
    const lab_system_spec *plant = own ? &spec->believed.plant : &spec->loop.plant;
    return !lab_is_identified(spec, true) && plant->kind == LAB_IDENTIFIED ? plant->file : NULL;
}

// The file of the whole loop that is believed, if it is identified; else NULL.
static const char *loop_file(const lab_spec *spec)
{
    return !lab_is_identified(spec, true)                    ? NULL
           : spec->believed.model == LAB_BELIEVED_IDENTIFIED ? spec->believed.file
                                                             : spec->loop.file;
}

// The model of a file, if it has a band; else NULL.
static const lab_model_file *banded(const lab_spec *spec, const char *file)
{
    const lab_model_file *model = file ? lab_spec_model(spec, file) : NULL;
    return model && model->band.rows > 1 && model->band.columns == 2 ? model : NULL;
}

bool lab_has_band(const lab_spec *spec)
{
    return lab_gives_band(spec) || banded(spec, loop_file(spec)) || banded(spec, plant_file(spec));
}

const char *lab_no_band(const lab_setup *setup, const lab_rule *rule)
{
    const lab_spec *spec = setup->rig.spec;
    const char *reason = lab_not_affine(setup, rule);
    if (reason)
        return reason;
    if (spec->teach.signal == LAB_TEACH_DISTURBANCE || spec->olive.gain != 0)
        return "the olive inhibits";
    return NULL;
}

// ---- the paths -------------------------------------------------------------------------------

// Whether the error itself teaches, so that both paths are one.
static bool by_output(const lab_spec *spec)
{
    return spec->teach.signal == LAB_TEACH_ERROR;
}

// |T| on the band's frequencies, or what it differs by from another.
static cfpc_status find_radius(const cfpc_band *band, const cfpc_system *path, const double *re,
                               const double *im, double *radius)
{
    const size_t count = (size_t)band->count;
    double *own = calloc(2 * count, sizeof *own);
    if (!own)
        return CFPC_NO_MEMORY;
    const cfpc_status status =
        cfpc_frequency_response(path, band->count, band->hz, own, own + count);
    for (size_t k = 0; status == CFPC_OK && k < count; k++)
        radius[k] =
            fmax(radius[k], hypot(own[k] - (re ? re[k] : 0), own[count + k] - (im ? im[k] : 0)));
    free(own);
    return status;
}

static cfpc_status make_bands(lab_models *it, const cfpc_system *path)
{
    const double step_s = it->setup->rig.step_s;
    int32_t count = cfpc_robust_grid(it->setup->rig.steps) / 2;
    count = (count < MAX_FREQUENCIES ? count : MAX_FREQUENCIES) + 1;
    cfpc_status status = cfpc_band_make(&it->band, count);
    if (status == CFPC_OK)
        status = cfpc_band_make(&it->edge, count);
    for (int32_t k = 0; status == CFPC_OK && k < count; k++)
        it->band.hz[k] = it->edge.hz[k] = 0.5 / step_s * k / (count - 1);
    it->magnitude = lab_take(&it->arena, (size_t)count, sizeof *it->magnitude);
    if (status == CFPC_OK && !it->magnitude)
        status = CFPC_NO_MEMORY;
    return status == CFPC_OK ? find_radius(&it->band, path, NULL, NULL, it->magnitude) : status;
}

// The part of the band that is a fraction of the believed response.
static void add_relative(lab_models *it)
{
    const lab_spec *spec = it->setup->rig.spec;
    const double relative = lab_gives_band(spec) ? spec->believed.band.relative : NAN;
    for (int32_t k = 0; !isnan(relative) && k < it->edge.count; k++)
        it->edge.radius[k] = relative * it->magnitude[k];
}

// The radius of a file's band at the frequencies of the edge: radius (count).
static cfpc_status read_band(const cfpc_band *edge, const lab_model_file *file, double *radius)
{
    cfpc_band band;
    const cfpc_status status = cfpc_band_make(&band, file->band.rows);
    for (int32_t k = 0; status == CFPC_OK && k < band.count; k++) {
        band.hz[k] = file->band.values[2 * k];
        band.radius[k] = file->band.values[2 * k + 1];
    }
    for (int32_t k = 0; status == CFPC_OK && k < edge->count; k++)
        radius[k] = cfpc_band_at(&band, edge->hz[k]);
    cfpc_band_free(&band);
    return status;
}

// |response| of a closed loop from an input to an output: size (count).
static cfpc_status loop_size(const lab_models *it, int32_t input, int32_t output, double *size)
{
    cfpc_system path = {0};
    cfpc_status status = cfpc_loop_path(&path, &it->setup->rig.believed.closed, input, output);
    if (status == CFPC_OK)
        status = find_radius(&it->edge, &path, NULL, NULL, size);
    cfpc_system_free(&path);
    return status;
}

// A plant P + Δ adds Δ times its input to its output. From there S leads to the teaching signal, V
// to the plant's input, and U leads from o to that input: the path from o changes by
// S Δ U / (1 - VΔ), at most ρ|S||U| / (1 - ρ|V|). Where that has no limit, the loop may be
// unstable. At the plant's input U = 1/(1 + L), which is also what leads from shift to y. radius:
// of the plant, becomes that of the path.
static cfpc_status close_band(const lab_models *it, double *radius)
{
    const lab_spec *spec = it->setup->rig.spec;
    const bool by_command = spec->teach.signal == LAB_TEACH_COMMAND;
    const bool at_plant = spec->enters == LAB_PLANT_INPUT;
    const size_t count = (size_t)it->edge.count;
    double *s = calloc(3 * count, sizeof *s);
    if (!s)
        return CFPC_NO_MEMORY;
    double *u = s + count, *v = u + count;
    cfpc_status status = loop_size(it, CFPC_LOOP_SHIFT, by_command ? CFPC_LOOP_U : CFPC_LOOP_Y, s);
    if (status == CFPC_OK)
        status = loop_size(it, at_plant ? CFPC_LOOP_SHIFT : CFPC_LOOP_DRIVE,
                           at_plant ? CFPC_LOOP_Y : CFPC_LOOP_U, u);
    if (status == CFPC_OK)
        status = loop_size(it, CFPC_LOOP_SHIFT, CFPC_LOOP_U, v);
    for (size_t k = 0; status == CFPC_OK && k < count; k++)
        radius[k] = radius[k] * v[k] < 0.999 ? radius[k] * s[k] * u[k] / (1 - radius[k] * v[k])
                                             : 1e3 * radius[k] * s[k] * u[k];
    free(s);
    return status;
}

// The part of the band that a model file brings.
static cfpc_status add_file(lab_models *it)
{
    const lab_spec *spec = it->setup->rig.spec;
    const lab_model_file *loop = banded(spec, loop_file(spec)),
                         *plant = banded(spec, plant_file(spec));
    double *radius = loop || plant ? calloc((size_t)it->edge.count, sizeof *radius) : NULL;
    if (!loop && !plant)
        return CFPC_OK;
    cfpc_status status =
        radius ? read_band(&it->edge, loop ? loop : plant, radius) : CFPC_NO_MEMORY;
    if (status == CFPC_OK && !loop)
        status = close_band(it, radius);
    for (int32_t k = 0; status == CFPC_OK && k < it->edge.count; k++)
        it->edge.radius[k] = fmax(it->edge.radius[k], radius[k]);
    free(radius);
    return status;
}

// ---- a model ---------------------------------------------------------------------------------

static lab_outcome take_arrays(lab_models *it, lab_model *model, lab_why *why)
{
    const size_t n = (size_t)it->setup->rig.steps, g = (size_t)it->setup->bases;
    lab_arena *arena = &it->arena;
    model->effect = lab_take(arena, n * g, sizeof(double));
    model->taught =
        by_output(it->setup->rig.spec) ? model->effect : lab_take(arena, n * g, sizeof(double));
    model->e0 = lab_take(arena, n, sizeof(double));
    model->teaching = lab_take(arena, n, sizeof(double));
    model->gram = lab_take(arena, g * g, sizeof(double));
    model->along = lab_take(arena, g, sizeof(double));
    return arena->failed ? lab_no_memory(why, NULL) : LAB_DONE;
}

// What the error's curve needs of e0.
static void summarise(const lab_models *it, lab_model *model)
{
    const double *e0 = model->e0;
    const size_t n = (size_t)it->setup->rig.steps, g = (size_t)it->setup->bases;
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

// A reactive trial in another loop: its error and what teaches (N each).
static lab_outcome run_reactive(const lab_setup *setup, const lab_spec *spec, const lab_loop *loop,
                                double *e0, double *teaching, lab_why *why)
{
    lab_scene scene;
    lab_rig rig = setup->rig; // borrows all but the loop
    lab_trial kept = {.e = e0, .teaching = teaching};
    rig.spec = spec;
    rig.loop = *loop;
    lab_outcome outcome = lab_scene_make(&scene, &rig, why);
    if (outcome == LAB_DONE)
        lab_simulate_trial(&rig, &scene, NULL, rig.first, &kept);
    lab_scene_free(&scene);
    return outcome;
}

static cfpc_status apply(const lab_models *it, lab_model *model)
{
    const lab_setup *setup = it->setup;
    const int32_t steps = setup->rig.steps, bases = setup->bases;
    cfpc_status status = cfpc_apply(&model->output, steps, bases, setup->x, model->effect);
    if (status == CFPC_OK && model->taught != model->effect)
        status = cfpc_apply(&model->lesson, steps, bases, setup->x, model->taught);
    return status;
}

// The model of a closed loop.
static lab_outcome add_loop(lab_models *it, const char *name, const lab_spec *spec,
                            const lab_loop *loop, lab_why *why)
{
    lab_model *model = &it->models[it->count++];
    model->name = name;
    lab_outcome outcome = take_arrays(it, model, why);
    if (outcome == LAB_DONE)
        outcome = lab_output_path(&model->output, spec, loop, why);
    if (outcome == LAB_DONE)
        outcome = lab_teaching_path(&model->lesson, spec, loop, why);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(why, apply(it, model), spec->file);
    if (outcome == LAB_DONE)
        outcome = run_reactive(it->setup, spec, loop, model->e0, model->teaching, why);
    if (outcome == LAB_DONE)
        summarise(it, model);
    return outcome;
}

// ---- the believed one and the variants -------------------------------------------------------

static lab_outcome add_variant(lab_models *it, const char *name, const lab_spec *spec,
                               const double *re, const double *im, lab_why *why)
{
    lab_loop loop;
    lab_outcome outcome = lab_loop_make(&loop, spec, false, why);
    if (outcome == LAB_REFUSED) {
        const lab_why because = *why;
        lab_say(why, "variant '%s' of the band: %s", name, because.text);
    }
    if (outcome == LAB_DONE)
        outcome = add_loop(it, name, spec, &loop, why);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(
            why, find_radius(&it->band, &it->models[it->count - 1].lesson, re, im, it->band.radius),
            spec->file);
    lab_loop_free(&loop);
    return outcome;
}

// re, im: the believed response at the frequencies of the band.
static lab_outcome add_variants(lab_models *it, const lab_spec *variants, int count, lab_why *why)
{
    const lab_spec *spec = it->setup->rig.spec;
    const size_t frequencies = (size_t)it->band.count;
    double *re = calloc(2 * frequencies, sizeof *re);
    if (!re)
        return lab_no_memory(why, NULL);
    double *im = re + frequencies;
    lab_outcome outcome = lab_from_status(
        why, cfpc_frequency_response(&it->models[0].lesson, it->band.count, it->band.hz, re, im),
        spec->file);
    for (int i = 0; outcome == LAB_DONE && i < count; i++)
        outcome = add_variant(it, lab_loop_variants(spec)[i].name, &variants[i], re, im, why);
    it->variants = count;
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
static void deviate(const lab_models *it, lab_model *model, int32_t early, double *deviation)
{
    const lab_setup *setup = it->setup;
    const int steps = setup->rig.steps, bases = setup->bases;
    const size_t n = (size_t)steps, entries = n * (size_t)bases;
    const lab_model *believed = &it->models[0];
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
    summarise(it, model);
}

static cfpc_status scaled_copy(cfpc_system *copy, const cfpc_system *path, double by)
{
    const cfpc_status status = cfpc_select(copy, path, 0, 0);
    if (status == CFPC_OK)
        lab_scale_output(copy, by);
    return status;
}

// On line a model must be a system: of the edge, those that differ by a gain. index 0: more, 1:
// less.
static cfpc_status find_gain(const lab_models *it, lab_model *model, int index, double *deviation)
{
    const double relative = it->setup->rig.spec->believed.band.relative;
    const double more = index == 0 ? relative : -relative;
    for (int n = 0; n < it->setup->rig.steps; n++)
        deviation[n] = more * it->response[n];
    const cfpc_status status = scaled_copy(&model->output, &it->models[0].output, 1 + more);
    return status == CFPC_OK ? scaled_copy(&model->lesson, &it->models[0].lesson, 1 + more)
                             : status;
}

// deviation: (N)
static lab_outcome add_member(lab_models *it, int index, int32_t early, double *deviation,
                              lab_why *why)
{
    const lab_setup *setup = it->setup;
    const bool online = setup->rig.spec->learning.mode == LAB_ONLINE;
    lab_model *model = &it->models[it->count++];
    model->name = "edge";
    lab_outcome outcome = take_arrays(it, model, why);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(why,
                                  online ? find_gain(it, model, index, deviation)
                                         : cfpc_band_member(&it->edge, setup->rig.step_s,
                                                            setup->rig.steps, it->response, index,
                                                            deviation),
                                  setup->rig.spec->file);
    if (outcome == LAB_DONE)
        deviate(it, model, early, deviation);
    return outcome;
}

// Leading zeros of the response of a path (N).
static int32_t dead_time_of(int steps, const double *response)
{
    int32_t zeros = 0;
    while (zeros < steps && response[zeros] == 0)
        zeros++;
    return zeros;
}

// How much earlier o reaches the output than the teaching signal, in the believed loop. response:
// (N)
static lab_outcome find_early(int32_t *early, const lab_models *it, double *response, lab_why *why)
{
    const int32_t steps = it->setup->rig.steps;
    const cfpc_status status = cfpc_response(&it->models[0].output, steps, response);
    *early = dead_time_of(steps, it->response) - dead_time_of(steps, response);
    return lab_from_status(why, status, it->setup->rig.spec->file);
}

// How many there are. What o does to the output does not follow from what it does to the command.
static int members_of(const lab_models *it, int members)
{
    const lab_spec *spec = it->setup->rig.spec;
    double most = 0;
    for (int32_t k = 0; k < it->edge.count; k++)
        most = fmax(most, it->edge.radius[k]);
    if (!(most > 0) || spec->teach.signal == LAB_TEACH_COMMAND)
        return 0;
    const bool gains = lab_gives_band(spec) && !isnan(spec->believed.band.relative);
    return spec->learning.mode == LAB_BATCH ? members : gains && members >= 2 ? 2 : 0;
}

static lab_outcome add_members(lab_models *it, int members, lab_why *why)
{
    int32_t early = 0;
    double *work = calloc((size_t)it->setup->rig.steps, sizeof *work);
    lab_outcome outcome = work ? find_early(&early, it, work, why) : lab_no_memory(why, NULL);
    for (int i = 0; outcome == LAB_DONE && i < members; i++, it->members++)
        outcome = add_member(it, i, early, work, why);
    free(work);
    return outcome;
}

// ---- all of them -----------------------------------------------------------------------------

static cfpc_status find_bands(lab_models *it)
{
    const cfpc_system *path = &it->models[0].lesson;
    cfpc_status status = cfpc_response(path, it->setup->rig.steps, it->response);
    if (status == CFPC_OK)
        status = make_bands(it, path);
    if (status == CFPC_OK)
        add_relative(it);
    if (status == CFPC_OK)
        status = add_file(it);
    if (status == CFPC_OK)
        memcpy(it->band.radius, it->edge.radius, (size_t)it->edge.count * sizeof(double));
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
        outcome = lab_from_status(why, find_bands(models), spec->file);
    if (outcome == LAB_DONE && count > 0)
        outcome = add_variants(models, variants, count, why);
    if (outcome == LAB_DONE)
        outcome = add_members(models, members_of(models, members), why);
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
