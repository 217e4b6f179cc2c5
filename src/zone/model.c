// SPDX-License-Identifier: Apache-2.0
// From the definition of a zone to its model.
#include <string.h>

#include "data_layout.h"
#include "numbers.h"

enum {
    MAX_STEPS = INT32_MAX / 8,  // of a block, a lead, a horizon
    UNTIL_TRIAL_ENDS = 1 << 30, // steps of a round
};

CFPC_SELDOM cfpc_zone_def cfpc_default_zone_def(void)
{
    return (cfpc_zone_def){.synapses = 1,
                           .cells = 1,
                           .block_steps = 1,
                           .precision = CFPC_ZONE_FLOAT,
                           .past = CFPC_PAST_KEPT,
                           .guard = cfpc_default_guard(),
                           .threads = 1};
}

// ---- the guards ------------------------------------------------------------------------------

// The guard of a cell has no model of the loop: what it knows comes from pauses.
static cfpc_model_def guard_model_def_of(const cfpc_guard *guard)
{
    cfpc_model_def def = cfpc_default_model_def();
    def.rule.mode = CFPC_ONLINE;
    def.guard = *guard;
    if (guard->window_steps == 0)
        def.guard.window_steps = UNTIL_TRIAL_ENDS;
    return def;
}

// Checks the guard; its bytes are 0 if it is off.
static cfpc_status take_cell_guard(cfpc_zone_model *head, const cfpc_guard *guard)
{
    uint64_t memory[512];
    const cfpc_model_def def = guard_model_def_of(guard);
    const cfpc_model *model = NULL;
    if (!guard->on)
        return CFPC_OK;
    if (guard->saturated_steps != 0)
        return CFPC_BAD_VALUE; // a zone has no flag of saturation
    const cfpc_status status = cfpc_model_init(&model, memory, sizeof memory, &def);
    if (status != CFPC_OK)
        return status;
    head->guard_model_bytes = cfpc_model_size(&def);
    head->guard_bytes = cfpc_data_size(model);
    return CFPC_OK;
}

// ---- the head --------------------------------------------------------------------------------

// No gaps: all bytes of an image are defined.
_Static_assert(sizeof(struct cfpc_zone_model) == sizeof(cfpci_header) + 12 * sizeof(int32_t) +
                                                     3 * sizeof(double) + 6 * sizeof(uint64_t),
               "the zone's model has a gap");

static bool definition_within(int32_t value, int32_t least, int32_t most)
{
    return value >= least && value <= most;
}

// Whether the paths are in the order of their cells, and those of a cell in that of its errors:
// then no two are the same, and counting them is quick.
static bool in_order(const cfpc_zone_def *def)
{
    for (int32_t k = 1; k < def->path_count; k++) {
        const cfpc_zone_path *a = def->paths + k - 1, *b = def->paths + k;
        if (a->cell > b->cell || (a->cell == b->cell && a->error >= b->error))
            return false;
    }
    return true;
}

// Checks the paths, and takes the most of a cell and their greatest lengths.
static cfpc_status take_paths(cfpc_zone_model *head, const cfpc_zone_def *def)
{
    if (def->path_count > 0 && !def->paths)
        return CFPC_MISSING;
    const bool ordered = in_order(def);
    bool all_differ = true;
    for (int32_t k = 0; k < def->path_count; k++) {
        const cfpc_zone_path *path = def->paths + k;
        if (!definition_within(path->cell, 0, head->cells - 1) ||
            !definition_within(path->error, 0, head->errors - 1) ||
            !definition_within(path->lead, 0, MAX_STEPS) ||
            !definition_within(path->horizon, 0, MAX_STEPS))
            return CFPC_BAD_SIZE;
        if (!path->taps)
            return CFPC_MISSING;
        if (!cfpci_numbers_of(head->is_double)
                 ->from_doubles(NULL, 0, path->taps, 1, path->lead + path->horizon + 1))
            return CFPC_BAD_VALUE;
        int32_t layers = 1; // the number of paths of the same cell up to this one
        for (int32_t i = k - 1; i >= 0; i--) {
            const bool same = def->paths[i].cell == path->cell;
            if (ordered && !same)
                break;
            layers += same;
            all_differ &= !same || def->paths[i].error != path->error;
        }
        head->layers = layers > head->layers ? layers : head->layers;
        head->lead = path->lead > head->lead ? path->lead : head->lead;
        head->horizon = path->horizon > head->horizon ? path->horizon : head->horizon;
    }
    head->taps = head->lead + head->horizon + 1;
    return all_differ ? CFPC_OK : CFPC_BAD_VALUE;
}

// The head of a definition, without offsets; CFPC_OK if the definition is valid.
CFPC_SELDOM static cfpc_status zone_head_of(cfpc_zone_model *head, const cfpc_zone_def *def)
{
    if (!def)
        return CFPC_MISSING;
    if (def->synapses < 1 || def->cells < 1 || def->errors < 0 || def->path_count < 0 ||
        def->threads < 1 || !definition_within(def->block_steps, 1, MAX_STEPS))
        return CFPC_BAD_SIZE;
    if (!def->rates)
        return CFPC_MISSING;
    // Bounds that are none may be anything.
    const cfpci_numbers *numbers = cfpci_numbers_of(def->precision == CFPC_ZONE_DOUBLE);
    const double bounds[] = {def->weight_low, def->weight_high};
    if ((def->precision != CFPC_ZONE_FLOAT && def->precision != CFPC_ZONE_DOUBLE) ||
        (def->past != CFPC_PAST_KEPT && def->past != CFPC_PAST_GIVEN) ||
        !(def->leak >= 0 && def->leak < 1) || !(def->weight_low <= def->weight_high) ||
        !numbers->from_doubles(NULL, 0, bounds, 1, 2) ||
        !numbers->from_doubles(NULL, 0, def->rates, 1, def->cells))
        return CFPC_BAD_VALUE;
    *head = (cfpc_zone_model){.synapses = def->synapses,
                              .cells = def->cells,
                              .errors = def->errors > 0 ? def->errors : def->cells,
                              .block_steps = def->block_steps,
                              .is_double = def->precision == CFPC_ZONE_DOUBLE,
                              .past = def->past,
                              .threads = def->threads,
                              .leak = def->leak,
                              .weight_low = def->weight_low,
                              .weight_high = def->weight_high};
    const cfpc_status status = take_cell_guard(head, &def->guard);
    return status == CFPC_OK ? take_paths(head, def) : status;
}

