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

void lab_excitation_free(lab_excitation *it)
{
    cfpc_excitation_free(&it->design);
    lab_arena_free(&it->arena);
}

static void work_free(work *of)
{
    cfpc_system_free(&of->measured);
    cfpc_system_free(&of->command);
    cfpc_system_free(&of->paths[0]);
    cfpc_system_free(&of->paths[1]);
    lab_rig_free(&of->rig);
}

static double or_else(double given, double standard)
{
    return isnan(given) ? standard : given;
}

static double rms_of(int count, const double *values)
{
    double sum = 0;
    for (int n = 0; n < count; n++)
        sum += values[n] * values[n];
    return sqrt(sum / count);
}

// ---- the task: band and size -----------------------------------------------------------------

// The rms of the output in a reactive trial, and the band of its basis signals.
static lab_outcome look_at_task(work *of)
{
    lab_excitation *it = of->it;
    lab_arena arena = {0};
    lab_scene scene;
    lab_outcome outcome = lab_scene_make(&scene, &of->rig, of->why);
    const int steps = of->rig.steps, bases = scene.basis.bases;
    double hz[LAB_FREQUENCIES];
    lab_trial kept = {.y = lab_take(&arena, (size_t)steps, sizeof(double)),
                      .x = lab_take(&arena, (size_t)steps, (size_t)bases * sizeof(double))};
    if (outcome == LAB_DONE && arena.failed)
        outcome = lab_no_memory(of->why, NULL);
    if (outcome == LAB_DONE) {
        lab_simulate_trial(&of->rig, &scene, NULL, of->rig.first, &kept);
        const int count = lab_find_frequencies(
            hz, &(lab_basis_signals){
                    .steps = steps, .bases = bases, .step_s = of->rig.step_s, .x = kept.x});
        it->task_rms = rms_of(steps, kept.y);
        it->low_hz = hz[0];
        it->high_hz = count > 0 ? hz[count - 1] : hz[0];
    }
    lab_scene_free(&scene);
    lab_arena_free(&arena);
    return outcome;
}

static lab_outcome choose_band(work *of)
{
    lab_excitation *it = of->it;
    const lab_excite_options *o = of->options;
    const double half = 0.5 / of->rig.step_s;
    it->band_given = !isnan(o->low_hz) && !isnan(o->high_hz);
    it->low_hz = or_else(o->low_hz, it->low_hz);
    it->high_hz = or_else(o->high_hz, it->high_hz);
    if (it->high_hz > half)
        return lab_refuse(of->why, "--high-hz %g is above half the sampling rate, %g Hz",
                          it->high_hz, half);
    if (it->low_hz >= half)
        return lab_refuse(of->why, "--low-hz %g must be below half the sampling rate, %g Hz",
                          it->low_hz, half);
    if (it->low_hz > it->high_hz)
        return lab_refuse(of->why, "the band from %g to %g Hz is empty%s", it->low_hz, it->high_hz,
                          it->band_given ? "; --low-hz must not be above --high-hz"
                                         : ": the basis signals have no power there; give both "
                                           "--low-hz and --high-hz");
    return LAB_DONE;
}

static lab_outcome choose_rms(work *of)
{
    lab_excitation *it = of->it;
    it->output_rms = or_else(of->options->rms, LAB_PROBE_SHARE * it->task_rms);
    if (isnormal(it->output_rms))
        return LAB_DONE;
    if (!isnan(of->options->rms))
        return lab_refuse(of->why, "--rms of %g is too small or too large to be computed with",
                          of->options->rms);
    return lab_refuse(of->why,
                      "%s: the task leaves the output at 0, so there is no default for the size of "
                      "the probe; give --rms",
                      it->spec->file);
}

// ---- the loop: paths and noise ---------------------------------------------------------------

// The loop as believed, but for a belief that was identified as a whole: what happens inside it is
// not known then, and the loop that is stands for it.
static const lab_loop *inside(const work *of)
{
    return lab_is_identified(of->rig.spec, true) ? &of->rig.loop : &of->rig.believed;
}

