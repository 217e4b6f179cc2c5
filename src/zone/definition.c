// SPDX-License-Identifier: Apache-2.0
#include "definition.h"
#include "guard_model.h"
#include "numbers.h"

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

// ---- checks ----------------------------------------------------------------------------------

static int32_t errors_of(const cfpc_zone_def *def)
{
    return def->errors > 0 ? def->errors : def->cells;
}

static bool definition_within(int32_t value, int32_t least, int32_t most)
{
    return value >= least && value <= most;
}

static cfpc_status path_check(const cfpc_zone_def *def, const cfpc_zone_path *path)
{
    const cfpci_numbers *numbers = cfpci_numbers_of(def->precision == CFPC_ZONE_DOUBLE);
    if (!definition_within(path->cell, 0, def->cells - 1) ||
        !definition_within(path->error, 0, errors_of(def) - 1) ||
        !definition_within(path->lead, 0, CFPC_ZONE_MAX_STEPS) ||
        !definition_within(path->horizon, 0, CFPC_ZONE_MAX_STEPS))
        return CFPC_BAD_SIZE;
    if (!path->taps)
        return CFPC_MISSING;
    return numbers->from_doubles(NULL, 0, path->taps, 1, path->lead + path->horizon + 1)
               ? CFPC_OK
               : CFPC_BAD_VALUE;
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

static bool all_differ(const cfpc_zone_def *def)
{
    if (in_order(def))
        return true;
    for (int32_t k = 1; k < def->path_count; k++)
        for (int32_t i = 0; i < k; i++)
            if (def->paths[i].cell == def->paths[k].cell &&
                def->paths[i].error == def->paths[k].error)
                return false;
    return true;
}

static cfpc_status paths_check(const cfpc_zone_def *def)
{
    if (def->path_count > 0 && !def->paths)
        return CFPC_MISSING;
    for (int32_t k = 0; k < def->path_count; k++) {
        const cfpc_status status = path_check(def, def->paths + k);
        if (status != CFPC_OK)
            return status;
    }
    return all_differ(def) ? CFPC_OK : CFPC_BAD_VALUE;
}

// Bounds that are none may be anything.
static cfpc_status values_check(const cfpc_zone_def *def)
{
    const cfpci_numbers *numbers = cfpci_numbers_of(def->precision == CFPC_ZONE_DOUBLE);
    const double bounds[] = {def->weight_low, def->weight_high};
    const bool valid = (def->precision == CFPC_ZONE_FLOAT || def->precision == CFPC_ZONE_DOUBLE) &&
                       (def->past == CFPC_PAST_KEPT || def->past == CFPC_PAST_GIVEN) &&
                       def->leak >= 0 && def->leak < 1 && def->weight_low <= def->weight_high &&
                       numbers->from_doubles(NULL, 0, bounds, 1, 2) &&
                       numbers->from_doubles(NULL, 0, def->rates, 1, def->cells);
    return valid ? CFPC_OK : CFPC_BAD_VALUE;
}

CFPC_SELDOM cfpc_status cfpci_zone_def_check(const cfpc_zone_def *def)
{
    if (!def)
        return CFPC_MISSING;
    if (def->synapses < 1 || def->cells < 1 || def->errors < 0 || def->path_count < 0 ||
        def->threads < 1 || !definition_within(def->block_steps, 1, CFPC_ZONE_MAX_STEPS))
        return CFPC_BAD_SIZE;
    if (!def->rates)
        return CFPC_MISSING;
    cfpc_status status = values_check(def);
    if (status == CFPC_OK)
        status = cfpci_zone_guard_check(&def->guard);
    return status == CFPC_OK ? paths_check(def) : status;
}

// ---- head ------------------------------------------------------------------------------------

// No gaps: all bytes of an image are defined.
_Static_assert(sizeof(struct cfpc_zone_model) == sizeof(cfpci_header) + 12 * sizeof(int32_t) +
                                                     3 * sizeof(double) + 6 * sizeof(uint64_t),
               "the zone's model has a gap");

// The number of paths of the same cell up to this one.
static int32_t rank(const cfpc_zone_def *def, int32_t path, bool ordered)
{
    int32_t count = 1;
    for (int32_t i = path - 1; i >= 0; i--) {
        const bool same = def->paths[i].cell == def->paths[path].cell;
        if (ordered && !same)
            break;
        count += same;
    }
    return count;
}

CFPC_SELDOM cfpc_zone_model cfpci_zone_head(const cfpc_zone_def *def)
{
    cfpc_zone_model head = {.synapses = def->synapses,
                            .cells = def->cells,
                            .errors = errors_of(def),
                            .block_steps = def->block_steps,
                            .is_double = def->precision == CFPC_ZONE_DOUBLE,
                            .past = def->past,
                            .threads = def->threads,
                            .leak = def->leak,
                            .weight_low = def->weight_low,
                            .weight_high = def->weight_high};
    const cfpci_zone_guard_bytes guard = cfpci_zone_guard_bytes_of(&def->guard);
    const bool ordered = in_order(def);
    head.guard_model_bytes = guard.model;
    head.guard_bytes = guard.data;
    for (int32_t k = 0; k < def->path_count; k++) {
        const cfpc_zone_path *path = def->paths + k;
        const int32_t layers = rank(def, k, ordered);
        head.layers = layers > head.layers ? layers : head.layers;
        head.lead = path->lead > head.lead ? path->lead : head.lead;
        head.horizon = path->horizon > head.horizon ? path->horizon : head.horizon;
    }
    head.taps = head.lead + head.horizon + 1;
    return head;
}

CFPC_SELDOM bool cfpci_zone_model_place(cfpc_zone_model *head)
{
    const uint32_t bytes = cfpci_numbers_of(head->is_double)->bytes;
    const uint64_t cells = (uint64_t)head->cells, layers = (uint64_t)head->layers;
    cfpci_arena arena = {0};
    cfpci_arena_take(&arena, 1, 1, sizeof *head);
    head->error_at = cfpci_arena_take(&arena, layers, cells, sizeof(int32_t));
    head->taps_at = cfpci_arena_take_wide(&arena, layers * (uint64_t)head->taps, cells, bytes);
    head->rate_at = cfpci_arena_take_wide(&arena, 1, cells, bytes);
    head->guard_at = cfpci_arena_take(&arena, 1, head->guard_model_bytes, 1);
    head->header = cfpci_header_make(CFPC_MAGIC_ZONE, arena.used);
    return !arena.too_large;
}
