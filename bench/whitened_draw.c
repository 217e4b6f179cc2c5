// SPDX-License-Identifier: Apache-2.0
#include "whitened_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- the ranges ------------------------------------------------------------------------------

#define AT(member) .key = #member, .offset = offsetof(whitened_ranges, member), .required = true
#define COUNT(member, least, most, says)                                                           \
    {                                                                                              \
        AT(member), .kind = LAB_COUNT, .low = (least), .high = (most), .meaning = (says)           \
    }
#define NUMBER(member, least, most, says)                                                          \
    {                                                                                              \
        AT(member), .kind = LAB_NUMBER, .low = (least), .high = (most), .meaning = (says)          \
    }
#define SHARE(member, says) NUMBER(member, 0, 1, says)
#define RANGE(member, says)                                                                        \
    {                                                                                              \
        AT(member), .kind = LAB_NUMBERS, .meaning = (says)                                         \
    }

static const lab_field fields[] = {
    COUNT(seed, 0, 2e9, "of everything"),
    COUNT(loops, 1, 1e5, "how many"),
    NUMBER(step_ms, 0.1, 100, "sampling step"),
    RANGE(resonance_hz, "frequency of a mode, log-uniform"),
    RANGE(damping, "its damping ratio"),
    SHARE(second_share, "of the plants that have a second mode in parallel"),
    RANGE(second_size, "its gain at 0 Hz, over that of the first"),
    SHARE(lag_share, "of the plants that have a lag"),
    RANGE(lag_ms, "its time constant"),
    RANGE(kp, "proportional gain"),
    SHARE(integral_share, "of the controllers with an integral"),
    RANGE(ki_per_s, "integral gain"),
    RANGE(delay_ms, "of the error"),
    NUMBER(before_s, 0, 100, "rest before the first movement"),
    NUMBER(moves_s, 0.01, 100, "the second movement starts after half of it"),
    NUMBER(after_s, 0, 100, "rest; a loop whose response takes longer is drawn again"),
    RANGE(amplitude, "of the movements"),
    RANGE(duration, "of each movement, as a share of moves_s"),
    SHARE(ramp_share, "of the tasks of ramps; the others are minimum-jerk movements"),
    NUMBER(width_ms, 0.1, 1e4, "standard deviation of the Gaussians"),
    NUMBER(margin_s, 0, 100, "by which their centres go beyond the movements"),
    RANGE(rates, "multiples of 1 / λmax(HᵀH), or of 1 / ‖ZᵀH‖ if whitened"),
    COUNT(trials, 2, 1000, "of the forward model"),
    COUNT(batch_trial, 2, 1000, "at which whitened batch learning is measured"),
    COUNT(online_trial, 2, 1000, "at which whitened learning on line is measured"),
    SHARE(model_error, "by which each value of the believed plant is wrong, up or down"),
    COUNT(guarded_trials, 5, 1000, "with the guard"),
    {0}};
static const lab_table ranges_table = {"the ranges", sizeof(whitened_ranges), NULL,
                                       .fields = fields};

lab_outcome whitened_ranges_load(whitened_ranges *ranges, const char *file, lab_why *why)
{
    *ranges = (whitened_ranges){0};
    lab_outcome outcome = draw_load(&ranges_table, file, ranges, why);
    if (outcome == LAB_DONE)
        outcome = draw_check(&ranges_table, file, ranges, "rates", why);
    if (outcome == LAB_DONE &&
        (ranges->rates.columns < 1 || ranges->rates.columns > GUARD_MAX_RULES))
        return lab_refuse(why, "%s: 'rates' must be 1 to %d numbers", file, GUARD_MAX_RULES);
    return outcome;
}

void whitened_ranges_free(whitened_ranges *ranges)
{
    lab_validated_free(&ranges_table, ranges);
}

// ---- the plant -------------------------------------------------------------------------------

enum { MAX_MODES = 2, MAX_POWERS = 2 * MAX_MODES + 2 };

typedef struct plant {
    int modes;
    double natural[MAX_MODES], damping[MAX_MODES], size[MAX_MODES]; // in rad/s
    double lag_s, gain;                                             // lag 0: none
} plant;

static plant draw_plant(const whitened_ranges *r, lab_random *random)
{
    plant it = {.modes = 1 + draw_chance(random, r->second_share), .gain = 1};
    for (int i = 0; i < MAX_MODES; i++) {
        it.natural[i] = 6.283185307179586 * draw_log_within(random, &r->resonance_hz);
        it.damping[i] = draw_within(random, &r->damping);
        it.size[i] = i == 0 ? 1 : draw_within(random, &r->second_size);
    }
    it.lag_s = draw_within(random, &r->lag_ms) / 1e3;
    if (!draw_chance(random, r->lag_share))
        it.lag_s = 0;
    return it;
}

static double wrong(const whitened_ranges *r, lab_random *random)
{
    return draw_chance(random, 0.5) ? 1 + r->model_error : 1 - r->model_error;
}

static plant misjudge_plant(const whitened_ranges *r, lab_random *random, plant it)
{
    for (int i = 0; i < MAX_MODES; i++) {
        it.natural[i] *= wrong(r, random);
        it.damping[i] *= wrong(r, random);
        it.size[i] *= wrong(r, random);
    }
    it.lag_s *= wrong(r, random);
    it.gain *= wrong(r, random);
    return it;
}

// Polynomials, lowest power first: p (degree) times q (2), in place.
static void multiply(double p[MAX_POWERS], const double q[3])
{
    for (int k = MAX_POWERS - 1; k >= 0; k--)
        p[k] = p[k] * q[0] + (k > 0 ? p[k - 1] * q[1] : 0) + (k > 1 ? p[k - 2] * q[2] : 0);
}

