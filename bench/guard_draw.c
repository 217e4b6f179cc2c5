// SPDX-License-Identifier: Apache-2.0
#include "guard_draw.h"

#include <math.h>
#include <stdlib.h>

// ---- the ranges ------------------------------------------------------------------------------

#define AT(member) .key = #member, .offset = offsetof(guard_ranges, member)
#define COUNT(member, least, most, says)                                                           \
    {                                                                                              \
        AT(member), .kind = LAB_COUNT, .required = true, .low = (least), .high = (most),           \
                    .meaning = (says)                                                              \
    }
#define SHARE(member, says)                                                                        \
    {                                                                                              \
        AT(member), .kind = LAB_NUMBER, .required = true, .low = 0, .high = 1, .meaning = (says)   \
    }
#define RANGE(member, says)                                                                        \
    {                                                                                              \
        AT(member), .kind = LAB_NUMBERS, .required = true, .meaning = (says)                       \
    }

static const lab_field fields[] = {
    COUNT(seed, 0, 2e9, "of everything"),
    COUNT(loops, 0, 1e6, "how many without noise"),
    COUNT(noisy_loops, 0, 1e6, "how many with noise"),
    COUNT(trials, 5, 1000, "of a phase"),
    {AT(step_ms), .kind = LAB_NUMBER, .required = true, .low = 0.1, .high = 100,
     .meaning = "sampling step"},
    RANGE(steps, "of a trial"),
    COUNT(rules, 1, GUARD_MAX_RULES, "of a loop and mode; their traces follow on each other"),
    RANGE(order, "of the plant, 1 to 4"),
    RANGE(time_constant_ms, "of each lag"),
    RANGE(gain, "of the plant"),
    SHARE(resonant_share, "of the plants of order 2 and more that have a resonance"),
    RANGE(resonance_hz, "its frequency"),
    RANGE(damping, "its damping ratio"),
    RANGE(kp, "proportional gain"),
    RANGE(ki_per_s, "integral gain"),
    RANGE(kd_s, "derivative gain"),
    RANGE(filter_ms, "time constant of the derivative's filter"),
    RANGE(delay_ms, "split over error, command and measurement"),
    SHARE(saturated_share, "of the loops whose command is cut off"),
    RANGE(saturation, "at plus and minus this"),
    SHARE(model_error, "most that each believed gain, time constant and delay is wrong"),
    SHARE(disturbed_share, "of the loops with a disturbance"),
    RANGE(bases, "how many basis signals"),
    RANGE(overlap, "their width over their spacing"),
    SHARE(plant_input_share, "of the loops whose cell acts on the plant's input"),
    SHARE(command_share, "of the loops that the command teaches"),
    SHARE(rectified_share, "of the loops whose teaching signal is rectified"),
    SHARE(late_share, "of the loops whose teaching signal is late"),
    RANGE(late_ms, "by so much"),
    RANGE(rate_fraction, "of a plain rule, log-uniform"),
    RANGE(rate, "of a normalised or preconditioned rule, log-uniform"),
    SHARE(extra_share, "of the rules, for each of momentum, leak, output penalty and bounds"),
    RANGE(momentum, "share of the last change that goes on"),
    RANGE(leak, "in batch, log-uniform; on line this is what is lost in a trial"),
    RANGE(output_penalty, "log-uniform"),
    RANGE(weight_bound, "the weights are held within plus and minus this"),
    SHARE(second_share, "of the plain loops in which something is different after a while"),
    RANGE(scale, "of the task then"),
    SHARE(exact_share, "of the loops whose model is right"),
    RANGE(load, "time constants of a loaded plant over those of the model"),
    RANGE(jump, "of a task that jumps, log-uniform"),
    RANGE(resolution, "of a sensor that rounds, log-uniform"),
    RANGE(measurement_noise, "standard deviation"),
    RANGE(process_noise, "standard deviation"),
    {0}};
static const lab_table ranges_table = {"the ranges", sizeof(guard_ranges), NULL, .fields = fields};

