// SPDX-License-Identifier: Apache-2.0
// measure_rows: what is measured of a run, one row per measure: its name, what it says, and where
// its value is, or the function that computes it.
#ifndef CFPC_LAB_MEASURE_ROWS_H
#define CFPC_LAB_MEASURE_ROWS_H

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "run/record.h"
#include "spec/spec.h"

// What a measure is of, and so the beginning of its name.
typedef enum lab_measured {
    LAB_OF_RUN,       // lag_ms
    LAB_OF_RULE,      // rules.fm-et.rrmse_7
    LAB_OF_PHASE,     // rules.fm-et.late.rrmse_first; only if there are several phases
    LAB_OF_SIZE,      // scale.1500000.rate
    LAB_OF_GROUP,     // population.smooth-wide.delay.trials, population.delay.trials of all loops
    LAB_OF_ZONE,      // zone.stepwise
    LAB_OF_WAY,       // zone.own.median
    LAB_OF_ZONE_SIZE, // zone.cells.16.median, zone.synapses.50.median
    LAB_OF_JOINTS,    // joints.fails_from
    LAB_OF_JOINT      // joints.0_5.full.rrmse_last
} lab_measured;

// Which rule, phase or size is measured.
typedef struct lab_measured_at {
    const lab_record *record;
    const lab_spec *spec;
    int rule;                       // from 0
    int phase;                      // from 0
    int first, last;                // trials of the phase, or of the run, from 0
    int size;                       // which of `scale`, from 0
    lab_population_figures group;   // of the population
    lab_zone_way way;               // of the zone
    const lab_zone_size *zone_size; // of its other sizes
    int joint;                      // which coupling, from 0
    lab_joint_rule joint_rule;      //
} lab_measured_at;

// A value is computed, or is a member of the struct of what is measured (see lab_measure_value), or
// of an array in it, one value per trial.
typedef enum lab_found_in {
    LAB_COMPUTED,
    LAB_AN_INT,
    LAB_A_DOUBLE,
    LAB_OF_FIRST_TRIAL,
    LAB_OF_LAST_TRIAL
} lab_found_in;

typedef struct lab_measured_value {
    lab_found_in found;
    double (*compute)(const lab_measured_at *at);
    size_t offset;
} lab_measured_value;

#define LAB_VALUE(function)                                                                        \
    {                                                                                              \
        .compute = function                                                                        \
    }
#define LAB_MEMBER(type, member, ...)                                                              \
    {                                                                                              \
        .found = _Generic(((type *)0)->member, __VA_ARGS__), .offset = offsetof(type, member)      \
    }
#define LAB_FIELD(type, member) LAB_MEMBER(type, member, int : LAB_AN_INT, double : LAB_A_DOUBLE)
#define LAB_FIRST(type, member) LAB_MEMBER(type, member, double * : LAB_OF_FIRST_TRIAL)
#define LAB_LAST(type, member) LAB_MEMBER(type, member, double * : LAB_OF_LAST_TRIAL)

typedef struct lab_measure_row {
    lab_measured of;
    const char *name;
    lab_measured_value value;                    // NAN where the run does not define it
    bool (*is_there)(const lab_measured_at *at); // whether it is listed at all
    const char *says;                            // what it measures
} lab_measure_row;

// The rows of each measures_of_NAME.c; name NULL at the end.
extern const lab_measure_row lab_run_measures[], lab_rule_measures[], lab_kernel_measures[],
    lab_phase_measures[], lab_size_measures[], lab_population_measures[], lab_zone_measures[];

// All of them, in the order in which they are listed; NULL at the end.
extern const lab_measure_row *const lab_measure_tables[];

double lab_measure_value(const lab_measure_row *row, const lab_measured_at *at);

// Whether it is there: always.
static inline bool lab_always(const lab_measured_at *at)
{
    (void)at;
    return true;
}

static inline const lab_rule_record *lab_measured_rule(const lab_measured_at *at)
{
    return &at->record->rule[at->rule];
}

// A trial as a number: NAN for none.
static inline double lab_trial_of(int trial)
{
    return trial > 0 ? trial : NAN;
}

// The table of all measures, docs/measures.md, in Markdown.
void lab_measure_reference(FILE *file);

#endif
