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
static void add_zone_setup(lab_needs *needs, const zone_sizes *zone_sizes)
{
    const double n = zone_sizes->loop->steps;
    const double filters = 2 * n * (zone_sizes->horizon + zone_sizes->loop->path);
    needs->times[LAB_NEEDS_TAP] += zone_sizes->cells * NORM_ROUNDS * filters;
    needs->times[LAB_NEEDS_WIDE] +=
        zone_sizes->cells * NORM_ROUNDS * 4 * zone_sizes->synapses * zone_sizes->burst;
}

// A way of learning, once: every cell acts and learns at every step.
static void add_learning(lab_needs *needs, const zone_sizes *zone_sizes)
{
    const double steps = zone_sizes->trials * zone_sizes->loop->steps;
    needs->times[LAB_NEEDS_ZONE] += steps * 2 * zone_sizes->cells * zone_sizes->synapses;
    needs->times[LAB_NEEDS_TAP] += steps * zone_sizes->cells * zone_sizes->horizon;
    needs->times[LAB_NEEDS_SINGLE] += steps * 2 * zone_sizes->cells * zone_sizes->loop->path;
    needs->times[LAB_NEEDS_SINE] += steps * zone_sizes->cells;
    lab_needs_pass(
        needs, (double)sizeof(double) *
                   (zone_sizes->cells *
                        (zone_sizes->synapses + 5 * zone_sizes->loop->steps + zone_sizes->horizon) +
                    2 * zone_sizes->loop->steps * zone_sizes->synapses));
}

static zone_sizes sizes_with(const zone_sizes *sizes, double cells, double synapses)
{
    zone_sizes other = *sizes;
    other.cells = cells;
    other.synapses = synapses;
    return other;
}

static void add_other(lab_needs *needs, zone_sizes other)
{
    add_zone_setup(needs, &other);
    add_learning(needs, &other);
}

static void add_optima(lab_needs *needs, const zone_sizes *zone_sizes)
{
    const double n = zone_sizes->loop->steps, g = zone_sizes->synapses;
    if (g <= n && g <= MAX_FOR_OPTIMUM)
        needs->times[LAB_NEEDS_DENSE] += zone_sizes->cells * (2 * n * g * g + 12 * g * g * g);
}

static void add_cells(lab_needs *needs, const zone_sizes *zone_sizes, const lab_zone_spec *zone)
{
    // own, step-wise, tuned and common at all rates, and two with noise
    const double ways = 2 + 2 * (1 + zone->rates.columns) + (zone->teacher_noise > 0 ? 2 : 0);
    lab_needs way = {0};
    add_zone_setup(needs, zone_sizes);
    add_zone_setup(needs, zone_sizes); // the common model's unit
    add_optima(needs, zone_sizes);
    add_learning(&way, zone_sizes);
    lab_needs_add(needs, &way, ways);
    for (int i = 0; i < zone->other_cells.columns; i++)
        add_other(needs, sizes_with(zone_sizes, zone->other_cells.values[i], zone_sizes->synapses));
    for (int i = 0; i < zone->other_synapses.columns; i++)
        add_other(needs, sizes_with(zone_sizes, zone_sizes->cells, zone->other_synapses.values[i]));
}

// A map of learning of both joints, and its eigenvalues.
static void add_map(lab_needs *needs, const zone_sizes *zone_sizes)
{
    const double size = zone_sizes->cells * zone_sizes->synapses;
    needs->times[LAB_NEEDS_TAP] +=
        size * zone_sizes->loop->steps * (zone_sizes->horizon + 4 * zone_sizes->loop->path);
    needs->times[LAB_NEEDS_WIDE] += size * size * zone_sizes->burst;
    needs->times[LAB_NEEDS_DENSE] += 40 * size * size * size;
    lab_needs_pass(needs, (double)sizeof(double) * 4 * size * size);
}

static void zone_needs_add_joints(lab_needs *needs, const zone_sizes *zone_sizes,
                                  const lab_zone_spec *zone)
{
    const double couplings = zone->couplings.columns;
    lab_needs setup = {0}, way = {0}, map = {0};
    add_zone_setup(&setup, zone_sizes);
    add_learning(&way, zone_sizes);
    add_map(&map, zone_sizes);
    lab_needs_add(needs, &setup, couplings * LAB_JOINT_RULE_COUNT + 2 * HALVINGS);
    lab_needs_add(needs, &way, couplings * LAB_JOINT_RULE_COUNT * (1 + zone->rates.columns));
    lab_needs_add(needs, &map, 2 * couplings + 2 * HALVINGS);
}

static zone_sizes zone_needs_sizes_of(const lab_sizes *sizes, const lab_spec *spec)
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
    const zone_sizes zone_sizes = zone_needs_sizes_of(sizes, spec);
    if (lab_zone_has_joints(&spec->zone))
        zone_needs_add_joints(needs, &zone_sizes, &spec->zone);
    else
        add_cells(needs, &zone_sizes, &spec->zone);
}

void lab_zone_before_needs(lab_needs *needs, const lab_sizes *sizes, const lab_spec *spec)
{
    const zone_sizes zone_sizes = zone_needs_sizes_of(sizes, spec);
    add_zone_setup(needs, &zone_sizes);
}