lab_outcome guard_ranges_load(guard_ranges *ranges, const char *file, lab_why *why)
{
    *ranges = (guard_ranges){0};
    lab_outcome outcome = draw_load(&ranges_table, file, ranges, why);
    return outcome == LAB_DONE ? draw_check(&ranges_table, file, ranges, NULL, why) : outcome;
}

void guard_ranges_free(guard_ranges *ranges)
{
    lab_validated_free(&ranges_table, ranges);
}

const char *const guard_family_names[GUARD_FAMILIES] = {
    "plain", "start-up", "never repeats", "jumps", "load", "adapts", "quantised"};

// ---- chance -------------------------------------------------------------------------

// The state of a draw.
typedef struct drawer {
    const guard_ranges *ranges;
    lab_random random;
    guard_family family;
    double trial_s;
} drawer;

static double between(drawer *d, double low, double high)
{
    return draw_between(&d->random, low, high);
}

static double within(drawer *d, const draw_range *range)
{
    return draw_within(&d->random, range);
}

static double log_within(drawer *d, const draw_range *range)
{
    return draw_log_within(&d->random, range);
}

static int whole(drawer *d, int low, int high)
{
    return draw_whole(&d->random, low, high);
}

static int whole_within(drawer *d, const draw_range *range)
{
    return whole(d, (int)range->values[0], (int)range->values[1]);
}

static bool chance(drawer *d, double share)
{
    return draw_chance(&d->random, share);
}

// The factor by which a believed value is wrong.
static double wrong(drawer *d)
{
    const double most = d->ranges->model_error;
    return between(d, 1 - most, 1 + most);
}

static double to_step(const drawer *d, double ms)
{
    return d->ranges->step_ms * round(ms / d->ranges->step_ms);
}

// ---- plant and controller --------------------------------------------------------------------

enum { MAX_LAGS = 4 };

typedef struct plant {
    int lags;
    double tau_s[MAX_LAGS], gain;
    double natural, damping; // of the resonance, in rad/s; 0: none
} plant;

static plant draw_plant(drawer *d)
{
    const guard_ranges *r = d->ranges;
    const int order = whole_within(d, &r->order);
    const bool resonant = order >= 2 && chance(d, r->resonant_share);
    plant it = {.lags = resonant ? order - 2 : order, .gain = within(d, &r->gain)};
    for (int i = 0; i < it.lags; i++)
        it.tau_s[i] = within(d, &r->time_constant_ms) / 1e3;
    if (resonant) {
        it.natural = 6.283185307179586 * log_within(d, &r->resonance_hz);
        it.damping = within(d, &r->damping);
    }
    return it;
}

static plant misjudge_plant(drawer *d, plant it)
{
    it.gain *= wrong(d);
    for (int i = 0; i < it.lags; i++)
        it.tau_s[i] *= wrong(d);
    it.natural *= wrong(d);
    it.damping *= wrong(d);
    return it;
}

static void add_chain(draw_text *to, const plant *it)
{
    draw_add(to, "{kind: chain, stages: [");
    for (int i = 0; i < it->lags; i++)
        draw_add(to, "%s{kind: lag, time_constant_ms: %.9g, gain: %.9g}", i ? ", " : "",
                 it->tau_s[i] * 1e3, i ? 1 : it->gain);
    draw_add(to, "]}");
}

// gain / ((s²/ω² + 2ζs/ω + 1) Π (τ s + 1))
static void add_resonant(draw_text *to, const plant *it)
{
    double den[MAX_LAGS + 3] = {1, 2 * it->damping / it->natural,
                                1 / (it->natural * it->natural)}; // lowest power first
    for (int i = 0; i < it->lags; i++)
        for (int k = i + 3; k > 0; k--)
            den[k] += den[k - 1] * it->tau_s[i];
    draw_add(to, "{kind: transfer-function, num: [%.9g], den: [", it->gain);
    for (int k = it->lags + 2; k >= 0; k--)
        draw_add(to, "%.9g%s", den[k], k ? ", " : "]}");
}

