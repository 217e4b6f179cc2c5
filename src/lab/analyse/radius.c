// SPDX-License-Identifier: Apache-2.0
#include "analyse/radius.h"

#include <math.h>
#include <stdlib.h>

#include "cfpc/certificate.h"
#include "cfpc/response.h"
#include "math/elementary.h"
#include "math/order.h"

#define SMALL_GAIN 0.999 // of a plant's deviation around the loop: from here it may be unstable

// ---- model files -----------------------------------------------------------------------------

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

const lab_model_file *lab_band_file(const lab_spec *spec)
{
    const bool own = spec->believed.place.line > 0 && spec->believed.plant.place.line > 0;
    const lab_system_spec *plant = own ? &spec->believed.plant : &spec->loop.plant;
    const lab_model_file *loop = banded(spec, loop_file(spec));
    if (loop || lab_is_identified(spec, true) || plant->kind != LAB_IDENTIFIED)
        return loop;
    return banded(spec, plant->file);
}

bool lab_has_band(const lab_spec *spec)
{
    return lab_gives_band(spec) || lab_band_file(spec);
}

// ---- how far paths are apart -----------------------------------------------------------------

cfpc_status lab_radius_widen(const cfpc_band *band, const cfpc_system *path, const double *re,
                             const double *im, double *radius)
{
    const size_t count = (size_t)band->count;
    double *own = calloc(2 * count, sizeof *own);
    if (!own)
        return CFPC_NO_MEMORY;
    const cfpc_status status =
        cfpc_frequency_response(path, band->count, band->hz, own, own + count);
    for (size_t k = 0; status == CFPC_OK && k < count; k++)
        radius[k] = cfpci_max(
            radius[k], cfpci_hypot(own[k] - (re ? re[k] : 0), own[count + k] - (im ? im[k] : 0)));
    free(own);
    return status;
}

// ---- parts of the band -----------------------------------------------------------------------

// What they share.
typedef struct around {
    cfpc_band *edge;
    const lab_setup *setup;
    double unsafe_hz; // where a plant of the band may make the loop unstable; NAN: nowhere
} around;

// |response| of a closed loop from an input to an output: size (count).
static cfpc_status loop_size(const around *around, int32_t input, int32_t output, double *size)
{
    cfpc_system path = {0};
    cfpc_status status = cfpc_loop_path(&path, &around->setup->rig.believed.closed, input, output);
    if (status == CFPC_OK)
        status = lab_radius_widen(around->edge, &path, NULL, NULL, size);
    cfpc_system_free(&path);
    return status;
}

// A plant P + Δ adds Δ times its input to its output. From there S leads to the teaching signal, V
// to the plant's input, and U leads from o to that input: the path from o changes by
// S Δ U / (1 - VΔ), at most ρ|S||U| / (1 - ρ|V|). Where ρ|V| reaches 1 that has no limit: some Δ
// makes the loop unstable, and no radius says what may happen; there it is only a large one, for
// the figure. At the plant's input U = 1/(1 + L), which is also what leads from shift to y. radius:
// of the plant, becomes that of the path.
static cfpc_status close_band(around *around, double *radius)
{
    const lab_spec *spec = around->setup->rig.spec;
    const bool by_command = spec->teach.signal == LAB_TEACH_COMMAND;
    const bool at_plant = spec->enters == LAB_PLANT_INPUT;
    const size_t count = (size_t)around->edge->count;
    double *s = calloc(3 * count, sizeof *s);
    if (!s)
        return CFPC_NO_MEMORY;
    double *u = s + count, *v = u + count;
    cfpc_status status =
        loop_size(around, CFPC_LOOP_SHIFT, by_command ? CFPC_LOOP_U : CFPC_LOOP_Y, s);
    if (status == CFPC_OK)
        status = loop_size(around, at_plant ? CFPC_LOOP_SHIFT : CFPC_LOOP_DRIVE,
                           at_plant ? CFPC_LOOP_Y : CFPC_LOOP_U, u);
    if (status == CFPC_OK)
        status = loop_size(around, CFPC_LOOP_SHIFT, CFPC_LOOP_U, v);
    double most = 0;
    for (size_t k = 0; status == CFPC_OK && k < count; k++) {
        const double around_loop = radius[k] * v[k];
        if (!(around_loop < SMALL_GAIN) && !(around_loop <= most))
            around->unsafe_hz = around->edge->hz[k];
        most = cfpci_max(most, around_loop);
        radius[k] *= s[k] * u[k] / (1 - cfpci_min(around_loop, SMALL_GAIN));
    }
    free(s);
    return status;
}

// The part of the band that a model file brings.
static cfpc_status add_file(around *around)
{
    const lab_spec *spec = around->setup->rig.spec;
    const lab_model_file *file = lab_band_file(spec);
    cfpc_band *edge = around->edge, band;
    if (!file)
        return CFPC_OK;
    double *radius = calloc((size_t)edge->count, sizeof *radius);
    cfpc_status status = cfpc_band_make(&band, file->band.rows);
    if (status == CFPC_OK && !radius)
        status = CFPC_NO_MEMORY;
    for (int32_t k = 0; status == CFPC_OK && k < band.count; k++) {
        band.hz[k] = file->band.values[2 * k];
        band.radius[k] = file->band.values[2 * k + 1];
    }
    for (int32_t k = 0; status == CFPC_OK && k < edge->count; k++)
        radius[k] = cfpc_band_at(&band, edge->hz[k]);
    if (status == CFPC_OK && !loop_file(spec))
        status = close_band(around, radius);
    for (int32_t k = 0; status == CFPC_OK && k < edge->count; k++)
        edge->radius[k] = cfpci_max(edge->radius[k], radius[k]);
    cfpc_band_free(&band);
    free(radius);
    return status;
}

// ---- all of it -------------------------------------------------------------------------------

cfpc_status lab_radius_make(cfpc_band *edge, double **magnitude, double *unsafe_hz,
                            lab_arena *arena, const lab_setup *setup, const cfpc_system *path)
{
    const lab_spec *spec = setup->rig.spec;
    const double relative = lab_gives_band(spec) ? spec->believed.band.relative : NAN;
    // All that the bound sees: a narrow resonance may lie between fewer.
    const int32_t count = cfpc_robust_grid(setup->rig.steps) / 2 + 1;
    around around = {.edge = edge, .setup = setup, .unsafe_hz = NAN};
    cfpc_status status = cfpc_band_make(edge, count);
    for (int32_t k = 0; status == CFPC_OK && k < count; k++)
        edge->hz[k] = 0.5 / setup->rig.step_s * k / (count - 1);
    *magnitude = lab_take(arena, (size_t)edge->count, sizeof **magnitude);
    if (status == CFPC_OK && !*magnitude)
        status = CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = lab_radius_widen(edge, path, NULL, NULL, *magnitude);
    for (int32_t k = 0; status == CFPC_OK && !isnan(relative) && k < edge->count; k++)
        edge->radius[k] = relative * (*magnitude)[k];
    if (status == CFPC_OK)
        status = add_file(&around);
    *unsafe_hz = around.unsafe_hz;
    return status;
}
