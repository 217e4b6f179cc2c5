// SPDX-License-Identifier: Apache-2.0
#include "microzone/zone_needs.h"

#include <math.h>

#include "math/order.h"
#include "microzone/joints.h"

// A teaching filter of a zone is about as long as the response of its loop; at most a trial.
#define HORIZON_MS 2000.
#define NORM_ROUNDS 60. // of the iteration for the unit of rates, of at most 100

enum { MAX_FOR_OPTIMUM = 250, HALVINGS = 6 }; // zone.c, joints.c

typedef struct zone_sizes {
    const lab_sizes *loop;
    double cells, synapses, trials;
    double horizon; // steps of a teaching filter
    double burst;   // steps that an input is active
} zone_sizes;

// Making loops and filters, and the unit of rates of each cell.
static void add_bench(lab_needs *needs, const zone_sizes *it)
{
    const double n = it->loop->steps;
    const double filters = 2 * n * (it->horizon + it->loop->path);
    needs->times[LAB_NEEDS_TAP] += it->cells * NORM_ROUNDS * filters;
    needs->times[LAB_NEEDS_WIDE] += it->cells * NORM_ROUNDS * 4 * it->synapses * it->burst;
}

// A way of learning, once: every cell acts and learns at every step.
static void add_learning(lab_needs *needs, const zone_sizes *it)
{
    const double steps = it->trials * it->loop->steps;
    needs->times[LAB_NEEDS_ZONE] += steps * 2 * it->cells * it->synapses;
    needs->times[LAB_NEEDS_TAP] += steps * it->cells * it->horizon;
    needs->times[LAB_NEEDS_SINGLE] += steps * 2 * it->cells * it->loop->path;
    needs->times[LAB_NEEDS_SINE] += steps * it->cells;
    lab_needs_pass(needs, (double)sizeof(double) *
                              (it->cells * (it->synapses + 5 * it->loop->steps + it->horizon) +
                               2 * it->loop->steps * it->synapses));
}

static zone_sizes sizes_with(const zone_sizes *it, double cells, double synapses)
{
    zone_sizes other = *it;
    other.cells = cells;
    other.synapses = synapses;
    return other;
}

static void add_other(lab_needs *needs, zone_sizes other)
{
    add_bench(needs, &other);
    add_learning(needs, &other);
}

static void add_optima(lab_needs *needs, const zone_sizes *it)
{
    const double n = it->loop->steps, g = it->synapses;
    if (g <= n && g <= MAX_FOR_OPTIMUM)
        needs->times[LAB_NEEDS_DENSE] += it->cells * (2 * n * g * g + 12 * g * g * g);
}

static void add_cells(lab_needs *needs, const zone_sizes *it, const lab_zone_spec *zone)
{
    // own, step-wise, tuned and common at all rates, and two with noise
    const double ways = 2 + 2 * (1 + zone->rates.columns) + (zone->teacher_noise > 0 ? 2 : 0);
    lab_needs way = {0};
    add_bench(needs, it);
    add_bench(needs, it); // the common model's unit
    add_optima(needs, it);
    add_learning(&way, it);
    lab_needs_add(needs, &way, ways);
    for (int i = 0; i < zone->other_cells.columns; i++)
        add_other(needs, sizes_with(it, zone->other_cells.values[i], it->synapses));
    for (int i = 0; i < zone->other_synapses.columns; i++)
        add_other(needs, sizes_with(it, it->cells, zone->other_synapses.values[i]));
}

// A map of learning of both joints, and its eigenvalues.
static void add_map(lab_needs *needs, const zone_sizes *it)
{
    const double size = it->cells * it->synapses;
    needs->times[LAB_NEEDS_TAP] += size * it->loop->steps * (it->horizon + 4 * it->loop->path);
    needs->times[LAB_NEEDS_WIDE] += size * size * it->burst;
    needs->times[LAB_NEEDS_DENSE] += 40 * size * size * size;
    lab_needs_pass(needs, (double)sizeof(double) * 4 * size * size);
}

static void add_joints(lab_needs *needs, const zone_sizes *it, const lab_zone_spec *zone)
{
    const double couplings = zone->couplings.columns;
    lab_needs bench = {0}, way = {0}, map = {0};
    add_bench(&bench, it);
    add_learning(&way, it);
    add_map(&map, it);
    lab_needs_add(needs, &bench, couplings * LAB_JOINT_RULE_COUNT + 2 * HALVINGS);
    lab_needs_add(needs, &way, couplings * LAB_JOINT_RULE_COUNT * (1 + zone->rates.columns));
    lab_needs_add(needs, &map, 2 * couplings + 2 * HALVINGS);
}

static zone_sizes sizes_of(const lab_sizes *sizes, const lab_spec *spec)
{
    const lab_zone_spec *zone = &spec->zone;
    const lab_basis_spec *bank = lab_banks(spec);
    return (zone_sizes){.loop = sizes,
                        .cells = zone->cells,
                        .synapses = zone->synapses > 0 ? zone->synapses : bank->count,
                        .trials = zone->trials,
                        .horizon = cfpci_min(sizes->steps, HORIZON_MS / spec->step_ms),
                        .burst = cfpci_min(sizes->steps, 5 * bank->last_ms / spec->step_ms)};
}

void lab_zone_needs(lab_needs *needs, const lab_sizes *sizes, const lab_spec *spec)
{
    const zone_sizes it = sizes_of(sizes, spec);
    if (lab_zone_has_joints(&spec->zone))
        add_joints(needs, &it, &spec->zone);
    else
        add_cells(needs, &it, &spec->zone);
}

void lab_zone_before_needs(lab_needs *needs, const lab_sizes *sizes, const lab_spec *spec)
{
    const zone_sizes it = sizes_of(sizes, spec);
    add_bench(needs, &it);
}