static void add_polynomial(draw_text *to, const double p[MAX_POWERS])
{
    int degree = MAX_POWERS - 1;
    while (degree > 0 && p[degree] == 0)
        degree--;
    for (int k = degree; k >= 0; k--)
        draw_add(to, "%.9g%s", p[k], k ? ", " : "]");
}

// gain Σ size / (s²/ω² + 2ζs/ω + 1) / Σ size / (lag s + 1)
static void add_plant(draw_text *to, const plant *it)
{
    double num[MAX_POWERS] = {0}, den[MAX_POWERS] = {1}, all = 0;
    for (int i = 0; i < it->modes; i++) {
        const double w = it->natural[i], mode[3] = {1, 2 * it->damping[i] / w, 1 / (w * w)};
        multiply(num, mode);
        for (int k = 0; k < MAX_POWERS; k++)
            num[k] += it->size[i] * den[k];
        multiply(den, mode);
        all += it->size[i];
    }
    for (int k = 0; k < MAX_POWERS; k++)
        num[k] *= it->gain / all;
    multiply(den, (const double[3]){1, it->lag_s});
    draw_add(to, "  plant: {kind: transfer-function, num: [");
    add_polynomial(to, num);
    draw_add(to, ", den: [");
    add_polynomial(to, den);
    draw_add(to, "}\n");
}

// ---- the spec --------------------------------------------------------------------------------

static void add_controller(draw_text *to, const whitened_ranges *r, lab_random *random)
{
    const double kp = draw_within(random, &r->kp), ki = draw_within(random, &r->ki_per_s);
    if (draw_chance(random, r->integral_share))
        draw_add(to, "  controller: {kind: pi, kp: %.9g, ki_per_s: %.9g}\n", kp, ki);
    else
        draw_add(to, "  controller: {kind: p, kp: %.9g}\n", kp);
    draw_add(to, "  delay_ms: %.9g\n",
             r->step_ms * round(draw_within(random, &r->delay_ms) / r->step_ms));
}

static void add_task(draw_text *to, const whitened_ranges *r, lab_random *random)
{
    const double size = draw_within(random, &r->amplitude), start = r->before_s,
                 there = r->moves_s * draw_within(random, &r->duration),
                 turn = r->before_s + r->moves_s / 2,
                 back = r->moves_s * draw_within(random, &r->duration);
    draw_add(to, "task: {trial_s: %.9g, ", r->before_s + r->moves_s + r->after_s);
    if (draw_chance(random, r->ramp_share))
        draw_add(to,
                 "kind: piecewise-linear, "
                 "points: [[%.9g, 0], [%.9g, %.9g], [%.9g, %.9g], [%.9g, 0]]}\n",
                 start, start + there, size, turn, size, turn + back);
    else
        draw_add(to, "kind: minimum-jerk, moves: [[%.9g, %.9g, %.9g], [%.9g, %.9g, 0]]}\n", start,
                 there, size, turn, back);
}

static void add_basis(draw_text *to, const whitened_ranges *r, double spacing)
{
    const double first_s = r->before_s - r->margin_s, span_s = r->moves_s + 2 * r->margin_s,
                 spacing_s = spacing * r->width_ms / 1e3;
    draw_add(to,
             "basis: {kind: gaussian, count: %d, first_ms: %.9g, width_ms: %.9g, "
             "spacing_ms: %.9g}\n",
             1 + (int)floor(span_s / spacing_s + 1e-9), first_s * 1e3, r->width_ms,
             spacing_s * 1e3);
}

static void add_rules(guard_draw *draw, const whitened_ranges *r, const whitened_form *form)
{
    draw->rules = r->rates.columns;
    for (int mode = 0; mode < GUARD_MODES; mode++)
        for (int i = 0; i < draw->rules; i++)
            draw_add(&draw->rule[mode][i], "  - {name: rule-%d, trace: %s, rate_fraction: %.9g}\n",
                     i, form->whitened ? "whitened" : "forward-model", r->rates.values[i]);
}

static lab_random stream_of(const whitened_ranges *ranges, int loop, int attempt)
{
    enum { MAX_ATTEMPTS = 4096 }; // so that no two draws share a stream
    return lab_random_seed(ranges->seed, loop * MAX_ATTEMPTS + attempt);
}

int whitened_modes(const whitened_ranges *ranges, int loop, int attempt)
{
    lab_random random = stream_of(ranges, loop, attempt);
    return draw_plant(ranges, &random).modes;
}

guard_draw *whitened_draw_make(const whitened_ranges *ranges, int loop, int attempt,
                               const whitened_form *form)
{
    guard_draw *draw = calloc(1, sizeof *draw);
    lab_random random = stream_of(ranges, loop, attempt);
    if (!draw)
        return NULL;
    draw_text *body = &draw->body;
    const plant is = draw_plant(ranges, &random);
    draw_add(body, "name: random\ntitle: a random loop\nstep_ms: %.9g\nloop:\n", ranges->step_ms);
    add_plant(body, &is);
    add_controller(body, ranges, &random);
    add_task(body, ranges, &random);
    add_basis(body, ranges, form->spacing);
    if (form->misjudged) {
        const plant believed = misjudge_plant(ranges, &random, is);
        draw_add(body, "believed:\n");
        add_plant(body, &believed);
    }
    add_rules(draw, ranges, form);
    draw->phases = 1;
    draw->phase[0].trials = form->trials;
    draw->resets = true;
    return draw;
}
