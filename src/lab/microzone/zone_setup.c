// SPDX-License-Identifier: Apache-2.0
#include "microzone/zone_setup.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cfpc/zone.h"
#include "microzone/zone_rate.h"

lab_outcome lab_zone_filter(cfpc_teaching_filter *filter, const lab_spec *spec,
                            const cfpc_system *path, int cell, int steps, lab_why *why)
{
    const lab_rule_spec *rule = &lab_rules(spec)[spec->main_rule];
    const double neglect = spec->learning.neglect, rho = rule->whitening_rho;
    const cfpc_status status =
        rule->trace == LAB_TRACE_WHITENED
            ? cfpc_teaching_filter_whitened(filter, path, rho, neglect, steps)
        : rule->trace == LAB_TRACE_PHASE_MATCHED
            ? cfpc_teaching_filter_phase_matched(filter, path, rho, neglect, steps)
            : cfpc_teaching_filter_of(filter, path, neglect, steps);
    if (status == CFPC_TOO_LARGE)
        return lab_spec_refuse(spec, spec->zone.place, why,
                               "the teaching filter of cell %d is longer than a trial (%d steps): "
                               "lengthen the trial, or use a larger 'learning.neglect'",
                               cell + 1, steps);
    return lab_spec_from_status(spec, spec->zone.place, "the teaching filter of a cell", status,
                                why);
}

lab_outcome lab_zone_units(double *unit, const lab_zone_setup *zone_setup,
                           const cfpc_teaching_filter *filter, lab_why *why)
{
    const lab_zone_loops *loops = &zone_setup->loops;
    lab_outcome outcome = LAB_DONE;
    for (int p = 0; outcome == LAB_DONE && p < loops->count; p += loops->coupled) {
        double norm = 0;
        outcome = lab_from_status(
            why, lab_zone_norm(&norm, loops, p, filter + p * loops->coupled, &zone_setup->granules),
            zone_setup->spec->file);
        if (outcome == LAB_DONE && !(norm > 0))
            outcome = lab_spec_refuse(zone_setup->spec, zone_setup->spec->zone.place, why,
                                      "of %d granule cells no signal reaches the output of cell %d "
                                      "within a trial",
                                      zone_setup->granules.count, p + 1);
        for (int m = 0; m < loops->coupled; m++)
            unit[p + m] = 1 / norm;
    }
    return outcome;
}

lab_outcome lab_zone_setup_block(lab_zone_setup *zone_setup, lab_why *why)
{
    const lab_zone_spec *zone = &zone_setup->spec->zone;
    const int dead = zone_setup->loops.dead_steps;
    zone_setup->block = zone->block > 0 ? zone->block : dead;
    if (zone_setup->block < 1)
        return lab_spec_refuse(zone_setup->spec, zone->place, why,
                               "the output of a cell reaches its error within the step: there is "
                               "no dead time for blocks");
    if (zone_setup->block > dead)
        return lab_spec_refuse(zone_setup->spec, zone->place, why,
                               "'block' of %d steps is longer than the shortest dead time of the "
                               "loops, %d steps",
                               zone_setup->block, dead);
    return LAB_DONE;
}

lab_outcome lab_zone_setup_make(lab_zone_setup *zone_setup, const lab_spec *spec, int cells,
                                int synapses, const double *r, int steps, lab_why *why)
{
    *zone_setup = (lab_zone_setup){.spec = spec};
    zone_setup->filter = lab_take(&zone_setup->arena, (size_t)cells, sizeof *zone_setup->filter);
    zone_setup->unit = lab_take(&zone_setup->arena, (size_t)cells, sizeof *zone_setup->unit);
    zone_setup->rate = lab_take(&zone_setup->arena, (size_t)cells, sizeof *zone_setup->rate);
    if (zone_setup->arena.failed)
        return lab_no_memory(why, NULL);
    lab_outcome outcome =
        lab_zone_loops_make(&zone_setup->loops, &zone_setup->arena, spec, cells, r, steps, why);
    if (outcome == LAB_DONE)
        outcome =
            lab_from_status(why,
                            lab_granules_make(&zone_setup->granules, lab_banks(spec),
                                              spec->step_ms / 1e3, steps, synapses, spec->seed),
                            NULL);
    if (outcome == LAB_DONE)
        outcome = lab_zone_setup_block(zone_setup, why);
    for (int p = 0; outcome == LAB_DONE && p < cells; p++)
        outcome = lab_zone_filter(&zone_setup->filter[p], spec, &zone_setup->loops.path[p], p,
                                  steps, why);
    return outcome == LAB_DONE
               ? lab_zone_units(zone_setup->unit, zone_setup, zone_setup->filter, why)
               : outcome;
}

