// SPDX-License-Identifier: Apache-2.0
#include "cfpc/learned.h"

#include <string.h>

#include "cfpc/cell.h"
#include "image.h"
#include "numbers.h"
#include "probe.h"

#define RIDGE ((cfpc_real)1e-5) // of the regression, relative to the mean power of the functions
#define CHANCE 10 // the largest of a hundred squared standard normal numbers is about this
#define SURE 4    // standard errors that count as sure when a model is first trusted
#define DOUBT 3   // and when it is given up
#define CORNER_MIN ((cfpc_real)1e-6) // of the probe, in cycles per step

enum {
    UPDATES = 50,          // of the model per memory
    WHITENED_EVERY = 5,    // of them changes the whitening filter
    JUDGED_AFTER = 15,     // of them, counted from the first regression, a model is judged
    LEARNED_MAX = 1 << 24, // steps of dead time or horizon
    L_MAX = CFPC_LEARNED_FUNCTIONS,
    A_MAX = CFPC_LEARNED_WHITENING
};

// How well the model predicts: the regression of t on what the model said of it beforehand. It is
// tested whether its slope is the share: then what is left of t is not correlated with what was
// said, apart from chance. Updates are farther apart than a prediction is correlated with itself,
// so that the squares of the sums between them show how large chance is.
typedef struct score {
    cfpc_real keep;      // factor on the sums per step
    cfpc_real agreed;    // sum of prediction times t
    cfpc_real predicted; // sum of prediction²
    cfpc_real missed;   // sum of prediction times what the share leaves of t, since the last update
    cfpc_real variance; // of agreed - share · predicted: sum of missed²
} score;

struct cfpc_learned {
    uint64_t bytes;                         // of the whole image
    cfpc_learned_def def;                   //
    cfpci_probe probe;                      //
    cfpc_real size;                         // factor on the probe
    cfpci_whitening whitening;              //
    cfpc_real a[A_MAX];                     // the whitening filter now
    cfpc_real left;                         // mean square of what it leaves of t; 0: not known yet
    cfpc_real lately;                       // likewise, of the last steps
    cfpc_real keep;                         // factor on all sums per step
    cfpc_real pole, gain;                   // of the Laguerre functions
    cfpc_real state[L_MAX];                 // their outputs, D steps late
    cfpc_real history[(A_MAX + 1) * L_MAX]; // these of the last steps
    cfpc_real power[L_MAX * L_MAX];         // R = Σ φ φᵀ, φ whitened
    cfpc_real theta[L_MAX];                 // of the model
    int32_t dead_time;                      // its d
    int32_t updates;        // of the model, since there is a whitening filter; it stops at a limit
    int32_t until_update;   // steps
    int32_t until_whitened; // updates
    int32_t is_ready;       // 0 or 1
    int32_t was_ready;      // 0 or 1
    int32_t probe_head;     // index of the last value in the ring
    int32_t taught_head;    //
    int32_t white_head;     //
    int32_t has_begun;      // 0 or 1
    score all, recent;      // over the memory, and over a quarter of it
    cfpc_real reactive;     // sum of t² before the model was ready, and its steps
    cfpc_real reactive_steps;
    cfpc_real taught;     // mean square of t of the last steps
    uint64_t probes_at;   // probes of the last D + 1 steps
    uint64_t taughts_at;  // -t of the last D + 1 + order steps, twice
    uint64_t whites_at;   // these whitened, of the last D + 1 steps, twice
    uint64_t cross_at;    // Σ φ[m] (-t[m + d])                       (D + 1 x functions)
    uint64_t estimate_at; // the model                                (M + 1)
    uint64_t taps_at;     // what the cell learns with                (M + 1)
};

static cfpc_real *array_of(const cfpc_learned *it, uint64_t at)
{
    return (cfpc_real *)((const char *)it + at);
}

