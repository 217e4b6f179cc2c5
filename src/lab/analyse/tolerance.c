// SPDX-License-Identifier: Apache-2.0
#include "analyse/pieces.h"

#include <math.h>
#include <stdio.h>

#include "analyse/frequencies.h"
#include "cfpc/response.h"
#include "math/elementary.h"
#include "math/order.h"
#include "plant/paths.h"

enum {
    SCAN_MAX = 24,  // values looked at on either side before the border is narrowed down
    SCAN_MIN = 6,   // below, it is not begun
    NARROWINGS = 9, //
    BORDERS = 8,    // of some four things
    REGION_DELAYS = 33,
    REGION_GAINS = 25
};

#define WIDE_GAIN 4.0    // to which the region goes, either way, where no border is found
#define FARTHEST 8.0     // times a gain or a time constant, either way
#define SEARCH_WORK 2e10 // multiply-adds for all borders together
#define REGION_WORK 6e8  // steps x bases² of all points of the region
// What a loop differs in.
typedef struct variant {
    int32_t delay_steps; // more than there is
    double gain;         // factor on the plant
    int stage;           // whose time constant is multiplied; -1: all
    double slower;       // by this factor
} variant;

static const variant as_it_is = {.gain = 1, .slower = 1};

// What the search shares.
typedef struct search {
    lab_arena *arena; // of the analysis
    const lab_learner *learner;
    int scan;            // values looked at on either side
    cfpc_lags lags;      // of the learner in batch
    lab_parts parts;     // of the loop that is
    int32_t least_delay; // in steps: without any, a plant with feed-through feeds itself at once
    int frequencies;     // that count
    double hz[LAB_FREQUENCIES]; //
    double trace_re[LAB_FREQUENCIES], trace_im[LAB_FREQUENCIES];
    lab_why *why;
} search;

static bool tolerance_is_online(const lab_learner *learner)
{
    return learner->setup->rig.spec->learning.mode == LAB_ONLINE;
}

// ---- the phase of the trace -------------------------------------------------------------------

// Of the trace that it learns by; of a teaching filter Σ_k a[k] e^(-i turn k).
static cfpc_status trace_response(search *search)
{
    const cfpc_teaching_filter *filter = search->learner->lesson.filter;
    if (!filter)
        return cfpc_frequency_response(&search->learner->rule->trace, search->frequencies,
                                       search->hz, search->trace_re, search->trace_im);
    for (int i = 0; i < search->frequencies; i++) {
        const double turn = 2 * CFPCI_PI * search->hz[i] * search->learner->setup->rig.step_s;
        double re = 0, im = 0, sine, cosine;
        for (int32_t k = -filter->lead; k <= filter->horizon; k++) {
            cfpci_sin_cos(turn * k, &sine, &cosine);
            re += filter->taps[filter->lead + k] * cosine;
            im -= filter->taps[filter->lead + k] * sine;
        }
        search->trace_re[i] = re;
        search->trace_im[i] = im;
    }
    return CFPC_OK;
}

// The largest angle between the trace and the path from o to the teaching signal, in degrees.
static cfpc_status phase_error(const search *search, const cfpc_system *path, double *worst,
                               double *worst_hz)
{
    double re[LAB_FREQUENCIES], im[LAB_FREQUENCIES];
    const double late_s = search->learner->lesson.late_steps * search->learner->setup->rig.step_s;
    const cfpc_status status =
        cfpc_frequency_response(path, search->frequencies, search->hz, re, im);
    *worst = *worst_hz = 0;
    for (int k = 0; status == CFPC_OK && k < search->frequencies; k++) {
        const double turn = 2 * CFPCI_PI * search->hz[k] * late_s;
        const double angle = cfpci_atan2(im[k], re[k]) - turn -
                             cfpci_atan2(search->trace_im[k], search->trace_re[k]);
        const double error = fabs(remainder(angle, 2 * CFPCI_PI)) * 180 / CFPCI_PI;
        if (error > *worst) {
            *worst = error;
            *worst_hz = search->hz[k];
        }
    }
    return status;
}

// ---- a loop that differs ---------------------------------------------------------------------

// The one of a loop's delays that is varied: the error's, or else one that is there.
typedef struct varied {
    int32_t *steps;                // in the parts
    const char *key;               // in the spec
    double believed_ms, actual_ms; // by the spec; believed NAN: as it is
} varied;