void lab_zone_setup_free(lab_zone_setup *zone_setup)
{
    for (int i = 0; zone_setup->filter && i < zone_setup->loops.count * zone_setup->loops.coupled;
         i++)
        cfpc_teaching_filter_free(&zone_setup->filter[i]);
    lab_granules_free(&zone_setup->granules);
    lab_zone_loops_free(&zone_setup->loops);
    lab_arena_free(&zone_setup->arena);
}

lab_outcome lab_zone_setup_learn(const lab_zone_learned *learned, lab_zone_setup *zone_setup,
                                 const lab_zone_lesson *lesson, const double *unit,
                                 double rate_fraction, lab_pace *pace, lab_why *why)
{
    const lab_zone_spec *zone = &zone_setup->spec->zone;
    lab_zone_lesson whole = *lesson;
    for (int p = 0; p < zone_setup->loops.count; p++)
        zone_setup->rate[p] = rate_fraction * unit[p];
    whole.rate = zone_setup->rate;
    whole.trials = zone->trials;
    whole.block = lesson->block > 0 ? lesson->block : zone_setup->block;
    whole.seed = zone->seed + zone_setup->spec->seed;
    whole.threads = zone->threads;
    return lab_zone_learn(learned, &whole, &zone_setup->loops, &zone_setup->granules, pace, why);
}

// ---- memory ----------------------------------------------------------------------------------

enum {
    TRIALS_KEPT = 5,     // numbers per cell and step: two outputs, an error, and past errors
    MAX_JOINT_MAP = 2000 // rows of the map of learning whose eigenvalues are computed
};

// Bytes that this many cells need: the zone, and what the lab keeps of their trials.
static double zone_memory_bytes_of(cfpc_zone_def def, int cells, double steps)
{
    def.cells = cells;
    return (double)cfpc_zone_data_size_of(&def) +
           TRIALS_KEPT * steps * cells * (double)sizeof(double);
}

static lab_outcome zone_memory_check(const lab_spec *spec, int cells, int synapses, lab_why *why)
{
    const double steps = 1e3 * spec->task.trial_s / spec->step_ms;
    const size_t have = lab_memory_bytes();
    cfpc_zone_def def = cfpc_default_zone_def();
    double *rates = calloc((size_t)cells, sizeof *rates);
    if (!rates)
        return lab_no_memory(why, NULL);
    def.cells = cells;
    def.synapses = synapses;
    def.rates = rates;
    def.guard.on = false;
    def.precision = CFPC_ZONE_DOUBLE;
    def.past = CFPC_PAST_GIVEN;
    const double need = zone_memory_bytes_of(def, cells, steps);
    lab_outcome outcome = LAB_DONE;
    if (need > (double)have) {
        const double left = (double)have - TRIALS_KEPT * steps * cells * (double)sizeof(double);
        int fit = 0; // cells, fewer than `above`
        for (int above = cells; above - fit > 1;) {
            const int middle = fit + (above - fit) / 2;
            *(zone_memory_bytes_of(def, middle, steps) <= (double)have ? &fit : &above) = middle;
        }
        outcome = lab_spec_refuse(
            spec, spec->zone.place, why,
            "%d cells of %d synapses need %s, and there is memory for %s: %d such cells would "
            "fit, or %d synapses for this many cells",
            cells, synapses, lab_bytes_said(need < (double)SIZE_MAX ? (size_t)need : SIZE_MAX).text,
            lab_bytes_said(have).text, fit,
            left > 0 ? cfpc_zone_synapses_within(&def, (size_t)left) : 0);
    }
    free(rates);
    return outcome;
}

lab_outcome lab_zone_check_memory(const lab_spec *spec, int synapses, lab_why *why)
{
    const lab_zone_spec *zone = &spec->zone;
    if (lab_zone_has_joints(zone) && synapses > MAX_JOINT_MAP / zone->cells)
        return lab_spec_refuse(spec, zone->place, why,
                               "an arm has at most %d synapses per cell, so that the eigenvalues "
                               "of its learning can be computed; this has %d",
                               MAX_JOINT_MAP / zone->cells, synapses);
    lab_outcome outcome = zone_memory_check(spec, zone->cells, synapses, why);
    for (int i = 0; outcome == LAB_DONE && i < zone->other_cells.columns; i++)
        outcome = zone_memory_check(spec, (int)zone->other_cells.values[i], synapses, why);
    for (int i = 0; outcome == LAB_DONE && i < zone->other_synapses.columns; i++)
        outcome = zone_memory_check(spec, zone->cells, (int)zone->other_synapses.values[i], why);
    return outcome;
}
