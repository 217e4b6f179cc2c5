// SPDX-License-Identifier: Apache-2.0
#include "microzone/zone.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/batch.h"
#include "cfpc/loop.h"
#include "cfpc/zone.h"
#include "math/order.h"
#include "microzone/zone_clash.h"
#include "microzone/zone_setup.h"
#include "plant/world.h"
#include "spec/kinds.h"

const char *lab_zone_way_name(lab_zone_way way)
{
    static const char *const names[] = {LAB_ZONE_WAYS(LAB_NAME)};
    return names[way];
}

bool lab_zone_fails(const lab_zone *zone, int cell)
{
    return !(zone->way[LAB_ZONE_COMMON].last[cell] <=
             LAB_ZONE_FAILS * zone->way[LAB_ZONE_TUNED].last[cell]);
}

static int synapses_of(const lab_spec *spec)
{
    return spec->zone.synapses > 0 ? spec->zone.synapses : lab_banks(spec)[0].count;
}

// ---- how much there is to do -----------------------------------------------------------------

// Zones that are run: each way, at all rates where it may choose, step-wise, and each size.
int lab_zone_work(const lab_spec *spec)
{
    const lab_zone_spec *zone = &spec->zone;
    if (zone->place.line == 0)
        return 0;
    if (lab_zone_has_joints(zone))
        return lab_joints_work(zone);
    const int rates = 1 + zone->rate_fractions.columns;
    return zone->trials * (2 * rates + 2 + (zone->teacher_noise > 0 ? 2 : 0) +
                           zone->other_cells.columns + zone->other_synapses.columns);
}

// ---- before it runs --------------------------------------------------------------------------

static const lab_spread unknown = {NAN, NAN, NAN};

static void begin_way(lab_zone_result *way, lab_arena *arena, const lab_zone *zone)
{
    const size_t cells = (size_t)zone->cells, trials = (size_t)zone->trials;
    way->last = lab_take(arena, cells, sizeof *way->last);
    way->rate_fraction = lab_take(arena, cells, sizeof *way->rate_fraction);
    way->trial = lab_take(arena, trials, sizeof *way->trial);
    way->end = unknown;
    way->failed = way->averaged = NAN;
    for (size_t k = 0; way->trial && k < trials; k++)
        way->trial[k] = unknown;
}

static lab_zone_size *begin_sizes(int *count, lab_arena *arena, const lab_numbers *sizes,
                                  const lab_zone *zone, bool of_cells)
{
    lab_zone_size *size = lab_take(arena, (size_t)sizes->columns, sizeof *size);
    *count = sizes->columns;
    for (int i = 0; size && i < sizes->columns; i++)
        size[i] = (lab_zone_size){.cells = of_cells ? (int)sizes->values[i] : zone->cells,
                                  .synapses = of_cells ? zone->synapses : (int)sizes->values[i],
                                  .end = unknown,
                                  .first = NAN};
    return size;
}

lab_outcome lab_zone_begin(lab_zone *made, lab_arena *arena, const lab_spec *spec, lab_why *why)
{
    const lab_zone_spec *zone = &spec->zone;
    *made = (lab_zone){.cells = zone->cells,
                       .synapses = synapses_of(spec),
                       .trials = zone->trials,
                       .common = zone->cells / 2,
                       .stepwise = NAN,
                       .common_failed = NAN,
                       .common_mistaken = NAN};
    lab_outcome outcome = lab_zone_check_memory(spec, made->synapses, why);
    if (outcome == LAB_DONE && lab_zone_has_joints(zone))
        return lab_joints_begin(&made->joints, arena, zone, why);
    if (outcome != LAB_DONE)
        return outcome;
    made->loop = lab_take(arena, (size_t)made->cells, sizeof *made->loop);
    made->reactive = lab_take(arena, (size_t)made->cells, sizeof *made->reactive);
    made->optimum = lab_take(arena, (size_t)made->cells, sizeof *made->optimum);
    made->clash = lab_take(arena, (size_t)made->cells, sizeof *made->clash);
    for (int way = 0; way < LAB_ZONE_WAY_COUNT; way++) {
        const bool is_noisy = way == LAB_ZONE_SHARED || way == LAB_ZONE_PRIVATE;
        begin_way(&made->way[way], arena, made);
        made->way[way].is_run = !is_noisy || zone->teacher_noise > 0;
    }
    made->by_cells = begin_sizes(&made->cell_sizes, arena, &zone->other_cells, made, true);
    made->by_synapses =
        begin_sizes(&made->synapse_sizes, arena, &zone->other_synapses, made, false);
    for (int p = 0; !arena->failed && p < made->cells; p++)
        made->optimum[p] = NAN;
    return arena->failed ? lab_no_memory(why, NULL) : LAB_DONE;
}

