// SPDX-License-Identifier: Apache-2.0
#include "sweep/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interval.h"
#include "run/run.h"
#include "spec/constants.h"
#include "spec/plan.h"

lab_outcome lab_sweep_make(lab_sweep *sweep, const lab_spec *spec, const lab_source *source,
                           const lab_settings *settings, const lab_grid *grid, lab_why *why)
{
    *sweep = (lab_sweep){
        .spec = spec, .source = source, .settings = settings, .grid = grid, .points = grid->points};
    sweep->point = calloc((size_t)sweep->points + 1, sizeof *sweep->point);
    lab_outcome outcome = sweep->point ? LAB_DONE : lab_no_memory(why, NULL);
    for (int i = 0; outcome == LAB_DONE && i < grid->count; i++)
        outcome = lab_check_setting(spec, &grid->axes[i].settings.items[0], NULL, why);
    return outcome;
}

void lab_sweep_free(lab_sweep *sweep)
{
    for (int i = 0; sweep->point && i < sweep->points; i++) {
        free(sweep->point[i].why);
        free(sweep->point[i].measure);
    }
    free(sweep->point);
    *sweep = (lab_sweep){0};
}

int lab_sweep_count(const lab_sweep *sweep, lab_outcome outcome)
{
    int count = 0;
    for (int i = 0; i < sweep->points; i++)
        count += sweep->point[i].finished && sweep->point[i].outcome == outcome;
    return count;
}

const lab_point *lab_sweep_first(const lab_sweep *sweep, lab_outcome outcome)
{
    const lab_part part = sweep->part;
    const int step = part.count > 0 ? part.count : 1;
    for (int i = part.count > 0 ? part.index - 1 : 0; i < sweep->points; i += step)
        if (sweep->point[i].finished && sweep->point[i].outcome == outcome)
            return &sweep->point[i];
    return NULL;
}

const char *lab_outcome_name(lab_outcome outcome)
{
    return outcome == LAB_DONE ? "done" : outcome == LAB_REFUSED ? "refused" : "failed";
}

int lab_sweep_count_diverged(const lab_sweep *sweep)
{
    int count = 0;
    for (int i = 0; i < sweep->points; i++)
        count += lab_point_diverged(&sweep->point[i]);
    return count;
}

const char *lab_point_status(const lab_point *point)
{
    return lab_point_diverged(point) ? "diverged" : lab_outcome_name(point->outcome);
}

// ---- one point -------------------------------------------------------------------------------

// Spec and plan of a point. A rule that was chosen is kept by its name, as the point may change
// them.
static lab_outcome sweep_make_plan(lab_plan *plan, lab_spec *spec, const lab_sweep *sweep,
                                   int index, lab_why *why)
{
    const lab_spec *base = sweep->spec;
    const lab_grid *grid = sweep->grid;
    lab_settings settings = {0};
    *plan = (lab_plan){0};
    *spec = (lab_spec){0};
    lab_outcome outcome = lab_settings_add_all(&settings, sweep->settings, why);
    for (int i = 0; outcome == LAB_DONE && i < grid->count; i++) {
        const lab_axis *axis = &grid->axes[i];
        const lab_setting *value = &axis->settings.items[lab_grid_index(grid, i, index)];
        outcome = lab_settings_add_node(&settings, axis->key, value->value, why);
    }
    if (outcome == LAB_DONE)
        outcome = lab_spec_make(spec, sweep->source, &settings, why);
    if (outcome == LAB_DONE && base->main_rule > 0)
        outcome = lab_spec_choose_rule(spec, lab_rules(base)[base->main_rule].name, why);
    if (outcome == LAB_DONE)
        outcome = lab_plan_make(plan, spec, sweep->source, &settings, why);
    lab_settings_free(&settings);
    return outcome;
}

static bool sweep_goes_on(void *context, const char *what, int done, int total)
{
    (void)what;
    (void)done;
    (void)total;
    return !atomic_load((const atomic_bool *)context);
}

// One run of a plan and its measures; why is "", or which rule diverged. found: the run whose tuned
// values are taken, NULL: it tunes. Free record and measures in either case.
static lab_outcome measure_run(lab_record *record, lab_measures *measures, const lab_plan *plan,
                               const lab_record *found, const atomic_bool *stop, lab_why *why)
{
    const lab_progress progress = {.tick = sweep_goes_on, .context = (void *)stop};
    *measures = (lab_measures){0};
    lab_outcome outcome = lab_run_once(record, plan, found, &progress, why);
    if (outcome == LAB_DONE)
        outcome = lab_measures_make(measures, record, plan->spec, why);
    if (outcome == LAB_DONE) {
        why->text[0] = '\0';
        lab_check_diverged(measures, record, why);
    }
    return outcome;
}

// Adds a measure NAME_half_width for every measure: of the 95 % interval of its mean.
static lab_outcome add_half_widths(lab_measures *means, const double *squares, int runs,
                                   lab_why *why)
{
    const int count = means->count;
    lab_measure *grown = realloc(means->measure, 2 * (size_t)count * sizeof *grown);
    if (!grown)
        return lab_no_memory(why, NULL);
    means->measure = grown;
    for (int i = 0; i < count; i++) {
        lab_measure *width = &grown[means->count++];
        snprintf(width->name, sizeof width->name, "%.*s" LAB_HALF_WIDTH,
                 (int)(sizeof width->name - sizeof LAB_HALF_WIDTH), grown[i].name);
        width->value = lab_half_width(squares[i], runs);
    }
    return LAB_DONE;
}

