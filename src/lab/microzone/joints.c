// SPDX-License-Identifier: Apache-2.0
#include "microzone/joints.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/response.h"
#include "math/elementary.h"
#include "math/order.h"
#include "microzone/zone_rate.h"
#include "microzone/zone_setup.h"
#include "spec/kinds.h"

enum { PATHS = LAB_JOINT_PATHS };

const char *lab_joint_rule_name(lab_joint_rule rule)
{
    static const char *const names[] = {LAB_JOINT_RULES(LAB_NAME)};
    return names[rule];
}

lab_coupling_text lab_coupling_name(double coupling)
{
    lab_coupling_text name;
    snprintf(name.text, sizeof name.text, "%g", coupling);
    for (char *dot; (dot = strchr(name.text, '.'));)
        *dot = '_';
    return name;
}

int lab_joints_work(const lab_zone_spec *zone)
{
    return zone->trials * LAB_JOINT_RULE_COUNT * (1 + zone->rate_fractions.columns) *
           zone->couplings.columns;
}

lab_outcome lab_joints_begin(lab_joints *joints, lab_arena *arena, const lab_zone_spec *zone,
                             lab_why *why)
{
    static const lab_joint_score unknown = {NAN, NAN, NAN, NAN, NAN, NAN};
    const int count = zone->couplings.columns;
    *joints = (lab_joints){.count = count,
                           .joint = lab_take(arena, (size_t)count, sizeof *joints->joint),
                           .definite_until = NAN,
                           .diverges_from = NAN,
                           .fails_from = NAN};
    if (!joints->joint)
        return lab_no_memory(why, NULL);
    for (int i = 0; i < count; i++) {
        joints->joint[i] = (lab_joint){.coupling = zone->couplings.values[i], .reactive = NAN};
        for (int rule = 0; rule < LAB_JOINT_RULE_COUNT; rule++)
            joints->joint[i].score[rule] = unknown;
    }
    return LAB_DONE;
}

// ---- the filters -----------------------------------------------------------------------------

lab_outcome lab_joint_filters(cfpc_teaching_filter filter[PATHS], const lab_zone_loops *loops,
                              const lab_zone_loops *apart, lab_joint_rule rule,
                              const lab_spec *spec, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    memset(filter, 0, PATHS * sizeof *filter);
    for (int i = 0; outcome == LAB_DONE && i < PATHS; i++) {
        const int cell = i / LAB_MAX_COUPLED, error = i % LAB_MAX_COUPLED;
        const cfpc_system *path = rule == LAB_JOINT_PER_ZONE ? &apart->path[i] : &loops->path[i];
        int32_t dead = 0;
        if (rule != LAB_JOINT_FULL && cell != error)
            continue;
        outcome = lab_from_status(why, cfpc_dead_time(path, loops->steps, &dead), "zone");
        if (outcome == LAB_DONE && dead != loops->steps) // a path that is 0 has no filter
            outcome = lab_zone_filter(&filter[i], spec, path, cell, loops->steps, why);
    }
    return outcome;
}

static void free_filters(cfpc_teaching_filter filter[PATHS])
{
    for (int i = 0; i < PATHS; i++)
        cfpc_teaching_filter_free(&filter[i]);
}

// ---- what must happen ------------------------------------------------------------------------

// Column (p, j) of ZᵀH: what weight j of cell p changes in what all weights learn.
static cfpc_status joints_fill_column(double *matrix, const lab_zone_setup *setup,
                                      const cfpc_teaching_filter *filter, int p, int j,
                                      double *signals)
{
    const int k = setup->loops.coupled, steps = setup->loops.steps, g = setup->granules.count;
    const size_t length = (size_t)k * (size_t)steps;
    double *v = signals, *t = v + length, *work = t + length;
    memset(v, 0, length * sizeof *v);
    for (int n = 0; n < steps; n++)
        v[p * steps + n] = lab_granule(&setup->granules, j, n);
    cfpc_status status = lab_group_answer(&setup->loops, 0, v, t, work);
    if (status == CFPC_OK)
        status = lab_group_lesson(&setup->loops, filter, t, v, work);
    for (int q = 0; q < k; q++)
        for (int i = 0; i < g; i++) {
            double sum = 0;
            const int onset = setup->granules.onset[i], from = onset > 0 ? onset : 0;
            for (int n = from; n < steps && n < onset + setup->granules.longest; n++)
                sum += lab_granule(&setup->granules, i, n) * v[q * steps + n];
            matrix[(size_t)(q * g + i) * (size_t)(k * g) + (size_t)(p * g + j)] = sum;
        }
    return status;
}