// ---- statistics ------------------------------------------------------------------------------

// Of `count` values, which are sorted.
static lab_spread zone_spread_of(double *values, int count)
{
    cfpci_sort(values, (size_t)count);
    return (lab_spread){.best = values[0],
                        .median = (values[(count - 1) / 2] + values[count / 2]) / 2,
                        .worst = values[count - 1]};
}

// A run in the making: what its zones share.
typedef struct workshop {
    lab_arena arena;
    const lab_spec *spec;
    lab_zone *zone;               // that is made
    lab_zone_setup setup;         // of its cells
    lab_pace *pace;               //
    lab_why *why;                 //
    int steps;                    // N
    double *r;                    // reference                                        (N)
    double *tried;                // rRMSE at one rate                                (trials x P)
    double *best;                 // of each cell at its best rate                    (trials x P)
    double *calm;                 // outputs of the last trial without noise          (N x P)
    double *noisy;                // and with                                         (N x P)
    double *unit;                 // of rates                                         (P)
    double *sorted;               // (P)
    cfpc_teaching_filter *common; // the same filter for all                          (P)
} workshop;

// Takes the curve of each cell that ends lower with this rate than with those before.
static void take_better(const workshop *shop, lab_zone_result *way, double rate_fraction,
                        bool is_first)
{
    const size_t cells = (size_t)shop->zone->cells, trials = (size_t)shop->zone->trials;
    const size_t end = (trials - 1) * cells;
    for (size_t p = 0; p < cells; p++) {
        if (!is_first && !(shop->tried[end + p] < shop->best[end + p]))
            continue;
        way->rate_fraction[p] = rate_fraction;
        for (size_t k = 0; k < trials; k++)
            shop->best[k * cells + p] = shop->tried[k * cells + p];
    }
}

static void keep_curves(const workshop *shop, lab_zone_result *way)
{
    const size_t cells = (size_t)shop->zone->cells, trials = (size_t)shop->zone->trials;
    int failed = 0;
    for (size_t k = 0; k < trials; k++) {
        memcpy(shop->sorted, shop->best + k * cells, cells * sizeof *shop->sorted);
        way->trial[k] = zone_spread_of(shop->sorted, shop->zone->cells);
    }
    memcpy(way->last, shop->best + (trials - 1) * cells, cells * sizeof *way->last);
    for (size_t p = 0; p < cells; p++)
        failed += !(way->last[p] <= 1);
    way->end = way->trial[trials - 1];
    way->failed = (double)failed / shop->zone->cells;
}

// What the noise adds to the mean output of all cells, over what it adds to each.
static double averaged(const workshop *shop)
{
    const size_t cells = (size_t)shop->zone->cells;
    double of_mean = 0, of_each = 0;
    for (size_t n = 0; n < (size_t)shop->steps; n++) {
        double sum = 0;
        for (size_t p = 0; p < cells; p++) {
            const double added = shop->noisy[n * cells + p] - shop->calm[n * cells + p];
            sum += added;
            of_each += added * added / (double)cells;
        }
        of_mean += sum * sum / ((double)cells * (double)cells);
    }
    return of_each > 0 ? sqrt(of_mean / of_each) : NAN;
}

// ---- the ways --------------------------------------------------------------------------------

