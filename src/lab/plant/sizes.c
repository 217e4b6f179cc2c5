// SPDX-License-Identifier: Apache-2.0
#include "plant/sizes.h"

#include <math.h>

#include "cfpc/loop.h"
#include "math/order.h"
#include "plant/banks.h"
#include "plant/systems.h"

enum { NOISE_SINES = 64 }; // of a signal of kind noise: plant/signals.c

static double at_least(double value, double least)
{
    return value > least ? value : least; // NAN: least
}

// ---- the loop --------------------------------------------------------------------------------

static double states_of_file(const lab_spec *spec, const char *file)
{
    const lab_model_file *model = file ? lab_spec_model(spec, file) : NULL;
    return model ? model->a.rows : 0;
}

static double states_of(const lab_spec *spec, const lab_system_spec *system_spec)
{
    switch (system_spec->kind) {
    case LAB_CHAIN:
        return system_spec->stages.count;
    case LAB_TRANSFER_FUNCTION:
        return system_spec->den.columns - 1;
    case LAB_STATE_SPACE:
        return system_spec->a.rows;
    case LAB_RESPONSE:
        return system_spec->max_states;
    case LAB_IDENTIFIED:
        return states_of_file(spec, system_spec->file);
    case LAB_P:
        return 0;
    case LAB_PI:
    case LAB_LEAD_LAG:
        return 1;
    case LAB_PID:
        return 2;
    }
    return 0;
}

static double states_of_loop(const lab_spec *spec)
{
    if (spec->loop.model == LAB_LOOP_IDENTIFIED)
        return states_of_file(spec, spec->loop.file);
    return states_of(spec, &spec->loop.plant) + states_of(spec, &spec->loop.controller) +
           (lab_has_feedforward(spec) ? states_of(spec, &spec->loop.feedforward) : 0);
}

static double lines_of(const lab_spec *spec)
{
    const lab_loop_spec *loop = &spec->loop;
    return (loop->delay_ms > 0) + (loop->command_delay_ms > 0) + (loop->measurement_delay_ms > 0) +
           (spec->teach.delay_ms > 0);
}

static double late_of(const lab_spec *spec)
{
    const lab_loop_spec *loop = &spec->loop;
    return (at_least(loop->delay_ms, 0) + at_least(loop->command_delay_ms, 0) +
            at_least(loop->measurement_delay_ms, 0) + at_least(spec->teach.delay_ms, 0)) /
           spec->step_ms;
}

static void size_loop(lab_sizes *sizes, const lab_spec *spec)
{
    const double states = states_of_loop(spec), lines = lines_of(spec);
    const lab_noise_spec *noise = &spec->loop.noise;
    sizes->path = (states + 1 + lines) * (states + 1 + lines);
    sizes->late = late_of(spec);
    sizes->step.times[LAB_NEEDS_STEP] += 1;
    sizes->step.times[LAB_NEEDS_SINGLE] +=
        (states + CFPC_LOOP_OUTPUTS + lines) * (states + CFPC_LOOP_INPUTS + lines);
    sizes->step.times[LAB_NEEDS_SINE] +=
        (noise->process > 0) + (noise->measurement > 0) + lab_has_noisy_teacher(spec);
}

// ---- the world -------------------------------------------------------------------------------

// Sines that a signal is the sum of.
static double sines_of(const lab_signal_spec *signal)
{
    switch (signal->kind) {
    case LAB_SINUSOIDS:
        return signal->components.rows;
    case LAB_HARMONICS:
        return signal->harmonics.rows;
    case LAB_BAND_NOISE:
        return NOISE_SINES;
    case LAB_PIECEWISE_LINEAR:
    case LAB_STEP:
    case LAB_MINIMUM_JERK:
    case LAB_CSV_SIGNAL:
        return 0.3; // as long, about
    }
    return 0;
}

static double sines_of_disturbance(const lab_spec *spec, const char *name)
{
    const int which = lab_disturbance_of(spec, name);
    return which >= 0 ? sines_of(&lab_disturbances(spec)[which].signal) : 0;
}

static void size_world(lab_sizes *sizes, const lab_spec *spec)
{
    double *sines = &sizes->step.times[LAB_NEEDS_SINE];
    *sines += sines_of(&spec->task.reference);
    for (int i = 0; i < spec->disturbances.count; i++)
        if (lab_disturbances(spec)[i].on)
            *sines += sines_of(&lab_disturbances(spec)[i].signal);
    if (spec->teach.signal == LAB_TEACH_DISTURBANCE)
        *sines += sines_of_disturbance(spec, spec->teach.source);
}

// ---- the banks -------------------------------------------------------------------------------

static void size_driven(lab_sizes *sizes, const lab_spec *spec, const lab_basis_spec *bank)
{
    const double count = bank->count;
    const bool sparse = bank->kind == LAB_TAPPED_DELAY || bank->kind == LAB_DERIVATIVES;
    // states and outputs by states: zeros are skipped, but looked at
    sizes->step.times[LAB_NEEDS_SINGLE] += count * count * (sparse ? 0.75 : 1.5);
    sizes->step.times[LAB_NEEDS_SINE] +=
        bank->input == LAB_FROM_REFERENCE     ? sines_of(&spec->task.reference)
        : bank->input == LAB_FROM_DISTURBANCE ? sines_of_disturbance(spec, bank->source)
                                              : 0;
}

static void size_banks(lab_sizes *sizes, const lab_spec *spec, const lab_listing *banks)
{
    const lab_basis_spec *bank = banks->items;
    for (int i = 0; i < banks->count; i++) {
        switch (lab_family_of_basis(bank[i].kind)) {
        case LAB_DRIVEN:
            size_driven(sizes, spec, &bank[i]);
            break;
        case LAB_CENTRED:
        case LAB_DECAYING:
        case LAB_SCATTERED:
            sizes->table += sizes->steps * bank[i].count;
            break;
        case LAB_TURNING:
            sizes->step.times[LAB_NEEDS_SINE] += 4; // few bumps overlap
            break;
        case LAB_PER_STEP:
        case LAB_PER_COLUMN:
            break;
        }
    }
}

lab_outcome lab_sizes_make(lab_sizes *sizes, const lab_spec *spec, lab_why *why)
{
    *sizes = (lab_sizes){.steps = cfpci_max(1, round(1e3 * spec->task.trial_s / spec->step_ms))};
    const int steps = (int)cfpci_min(sizes->steps, 1e9);
    size_loop(sizes, spec);
    size_world(sizes, spec);
    size_banks(sizes, spec, &spec->basis);
    lab_outcome outcome = lab_count_bases(spec, &spec->basis, steps, &sizes->bases, why);
    if (outcome == LAB_DONE && lab_hears_prediction(spec)) {
        size_banks(sizes, spec, &spec->prediction.basis);
        outcome = lab_count_bases(spec, &spec->prediction.basis, steps, &sizes->first, why);
    }
    sizes->step.times[LAB_NEEDS_WIDE] += sizes->bases + 3 * sizes->first;
    return outcome;
}