// The means of the measures over several runs, each with another seed and the tuned values of the
// first, from the measures of that one.
static lab_outcome sweep_repeat(lab_measures *means, const lab_record *first, const lab_plan *plan,
                                const atomic_bool *stop, lab_why *why)
{
    const int runs = plan->spec->runs;
    lab_spec other = *plan->spec; // borrows all but the seed
    lab_plan again = *plan;
    again.spec = &other;
    double *squares = calloc((size_t)means->count + 1, sizeof *squares);
    lab_outcome outcome = squares ? LAB_DONE : lab_no_memory(why, NULL);
    for (int run = 2; outcome == LAB_DONE && run <= runs; run++) {
        lab_record record;
        lab_measures more;
        lab_why said;
        other.seed = plan->spec->seed + run - 1;
        outcome = measure_run(&record, &more, &again, first, stop, &said);
        // A measure that one of the runs does not define has no mean.
        for (int i = 0; outcome == LAB_DONE && i < means->count; i++) {
            const lab_measure *its = lab_measure_of(&more, means->measure[i].name);
            lab_mean_add(&means->measure[i].value, &squares[i], its ? its->value : NAN, run);
        }
        if (outcome != LAB_DONE || !*why->text) // the first that diverged
            *why = said;
        lab_measures_free(&more);
        lab_record_free(&record);
    }
    if (outcome == LAB_DONE)
        outcome = add_half_widths(means, squares, runs, why);
    free(squares);
    return outcome;
}

lab_outcome lab_sweep_point(lab_sweep *sweep, int index, const atomic_bool *stop, lab_why *why)
{
    lab_point *point = &sweep->point[index];
    lab_spec spec;
    lab_plan plan;
    lab_record first = {0};
    lab_measures measures = {0};
    lab_outcome outcome = sweep_make_plan(&plan, &spec, sweep, index, why);
    if (outcome == LAB_DONE)
        outcome = measure_run(&first, &measures, &plan, NULL, stop, why);
    if (outcome == LAB_DONE && spec.runs > 1)
        outcome = sweep_repeat(&measures, &first, &plan, stop, why);
    lab_record_free(&first);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
    if (outcome != LAB_DONE && atomic_load(stop)) {
        lab_measures_free(&measures);
        return lab_fail(why, "stopped");
    }
    if (outcome == LAB_DONE) { // they change hands
        *point = (lab_point){.count = measures.count, .measure = measures.measure};
        measures.measure = NULL;
    }
    lab_measures_free(&measures);
    point->outcome = outcome;
    // The sentence stays on one line, whatever it quotes.
    point->why = strdup(why->text);
    for (char *c = point->why; c && *c; c++)
        if ((unsigned char)*c < 0x20)
            *c = ' ';
    point->finished = point->why != NULL;
    return point->finished ? LAB_DONE : lab_no_memory(why, NULL);
}

// ---- before the first ------------------------------------------------------------------------

// The names of a point's measures, from a record without figures; whether the trial that this one
// is about is run.
static lab_outcome name_measures(lab_measures *measures, const lab_sweep *sweep, int index,
                                 const char *measure, bool *reached, lab_why *why)
{
    lab_spec spec;
    lab_plan plan;
    lab_variants variants = {0};
    lab_record record = {0};
    *measures = (lab_measures){0};
    lab_outcome outcome = sweep_make_plan(&plan, &spec, sweep, index, why);
    if (outcome == LAB_DONE)
        outcome = lab_variants_make(&variants, &plan, why);
    if (outcome == LAB_DONE)
        outcome = lab_run_blank(&record, &variants, why);
    if (outcome == LAB_DONE)
        outcome = lab_measures_make(measures, &record, &spec, why);
    *reached = outcome == LAB_DONE && !lab_is_not_reached(&record, measure);
    lab_record_free(&record);
    lab_variants_free(&variants);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
    return outcome;
}

// Whether some point can be set up is asked only if it `needs_any`.
static lab_outcome check_points(const lab_sweep *sweep, const char *measure, bool needs_any,
                                lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    lab_why first = {0};
    bool any = false, only_numbers = true;
    for (int i = 0; i < sweep->grid->count; i++)
        only_numbers = only_numbers && sweep->grid->axes[i].numbers;
    for (int p = 0; p < sweep->points; p++) {
        lab_measures measures;
        lab_why reason;
        bool reached = false;
        const bool known =
            name_measures(&measures, sweep, p, measure, &reached, &reason) == LAB_DONE;
        const bool found = known && reached && lab_measure_of(&measures, measure);
        if (known && !reached)
            outcome = lab_refuse(why, "no point reaches the trial of '%.60s'", measure);
        else if (known && !found)
            outcome = lab_refuse(why, "no point has a measure '%.60s'; %s", measure,
                                 lab_measures_hint(&measures, measure).text);
        else if (!known && p == 0)
            first = reason;
        any = any || known;
        lab_measures_free(&measures);
        if (found)
            return LAB_DONE;
        // Numbers change no names: then one point speaks for all.
        if (known && reached && only_numbers)
            break;
    }
    return any || !needs_any ? outcome
                             : lab_refuse(why, "none of the %d points can be run; the first: %s",
                                          sweep->points, first.text);
}

lab_outcome lab_sweep_check_measure(const lab_sweep *sweep, const char *measure, lab_why *why)
{
    return check_points(sweep, measure, false, why);
}

lab_outcome lab_sweep_check_any(const lab_sweep *sweep, const char *measure, lab_why *why)
{
    return check_points(sweep, measure, true, why);
}