static void add_plant(draw_text *to, const plant *it)
{
    if (it->natural > 0)
        add_resonant(to, it);
    else
        add_chain(to, it);
}

static void add_controller(draw_text *to, drawer *d, double plant_gain)
{
    const guard_ranges *r = d->ranges;
    const double kp = within(d, &r->kp) / plant_gain, ki = within(d, &r->ki_per_s) / plant_gain;
    const int kind = whole(d, 0, 2);
    if (kind == 0)
        draw_add(to, "{kind: p, kp: %.9g}", kp);
    else if (kind == 1)
        draw_add(to, "{kind: pi, kp: %.9g, ki_per_s: %.9g}", kp, ki);
    else
        draw_add(to, "{kind: pid, kp: %.9g, ki_per_s: %.9g, kd_s: %.9g, filter_ms: %.9g}", kp, ki,
                 within(d, &r->kd_s) / plant_gain, within(d, &r->filter_ms));
}

// ---- the loop --------------------------------------------------------------------------------

static void add_delays(draw_text *to, const drawer *d, const double ms[3])
{
    static const char *const keys[3] = {"delay_ms", "command_delay_ms", "measurement_delay_ms"};
    for (int i = 0; i < 3; i++)
        draw_add(to, "  %s: %.9g\n", keys[i], to_step(d, ms[i]));
}

static void add_noise(draw_text *to, drawer *d)
{
    const double measurement = log_within(d, &d->ranges->measurement_noise);
    const double process = within(d, &d->ranges->process_noise);
    draw_add(to, "  noise: {measurement: %.9g, process: %.9g, seed: %d}\n", measurement, process,
             whole(d, 1, 1000000));
}

// The plant with another load: everything it moves is slower.
static plant loaded_plant(drawer *d, plant it)
{
    const double load = log_within(d, &d->ranges->load);
    for (int i = 0; i < it.lags; i++)
        it.tau_s[i] *= load;
    it.natural /= sqrt(load);
    return it;
}

static void add_believed(draw_text *to, drawer *d, const plant *it, const double ms[3], bool late)
{
    draw_add(to, "believed:\n  plant: ");
    add_plant(to, it);
    draw_add(to, "\n");
    add_delays(to, d,
               (const double[3]){ms[0] * (late ? wrong(d) : 1), ms[1] * (late ? wrong(d) : 1),
                                 ms[2] * (late ? wrong(d) : 1)});
}

// The loop and the believed model; the plant of another phase is returned in `other`.
static void add_loop(guard_draw *draw, drawer *d, bool noisy, plant *other)
{
    draw_text *to = &draw->body;
    const bool loaded = d->family == GUARD_LOADED;
    const plant nominal = draw_plant(d), believed = misjudge_plant(d, nominal);
    const plant is = loaded ? loaded_plant(d, nominal) : nominal;
    const double all_ms = within(d, &d->ranges->delay_ms), a = lab_uniform(&d->random),
                 b = lab_uniform(&d->random);
    const double ms[3] = {all_ms * fmin(a, b), all_ms * fabs(a - b), all_ms * (1 - fmax(a, b))};
    draw_add(to, "loop:\n  plant: ");
    add_plant(to, &is);
    draw_add(to, "\n  controller: ");
    add_controller(to, d, is.gain);
    draw_add(to, "\n");
    add_delays(to, d, ms);
    const bool saturates = chance(d, d->ranges->saturated_share);
    if (saturates) {
        const double most = within(d, &d->ranges->saturation) / is.gain;
        draw_add(to, "  saturation: {low: %.9g, high: %.9g}\n", -most, most);
    }
    if (d->family == GUARD_QUANTISED)
        draw_add(to, "  measurement_step: %.9g\n", log_within(d, &d->ranges->resolution));
    if (noisy)
        add_noise(to, d);
    const bool right = chance(d, d->ranges->exact_share) && !loaded;
    if (!right)
        add_believed(to, d, loaded ? &nominal : &believed, ms, !loaded);
    draw->exact = right && !saturates; // a model is linear
    *other = misjudge_plant(d, is);
}