// The head with its offsets and size; CFPC_BAD_SIZE if the model or its data is too large for this
// machine.
static cfpc_status model_head_of(cfpc_zone_model *head, const cfpc_zone_def *def)
{
    const cfpc_status status = zone_head_of(head, def);
    if (status != CFPC_OK)
        return status;
    const uint32_t bytes = cfpci_numbers_of(head->is_double)->bytes;
    const uint64_t cells = (uint64_t)head->cells, layers = (uint64_t)head->layers;
    cfpci_arena arena = {0};
    cfpci_arena_take(&arena, 1, 1, sizeof *head);
    head->error_at = cfpci_arena_take(&arena, layers, cells, sizeof(int32_t));
    head->taps_at = cfpci_arena_take_wide(&arena, layers * (uint64_t)head->taps, cells, bytes);
    head->rate_at = cfpci_arena_take_wide(&arena, 1, cells, bytes);
    head->guard_at = cfpci_arena_take(&arena, 1, head->guard_model_bytes, 1);
    head->header = cfpci_header_make(CFPC_MAGIC_ZONE, arena.used);
    cfpc_zone_data data;
    return !arena.too_large && cfpci_zone_data_place(head, &data) ? CFPC_OK : CFPC_BAD_SIZE;
}

// ---- sizes of data before there is a model ---------------------------------------------------

CFPC_SELDOM size_t cfpc_zone_data_size_of(const cfpc_zone_def *def)
{
    cfpc_zone_model head;
    cfpc_zone_data data;
    if (zone_head_of(&head, def) != CFPC_OK)
        return 0;
    return cfpci_zone_data_place(&head, &data) ? (size_t)data.header.bytes : SIZE_MAX;
}

CFPC_SELDOM int32_t cfpc_zone_synapses_within(const cfpc_zone_def *def, size_t bytes)
{
    cfpc_zone_model head;
    if (zone_head_of(&head, def) != CFPC_OK)
        return 0;
    int32_t low = 0, high = INT32_MAX; // low fits, or is 0
    while (low < high) {
        cfpc_zone_data data;
        head.synapses = low + (high - low) / 2 + 1;
        if (cfpci_zone_data_place(&head, &data) && data.header.bytes <= bytes)
            low = head.synapses;
        else
            high = head.synapses - 1;
    }
    return low;
}

// ---- making a model --------------------------------------------------------------------------

CFPC_SELDOM size_t cfpc_zone_model_size(const cfpc_zone_def *def)
{
    cfpc_zone_model head;
    return model_head_of(&head, def) == CFPC_OK ? (size_t)head.header.bytes : 0;
}

// Writes each path into the first layer that has none for its cell. Tap s is a[M - s] with the
// zone's M: the path's own taps come after as many zeros as its M is shorter. Until a path is
// written its error is -1; where there is none, the taps are zero, and the error is that of the
// cell's first path, or 0.
static void write_paths(cfpc_zone_model *model, const cfpc_zone_def *def)
{
    const cfpci_numbers *numbers = cfpci_numbers_of(model->is_double);
    int32_t *error = (int32_t *)((char *)model + model->error_at);
    const size_t cells = (size_t)model->cells, count = (size_t)model->layers * cells;
    for (size_t i = 0; i < count; i++)
        error[i] = -1;
    for (int32_t k = 0; k < def->path_count; k++) {
        const cfpc_zone_path *path = def->paths + k;
        const int32_t last = path->lead + path->horizon;
        size_t layer = 0, cell = (size_t)path->cell;
        while (error[layer * cells + cell] >= 0)
            layer++;
        error[layer * cells + cell] = path->error;
        const size_t row = layer * (size_t)model->taps + (size_t)(model->horizon - path->horizon);
        numbers->from_doubles((char *)model + model->taps_at +
                                  (row * cells + cell) * numbers->bytes,
                              model->cells, path->taps + last, -1, last + 1);
    }
    for (size_t i = 0; i < count; i++) {
        const int32_t first = error[i % cells];
        error[i] = error[i] >= 0 ? error[i] : first >= 0 ? first : 0;
    }
}

CFPC_SELDOM cfpc_status cfpc_zone_model_init(const cfpc_zone_model **model, void *mem, size_t bytes,
                                             const cfpc_zone_def *def)
{
    cfpc_zone_model head;
    *model = NULL;
    cfpc_status status = model_head_of(&head, def);
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
    if (head.guard_bytes > 0) {
        const cfpc_model_def guard = guard_model_def_of(&def->guard);
        const cfpc_model *written;
        (void)cfpc_model_init(&written, (char *)mem + head.guard_at, head.guard_model_bytes,
                              &guard);
    }
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