// Of at most L_MAX numbers.
static cfpc_real dot(const cfpc_real *a, const cfpc_real *b, int32_t count)
{
    cfpc_real sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

// ---- settings --------------------------------------------------------------------------------

cfpc_learned_def cfpc_default_learned_def(void)
{
    return (cfpc_learned_def){.probe_low = (cfpc_real)0.02,
                              .probe_high = (cfpc_real)0.125,
                              .probe_least = (cfpc_real)0.05,
                              .seed = 1,
                              .dead_time_steps = 50,
                              .horizon = 75,
                              .functions = 1,
                              .decay_steps = 2,
                              .whitening = 6,
                              .memory_steps = 1000,
                              .share = (cfpc_real)0.5};
}

static cfpc_status check(const cfpc_learned_def *def)
{
    if (!def)
        return CFPC_MISSING;
    const bool counts = def->dead_time_steps >= 0 && def->horizon > def->dead_time_steps &&
                        def->horizon <= LEARNED_MAX && def->functions >= 1 &&
                        def->functions <= L_MAX && def->whitening >= 0 && def->whitening <= A_MAX &&
                        def->memory_steps >= UPDATES && def->memory_steps <= LEARNED_MAX;
    const bool ranges = (def->probe_low == 0 || def->probe_low >= CORNER_MIN) &&
                        def->probe_high >= CORNER_MIN && def->probe_low < def->probe_high &&
                        def->probe_high <= (cfpc_real)0.5 && def->probe_least >= 0 &&
                        def->probe_least <= 1 && def->decay_steps > 0 &&
                        def->decay_steps <= LEARNED_MAX && def->share > 0 && def->share < 1;
    if (!counts)
        return CFPC_BAD_SIZE;
    if (!ranges || !cfpci_is_finite(def->probe_rms))
        return CFPC_BAD_VALUE;
    return def->probe_rms > 0 ? CFPC_OK : CFPC_NO_PROBE;
}

// ---- memory ----------------------------------------------------------------------------------

static int32_t window_of(const cfpc_learned *it)
{
    return it->def.dead_time_steps + 1;
}

static cfpc_learned at_rest(const cfpc_learned_def *def, cfpci_arena *arena)
{
    cfpc_learned it = {.def = *def, .size = 1, .until_update = def->memory_steps / UPDATES};
    const uint64_t window = (uint64_t)window_of(&it), order = (uint64_t)def->whitening;
    const uint64_t taps = (uint64_t)def->horizon + 1;
    it.until_whitened = WHITENED_EVERY;
    it.keep = 1 - 1 / (cfpc_real)def->memory_steps;
    it.all.keep = it.keep;
    it.recent.keep = 1 - 4 / (cfpc_real)def->memory_steps;
    it.pole = def->decay_steps / (1 + def->decay_steps);
    it.gain = cfpci_root(1 - it.pole * it.pole);
    it.whitening = cfpci_whitening_make(def->whitening, def->memory_steps);
    cfpci_arena_take(arena, 1, 1, sizeof it);
    it.probes_at = cfpci_arena_take(arena, window, 1, sizeof(cfpc_real));
    it.taughts_at = cfpci_arena_take(arena, window + order, 2, sizeof(cfpc_real));
    it.whites_at = cfpci_arena_take(arena, window, 2, sizeof(cfpc_real));
    it.cross_at = cfpci_arena_take(arena, window, (uint64_t)def->functions, sizeof(cfpc_real));
    it.estimate_at = cfpci_arena_take(arena, taps, 1, sizeof(cfpc_real));
    it.taps_at = cfpci_arena_take(arena, taps, 1, sizeof(cfpc_real));
    it.bytes = arena->used;
    return it;
}

size_t cfpc_learned_size(const cfpc_learned_def *def)
{
    cfpci_arena arena = {0};
    if (check(def) != CFPC_OK)
        return 0;
    at_rest(def, &arena);
    return arena.too_large ? 0 : (size_t)arena.used;
}

size_t cfpc_learned_bytes(const cfpc_learned *learned)
{
    return (size_t)learned->bytes;
}

// Everything at rest but the probe, which stays as it is.
static void start_again(cfpc_learned *it)
{
    cfpci_arena arena = {0};
    const cfpci_probe probe = it->probe;
    const cfpc_learned rest = at_rest(&it->def, &arena);
    memset(it, 0, (size_t)rest.bytes);
    memcpy(it, &rest, sizeof rest);
    it->probe = probe;
}

void cfpc_learned_reset(cfpc_learned *it)
{
    start_again(it);
    it->probe =
        cfpci_probe_make(it->def.probe_rms, it->def.probe_low, it->def.probe_high, it->def.seed);
}

cfpc_status cfpc_learned_init(void *mem, size_t bytes, const cfpc_learned_def *def,
                              cfpc_learned **learned)
{
    *learned = NULL;
    cfpc_status status = check(def);
    const size_t needed = status == CFPC_OK ? cfpc_learned_size(def) : 0;
    if (status == CFPC_OK)
        status = needed > 0 ? cfpci_image_fits(mem, bytes, needed) : CFPC_BAD_SIZE;
    if (status != CFPC_OK)
        return status;
    *learned = mem;
    (*learned)->def = *def;
    cfpc_learned_reset(*learned);
    return CFPC_OK;
}

void cfpc_learned_set_rms(cfpc_learned *learned, cfpc_real rms)
{
    if (!(rms > 0) || !cfpci_is_finite(rms))
        return;
    learned->probe.gain *= rms / learned->def.probe_rms;
    learned->def.probe_rms = rms;
}

cfpc_status cfpc_learned_fits(const cfpc_learned *learned, const cfpc_model *model)
{
    if (!learned || !model)
        return CFPC_MISSING;
    const cfpc_adjoint_form form = cfpc_model_adjoint(model);
    return form.taps && form.is_mutable && form.past != CFPC_PAST_GIVEN && form.lead == 0 &&
                   form.horizon == learned->def.horizon
               ? CFPC_OK
               : CFPC_BAD_SHAPE;
}

// ---- rings -----------------------------------------------------------------------------------

// A ring that is stored twice: its last `length` values lie in a row, the oldest first.
static const cfpc_real *push(cfpc_real *ring, int32_t *head, int32_t length, cfpc_real value)
{
    *head = *head + 1 < length ? *head + 1 : 0;
    ring[*head] = ring[*head + length] = value;
    return ring + *head + 1;
}

// The last value and those before it, which precede it in memory, passed through the filter.
static cfpc_real whiten(const cfpc_learned *it, const cfpc_real *last, int32_t stride)
{
    cfpc_real sum = *last;
    for (int32_t k = 0; k < it->def.whitening; k++)
        sum -= it->a[k] * last[-(k + 1) * stride];
    return sum;
}

// ---- the functions ---------------------------------------------------------------------------

static void step_functions(const cfpc_learned *it, cfpc_real *state, cfpc_real in)
{
    cfpc_real before = state[0], now = cfpci_settled(it->pole * state[0] + it->gain * in);
    state[0] = now;
    for (int32_t i = 1; i < it->def.functions; i++) {
        const cfpc_real old = state[i];
        now = cfpci_settled(it->pole * old + before - it->pole * now);
        state[i] = now;
        before = old;
    }
}

// φ of this step: the functions of the probe of D steps ago, whitened.
static void step_regressors(cfpc_learned *it, cfpc_real *phi)
{
    const size_t row = (size_t)it->def.functions, rows = (size_t)it->def.whitening + 1;
    const int32_t oldest = it->probe_head + 1 < window_of(it) ? it->probe_head + 1 : 0;
    cfpc_real *last = it->history + (rows - 1) * row;
    step_functions(it, it->state, array_of(it, it->probes_at)[oldest]);
    memmove(it->history, it->history + row, (rows - 1) * row * sizeof *last);
    memcpy(last, it->state, row * sizeof *last);
    for (int32_t i = 0; i < it->def.functions; i++)
        phi[i] = whiten(it, last + i, it->def.functions);
}

// ---- the regression --------------------------------------------------------------------------

// One more step: what the model said of t before it was learned from.
static void add_score(score *it, cfpc_real share, cfpc_real said, cfpc_real white, cfpc_real weight)
{
    it->agreed = it->keep * it->agreed + weight * said * white;
    it->predicted = it->keep * it->predicted + weight * said * said;
    it->variance *= it->keep * it->keep;
    it->missed += weight * said * (white - share * said);
}

static void end_score(score *it)
{
    it->variance += it->missed * it->missed;
    it->missed = 0;
}

// Whether the slope is above the share, surely, or, with negative errors, perhaps.
static bool exceeds(const score *it, cfpc_real share, cfpc_real errors)
{
    return it->predicted > 0 &&
           it->agreed - share * it->predicted > errors * cfpci_root(it->variance);
}

// All sums: φ[m] with itself, and with what was taught at m + d, d = 0 ... D.
static void accumulate(cfpc_learned *it, const cfpc_real *phi, const cfpc_real *white,
                       cfpc_real weight)
{
    const int32_t functions = it->def.functions, window = window_of(it);
    cfpc_real *cross = array_of(it, it->cross_at);
    for (int32_t i = 0; i < functions; i++) {
        const cfpc_real weighed = weight * phi[i];
        for (int32_t j = 0; j < functions; j++)
            it->power[i * functions + j] =
                it->keep * it->power[i * functions + j] + weighed * phi[j];
        for (int32_t d = 0; d < window; d++)
            cross[i * window + d] = it->keep * cross[i * window + d] + weighed * white[d];
    }
}

// The regression is weighted by the inverse of the noise, so that loud steps do not dominate it.
static void regress(cfpc_learned *it, const cfpc_real *white)
{
    cfpc_real phi[L_MAX];
    step_regressors(it, phi);
    if (!(it->left > 0))
        return;
    const cfpc_real weight = 1 / (it->lately > it->left ? it->lately : it->left);
    const cfpc_real said = dot(it->theta, phi, it->def.functions);
    add_score(&it->all, it->def.share, said, white[it->dead_time], weight);
    add_score(&it->recent, it->def.share, said, white[it->dead_time], weight);
    accumulate(it, phi, white, weight);
}

// ---- the model -------------------------------------------------------------------------------

// R + ridge = G Gᵀ, G lower-triangular; false if there is no power in it.
static bool factor(const cfpc_learned *it, cfpc_real *g)
{
    const int32_t count = it->def.functions;
    cfpc_real trace = 0;
    for (int32_t i = 0; i < count; i++)
        trace += it->power[i * count + i];
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j <= i; j++) {
            const cfpc_real ridge = i == j ? RIDGE * trace / (cfpc_real)count : 0;
            const cfpc_real left =
                it->power[i * count + j] + ridge - dot(g + i * count, g + j * count, j);
            if (i == j && !(left > 0))
                return false;
            g[i * count + j] = i == j ? cfpci_root(left) : left / g[j * count + j];
        }
    return true;
}