// ---- signals ---------------------------------------------------------------------------------

// A signal of some kind, its numbers not yet scaled.
typedef struct wave {
    int kind;    // 0 to 4
    double p[6]; // in [0, 1)
    int seed;
} wave;

static wave draw_wave(drawer *d)
{
    const int kind = whole(d, 0, 16); // noise, which is expensive, a quarter as often as the others
    wave it = {.kind = kind < 16 ? kind / 4 : 4};
    for (int i = 0; i < 6; i++)
        it.p[i] = lab_uniform(&d->random);
    it.seed = whole(d, 1, 1000000);
    return it;
}

// The signal times a factor; for noise, whose sign has no meaning, a negative factor is another
// seed.
static void add_wave(draw_text *to, const drawer *d, const wave *it, double scale)
{
    const double *p = it->p, t = d->trial_s, size = scale * (0.5 + p[0]);
    if (it->kind == 0)
        draw_add(to, "kind: piecewise-linear, points: [[%.9g, 0], [%.9g, %.9g], [%.9g, 0]]",
                 0.2 * t, (0.3 + 0.2 * p[1]) * t, size, (0.6 + 0.3 * p[2]) * t);
    else if (it->kind == 1)
        draw_add(to, "kind: step, at_s: %.9g, to: %.9g", (0.1 + 0.4 * p[1]) * t, size);
    else if (it->kind == 2)
        draw_add(to, "kind: minimum-jerk, moves: [[%.9g, %.9g, %.9g], [%.9g, %.9g, %.9g]]", 0.1 * t,
                 (0.1 + 0.2 * p[1]) * t, size, 0.5 * t, (0.1 + 0.2 * p[2]) * t,
                 scale * (2 * p[3] - 1));
    else if (it->kind == 3)
        draw_add(to,
                 "kind: sinusoids, offset: %.9g, components: [[%.9g, %.9g, %.9g], [%.9g, %.9g, 0]]",
                 scale * (2 * p[1] - 1), (0.5 + 1.5 * p[2]) / t, size, 360 * p[3],
                 (2 + 3 * p[4]) / t, scale * p[5]);
    else
        draw_add(to, "kind: noise, low_hz: %.9g, high_hz: %.9g, rms: %.9g, seed: %d", 0.2 / t,
                 (1 + 5 * p[1]) / t, fabs(size), it->seed + (scale < 0));
}

// ---- basis -----------------------------------------------------------------------------------

static void add_bumps(draw_text *to, drawer *d, const char *kind, double width)
{
    const int count = whole_within(d, &d->ranges->bases);
    const double spacing_ms = d->trial_s * 1e3 / (count + 1);
    draw_add(to, "{kind: %s, count: %d, width_ms: %.9g, spacing_ms: %.9g}", kind, count,
             width * log_within(d, &d->ranges->overlap) * spacing_ms, spacing_ms);
}

// A bank driven by a signal: mostly by the reference, sometimes by signals of the loop; after a
// start-up by the disturbance.
static void add_driven(draw_text *to, drawer *d)
{
    const double step_ms = d->ranges->step_ms;
    const int count = whole(d, 2, 5), kind = whole(d, 0, 2);
    const char *const heard = chance(d, 0.75)  ? "reference"
                              : chance(d, 0.5) ? "measurement"
                                               : "command";
    const char *const input = d->family == GUARD_STARTUP ? "disturbance, source: push" : heard;
    if (kind == 0)
        draw_add(to, "{kind: tapped-delay, count: %d, spacing_ms: %.9g, input: %s}", count,
                 step_ms * whole(d, 2, 15), input);
    else
        draw_add(to, "{kind: %s, count: %d, time_constant_ms: %.9g, input: %s}",
                 kind == 1 ? "laguerre" : "leaky-cascade", count, between(d, 40, 200), input);
}

