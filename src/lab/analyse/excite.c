// SPDX-License-Identifier: Apache-2.0
#include "analyse/excite.h"

#include <math.h>

#include "analyse/frequencies.h"
#include "cfpc/response.h"
#include "math/elementary.h"
#include "math/order.h"
#include "plant/paths.h"
#include "run/simulate.h"

// What the probe is made for.
typedef struct work {
    lab_excitation *it;
    const lab_excite_options *options;
    lab_rig rig;
    cfpc_system measured, command; // from where o enters, in the believed loop
    cfpc_system paths[2];          // of noise to what is measured
    cfpc_excite_noise noise[2];    //
    int noises;
    lab_why *why;
} work;

void lab_excitation_free(lab_excitation *excitation)
{
    cfpc_excitation_free(&excitation->design);
    lab_arena_free(&excitation->arena);
}

// ---- the task: band and size -----------------------------------------------------------------

// The rms of the output in a reactive trial, and the band of its basis signals.
static lab_outcome look_at_task(work *work)
{
    lab_excitation *excitation = work->it;
    lab_arena arena = {0};
    lab_simulation simulation;
    lab_outcome outcome = lab_simulation_make(&simulation, &work->rig, work->why);
    const int steps = work->rig.steps, bases = simulation.basis.bases;
    double hz[LAB_FREQUENCIES], sum = 0;
    lab_trial kept = {.y = lab_take(&arena, (size_t)steps, sizeof(double)),
                      .x = lab_take(&arena, (size_t)steps, (size_t)bases * sizeof(double))};
    if (outcome == LAB_DONE && arena.failed)
        outcome = lab_no_memory(work->why, NULL);
    if (outcome == LAB_DONE) {
        lab_simulate_trial(&work->rig, &simulation, NULL, work->rig.first, &kept);
        const int count = lab_find_frequencies(
            hz, &(lab_basis_signals){
                    .steps = steps, .bases = bases, .step_s = work->rig.step_s, .x = kept.x});
        for (int n = 0; n < steps; n++)
            sum += kept.y[n] * kept.y[n];
        excitation->task_rms = sqrt(sum / steps);
        excitation->low_hz = hz[0];
        excitation->high_hz = count > 0 ? hz[count - 1] : hz[0];
    }
    lab_simulation_free(&simulation);
    lab_arena_free(&arena);
    return outcome;
}

// The options', or else the task's.
static lab_outcome choose_band_and_size(work *work)
{
    lab_excitation *excitation = work->it;
    const lab_excite_options *o = work->options;
    const double half = 0.5 / work->rig.step_s;
    excitation->band_given = !isnan(o->low_hz) && !isnan(o->high_hz);
    excitation->low_hz = lab_or_else(o->low_hz, excitation->low_hz);
    excitation->high_hz = lab_or_else(o->high_hz, excitation->high_hz);
    excitation->output_rms = lab_or_else(o->rms, LAB_PROBE_SHARE * excitation->task_rms);
    if (excitation->high_hz > half)
        return lab_refuse(work->why, "--high-hz %g is above half the sampling rate, %g Hz",
                          excitation->high_hz, half);
    if (excitation->low_hz >= half)
        return lab_refuse(work->why, "--low-hz %g must be below half the sampling rate, %g Hz",
                          excitation->low_hz, half);
    if (excitation->low_hz > excitation->high_hz)
        return lab_refuse(work->why, "the band from %g to %g Hz is empty%s", excitation->low_hz,
                          excitation->high_hz,
                          excitation->band_given
                              ? "; --low-hz must not be above --high-hz"
                              : ": the basis signals have no power there; give both "
                                "--low-hz and --high-hz");
    if (isnormal(excitation->output_rms))
        return LAB_DONE;
    if (!isnan(o->rms))
        return lab_refuse(work->why, "--rms of %g is too small or too large to be computed with",
                          o->rms);
    return lab_refuse(work->why,
                      "%s: the task leaves the output at 0, so there is no default for the size of "
                      "the probe; give --rms",
                      excitation->spec->file);
}

// ---- the loop: paths and noise ---------------------------------------------------------------