// One way, at the spec's rate and as many others. Each cell counts at its best.
static lab_outcome run_way(workshop *shop, lab_zone_way which, const cfpc_teaching_filter *filter,
                           const double *unit, int others, double *outputs)
{
    const lab_zone_spec *zone = &shop->spec->zone;
    const bool is_noisy = which == LAB_ZONE_SHARED || which == LAB_ZONE_PRIVATE;
    const lab_zone_lesson lesson = {.name = lab_zone_way_name(which),
                                    .filter = filter,
                                    .noise = is_noisy ? zone->teacher_noise : 0,
                                    .is_shared = which == LAB_ZONE_SHARED};
    const lab_zone_learned learned = {.rrmse = shop->tried, .outputs = outputs};
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i <= others; i++) {
        const double fraction = i == 0 ? zone->rate_fraction : zone->rate_fractions.values[i - 1];
        outcome = lab_zone_setup_learn(&learned, &shop->setup, &lesson, unit, fraction, shop->pace,
                                       shop->why);
        if (outcome == LAB_DONE)
            take_better(shop, &shop->zone->way[which], fraction, i == 0);
    }
    if (outcome == LAB_DONE)
        keep_curves(shop, &shop->zone->way[which]);
    return outcome;
}

// All by the model of one loop: which cells fail with it, and whether that was to be expected.
static lab_outcome run_common(workshop *shop)
{
    lab_zone *zone = shop->zone;
    lab_zone_setup *setup = &shop->setup;
    for (int p = 0; p < zone->cells; p++)
        shop->common[p] = setup->filter[zone->common];
    lab_outcome outcome = lab_zone_units(shop->unit, setup, shop->common, shop->why);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(
            shop->why, lab_zone_clash(zone->clash, &setup->loops, zone->common, &setup->granules),
            "zone");
    if (outcome == LAB_DONE)
        outcome = run_way(shop, LAB_ZONE_COMMON, shop->common, shop->unit,
                          shop->spec->zone.rate_fractions.columns, NULL);
    if (outcome != LAB_DONE)
        return outcome;
    int failed = 0, mistaken = 0;
    for (int p = 0; p < zone->cells; p++) {
        const bool fails = lab_zone_fails(zone, p), should = zone->clash[p] > LAB_ZONE_CLASHES;
        failed += fails;
        mistaken += fails != should;
    }
    zone->common_failed = (double)failed / zone->cells;
    zone->common_mistaken = (double)mistaken / zone->cells;
    return LAB_DONE;
}

// Weights that change at every step, against those at the ends of blocks.
static lab_outcome run_stepwise(workshop *shop)
{
    lab_zone *zone = shop->zone;
    const lab_zone_lesson lesson = {.name = "step-wise", .filter = shop->setup.filter, .block = 1};
    const lab_zone_learned learned = {.rrmse = shop->tried};
    const lab_outcome outcome =
        lab_zone_setup_learn(&learned, &shop->setup, &lesson, shop->setup.unit,
                             shop->spec->zone.rate_fraction, shop->pace, shop->why);
    const double *last = shop->tried + (size_t)(zone->trials - 1) * (size_t)zone->cells;
    zone->stepwise = 0;
    for (int p = 0; outcome == LAB_DONE && p < zone->cells; p++) {
        const double apart = fabs(last[p] / zone->way[LAB_ZONE_OWN].last[p] - 1);
        if (!isnan(zone->stepwise) && !(apart <= zone->stepwise)) // NAN stays
            zone->stepwise = apart;
    }
    return outcome;
}