// The smallest real part of the eigenvalues of a matrix (size x size): the poles of a system whose
// states are multiplied by it at every step.
static cfpc_status smallest(double *least, const double *matrix, int size)
{
    cfpc_system system = {0};
    double *re = calloc(2 * (size_t)size, sizeof *re);
    cfpc_status status = re ? cfpc_system_make(&system, -1, size, 1, 1, 0) : CFPC_NO_MEMORY;
    if (status == CFPC_OK) {
        for (int i = 0; i < size; i++)
            memcpy(system.matrix + (size_t)i * (size_t)(size + 1),
                   matrix + (size_t)i * (size_t)size, (size_t)size * sizeof *matrix);
        status = cfpc_poles(&system, re, re + size);
    }
    *least = INFINITY;
    for (int i = 0; status == CFPC_OK && i < size; i++)
        *least = cfpci_min(*least, re[i]);
    cfpc_system_free(&system);
    free(re);
    return status;
}

// The smallest real part of the eigenvalues of ZᵀH, and of its symmetric part, over ‖ZᵀH‖; NULL:
// not asked for. Inputs that are silent during the trial have eigenvalues of 0.
static cfpc_status joints_predict(double *slowest, double *definite, const lab_zone_setup *setup,
                                  const cfpc_teaching_filter *filter)
{
    const size_t length = (size_t)setup->loops.coupled * (size_t)setup->loops.steps;
    const int g = setup->granules.count, size = setup->loops.coupled * g;
    double *matrix = calloc((size_t)size * (size_t)size, sizeof *matrix);
    double *signals = calloc(2 * length + (size_t)setup->loops.steps, sizeof *signals);
    cfpc_status status = matrix && signals ? CFPC_OK : CFPC_NO_MEMORY;
    for (int i = 0; status == CFPC_OK && i < size; i++)
        status = joints_fill_column(matrix, setup, filter, i / g, i % g, signals);
    if (status == CFPC_OK && slowest) {
        status = smallest(slowest, matrix, size);
        *slowest *= setup->unit[0];
    }
    for (int i = 0; status == CFPC_OK && definite && i < size; i++) // its symmetric part
        for (int j = 0; j < i; j++) {
            double *a = &matrix[(size_t)i * (size_t)size + (size_t)j];
            double *b = &matrix[(size_t)j * (size_t)size + (size_t)i];
            *a = *b = (*a + *b) / 2;
        }
    if (status == CFPC_OK && definite) {
        status = smallest(definite, matrix, size);
        *definite *= setup->unit[0];
    }
    free(matrix);
    free(signals);
    return status;
}

// ---- what does happen ------------------------------------------------------------------------

// rRMSE of both errors together.
static double together(const lab_zone_loops *loops, const double *rrmse)
{
    double square = 0;
    for (int m = 0; m < loops->count; m++)
        square += rrmse[m] * rrmse[m];
    return sqrt(square);
}

static void joints_keep_better(lab_joint_score *score, const lab_zone_setup *setup,
                               const double *rrmse, double rate_fraction)
{
    const int trials = setup->spec->zone.trials,
              rates = 1 + setup->spec->zone.rate_fractions.columns;
    const double last = together(&setup->loops, rrmse + (trials - 1) * setup->loops.count);
    if (trials >= 10)
        score->rrmse_10 =
            cfpci_min(score->rrmse_10, together(&setup->loops, rrmse + 9 * setup->loops.count));
    score->failed += !(last <= 1) / (double)rates;
    if (!isnan(score->rrmse_last) && !(last < score->rrmse_last))
        return;
    score->rate_fraction = rate_fraction;
    score->rrmse_last = last;
}