static varied varied_delay(lab_parts *parts, const lab_spec *spec)
{
    const lab_believed_spec *b = &spec->believed;
    const lab_loop_spec *loop = &spec->loop;
    const varied delays[] = {{&parts->error_delay_steps, "delay_ms", b->delay_ms, loop->delay_ms},
                             {&parts->command_delay_steps, "command_delay_ms", b->command_delay_ms,
                              loop->command_delay_ms},
                             {&parts->measurement_delay_steps, "measurement_delay_ms",
                              b->measurement_delay_ms, loop->measurement_delay_ms}};
    for (int i = 0; i < 3; i++)
        if (*delays[i].steps > 0)
            return delays[i];
    return delays[0];
}

// The closed loop of a variant; CFPC_UNSTABLE if it is.
static cfpc_status close_variant(lab_loop *loop, const search *search, const variant *v)
{
    const lab_spec *spec = search->learner->setup->rig.spec;
    lab_parts parts = search->parts;
    parts.plant = (cfpc_system){0};
    cfpc_status status = CFPC_OK;
    if (v->slower == 1)
        status = cfpc_select(&parts.plant, &search->parts.plant, 0, 0);
    else {
        const lab_outcome outcome =
            lab_plant_slower(&parts.plant, spec, v->stage, v->slower, search->why);
        status = outcome == LAB_DONE     ? CFPC_OK
                 : outcome == LAB_FAILED ? CFPC_NO_MEMORY
                                         : CFPC_BAD_VALUE;
    }
    if (status == CFPC_OK) {
        lab_scale_output(&parts.plant, v->gain);
        *varied_delay(&parts, spec).steps += v->delay_steps;
        loop->error_delay_steps = parts.error_delay_steps;
        status = lab_parts_close(&loop->closed, &parts);
    }
    if (status == CFPC_OK)
        status = lab_parts_from_o(&loop->from_o, spec, &parts, &loop->closed);
    cfpc_system_free(&parts.plant);
    return status;
}

// How learning goes in a closed loop: by lags where they are certain, otherwise by its map.
static cfpc_status find_fate(const search *search, const lab_loop *loop, lab_fate *fate)
{
    static const lab_fate fates[] = {LAB_MONOTONE, LAB_EVENTUAL, LAB_DIVERGES};
    cfpc_learning_map map = {0};
    cfpc_verdict verdict = CFPC_DIVERGES;
    bool certain;
    cfpc_status status =
        lab_learner_verdict(&verdict, &certain, search->learner, &search->lags, loop);
    if (status == CFPC_OK && !certain)
        status = lab_learner_map(&map, search->learner, loop);
    if (status == CFPC_OK && !certain)
        status = cfpc_learning_verdict(&verdict, &map, lab_learner_rate(search->learner));
    *fate = fates[verdict];
    cfpc_learning_map_free(&map);
    return status;
}

// How learning goes in a variant, and its phase error (NAN if the loop is unstable). Either may be
// NULL: it is not asked for then.
static cfpc_status try_variant(const search *search, const variant *v, lab_fate *fate,
                               double *phase)
{
    const lab_spec *spec = search->learner->setup->rig.spec;
    lab_loop loop = {0};
    cfpc_system path = {0};
    double hz;
    if (fate)
        *fate = LAB_UNSTABLE;
    if (phase)
        *phase = NAN;
    cfpc_status status = close_variant(&loop, search, v);
    if (status == CFPC_OK && fate)
        status = find_fate(search, &loop, fate);
    if (status == CFPC_OK && phase)
        status = lab_teaching_path(&path, spec, &loop, search->why) == LAB_DONE
                     ? phase_error(search, &path, phase, &hz)
                     : CFPC_NO_MEMORY;
    cfpc_system_free(&path);
    lab_loop_free(&loop);
    return status == CFPC_UNSTABLE ? CFPC_OK : status;
}

// ---- intervals -------------------------------------------------------------------------------

// One thing that is varied.
typedef enum subject { DELAY, GAIN, TIME } subject;

typedef struct direction {
    subject subject;
    int stage;
    double far; // value at which the search ends
} direction;

// Part of the way to the farthest value: evenly for a delay in steps, by ratio for a factor.
static double along(const direction *d, double share)
{
    return d->subject == DELAY ? round(share * d->far) : cfpci_pow(d->far, share);
}

// Whether what must hold, the verdict or the phase, does at this share of the way.
static cfpc_status tolerance_holds(const search *search, const lab_tolerance *t, const direction *d,
                                   bool by_phase, double share, bool *does)
{
    const double value = along(d, share);
    const variant v = {.delay_steps = d->subject == DELAY ? (int32_t)lround(value) : 0,
                       .gain = d->subject == GAIN ? value : 1,
                       .stage = d->stage,
                       .slower = d->subject == TIME ? value : 1};
    lab_fate fate = LAB_UNSTABLE;
    double phase = NAN;
    const cfpc_status status =
        try_variant(search, &v, by_phase ? NULL : &fate, by_phase ? &phase : NULL);
    *does = by_phase ? phase < 90 : fate <= t->fate;
    return status;
}