// A loop that was identified as a whole has no command.
static cfpc_status find_paths(work *of)
{
    cfpc_status status = cfpc_select(&of->measured, &of->rig.believed.from_o, 0, CFPC_LOOP_M);
    if (status == CFPC_OK && !lab_is_identified(of->rig.spec, false))
        status = cfpc_select(&of->command, &inside(of)->from_o, 0, CFPC_LOOP_U);
    return status;
}

// Rounding to multiples of a step is like white noise of the variance step²/12, where the signal
// moves by more than a step.
static double measurement_noise(const lab_loop_spec *loop)
{
    return cfpci_hypot(loop->noise.measurement, loop->measurement_step / sqrt(12));
}

// The spec's, through the loop; or that of the option, as it is.
static cfpc_status find_noise(work *of)
{
    static const int32_t inputs[2] = {CFPC_LOOP_NOISE, CFPC_LOOP_PUSH};
    const lab_loop_spec *loop = &of->rig.spec->loop;
    const double deviations[2] = {measurement_noise(loop), loop->noise.process};
    cfpc_status status = CFPC_OK;
    if (!isnan(of->options->noise)) {
        of->it->noise_from = "--noise";
        of->noise[of->noises++] = (cfpc_excite_noise){.deviation = of->options->noise};
        return CFPC_OK;
    }
    for (int i = 0; status == CFPC_OK && i < 2; i++) {
        if (deviations[i] == 0)
            continue;
        cfpc_system *path = &of->paths[of->noises];
        of->it->noise_from =
            loop->measurement_step > 0 ? "loop.noise and loop.measurement_step" : "loop.noise";
        of->noise[of->noises++] = (cfpc_excite_noise){.path = path, .deviation = deviations[i]};
        status = cfpc_loop_path(path, &inside(of)->closed, inputs[i], CFPC_LOOP_M);
    }
    return status;
}

// ---- the probe -------------------------------------------------------------------------------

static lab_outcome refuse_length(const work *of, double least_s)
{
    const lab_excitation *it = of->it;
    const double most_s = LAB_PROBE_STEPS * of->rig.step_s;
    if (least_s > most_s)
        return lab_refuse(
            of->why,
            "a probe from %.3g Hz on takes two periods of at least %.6g s, but it has "
            "at most %d steps (%g s); give a higher --low-hz",
            it->low_hz, least_s / 2, LAB_PROBE_STEPS, most_s);
    if (of->options->seconds > most_s)
        return lab_refuse(of->why,
                          "--seconds %g is too long: a probe has at most %d steps (%g s here)",
                          of->options->seconds, LAB_PROBE_STEPS, most_s);
    return lab_refuse(of->why,
                      "--seconds %g is too short: from %.3g Hz on, in a loop that settles in %.3g "
                      "s, the probe takes two periods of at least %.6g s; give --seconds %.6g or "
                      "more%s",
                      of->options->seconds, it->low_hz, it->design.settling * of->rig.step_s,
                      least_s / 2, least_s,
                      1 / it->low_hz < least_s / 2 * (1 - 1e-6) ? "" : ", or a higher --low-hz");
}

// By default it is as long as its band needs, if that is longer.
static lab_outcome design(work *of)
{
    lab_excitation *it = of->it;
    const double step_s = of->rig.step_s;
    const double wanted = or_else(of->options->seconds, LAB_PROBE_SECONDS) / step_s;
    cfpc_excite_settings by = cfpc_default_excite_settings();
    by.steps = (int32_t)cfpci_min(floor(wanted * (1 + 1e-12)), LAB_PROBE_STEPS);
    by.low_hz = it->low_hz;
    by.high_hz = it->high_hz;
    by.rms = it->output_rms;
    by.seed = (uint32_t)of->options->seed;
    if (of->options->seconds > LAB_PROBE_STEPS * step_s * (1 + 1e-12))
        return refuse_length(of, 0);
    cfpc_status status = cfpc_excite(&it->design, &of->measured, of->noises, of->noise, &by);
    const bool is_short = status == CFPC_BAD_SIZE && it->design.least_steps > by.steps;
    if (is_short && (!isnan(of->options->seconds) || it->design.least_steps > LAB_PROBE_STEPS))
        return refuse_length(of, it->design.least_steps * step_s);
    if (is_short) {
        by.steps = it->design.least_steps;
        cfpc_excitation_free(&it->design);
        status = cfpc_excite(&it->design, &of->measured, of->noises, of->noise, &by);
    }
    if (status == CFPC_BAD_VALUE)
        return lab_refuse(of->why, "%s: nothing of a probe from %.3g to %.3g Hz reaches the output",
                          it->spec->file, it->low_hz, it->high_hz);
    return lab_from_status(of->why, status, it->spec->file);
}