// v = G⁻¹ c of this dead time; returns vᵀv, what it explains.
static cfpc_real explained(const cfpc_learned *it, const cfpc_real *g, int32_t dead_time,
                           cfpc_real *v)
{
    const int32_t count = it->def.functions;
    const cfpc_real *cross = array_of(it, it->cross_at) + dead_time;
    cfpc_real sum = 0;
    for (int32_t i = 0; i < count; i++) {
        v[i] = (cross[(size_t)i * (size_t)window_of(it)] - dot(g + i * count, v, i)) /
               g[i * count + i];
        sum += v[i] * v[i];
    }
    return sum;
}

// θ = G⁻ᵀ v
static void solve_back(const cfpc_learned *it, const cfpc_real *g, const cfpc_real *v,
                       cfpc_real *theta)
{
    const int32_t count = it->def.functions;
    for (int32_t i = count - 1; i >= 0; i--) {
        cfpc_real left = v[i];
        for (int32_t j = i + 1; j < count; j++)
            left -= g[j * count + i] * theta[j];
        theta[i] = cfpci_settled(left / g[i * count + i]);
    }
}

// The taps of the model.
static void write_estimate(cfpc_learned *it)
{
    cfpc_real *estimate = array_of(it, it->estimate_at), state[L_MAX] = {0};
    for (int32_t k = 0; k <= it->def.horizon; k++) {
        if (k >= it->dead_time)
            step_functions(it, state, k == it->dead_time ? 1 : 0);
        estimate[k] = cfpci_settled(dot(it->theta, state, it->def.functions));
    }
}