// The loop is as believed, but for a belief that was identified as a whole: what happens inside it
// is not known then, and the loop that is stands for it. A loop that was identified as a whole has
// no command. The noise is the spec's, through the loop; or that of the option, as it is.
static lab_outcome find_paths(work *work)
{
    static const int32_t inputs[2] = {CFPC_LOOP_NOISE, CFPC_LOOP_PUSH};
    const lab_rig *rig = &work->rig;
    const lab_loop_spec *loop = &rig->spec->loop;
    const lab_loop *inside = lab_is_identified(rig->spec, true) ? &rig->loop : &rig->believed;
    // Rounding to multiples of a step is like white noise of the variance step²/12, where the
    // signal moves by more than a step.
    const double rounded = loop->measurement_step / sqrt(12);
    const double deviations[2] = {cfpci_hypot(loop->noise.measurement, rounded),
                                  loop->noise.process};
    cfpc_status status = cfpc_select(&work->measured, &rig->believed.from_o, 0, CFPC_LOOP_M);
    if (status == CFPC_OK && !lab_is_identified(rig->spec, false))
        status = cfpc_select(&work->command, &inside->from_o, 0, CFPC_LOOP_U);
    if (status == CFPC_OK && !isnan(work->options->noise)) {
        work->it->noise_from = "--noise";
        work->noise[work->noises++] = (cfpc_excite_noise){.deviation = work->options->noise};
        return LAB_DONE;
    }
    for (int i = 0; status == CFPC_OK && i < 2; i++) {
        if (deviations[i] == 0)
            continue;
        cfpc_system *path = &work->paths[work->noises];
        work->it->noise_from =
            loop->measurement_step > 0 ? "loop.noise and loop.measurement_step" : "loop.noise";
        work->noise[work->noises++] = (cfpc_excite_noise){.path = path, .deviation = deviations[i]};
        status = cfpc_loop_path(path, &inside->closed, inputs[i], CFPC_LOOP_M);
    }
    return lab_from_status(work->why, status, work->it->spec->file);
}

// ---- the probe -------------------------------------------------------------------------------

static lab_outcome refuse_length(const work *work, double min_s)
{
    const lab_excitation *excitation = work->it;
    const double max_s = LAB_PROBE_STEPS * work->rig.step_s;
    if (min_s > max_s)
        return lab_refuse(
            work->why,
            "a probe from %.3g Hz on takes two periods of at least %.6g s, but it has "
            "at most %d steps (%g s); give a higher --low-hz",
            excitation->low_hz, min_s / 2, LAB_PROBE_STEPS, max_s);
    if (work->options->seconds > max_s)
        return lab_refuse(work->why,
                          "--seconds %g is too long: a probe has at most %d steps (%g s here)",
                          work->options->seconds, LAB_PROBE_STEPS, max_s);
    return lab_refuse(work->why,
                      "--seconds %g is too short: from %.3g Hz on, in a loop that settles in %.3g "
                      "s, the probe takes two periods of at least %.6g s; give --seconds %.6g or "
                      "more%s",
                      work->options->seconds, excitation->low_hz,
                      excitation->design.settling * work->rig.step_s, min_s / 2, min_s,
                      1 / excitation->low_hz < min_s / 2 * (1 - 1e-6) ? ""
                                                                      : ", or a higher --low-hz");
}

// By default it is as long as its band needs, if that is longer.
static lab_outcome design(work *work)
{
    lab_excitation *excitation = work->it;
    const double step_s = work->rig.step_s;
    const double wanted = lab_or_else(work->options->seconds, LAB_PROBE_SECONDS) / step_s;
    cfpc_excite_settings by = cfpc_default_excite_settings();
    by.steps = (int32_t)cfpci_min(floor(wanted * (1 + 1e-12)), LAB_PROBE_STEPS);
    by.low_hz = excitation->low_hz;
    by.high_hz = excitation->high_hz;
    by.rms = excitation->output_rms;
    by.seed = (uint32_t)work->options->seed;
    if (work->options->seconds > LAB_PROBE_STEPS * step_s * (1 + 1e-12))
        return refuse_length(work, 0);
    cfpc_status status =
        cfpc_excite(&excitation->design, &work->measured, work->noises, work->noise, &by);
    const bool is_short = status == CFPC_BAD_SIZE && excitation->design.least_steps > by.steps;
    if (is_short &&
        (!isnan(work->options->seconds) || excitation->design.least_steps > LAB_PROBE_STEPS))
        return refuse_length(work, excitation->design.least_steps * step_s);
    if (is_short) {
        by.steps = excitation->design.least_steps;
        cfpc_excitation_free(&excitation->design);
        status = cfpc_excite(&excitation->design, &work->measured, work->noises, work->noise, &by);
    }
    if (status == CFPC_BAD_VALUE)
        return lab_refuse(work->why,
                          "%s: nothing of a probe from %.3g to %.3g Hz reaches the output",
                          excitation->spec->file, excitation->low_hz, excitation->high_hz);
    return lab_from_status(work->why, status, excitation->spec->file);
}