// Whether a verdict that is lost is lost wherever the line is between directions that count as
// learned and those that are too faint.
static cfpc_status is_lost(const search *about, const lab_tolerance *t, const direction *d,
                           double share, bool *is)
{
    static const double lines[] = {CFPC_FAINT_LESS, CFPC_FAINT_MORE};
    cfpc_status status = CFPC_OK;
    *is = true;
    for (int k = 0; status == CFPC_OK && k < 2; k++) {
        lab_learner moved = *about->learner;
        search other = *about;
        bool does;
        moved.lesson.faint = lines[k];
        other.learner = &moved;
        status = tolerance_holds(&other, t, d, false, share, &does);
        *is = *is && !does;
    }
    return status;
}

// The value farthest from what is at which it still holds; NAN if it holds all along, or if what is
// beyond is not decided.
static cfpc_status find_border(const search *search, const lab_tolerance *t, const direction *d,
                               bool by_phase, double *border, bool *decided)
{
    *decided = true;
    double good = 0, bad = NAN;
    bool does;
    cfpc_status status = CFPC_OK;
    for (int k = 1; status == CFPC_OK && k <= search->scan && isnan(bad); k++) {
        const double share = (double)k / search->scan;
        status = tolerance_holds(search, t, d, by_phase, share, &does);
        *(does ? &good : &bad) = share;
    }
    *border = NAN;
    if (status != CFPC_OK || isnan(bad))
        return status;
    for (int k = 0; status == CFPC_OK && k < NARROWINGS && along(d, good) != along(d, bad); k++) {
        const double share = (good + bad) / 2;
        status = tolerance_holds(search, t, d, by_phase, share, &does);
        *(does ? &good : &bad) = share;
    }
    if (status == CFPC_OK && !by_phase)
        status = is_lost(search, t, d, bad, decided);
    *border = *decided ? along(d, good) : NAN;
    return status;
}

// Both borders, of the verdict and of the phase, as values of the thing itself.
static cfpc_status find_interval(search *search, const lab_tolerance *t, lab_tolerated *item,
                                 direction d, double down, double up, double scale, double offset)
{
    const double ends[2] = {down, up};
    double *const verdict[2] = {&item->low, &item->high};
    double *const phase[2] = {&item->phase_low, &item->phase_high};
    bool *const decided[2] = {&item->low_decided, &item->high_decided}, always;
    cfpc_status status = CFPC_OK;
    for (int side = 0; status == CFPC_OK && side < 2; side++) {
        d.far = ends[side];
        *verdict[side] = *phase[side] = NAN;
        if (d.subject == DELAY && d.far == 0)
            continue; // there is no less than none
        status = find_border(search, t, &d, false, verdict[side], decided[side]);
        if (status == CFPC_OK && t->phase_error_deg < 90)
            status = find_border(search, t, &d, true, phase[side], &always);
        *verdict[side] = offset + scale * *verdict[side];
        *phase[side] = offset + scale * *phase[side];
    }
    item->searched_low = offset + scale * down;
    item->searched_high = offset + scale * up;
    return status;
}

// ---- the things that may differ --------------------------------------------------------------

static lab_tolerated *add_item(lab_tolerance *t, const char *unit)
{
    lab_tolerated *item = &t->items[t->count++];
    *item = (lab_tolerated){
        .unit = unit, .low = NAN, .high = NAN, .low_decided = true, .high_decided = true};
    return item;
}

// Whether the loop is given by its parts and what is believed was identified as a whole: then no
// part is believed to have any value.
static bool believes_whole(const lab_spec *spec)
{
    return lab_is_identified(spec, true) && !lab_is_identified(spec, false);
}