// What all couplings share.
typedef struct bench {
    lab_zone_setup setup; // its loops are those of one coupling
    lab_zone_loops apart; // the same joints without coupling
    const double *r;      // reference                                              (N)
    double *rrmse;        // of each trial at one rate                              (trials x 2)
    lab_pace *pace;
    lab_why *why;
} bench;

static lab_outcome joints_run_rule(bench *bench, lab_joint_score *score, lab_joint_rule rule,
                                   const cfpc_teaching_filter *filter)
{
    lab_zone_setup *setup = &bench->setup;
    const lab_zone_spec *zone = &setup->spec->zone;
    const lab_zone_lesson lesson = {.name = lab_joint_rule_name(rule), .filter = filter};
    const lab_zone_learned learned = {.rrmse = bench->rrmse};
    lab_outcome outcome = lab_zone_units(setup->unit, setup, filter, bench->why);
    if (outcome == LAB_DONE && rule == LAB_JOINT_PER_ZONE)
        outcome = lab_from_status(
            bench->why, joints_predict(&score->slowest, &score->definite, setup, filter), "zone");
    score->failed = 0;
    for (int i = 0; outcome == LAB_DONE && i <= zone->rate_fractions.columns; i++) {
        const double fraction = i == 0 ? zone->rate_fraction : zone->rate_fractions.values[i - 1];
        outcome = lab_zone_setup_learn(&learned, setup, &lesson, setup->unit, fraction, bench->pace,
                                       bench->why);
        if (outcome == LAB_DONE)
            joints_keep_better(score, setup, bench->rrmse, fraction);
    }
    return outcome;
}

static lab_outcome couple(bench *bench, double coupling)
{
    return lab_zone_joints_make(&bench->setup.loops, &bench->setup.arena, bench->setup.spec,
                                coupling, bench->r, bench->apart.steps, bench->why);
}

static lab_outcome run_coupling(bench *bench, lab_joint *joint)
{
    lab_zone_setup *setup = &bench->setup;
    lab_outcome outcome = couple(bench, joint->coupling);
    if (outcome == LAB_DONE)
        outcome = lab_zone_setup_block(setup, bench->why);
    for (int rule = 0; outcome == LAB_DONE && rule < LAB_JOINT_RULE_COUNT; rule++) {
        cfpc_teaching_filter filter[PATHS];
        outcome = lab_joint_filters(filter, &setup->loops, &bench->apart, (lab_joint_rule)rule,
                                    setup->spec, bench->why);
        if (outcome == LAB_DONE)
            outcome = joints_run_rule(bench, &joint->score[rule], (lab_joint_rule)rule, filter);
        free_filters(filter);
    }
    if (outcome == LAB_DONE)
        joint->reactive =
            setup->loops.baseline[0] / sqrt((double)LAB_MAX_COUPLED * setup->loops.steps);
    lab_zone_loops_free(&setup->loops);
    return outcome;
}

// ---- where it fails --------------------------------------------------------------------------

// An eigenvalue of the per-zone rule at any coupling.
static lab_outcome predict_at(bench *bench, double *least, double coupling, bool symmetric)
{
    lab_zone_setup *setup = &bench->setup;
    cfpc_teaching_filter filter[PATHS] = {0};
    lab_outcome outcome = couple(bench, coupling);
    if (outcome == LAB_DONE)
        outcome = lab_joint_filters(filter, &setup->loops, &bench->apart, LAB_JOINT_PER_ZONE,
                                    setup->spec, bench->why);
    if (outcome == LAB_DONE)
        outcome = lab_zone_units(setup->unit, setup, filter, bench->why);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(
            bench->why,
            joints_predict(symmetric ? NULL : least, symmetric ? least : NULL, setup, filter),
            "zone");
    free_filters(filter);
    lab_zone_loops_free(&setup->loops);
    return outcome;
}