static void add_bank(draw_text *to, drawer *d)
{
    const bool driven = d->family == GUARD_STARTUP || d->family == GUARD_ENDLESS;
    const int kind = driven ? 5 : whole(d, 0, 5);
    if (kind <= 1)
        add_bumps(to, d, "gaussian", 1);
    else if (kind == 2)
        add_bumps(to, d, "raised-cosine", 2);
    else if (kind == 3)
        draw_add(to, "{kind: %s, count: %d, first_ms: %.9g, last_ms: %.9g}",
                 chance(d, 0.5) ? "alpha" : "exponential", whole_within(d, &d->ranges->bases),
                 between(d, 20, 60), between(d, 0.2, 0.8) * d->trial_s * 1e3);
    else
        add_driven(to, d);
}

// ---- rules -----------------------------------------------------------------------------------

enum { TRACES = 6 };

static void add_trace(draw_text *to, drawer *d, int trace)
{
    static const char *const names[TRACES] = {"forward-model", "none",  "delay",
                                              "exponential",   "alpha", "response"};
    draw_add(to, "trace: %s", names[trace]);
    if (trace == 2)
        draw_add(to, ", delay_ms: %.9g", to_step(d, within(d, &d->ranges->delay_ms)));
    if (trace == 3 || trace == 4)
        draw_add(to, ", time_constant_ms: %.9g", within(d, &d->ranges->time_constant_ms));
}

static void add_update(draw_text *to, drawer *d, bool batch)
{
    const int kind = whole(d, 0, batch ? 3 : 2); // plain twice as often
    const double fraction = log_within(d, &d->ranges->rate_fraction);
    const double rate = log_within(d, &d->ranges->rate);
    if (kind <= 1)
        draw_add(to, ", rate_fraction: %.9g", fraction);
    else
        draw_add(to, ", update: %s, rate: %.9g", kind == 2 ? "normalised" : "preconditioned", rate);
}

static void add_extras(draw_text *to, drawer *d, bool batch)
{
    const guard_ranges *r = d->ranges;
    const double steps = d->trial_s * 1e3 / r->step_ms;
    if (chance(d, r->extra_share))
        draw_add(to, ", momentum: %.9g", within(d, &r->momentum));
    if (chance(d, r->extra_share))
        draw_add(to, ", leak: %.9g", log_within(d, &r->leak) / (batch ? 1 : steps));
    if (chance(d, r->extra_share))
        draw_add(to, ", output_penalty: %.9g", log_within(d, &r->output_penalty));
    if (chance(d, r->extra_share)) {
        const double bound = within(d, &r->weight_bound);
        draw_add(to, ", weight_low: %.9g, weight_high: %.9g", -bound, bound);
    }
}

static void draw_rules(guard_draw *draw, drawer *d)
{
    const int first = whole(d, 0, TRACES - 1);
    draw->rules = d->ranges->rules;
    for (int mode = 0; mode < GUARD_MODES; mode++)
        for (int i = 0; i < draw->rules; i++) {
            draw_text *to = &draw->rule[mode][i];
            draw_add(to, "  - {name: rule-%d, ", i);
            add_trace(to, d, (first + i + mode * draw->rules) % TRACES);
            add_update(to, d, mode == LAB_BATCH);
            add_extras(to, d, mode == LAB_BATCH);
            draw_add(to, "}\n");
        }
}

// Rules that put out next to nothing: whatever the world does, it is not their fault.
static void draw_controls(guard_draw *draw)
{
    static const char *const rates[GUARD_CONTROLS] = {"1e-9", "1e-12"};
    static const char *const traces[GUARD_CONTROLS] = {"forward-model", "none"};
    draw->controls = GUARD_CONTROLS;
    for (int i = 0; i < GUARD_CONTROLS; i++)
        draw_add(&draw->control[i], "  - {name: control-%d, trace: %s, rate_fraction: %s}\n", i,
                 traces[i], rates[i]);
}