// The loop's delay, down to the least that closes, and up to as long again as the loop takes to
// answer.
static cfpc_status tolerate_delay(search *search, lab_tolerance *t)
{
    const lab_setup *setup = search->learner->setup;
    const lab_spec *spec = setup->rig.spec;
    const lab_believed_spec *b = &spec->believed;
    const varied delay = varied_delay(&search->parts, spec);
    const int32_t actual = *delay.steps;
    const bool inside = b->plant.place.line > 0 && b->plant.kind == LAB_IDENTIFIED &&
                        delay.steps != &search->parts.error_delay_steps;
    lab_tolerated *item = add_item(t, "ms");
    if (lab_is_identified(spec, false))
        snprintf(item->name, sizeof item->name, "more delay than identified");
    else
        snprintf(item->name, sizeof item->name, "loop.%s", delay.key);
    item->actual = actual * spec->step_ms;
    item->believed =
        b->place.line == 0 || isnan(delay.believed_ms) ? delay.actual_ms : delay.believed_ms;
    if (believes_whole(spec) || (inside && isnan(delay.believed_ms)))
        item->believed = NAN; // somewhere in the identified response
    const variant none = {.delay_steps = -actual, .gain = 1, .slower = 1};
    lab_loop loop = {0};
    const cfpc_status status = close_variant(&loop, search, &none);
    search->least_delay = status == CFPC_ALGEBRAIC_LOOP;
    lab_loop_free(&loop);
    if (status != CFPC_OK && status != CFPC_ALGEBRAIC_LOOP && status != CFPC_UNSTABLE)
        return status;
    int32_t peak = 0;
    for (int32_t n = 1; n < setup->rig.steps; n++)
        if (fabs(setup->response[n]) > fabs(setup->response[peak]))
            peak = n;
    const int32_t wanted = 3 * peak > 20 ? 3 * peak : 20;
    return find_interval(
        search, t, item, (direction){.subject = DELAY}, search->least_delay - actual,
        wanted < setup->rig.steps ? wanted : setup->rig.steps, spec->step_ms, item->actual);
}

static cfpc_status tolerate_time(search *search, lab_tolerance *t, int stage)
{
    const lab_spec *spec = search->learner->setup->rig.spec;
    const lab_system_spec *plant = &spec->loop.plant, *believed = &spec->believed.plant;
    const bool chain = plant->kind == LAB_CHAIN;
    lab_tolerated *item = add_item(t, chain ? "ms" : "1");
    double scale = 1;
    item->believed = believed->place.line > 0 || believes_whole(spec) ? NAN : 1;
    if (chain) {
        const lab_stage_spec *stages = plant->stages.items, *others = believed->stages.items;
        scale = stages[stage].time_constant_ms;
        const bool same = believed->place.line > 0 && believed->kind == LAB_CHAIN &&
                          believed->stages.count > stage;
        item->believed = same                    ? others[stage].time_constant_ms
                         : isnan(item->believed) ? NAN
                                                 : scale;
        snprintf(item->name, sizeof item->name, "loop.plant.stages.%d.time_constant_ms", stage);
    } else
        snprintf(item->name, sizeof item->name, "all time constants of the plant");
    item->actual = scale;
    return find_interval(search, t, item, (direction){.subject = TIME, .stage = stage},
                         1 / FARTHEST, FARTHEST, scale, 0);
}

static cfpc_status tolerate_all(search *search, lab_tolerance *t)
{
    const lab_spec *spec = search->learner->setup->rig.spec;
    const lab_system_spec *plant = &spec->loop.plant;
    const int stages = plant->kind == LAB_CHAIN ? plant->stages.count : 1;
    t->items = lab_take(search->arena, 2 + (size_t)stages, sizeof *t->items);
    if (search->arena->failed)
        return CFPC_NO_MEMORY;
    cfpc_status status = search->parts.whole_loop ? CFPC_OK : tolerate_delay(search, t);
    if (status == CFPC_OK) {
        lab_tolerated *gain = add_item(t, "1");
        snprintf(gain->name, sizeof gain->name, "gain of the %s",
                 lab_is_identified(spec, false) ? "open path T/(1 - T)" : "plant");
        gain->actual = 1;
        gain->believed = spec->believed.plant.place.line > 0 || believes_whole(spec) ? NAN : 1;
        status = find_interval(search, t, gain, (direction){.subject = GAIN}, 1 / FARTHEST,
                               FARTHEST, 1, 0);
    }
    for (int i = 0; status == CFPC_OK && lab_plant_has_times(spec) && i < stages; i++)
        status = tolerate_time(search, t, plant->kind == LAB_CHAIN ? i : -1);
    return status;
}

// ---- the region ------------------------------------------------------------------------------

// A little beyond the interval of the delay, or of the gain.
static double tolerance_beyond(double border, double otherwise, double actual)
{
    return isnan(border) ? otherwise : border + 0.6 * (border - actual);
}

