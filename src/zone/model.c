// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "data_layout.h"
#include "definition.h"
#include "guard_model.h"
#include "numbers.h"

// ---- making a model --------------------------------------------------------------------------

// The head of a definition's model; CFPC_OK if the model and its data fit this machine.
static cfpc_status head_of(const cfpc_zone_def *def, cfpc_zone_model *head)
{
    cfpc_zone_data data;
    const cfpc_status status = cfpci_zone_def_check(def);
    if (status != CFPC_OK)
        return status;
    *head = cfpci_zone_head(def);
    return cfpci_zone_model_place(head) && cfpci_zone_data_place(head, &data) ? CFPC_OK
                                                                              : CFPC_BAD_SIZE;
}

CFPC_SELDOM size_t cfpc_zone_model_size(const cfpc_zone_def *def)
{
    cfpc_zone_model head;
    return head_of(def, &head) == CFPC_OK ? (size_t)head.header.bytes : 0;
}

// Writes a path into the first layer that has none for its cell. Tap s is a[M - s] with the zone's
// M: the path's own taps come after as many zeros as its M is shorter.
static void write_path(cfpc_zone_model *model, const cfpc_zone_path *path)
{
    const cfpci_numbers *numbers = cfpci_numbers_of(model->is_double);
    int32_t *error = (int32_t *)((char *)model + model->error_at) + path->cell;
    size_t layer = 0;
    for (; *error >= 0; error += model->cells)
        layer++;
    *error = path->error;
    const size_t row = layer * (size_t)model->taps + (size_t)(model->horizon - path->horizon);
    const size_t at = row * (size_t)model->cells + (size_t)path->cell;
    numbers->from_doubles((char *)model + model->taps_at + at * numbers->bytes, model->cells,
                          path->taps + path->lead + path->horizon, -1,
                          path->lead + path->horizon + 1);
}

// Until a path is written its error is -1; where there is none, the taps are zero, and the error is
// that of the cell's first path, or 0.
static void write_paths(cfpc_zone_model *model, const cfpc_zone_def *def)
{
    int32_t *error = (int32_t *)((char *)model + model->error_at);
    const size_t count = (size_t)model->layers * (size_t)model->cells;
    for (size_t i = 0; i < count; i++)
        error[i] = -1;
    for (int32_t k = 0; k < def->path_count; k++)
        write_path(model, def->paths + k);
    for (size_t i = 0; i < count; i++) {
        const int32_t first = error[i % (size_t)model->cells];
        error[i] = error[i] >= 0 ? error[i] : first >= 0 ? first : 0;
    }
}

CFPC_SELDOM cfpc_status cfpc_zone_model_init(void *mem, size_t bytes, const cfpc_zone_def *def,
                                             const cfpc_zone_model **model)
{
    cfpc_zone_model head;
    *model = NULL;
    cfpc_status status = head_of(def, &head);
    if (status == CFPC_OK)
        status = cfpci_image_fits(mem, bytes, head.header.bytes);
    if (status != CFPC_OK)
        return status;
    cfpc_zone_model *placed = mem;
    memset(mem, 0, (size_t)head.header.bytes);
    memcpy(placed, &head, sizeof head);
    write_paths(placed, def);
    cfpci_numbers_of(head.is_double)
        ->from_doubles((char *)mem + head.rate_at, 1, def->rates, 1, head.cells);
    cfpci_zone_guard_write(placed, &def->guard);
    placed->header.checksum = cfpci_image_checksum(placed, head.header.bytes);
    *model = placed;
    return CFPC_OK;
}

// ---- checking an image -----------------------------------------------------------------------

static bool is_bit(int32_t value)
{
    return value == 0 || value == 1;
}

static bool counts_hold(const cfpc_zone_model *m)
{
    return m->synapses >= 1 && m->cells >= 1 && m->errors >= 1 && m->block_steps >= 1 &&
           m->block_steps <= CFPC_ZONE_MAX_STEPS && m->lead >= 0 &&
           m->lead <= CFPC_ZONE_MAX_STEPS && m->horizon >= 0 && m->horizon <= CFPC_ZONE_MAX_STEPS &&
           m->taps == m->lead + m->horizon + 1 && m->layers >= 0 && m->layers <= m->errors &&
           is_bit(m->is_double) && m->threads >= 1 && m->unused == 0;
}

static bool values_hold(const cfpc_zone_model *m)
{
    const double bounds[] = {m->weight_low, m->weight_high};
    return (m->past == CFPC_PAST_KEPT || m->past == CFPC_PAST_GIVEN) && m->leak >= 0 &&
           m->leak < 1 && m->weight_low <= m->weight_high &&
           cfpci_numbers_of(m->is_double)->from_doubles(NULL, 0, bounds, 1, 2);
}

// Whether the offsets follow from the sizes: then every array is inside the image.
static bool layout_holds(const cfpc_zone_model *model)
{
    cfpc_zone_model head = *model;
    cfpc_zone_data data;
    return cfpci_zone_model_place(&head) && cfpci_zone_data_place(&head, &data) &&
           head.header.bytes == model->header.bytes && head.error_at == model->error_at &&
           head.taps_at == model->taps_at && head.rate_at == model->rate_at &&
           head.guard_at == model->guard_at;
}

static bool arrays_hold(const cfpc_zone_model *model)
{
    const cfpci_numbers *numbers = cfpci_numbers_of(model->is_double);
    const int32_t *error = cfpci_zone_array(model, model->error_at);
    const uint64_t count = (uint64_t)model->layers * (uint64_t)model->cells;
    for (uint64_t i = 0; i < count; i++)
        if (error[i] < 0 || error[i] >= model->errors)
            return false;
    return numbers->are_finite(cfpci_zone_array(model, model->taps_at),
                               count * (uint64_t)model->taps) &&
           numbers->are_finite(cfpci_zone_array(model, model->rate_at), (uint64_t)model->cells);
}

CFPC_SELDOM cfpc_status cfpc_zone_model_check(const void *mem, size_t bytes,
                                              const cfpc_zone_model **model)
{
    *model = NULL;
    const cfpc_status status =
        cfpci_image_check(mem, bytes, CFPC_MAGIC_ZONE, sizeof(cfpc_zone_model));
    if (status != CFPC_OK)
        return status;
    const cfpc_zone_model *candidate = mem;
    if (!counts_hold(candidate) || !values_hold(candidate) || !layout_holds(candidate) ||
        !arrays_hold(candidate) || !cfpci_zone_guard_model_holds(candidate))
        return CFPC_ALTERED;
    *model = candidate;
    return CFPC_OK;
}

// ---- what it is ------------------------------------------------------------------------------

size_t cfpc_zone_model_bytes(const cfpc_zone_model *model)
{
    return (size_t)model->header.bytes;
}

int32_t cfpc_zone_synapses(const cfpc_zone_model *model)
{
    return model->synapses;
}

int32_t cfpc_zone_cells(const cfpc_zone_model *model)
{
    return model->cells;
}

int32_t cfpc_zone_errors(const cfpc_zone_model *model)
{
    return model->errors;
}

int32_t cfpc_zone_block_steps(const cfpc_zone_model *model)
{
    return model->block_steps;
}

int32_t cfpc_zone_lead(const cfpc_zone_model *model)
{
    return model->lead;
}

int32_t cfpc_zone_horizon(const cfpc_zone_model *model)
{
    return model->horizon;
}

cfpc_zone_precision cfpc_zone_precision_of(const cfpc_zone_model *model)
{
    return model->is_double ? CFPC_ZONE_DOUBLE : CFPC_ZONE_FLOAT;
}
