// SPDX-License-Identifier: Apache-2.0
#include "microzone/zone_memory.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cfpc/zone.h"

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