static cfpc_status fill_region(search *search, lab_tolerance *t)
{
    const lab_setup *setup = search->learner->setup;
    const lab_spec *spec = setup->rig.spec;
    const lab_tolerated *delay = &t->items[0], *gain = &t->items[1];
    const bool online = tolerance_is_online(search->learner);
    const double work = lab_learner_work(search->learner, online) / (online ? 10 : 6);
    const double share = cfpci_min(1, sqrt(REGION_WORK / work / (REGION_DELAYS * REGION_GAINS)));
    t->delays = 3 + (int)(share * (REGION_DELAYS - 3));
    t->gains = 3 + (int)(share * (REGION_GAINS - 3));
    t->delay_error_ms = lab_take(search->arena, (size_t)t->delays, sizeof *t->delay_error_ms);
    t->gain = lab_take(search->arena, (size_t)t->gains, sizeof *t->gain);
    t->region = lab_take(search->arena, (size_t)t->delays * (size_t)t->gains, sizeof *t->region);
    t->region_phase =
        lab_take(search->arena, (size_t)t->delays * (size_t)t->gains, sizeof *t->region_phase);
    if (search->arena->failed)
        return CFPC_NO_MEMORY;
    const double first =
        cfpci_max(search->least_delay * spec->step_ms,
                  tolerance_beyond(delay->low, delay->searched_low, delay->actual));
    const double last = tolerance_beyond(delay->high, delay->searched_high, delay->actual);
    const double low = 1 / tolerance_beyond(1 / gain->low, WIDE_GAIN, 1);
    const double high = tolerance_beyond(gain->high, WIDE_GAIN, 1);
    const double believed = isnan(delay->believed) ? delay->actual : delay->believed;
    cfpc_status status = CFPC_OK;
    for (int i = 0; i < t->delays; i++) {
        const double ms = first + (last - first) * i / (t->delays - 1);
        t->delay_error_ms[i] = round(ms / spec->step_ms) * spec->step_ms - believed;
    }
    for (int k = 0; status == CFPC_OK && k < t->gains; k++) {
        t->gain[k] = low * cfpci_pow(high / low, (double)k / (t->gains - 1));
        for (int i = 0; status == CFPC_OK && i < t->delays; i++) {
            const double more_ms = t->delay_error_ms[i] + believed - delay->actual;
            const variant v = {.delay_steps = (int32_t)lround(more_ms / spec->step_ms),
                               .gain = t->gain[k],
                               .slower = 1};
            const size_t at = (size_t)k * (size_t)t->delays + (size_t)i;
            status = try_variant(search, &v, &t->region[at], &t->region_phase[at]);
        }
    }
    return status;
}

// ---- all of it -------------------------------------------------------------------------------

static cfpc_status tolerance_look(search *search, lab_tolerance *t, bool region)
{
    const lab_setup *setup = search->learner->setup;
    const lab_learner *learner = search->learner;
    const bool online = tolerance_is_online(learner);
    search->frequencies =
        lab_find_frequencies(search->hz, &(lab_basis_signals){.steps = setup->rig.steps,
                                                              .bases = setup->bases,
                                                              .step_s = setup->rig.step_s,
                                                              .x = setup->x});
    cfpc_status status = trace_response(search);
    if (status == CFPC_OK)
        status =
            phase_error(search, &learner->teaching_path, &t->phase_error_deg, &t->phase_error_hz);
    if (status == CFPC_OK && !online)
        status = cfpc_lags_make(&search->lags, &learner->lesson);
    if (status == CFPC_OK)
        status = try_variant(search, &as_it_is, &t->fate, NULL);
    // How many values can be looked at.
    const double g = setup->bases, each = lab_learner_work(learner, online) + 40 * g * g * g;
    search->scan = (int)cfpci_min(SCAN_MAX, SEARCH_WORK / each / BORDERS - NARROWINGS);
    t->is_skipped = search->scan < SCAN_MIN;
    if (status != CFPC_OK || t->is_skipped || t->fate >= LAB_DIVERGES)
        return status;
    status = tolerate_all(search, t);
    if (status == CFPC_OK && region && !search->parts.whole_loop)
        status = fill_region(search, t);
    return status;
}

lab_outcome lab_tolerate(lab_tolerance *tolerance, lab_arena *arena, const lab_learner *learner,
                         bool region, lab_why *why)
{
    const lab_spec *spec = learner->setup->rig.spec;
    search search = {.arena = arena, .learner = learner, .why = why};
    *tolerance = (lab_tolerance){0};
    lab_outcome outcome = lab_parts_make(&search.parts, spec, false, false, why);
    if (outcome == LAB_DONE)
        outcome = lab_from_status(why, tolerance_look(&search, tolerance, region), spec->file);
    lab_parts_free(&search.parts);
    cfpc_lags_free(&search.lags);
    return outcome;
}