// ---- what to expect --------------------------------------------------------------------------

static lab_outcome expect(work *work)
{
    lab_excitation *excitation = work->it;
    const cfpc_excitation *d = &excitation->design;
    const lab_saturation_spec *limits = &excitation->spec->loop.saturation;
    const bool has_command = work->command.matrix;
    const int steps = excitation->steps = d->period_steps * d->periods;
    double sum = 0; // Parseval: of all noise below half the sampling rate, that of the lines
    for (int32_t k = 0; k < d->lines; k++)
        sum += 2 * d->noise[k] * d->noise[k] / d->period_steps;
    excitation->noise_rms = sqrt(sum);
    double *probe = lab_take(&excitation->arena, (size_t)steps, sizeof *probe);
    excitation->y = lab_take(&excitation->arena, (size_t)steps, sizeof *excitation->y);
    if (has_command)
        excitation->u = lab_take(&excitation->arena, (size_t)steps, sizeof *excitation->u);
    if (excitation->arena.failed)
        return lab_no_memory(work->why, NULL);
    for (int n = 0; n < steps; n++)
        probe[n] = lab_probe_at(excitation, n);
    cfpc_status status = cfpc_apply(&work->measured, steps, 1, probe, excitation->y);
    for (int n = 0; status == CFPC_OK && n < steps; n++)
        excitation->y_peak = cfpci_max(excitation->y_peak, fabs(excitation->y[n]));
    if (status == CFPC_OK && has_command)
        status = cfpc_apply(&work->command, steps, 1, probe, excitation->u);
    excitation->u_low = excitation->u_high = has_command ? 0 : NAN; // it starts at rest
    for (int n = 0; status == CFPC_OK && has_command && n < steps; n++) {
        excitation->u_low = cfpci_min(excitation->u_low, excitation->u[n]);
        excitation->u_high = cfpci_max(excitation->u_high, excitation->u[n]);
    }
    excitation->saturates =
        excitation->u_low < limits->low || excitation->u_high > limits->high; // NAN: no limit
    return lab_from_status(work->why, status, excitation->spec->file);
}

lab_outcome lab_excite(lab_excitation *excitation, const lab_plan *plan,
                       const lab_excite_options *options, lab_why *why)
{
    work work = {.it = excitation, .options = options, .why = why};
    *excitation = (lab_excitation){.spec = plan->spec};
    lab_outcome outcome =
        lab_rig_make(&work.rig, &excitation->arena, plan, plan->spec->main_rule, 0, why);
    if (outcome == LAB_DONE && lab_has_feedforward(work.rig.spec))
        outcome = lab_spec_refuse(work.rig.spec, work.rig.spec->loop.feedforward.place, why,
                                  "no probe is designed for a loop with a feed-forward path: what "
                                  "is added to the reference would take both paths");
    if (outcome == LAB_DONE) {
        excitation->spec = work.rig.spec;
        excitation->at_plant = work.rig.spec->enters == LAB_PLANT_INPUT;
    }
    lab_outcome (*const steps[])(struct work *) = {look_at_task, choose_band_and_size, find_paths,
                                                   design, expect};
    for (int i = 0; outcome == LAB_DONE && i < 5; i++)
        outcome = steps[i](&work);
    cfpc_system_free(&work.measured);
    cfpc_system_free(&work.command);
    cfpc_system_free(&work.paths[0]);
    cfpc_system_free(&work.paths[1]);
    lab_rig_free(&work.rig);
    return outcome;
}