static void add_teach(draw_text *to, drawer *d)
{
    const guard_ranges *r = d->ranges;
    const bool by_command = chance(d, r->command_share), late = chance(d, r->late_share);
    const double late_ms = within(d, &r->late_ms);
    draw_add(to, "enters: %s\n",
             chance(d, r->plant_input_share) ? "plant-input" : "controller-input");
    draw_add(
        to, "teach: {signal: %s, sign: %s, delay_ms: %.9g}\n", by_command ? "command" : "error",
        chance(d, r->rectified_share) ? "rectified" : "signed", late ? to_step(d, late_ms) : 0);
}

// ---- a loop ----------------------------------------------------------------------------------

// The task, times a factor, as a phase sets it.
static void set_task(draw_text *to, const drawer *d, const wave *task, double scale)
{
    draw_add(to, "task: {trial_s: %.9g, ", d->trial_s);
    add_wave(to, d, task, scale);
    draw_add(to, "}");
}

static guard_phase *new_phase(guard_draw *draw, int trials)
{
    guard_phase *phase = &draw->phase[draw->phases++];
    phase->trials = trials;
    return phase;
}

// A second phase: the task reversed, or scaled, or another plant.
static void draw_second(guard_draw *draw, drawer *d, const wave *task, const plant *other)
{
    const int kind = whole(d, 0, 2);
    if (!chance(d, d->ranges->second_share))
        return;
    guard_phase *phase = new_phase(draw, d->ranges->trials);
    if (kind == 2) {
        draw_add(&phase->set, "loop.plant: ");
        add_plant(&phase->set, other);
    } else {
        set_task(&phase->set, d, task, kind == 0 ? -1 : within(d, &d->ranges->scale));
    }
}

// Ten jumps, or a drift in ten steps.
static void draw_jumps(guard_draw *draw, drawer *d, const wave *task)
{
    const bool drifts = chance(d, 0.5);
    double scale = 1;
    draw->phase[0].trials = d->ranges->trials / 2;
    while (draw->phases < GUARD_MAX_PHASES) {
        scale = drifts ? scale * between(d, 0.8, 1.25) : log_within(d, &d->ranges->jump);
        set_task(&new_phase(draw, d->ranges->trials / 2)->set, d, task, scale);
    }
}

// A perturbation comes and goes: it moves the output.
static void draw_perturbation(guard_draw *draw, drawer *d)
{
    const wave push = draw_wave(d);
    for (int i = 0; i < 2; i++) {
        draw_text *to = &new_phase(draw, d->ranges->trials)->set;
        draw_add(to, "disturbances: {name: push, at: plant-input, ");
        add_wave(to, d, &push, i == 0 ? 2 : 0);
        draw_add(to, "}");
    }
}

static void draw_phases(guard_draw *draw, drawer *d, const wave *task, const plant *other)
{
    new_phase(draw, (draw->resets ? 1 : 4) * d->ranges->trials);
    if (d->family == GUARD_JUMPS)
        draw_jumps(draw, d, task);
    else if (d->family == GUARD_ADAPTS)
        draw_perturbation(draw, d);
    else if (draw->resets)
        draw_second(draw, d, task, other);
}

// The task: a wave in every trial, a start-up, or noise that never repeats.
static void add_task(guard_draw *draw, drawer *d, const wave *task)
{
    static const char *const endless = ", reset: no, repeats: no";
    draw_text *to = &draw->body;
    wave noise = *task;
    noise.kind = 4;
    draw_add(to, "task: {trial_s: %.9g, ", d->trial_s);
    if (d->family == GUARD_STARTUP)
        draw_add(to, "kind: piecewise-linear, points: [[0, 0], [%.9g, %.9g]]",
                 between(d, 0.2, 1) * d->trial_s, between(d, 1, 4));
    else
        add_wave(to, d, d->family == GUARD_ENDLESS ? &noise : task, 1);
    draw_add(to, "%s}\n", draw->resets ? "" : endless);
}