// The dead time that explains most, and its θ. What is explained is twice a log likelihood: another
// dead time must be better than the present one by more than chance would make it.
static void solve(cfpc_learned *it)
{
    cfpc_real g[L_MAX * L_MAX] = {0}, v[L_MAX] = {0};
    if (!factor(it, g))
        return;
    cfpc_real most = explained(it, g, it->dead_time, v) + CHANCE;
    for (int32_t d = 0; d < window_of(it); d++) {
        const cfpc_real now = explained(it, g, d, v);
        if (now > most) {
            most = now;
            it->dead_time = d;
        }
    }
    explained(it, g, it->dead_time, v);
    solve_back(it, g, v, it->theta);
    write_estimate(it);
}

// The model predicts when it surely does; until it lately surely does not, or no longer surely says
// anything.
static void decide(cfpc_learned *it)
{
    const cfpc_real share = it->def.share;
    it->is_ready = it->is_ready ? exceeds(&it->recent, share, -DOUBT) && exceeds(&it->all, 0, DOUBT)
                                : it->updates >= JUDGED_AFTER && exceeds(&it->all, share, SURE);
    it->was_ready |= it->is_ready;
    const size_t bytes = ((size_t)it->def.horizon + 1) * sizeof(cfpc_real);
    if (it->is_ready)
        memcpy(array_of(it, it->taps_at), array_of(it, it->estimate_at), bytes);
    else
        memset(array_of(it, it->taps_at), 0, bytes);
}