// The same zone with another number of cells or synapses.
static lab_outcome zone_run_size(const workshop *shop, lab_zone_size *size)
{
    const lab_spec *spec = shop->spec;
    const size_t cells = (size_t)size->cells, trials = (size_t)spec->zone.trials;
    lab_zone_setup setup;
    lab_outcome outcome = lab_zone_setup_make(&setup, spec, size->cells, size->synapses, shop->r,
                                              shop->steps, shop->why);
    double *rrmse = lab_take(&setup.arena, trials * cells, sizeof *rrmse);
    if (outcome == LAB_DONE && !rrmse)
        outcome = lab_no_memory(shop->why, NULL);
    const lab_zone_lesson lesson = {.name = "sizes", .filter = setup.filter};
    const lab_zone_learned learned = {.rrmse = rrmse};
    if (outcome == LAB_DONE)
        outcome = lab_zone_setup_learn(&learned, &setup, &lesson, setup.unit,
                                       spec->zone.rate_fraction, shop->pace, shop->why);
    if (outcome == LAB_DONE) {
        size->first = rrmse[(trials - 1) * cells];
        size->end = zone_spread_of(rrmse + (trials - 1) * cells, size->cells);
    }
    lab_zone_setup_free(&setup);
    return outcome;
}

// ---- all -------------------------------------------------------------------------------------

// The optimum of each cell, where synapses are few: its cost grows with the square of their number.
enum { MAX_FOR_OPTIMUM = 250 }; // synapses

static lab_outcome find_optima(workshop *shop)
{
    const lab_zone_setup *setup = &shop->setup;
    const int steps = shop->steps, synapses = shop->zone->synapses;
    if (synapses > steps || synapses > MAX_FOR_OPTIMUM)
        return LAB_DONE;
    double *x = calloc((size_t)steps * (size_t)synapses, sizeof *x);
    if (!x)
        return lab_no_memory(shop->why, NULL);
    for (int n = 0; n < steps; n++)
        for (int j = 0; j < synapses; j++)
            x[(size_t)n * (size_t)synapses + (size_t)j] = lab_granule(&setup->granules, j, n);
    cfpc_status status = CFPC_OK;
    for (int p = 0; status == CFPC_OK && p < shop->zone->cells; p++) {
        cfpc_problem problem = {0};
        status = cfpc_problem_pose(&problem, &setup->loops.path[p], steps, synapses, x,
                                   setup->loops.e0 + (size_t)p * (size_t)steps);
        shop->zone->optimum[p] = status == CFPC_OK ? problem.rrmse_optimum : NAN;
        cfpc_problem_free(&problem);
    }
    free(x);
    return lab_from_status(shop->why, status, "zone");
}

static lab_outcome run_ways(workshop *shop)
{
    const lab_zone_setup *setup = &shop->setup;
    lab_zone_result *way = shop->zone->way;
    lab_outcome outcome = run_way(shop, LAB_ZONE_OWN, setup->filter, setup->unit, 0, shop->calm);
    if (outcome == LAB_DONE)
        outcome = run_stepwise(shop);
    for (int i = LAB_ZONE_SHARED; outcome == LAB_DONE && i <= LAB_ZONE_PRIVATE; i++) {
        if (!way[i].is_run)
            continue;
        outcome = run_way(shop, (lab_zone_way)i, setup->filter, setup->unit, 0, shop->noisy);
        if (outcome == LAB_DONE)
            way[i].averaged = averaged(shop);
    }
    if (outcome == LAB_DONE)
        outcome = run_way(shop, LAB_ZONE_TUNED, setup->filter, setup->unit,
                          shop->spec->zone.rate_fractions.columns, NULL);
    return outcome == LAB_DONE ? run_common(shop) : outcome;
}

static lab_outcome run_zone(workshop *shop)
{
    lab_zone *zone = shop->zone;
    const lab_zone_setup *setup = &shop->setup;
    const size_t cells = (size_t)zone->cells, n = (size_t)shop->steps, size = sizeof(double);
    shop->tried = lab_take(&shop->arena, (size_t)zone->trials * cells, size);
    shop->best = lab_take(&shop->arena, (size_t)zone->trials * cells, size);
    shop->calm = lab_take(&shop->arena, n * cells, size);
    shop->noisy = lab_take(&shop->arena, n * cells, size);
    shop->unit = lab_take(&shop->arena, cells, size);
    shop->sorted = lab_take(&shop->arena, cells, size);
    shop->common = lab_take(&shop->arena, cells, sizeof *shop->common);
    if (shop->arena.failed)
        return lab_no_memory(shop->why, NULL);
    lab_outcome outcome = lab_zone_setup_make(&shop->setup, shop->spec, zone->cells, zone->synapses,
                                              shop->r, shop->steps, shop->why);
    zone->block_steps = setup->block;
    for (int p = 0; outcome == LAB_DONE && p < zone->cells; p++) {
        zone->loop[p] = setup->loops.loop[p];
        zone->reactive[p] = setup->loops.e0_norm[p] / sqrt(shop->steps);
    }
    if (outcome == LAB_DONE)
        outcome = find_optima(shop);
    if (outcome == LAB_DONE)
        outcome = run_ways(shop);
    lab_zone_setup_free(&shop->setup);
    for (int i = 0; outcome == LAB_DONE && i < zone->cell_sizes; i++)
        outcome = zone_run_size(shop, &zone->by_cells[i]);
    for (int i = 0; outcome == LAB_DONE && i < zone->synapse_sizes; i++)
        outcome = zone_run_size(shop, &zone->by_synapses[i]);
    return outcome;
}