// The coupling at which the eigenvalue becomes negative: between the first of the spec at which it
// is and the one before, by bisection.
static lab_outcome cross(bench *bench, double *coupling, const lab_joints *joints, bool symmetric)
{
    enum { HALVINGS = 6 };
    lab_outcome outcome = LAB_DONE;
    int i = 0;
    for (; i < joints->count; i++) {
        const lab_joint_score *score = &joints->joint[i].score[LAB_JOINT_PER_ZONE];
        if (!((symmetric ? score->definite : score->slowest) > -LAB_JOINTS_NEGATIVE))
            break;
    }
    if (i == joints->count)
        return LAB_DONE;
    double high = joints->joint[i].coupling, low = i > 0 ? joints->joint[i - 1].coupling : high;
    for (int k = 0; outcome == LAB_DONE && low < high && k < HALVINGS; k++) {
        double least = 0;
        const double middle = (low + high) / 2;
        outcome = predict_at(bench, &least, middle, symmetric);
        *(least > -LAB_JOINTS_NEGATIVE ? &low : &high) = middle;
    }
    *coupling = (low + high) / 2;
    return outcome;
}

// ln of how much more error the per-zone rule leaves.
static double excess(const lab_joint *joint)
{
    return cfpci_log(joint->score[LAB_JOINT_PER_ZONE].rrmse_last /
                     joint->score[LAB_JOINT_FULL].rrmse_last);
}

static double joints_fails_from(const lab_joints *joints)
{
    const double limit = cfpci_log(LAB_JOINTS_FAIL);
    int i = 0;
    while (i < joints->count && !(excess(&joints->joint[i]) > limit))
        i++;
    if (i == 0 || i == joints->count)
        return i == 0 ? joints->joint[0].coupling : NAN;
    const double before = excess(&joints->joint[i - 1]), after = excess(&joints->joint[i]);
    const double low = joints->joint[i - 1].coupling, high = joints->joint[i].coupling;
    return isfinite(after) ? low + (high - low) * (limit - before) / (after - before) : high;
}

// ---- all couplings ---------------------------------------------------------------------------

lab_outcome lab_joints_run(lab_joints *joints, const lab_spec *spec, int synapses, const double *r,
                           int steps, lab_pace *pace, lab_why *why)
{
    bench bench = {.setup = {.spec = spec}, .r = r, .pace = pace, .why = why};
    lab_zone_setup *setup = &bench.setup;
    const size_t curve = (size_t)spec->zone.trials * LAB_MAX_COUPLED;
    bench.rrmse = lab_take(&setup->arena, curve, sizeof *bench.rrmse);
    setup->unit = lab_take(&setup->arena, LAB_MAX_COUPLED, sizeof *setup->unit);
    setup->rate = lab_take(&setup->arena, LAB_MAX_COUPLED, sizeof *setup->rate);
    lab_outcome outcome = setup->arena.failed ? lab_no_memory(why, NULL) : LAB_DONE;
    if (outcome == LAB_DONE)
        outcome =
            lab_from_status(why,
                            lab_granules_make(&setup->granules, lab_banks(spec),
                                              spec->step_ms / 1e3, steps, synapses, spec->seed),
                            NULL);
    if (outcome == LAB_DONE)
        outcome = lab_zone_joints_make(&bench.apart, &setup->arena, spec, 0, r, steps, why);
    for (int i = 0; outcome == LAB_DONE && i < joints->count; i++)
        outcome = run_coupling(&bench, &joints->joint[i]);
    if (outcome == LAB_DONE) {
        joints->fails_from = joints_fails_from(joints);
        outcome = cross(&bench, &joints->definite_until, joints, true);
    }
    if (outcome == LAB_DONE)
        outcome = cross(&bench, &joints->diverges_from, joints, false);
    lab_zone_loops_free(&bench.apart);
    lab_zone_setup_free(setup);
    return outcome;
}