// The probe fades as what teaches falls below what it was before the cell learned, as long as the
// model surely predicts.
static void fade(cfpc_learned *it)
{
    const cfpc_real before = it->reactive / (it->reactive_steps > 0 ? it->reactive_steps : 1);
    const cfpc_real falls = before > it->taught ? cfpci_root(it->taught / before) : 1;
    const cfpc_real least = it->def.probe_least;
    const bool is_sure = it->is_ready && exceeds(&it->all, it->def.share, SURE);
    it->size = !is_sure ? 1 : falls < least ? least : falls;
}

// A new whitening filter, through which what was taught passes again.
static void whiten_anew(cfpc_learned *it, const cfpc_real *taught)
{
    const int32_t window = window_of(it);
    cfpc_real *white = array_of(it, it->whites_at), sum = 0;
    it->left = cfpci_whitening_filter(&it->whitening, it->a);
    for (int32_t i = 0; i < window; i++) {
        white[i] = white[i + window] = whiten(it, taught + it->def.whitening + i, 1);
        sum += white[i] * white[i];
    }
    it->white_head = window - 1;
    it->lately = sum / (cfpc_real)window;
}

static void settle_score(score *it)
{
    it->agreed = cfpci_settled(it->agreed);
    it->predicted = cfpci_settled(it->predicted);
    it->variance = cfpci_settled(it->variance);
}

// All that decays while nothing is taught.
static void settle(cfpc_learned *it)
{
    settle_score(&it->all);
    settle_score(&it->recent);
    cfpci_whitening_settle(&it->whitening);
    it->lately = cfpci_settled(it->lately);
    it->taught = cfpci_settled(it->taught);
    cfpci_settle(it->power, L_MAX * L_MAX);
    cfpci_settle(array_of(it, it->cross_at), (size_t)window_of(it) * (size_t)it->def.functions);
}

