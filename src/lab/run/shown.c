// SPDX-License-Identifier: Apache-2.0
#include "run/shown.h"

#include <math.h>
#include <stdio.h>

#include "math/order.h"
#include "run/simulate.h"
#include "spec/spec_story.h"

#define UNSEEN 1e-6 // share of a response's peak

// ---- around a phase --------------------------------------------------------------------------

// The cues that are on.
static bool keep_cues(lab_phase_signals *last, lab_arena *arena, const lab_spec *spec)
{
    last->cue = lab_take(arena, (size_t)spec->cues.count, sizeof *last->cue);
    for (int i = 0; last->cue && i < spec->cues.count; i++) {
        const lab_cue_spec *cue = &lab_cues(spec)[i];
        if (!cue->on)
            continue;
        lab_cue_mark *mark = &last->cue[last->cues++];
        snprintf(mark->name, sizeof mark->name, "%s", cue->name);
        mark->at_s = cue->at_s;
    }
    return last->cue;
}

// Where trials do not repeat, e0 is that of the last trial: the loop alone, through the phase.
static lab_outcome keep_reactive(lab_phase_signals *last, const lab_setup *setup, lab_why *why)
{
    lab_simulation simulation;
    const int end = setup->rig.first + setup->rig.trials;
    lab_outcome outcome = lab_simulation_make(&simulation, &setup->rig, why);
    for (int k = setup->rig.spec->task.reset ? end - 1 : setup->rig.first;
         outcome == LAB_DONE && k < end; k++) {
        lab_trial kept = {.e = last->e0};
        lab_simulate_trial(&setup->rig, &simulation, NULL, k, &kept);
    }
    lab_simulation_free(&simulation);
    return outcome;
}

static lab_outcome keep_phases(lab_record *record, const lab_variants *variants, int rule,
                               lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int p = 0; outcome == LAB_DONE && p < record->phases; p++) {
        const lab_setup *setup = lab_variant(variants, rule, p);
        lab_phase_signals *last = &record->rule[rule].last[p];
        if (!keep_cues(last, &record->arena, setup->rig.spec))
            outcome = lab_no_memory(why, NULL);
        if (outcome == LAB_DONE && !setup->rig.spec->task.repeats)
            outcome = keep_reactive(last, setup, why);
    }
    return outcome;
}

// ---- traces ----------------------------------------------------------------------------------

static bool shown_is_silent(const lab_setup *setup, int j)
{
    for (int n = 0; n < setup->rig.steps; n++)
        if (setup->x[(size_t)n * (size_t)setup->bases + (size_t)j] != 0)
            return false;
    return true;
}

// The basis signal nearest to the middle that is not silent, from 0.
static int shown_middle_basis(const lab_setup *setup)
{
    const int middle = setup->bases / 2;
    for (int away = 0; away <= setup->bases; away++)
        for (int side = -1; side <= 1; side += 2) {
            const int j = middle + side * away;
            if (j >= 0 && j < setup->bases && !shown_is_silent(setup, j))
                return j;
        }
    return middle;
}

// Number of steps until the response stays below UNSEEN of its peak.
static int shown_length_of(const double *response, int steps)
{
    double peak = 0;
    int last = 0;
    for (int n = 0; n < steps; n++)
        peak = cfpci_max(peak, fabs(response[n]));
    for (int n = 0; n < steps; n++)
        if (fabs(response[n]) > UNSEEN * peak)
            last = n;
    return last + 1;
}

// Response of the output to the basis signal in o, by the measured pulse response.
static void convolve(int steps, const double *response, const double *x, double *y)
{
    const int length = shown_length_of(response, steps);
    for (int n = 0; n < steps; n++) {
        y[n] = 0;
        for (int k = 0; k <= n && k < length; k++)
            y[n] += response[k] * x[n - k];
    }
}

static lab_outcome keep_trace(lab_shown_trace *kept, lab_arena *arena, const lab_setup *setup,
                              int rule, const lab_panel_spec *panel, lab_why *why)
{
    const size_t steps = (size_t)setup->rig.steps;
    const int j = shown_middle_basis(setup);
    *kept = (lab_shown_trace){.basis = panel->pulse ? 0 : j + 1,
                              .x = lab_take(arena, steps, sizeof *kept->x),
                              .h = lab_take(arena, steps, sizeof *kept->h),
                              .effect = lab_take(arena, steps, sizeof *kept->effect)};
    if (!kept->x || !kept->h || !kept->effect)
        return lab_no_memory(why, NULL);
    for (int n = 0; n < setup->rig.steps; n++)
        kept->x[n] = panel->pulse ? n == 0 : setup->x[(size_t)n * (size_t)setup->bases + (size_t)j];
    if (panel->effect)
        convolve(setup->rig.steps, setup->response, kept->x, kept->effect);
    return lab_from_status(
        why, lab_traces(&setup->rule[rule], setup->rig.steps, 1, kept->x, kept->h), NULL);
}

static lab_outcome keep_traces(lab_record *record, const lab_variants *variants,
                               const lab_spec *spec, int panel, lab_why *why)
{
    const lab_panel_spec *panel_spec = &lab_panels(spec)[panel];
    lab_outcome outcome = LAB_DONE;
    for (int k = 0; outcome == LAB_DONE && k < lab_panel_rules(spec, panel_spec); k++) {
        const int rule = lab_panel_rule(spec, panel_spec, k);
        lab_shown_trace *kept = &record->rule[rule].shown[panel];
        if (!kept->x)
            outcome = keep_trace(kept, &record->arena, lab_variant(variants, rule, 0), rule,
                                 panel_spec, why);
    }
    return outcome;
}

// ---- all of it -------------------------------------------------------------------------------

lab_outcome lab_keep_shown(lab_record *record, const lab_variants *variants, const lab_spec *spec,
                           lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    record->panels = lab_panel_count(spec);
    for (int i = 0; outcome == LAB_DONE && i < record->rules; i++) {
        record->rule[i].shown =
            lab_take(&record->arena, (size_t)record->panels, sizeof *record->rule[i].shown);
        outcome = record->rule[i].shown ? keep_phases(record, variants, i, why)
                                        : lab_no_memory(why, NULL);
    }
    for (int k = 0; outcome == LAB_DONE && k < record->panels; k++)
        if (lab_panels(spec)[k].kind == LAB_PANEL_TRACES)
            outcome = keep_traces(record, variants, spec, k, why);
    return outcome;
}
