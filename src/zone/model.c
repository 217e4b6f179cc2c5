// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "data_layout.h"
#include "definition.h"
#include "guard_model.h"
#include "numbers.h"

// ---- making a model --------------------------------------------------------------------------

// The head of a definition's model; CFPC_OK if the model and its data fit this machine.
static cfpc_status model_head_of(const cfpc_zone_def *def, cfpc_zone_model *head)
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
    return model_head_of(def, &head) == CFPC_OK ? (size_t)head.header.bytes : 0;
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

CFPC_SELDOM cfpc_status cfpc_zone_model_init(const cfpc_zone_model **model, void *mem, size_t bytes,
                                             const cfpc_zone_def *def)
{
    cfpc_zone_model head;
    *model = NULL;
    cfpc_status status = model_head_of(def, &head);
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

// ---- what it is ------------------------------------------------------------------------------

int32_t cfpc_zone_errors(const cfpc_zone_model *model)
{
    return model->errors;
}

int32_t cfpc_zone_horizon(const cfpc_zone_model *model)
{
    return model->horizon;
}