// Sums that overflowed would never recover.
static bool is_sound(const cfpc_learned *it)
{
    const size_t cross = (size_t)window_of(it) * (size_t)it->def.functions;
    return cfpci_is_finite(it->all.variance) && cfpci_is_finite(it->whitening.energy) &&
           cfpci_is_finite(it->taught) && cfpci_all_finite(it->power, L_MAX * L_MAX) &&
           cfpci_all_finite(it->theta, L_MAX) &&
           cfpci_all_finite(array_of(it, it->cross_at), (int64_t)cross);
}

static void update(cfpc_learned *it, const cfpc_real *taught)
{
    if (!is_sound(it)) {
        start_again(it);
        return;
    }
    it->until_update = it->def.memory_steps / UPDATES;
    end_score(&it->all);
    end_score(&it->recent);
    settle(it);
    if (it->left > 0) {
        it->updates += it->updates < JUDGED_AFTER;
        solve(it);
    }
    decide(it);
    fade(it);
    if (--it->until_whitened > 0)
        return;
    it->until_whitened = WHITENED_EVERY;
    whiten_anew(it, taught);
}

// ---- a step ----------------------------------------------------------------------------------

cfpc_real cfpc_learned_probe(cfpc_learned *it)
{
    const cfpc_real probe = it->size * cfpci_probe_next(&it->probe);
    it->probe_head = it->probe_head + 1 < window_of(it) ? it->probe_head + 1 : 0;
    array_of(it, it->probes_at)[it->probe_head] = probe;
    return probe;
}

// How loud what teaches is: before the model was first ready, and lately.
static void note_level(cfpc_learned *it, cfpc_real t)
{
    const cfpc_real share = 2 / (cfpc_real)it->def.memory_steps;
    if (!it->was_ready) {
        it->reactive += t * t;
        it->reactive_steps += 1;
    }
    it->taught += share * (t * t - it->taught);
}

bool cfpc_learned_observe(cfpc_learned *it, cfpc_real teaching)
{
    const int32_t window = window_of(it), order = it->def.whitening;
    const cfpc_real t = cfpci_is_finite(teaching) ? -teaching : 0;
    const cfpc_real *taught =
        push(array_of(it, it->taughts_at), &it->taught_head, window + order, t);
    cfpci_whitening_see(&it->whitening, t);
    note_level(it, t);
    const cfpc_real last = whiten(it, taught + window + order - 1, 1);
    it->lately +=
        (last * last - it->lately) * (WHITENED_EVERY * 2) / (cfpc_real)it->def.memory_steps;
    regress(it, push(array_of(it, it->whites_at), &it->white_head, window, last));
    const bool updates = --it->until_update <= 0, begins = !it->has_begun;
    it->has_begun = 1;
    if (updates)
        update(it, taught);
    return updates || begins;
}

bool cfpc_learned_ready(const cfpc_learned *learned)
{
    return learned->is_ready;
}

const cfpc_real *cfpc_learned_taps(const cfpc_learned *learned)
{
    return array_of(learned, learned->taps_at);
}

const cfpc_real *cfpc_learned_estimate(const cfpc_learned *learned)
{
    return array_of(learned, learned->estimate_at);
}

cfpc_real cfpc_learned_share(const cfpc_learned *learned)
{
    return learned->all.predicted > 0 ? learned->all.agreed / learned->all.predicted : 0;
}

void cfpc_learned_teach(const cfpc_model *model, cfpc_data *data, cfpc_learned *learned,
                        cfpc_real teaching)
{
    if (cfpc_learned_observe(learned, teaching))
        cfpc_set_taps(model, data, cfpc_learned_taps(learned));
    cfpc_teach(model, data, teaching);
}

cfpc_real cfpc_learned_step(const cfpc_model *model, cfpc_data *data, cfpc_learned *learned,
                            const cfpc_real *x, cfpc_real e)
{
    const cfpc_real o = cfpc_act(model, data, x) + cfpc_learned_probe(learned);
    cfpc_learned_teach(model, data, learned, e);
    cfpc_watch(model, data, e);
    return o;
}