static void add_disturbance(guard_draw *draw, drawer *d)
{
    wave push = draw_wave(d);
    const bool startup = d->family == GUARD_STARTUP;
    const bool at_input = chance(d, 0.5);
    if (!chance(d, d->ranges->disturbed_share) && !startup)
        return;
    push.kind = startup ? whole(d, 3, 4) : push.kind;
    draw_add(&draw->body, "disturbances: {name: push, at: %s, ",
             at_input ? "plant-input" : "plant-output");
    add_wave(&draw->body, d, &push, 0.5);
    draw_add(&draw->body, "}\n");
}

static void draw_all(guard_draw *draw, drawer *d, bool noisy)
{
    plant other;
    draw_text *body = &draw->body;
    draw->family = d->family;
    draw->resets = d->family != GUARD_STARTUP && d->family != GUARD_ENDLESS;
    d->trial_s = whole_within(d, &d->ranges->steps) * d->ranges->step_ms / 1e3;
    draw_add(body, "name: random\ntitle: a random loop\nstep_ms: %.9g\n", d->ranges->step_ms);
    add_loop(draw, d, noisy, &other);
    const wave task = draw_wave(d);
    add_task(draw, d, &task);
    if (d->family != GUARD_ADAPTS)
        add_disturbance(draw, d);
    add_teach(body, d);
    draw_add(body, "basis: ");
    add_bank(body, d);
    draw_add(body, "\n");
    draw_rules(draw, d);
    draw_controls(draw);
    draw_phases(draw, d, &task, &other);
}

guard_draw *guard_draw_make(const guard_ranges *ranges, int loop, int attempt, bool noisy)
{
    enum { MAX_ATTEMPTS = 1024 }; // so that no two draws share a stream
    guard_draw *draw = calloc(1, sizeof *draw);
    const int stream = (2 * loop + noisy) * MAX_ATTEMPTS + attempt;
    drawer d = {.ranges = ranges,
                .random = lab_random_seed(ranges->seed, stream),
                .family = (guard_family)(loop % GUARD_FAMILIES)};
    if (draw)
        draw_all(draw, &d, noisy);
    return draw;
}

int guard_draw_trials(const guard_draw *draw)
{
    int trials = 0;
    for (int p = 0; p < draw->phases; p++)
        trials += draw->phase[p].trials;
    return trials;
}

// ---- its specs -------------------------------------------------------------------------------

static void add_phases(draw_text *to, const guard_draw *draw)
{
    draw_add(to, "phases:\n");
    for (int p = 0; p < draw->phases; p++)
        draw_add(to, "  - {name: phase-%d, trials: %d%s%s%s}\n", p, draw->phase[p].trials,
                 p ? ", set: {" : "", p ? draw->phase[p].set.at : "", p ? "}" : "");
}

lab_outcome guard_draw_spec(lab_plan *plan, lab_spec *spec, const guard_draw *draw,
                            const guard_form *form, lab_why *why)
{
    draw_text text = {.used = 0};
    *plan = (lab_plan){0};
    *spec = (lab_spec){0};
    draw_add(&text, "%slearning: {mode: %s, trials: %d, frozen: %s}\nguard: %s\nrules:\n",
             draw->body.at, form->mode == LAB_ONLINE ? "online" : "batch", draw->phase[0].trials,
             form->frozen ? "yes" : "no", form->guarded ? "on" : "off");
    for (int i = 0; i < draw->rules + draw->controls; i++)
        if (form->rules >> i & 1)
            draw_add(&text, "%s",
                     i < draw->rules ? draw->rule[form->mode][i].at
                                     : draw->control[i - draw->rules].at);
    if (draw->phases > 1)
        add_phases(&text, draw);
    if (draw_is_full(&text))
        return lab_fail(why, "a drawn spec is too long");
    return lab_plan_parse(plan, spec, "random.yaml", text.at, NULL, why);
}