// The reference of a trial.
static lab_outcome make_reference(workshop *shop)
{
    const lab_spec *spec = shop->spec;
    lab_world world = {0};
    int32_t count = 0;
    const cfpc_status status = cfpc_steps_of(spec->task.trial_s, spec->step_ms / 1e3, &count);
    if (status != CFPC_OK)
        return lab_from_status(shop->why, status, spec->file);
    shop->steps = count;
    shop->r = lab_take(&shop->arena, (size_t)count, sizeof *shop->r);
    if (!shop->r)
        return lab_no_memory(shop->why, NULL);
    const lab_outcome outcome = lab_world_make(&world, spec, count, shop->why);
    for (int n = 0; outcome == LAB_DONE && n < count; n++)
        shop->r[n] = lab_world_reference(&world, 0, n);
    lab_world_free(&world);
    return outcome;
}

lab_outcome lab_zone_prepare(lab_zone_plan *plan, const lab_spec *spec, lab_why *why)
{
    const lab_numbers *couplings = &spec->zone.couplings;
    const bool has_joints = lab_zone_has_joints(&spec->zone);
    workshop shop = {.spec = spec, .why = why};
    *plan = (lab_zone_plan){.cells = spec->zone.cells, .synapses = synapses_of(spec)};
    lab_outcome outcome = lab_zone_check_memory(spec, plan->synapses, why);
    if (outcome == LAB_DONE)
        outcome = make_reference(&shop);
    for (int i = 0; outcome == LAB_DONE && has_joints && i < couplings->columns; i++) {
        lab_zone_loops loops = {0};
        outcome = lab_zone_joints_make(&loops, &shop.arena, spec, couplings->values[i], shop.r,
                                       shop.steps, why);
        lab_zone_loops_free(&loops);
    }
    if (outcome == LAB_DONE && !has_joints) {
        lab_zone_setup *setup = &shop.setup;
        outcome =
            lab_zone_setup_make(setup, spec, plan->cells, plan->synapses, shop.r, shop.steps, why);
        plan->block = setup->block;
        for (int p = 0; outcome == LAB_DONE && p < plan->cells; p++)
            if (setup->filter[p].horizon > plan->horizon)
                plan->horizon = setup->filter[p].horizon;
        lab_zone_setup_free(setup);
    }
    lab_arena_free(&shop.arena);
    return outcome;
}

lab_outcome lab_zone_run(lab_zone *zone, lab_arena *arena, const lab_spec *spec, lab_pace *pace,
                         lab_why *why)
{
    workshop shop = {.spec = spec, .zone = zone, .pace = pace, .why = why};
    lab_outcome outcome = lab_zone_begin(zone, arena, spec, why);
    if (outcome == LAB_DONE)
        outcome = make_reference(&shop);
    if (outcome == LAB_DONE && lab_zone_has_joints(&spec->zone))
        outcome =
            lab_joints_run(&zone->joints, spec, zone->synapses, shop.r, shop.steps, pace, why);
    else if (outcome == LAB_DONE)
        outcome = run_zone(&shop);
    lab_arena_free(&shop.arena);
    return outcome;
}