// ---- what to expect --------------------------------------------------------------------------

static void look_at_command(lab_excitation *it)
{
    const lab_saturation_spec *limits = &it->spec->loop.saturation;
    it->u_low = it->u_high = it->u ? 0 : NAN; // it starts at rest
    for (int n = 0; it->u && n < it->steps; n++) {
        it->u_low = cfpci_min(it->u_low, it->u[n]);
        it->u_high = cfpci_max(it->u_high, it->u[n]);
    }
    it->saturates = it->u_low < limits->low || it->u_high > limits->high; // NAN: no limit
}

// Parseval: of all noise below half the sampling rate, that of the lines.
static double noise_within(const cfpc_excitation *d)
{
    double sum = 0;
    for (int32_t k = 0; k < d->lines; k++)
        sum += 2 * d->noise[k] * d->noise[k] / d->period_steps;
    return sqrt(sum);
}

static lab_outcome expect(work *of)
{
    lab_excitation *it = of->it;
    const bool has_command = of->command.matrix;
    it->steps = it->design.period_steps * it->design.periods;
    it->noise_rms = noise_within(&it->design);
    double *probe = lab_take(&it->arena, (size_t)it->steps, sizeof *probe);
    it->y = lab_take(&it->arena, (size_t)it->steps, sizeof *it->y);
    if (has_command)
        it->u = lab_take(&it->arena, (size_t)it->steps, sizeof *it->u);
    if (it->arena.failed)
        return lab_no_memory(of->why, NULL);
    for (int n = 0; n < it->steps; n++)
        probe[n] = lab_probe_at(it, n);
    cfpc_status status = cfpc_apply(&of->measured, it->steps, 1, probe, it->y);
    for (int n = 0; status == CFPC_OK && n < it->steps; n++)
        it->y_peak = cfpci_max(it->y_peak, fabs(it->y[n]));
    if (status == CFPC_OK && has_command)
        status = cfpc_apply(&of->command, it->steps, 1, probe, it->u);
    if (status == CFPC_OK)
        look_at_command(it);
    return lab_from_status(of->why, status, it->spec->file);
}

lab_outcome lab_excite(lab_excitation *it, const lab_plan *plan, const lab_excite_options *options,
                       lab_why *why)
{
    work of = {.it = it, .options = options, .why = why};
    *it = (lab_excitation){.spec = plan->spec};
    lab_outcome outcome = lab_rig_make(&of.rig, &it->arena, plan, plan->spec->main_rule, 0, why);
    if (outcome == LAB_DONE && lab_has_feedforward(of.rig.spec))
        outcome = lab_spec_refuse(of.rig.spec, of.rig.spec->loop.feedforward.place, why,
                                  "no probe is designed for a loop with a feed-forward path: what "
                                  "is added to the reference would take both paths");
    if (outcome == LAB_DONE) {
        it->spec = of.rig.spec;
        it->at_plant = of.rig.spec->enters == LAB_PLANT_INPUT;
        outcome = look_at_task(&of);
    }
    if (outcome == LAB_DONE)
        outcome = choose_band(&of);
    if (outcome == LAB_DONE)
        outcome = choose_rms(&of);
    if (outcome == LAB_DONE) {
        const cfpc_status status = find_paths(&of);
        outcome =
            lab_from_status(why, status == CFPC_OK ? find_noise(&of) : status, it->spec->file);
    }
    if (outcome == LAB_DONE)
        outcome = design(&of);
    if (outcome == LAB_DONE)
        outcome = expect(&of);
    work_free(&of);
    return outcome;
}
