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
typedef struct slope_score {
    cfpc_real keep;      // factor on the sums per step
    cfpc_real agreed;    // sum of prediction times t
    cfpc_real predicted; // sum of prediction²
    cfpc_real missed;   // sum of prediction times what the share leaves of t, since the last update
    cfpc_real variance; // of agreed - share · predicted: sum of missed²
} slope_score;

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
    int32_t updates;         // of the model, since there is a whitening filter; it stops at a limit
    int32_t until_update;    // steps
    int32_t until_whitened;  // updates
    int32_t is_ready;        // 0 or 1
    int32_t was_ready;       // 0 or 1
    int32_t probe_head;      // index of the last value in the ring
    int32_t taught_head;     //
    int32_t white_head;      //
    int32_t has_begun;       // 0 or 1
    slope_score all, recent; // over the memory, and over a quarter of it
    cfpc_real reactive;      // sum of t² before the model was ready, and its steps
    cfpc_real reactive_steps;
    cfpc_real taught;     // mean square of t of the last steps
    uint64_t probes_at;   // probes of the last D + 1 steps
    uint64_t taughts_at;  // -t of the last D + 1 + order steps, twice
    uint64_t whites_at;   // these whitened, of the last D + 1 steps, twice
    uint64_t cross_at;    // Σ φ[m] (-t[m + d])                       (D + 1 x functions)
    uint64_t estimate_at; // the model                                (M + 1)
    uint64_t taps_at;     // what the cell learns with                (M + 1)
};

static cfpc_real *array_of(const cfpc_learned *learned, uint64_t at)
{
    return (cfpc_real *)((const char *)learned + at);
}

// Of at most L_MAX numbers.
static cfpc_real learned_dot(const cfpc_real *a, const cfpc_real *b, int32_t count)
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

static cfpc_status learned_check(const cfpc_learned_def *def)
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

static int32_t window_of(const cfpc_learned *learned)
{
    return learned->def.dead_time_steps + 1;
}

static cfpc_learned learned_at_rest(const cfpc_learned_def *def, cfpci_arena *arena)
{
    cfpc_learned learned = {.def = *def, .size = 1, .until_update = def->memory_steps / UPDATES};
    const uint64_t window = (uint64_t)window_of(&learned), order = (uint64_t)def->whitening;
    const uint64_t taps = (uint64_t)def->horizon + 1;
    learned.until_whitened = WHITENED_EVERY;
    learned.keep = 1 - 1 / (cfpc_real)def->memory_steps;
    learned.all.keep = learned.keep;
    learned.recent.keep = 1 - 4 / (cfpc_real)def->memory_steps;
    learned.pole = def->decay_steps / (1 + def->decay_steps);
    learned.gain = cfpci_root(1 - learned.pole * learned.pole);
    learned.whitening = cfpci_whitening_make(def->whitening, def->memory_steps);
    cfpci_arena_take(arena, 1, 1, sizeof learned);
    learned.probes_at = cfpci_arena_take(arena, window, 1, sizeof(cfpc_real));
    learned.taughts_at = cfpci_arena_take(arena, window + order, 2, sizeof(cfpc_real));
    learned.whites_at = cfpci_arena_take(arena, window, 2, sizeof(cfpc_real));
    learned.cross_at = cfpci_arena_take(arena, window, (uint64_t)def->functions, sizeof(cfpc_real));
    learned.estimate_at = cfpci_arena_take(arena, taps, 1, sizeof(cfpc_real));
    learned.taps_at = cfpci_arena_take(arena, taps, 1, sizeof(cfpc_real));
    learned.bytes = arena->used;
    return learned;
}

size_t cfpc_learned_size(const cfpc_learned_def *def)
{
    cfpci_arena arena = {0};
    if (learned_check(def) != CFPC_OK)
        return 0;
    learned_at_rest(def, &arena);
    return arena.too_large ? 0 : (size_t)arena.used;
}

size_t cfpc_learned_bytes(const cfpc_learned *learned)
{
    return (size_t)learned->bytes;
}

// Everything at rest but the probe, which stays as it is.
static void learned_start_again(cfpc_learned *learned)
{
    cfpci_arena arena = {0};
    const cfpci_probe probe = learned->probe;
    const cfpc_learned rest = learned_at_rest(&learned->def, &arena);
    memset(learned, 0, (size_t)rest.bytes);
    memcpy(learned, &rest, sizeof rest);
    learned->probe = probe;
}

void cfpc_learned_reset(cfpc_learned *learned)
{
    learned_start_again(learned);
    learned->probe = cfpci_probe_make(learned->def.probe_rms, learned->def.probe_low,
                                      learned->def.probe_high, learned->def.seed);
}

cfpc_status cfpc_learned_init(cfpc_learned **learned, void *mem, size_t bytes,
                              const cfpc_learned_def *def)
{
    *learned = NULL;
    cfpc_status status = learned_check(def);
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
static const cfpc_real *learned_push(cfpc_real *ring, int32_t *head, int32_t length,
                                     cfpc_real value)
{
    *head = *head + 1 < length ? *head + 1 : 0;
    ring[*head] = ring[*head + length] = value;
    return ring + *head + 1;
}

// The last value and those before it, which precede it in memory, passed through the filter.
static cfpc_real learned_whiten(const cfpc_learned *learned, const cfpc_real *last, int32_t stride)
{
    cfpc_real sum = *last;
    for (int32_t k = 0; k < learned->def.whitening; k++)
        sum -= learned->a[k] * last[-(k + 1) * stride];
    return sum;
}

// ---- the functions ---------------------------------------------------------------------------

static void step_functions(const cfpc_learned *learned, cfpc_real *state, cfpc_real in)
{
    cfpc_real before = state[0], now = cfpci_settled(learned->pole * state[0] + learned->gain * in);
    state[0] = now;
    for (int32_t i = 1; i < learned->def.functions; i++) {
        const cfpc_real old = state[i];
        now = cfpci_settled(learned->pole * old + before - learned->pole * now);
        state[i] = now;
        before = old;
    }
}

// φ of this step: the functions of the probe of D steps ago, whitened.
static void step_regressors(cfpc_learned *learned, cfpc_real *phi)
{
    const size_t row = (size_t)learned->def.functions, rows = (size_t)learned->def.whitening + 1;
    const int32_t oldest =
        learned->probe_head + 1 < window_of(learned) ? learned->probe_head + 1 : 0;
    cfpc_real *last = learned->history + (rows - 1) * row;
    step_functions(learned, learned->state, array_of(learned, learned->probes_at)[oldest]);
    memmove(learned->history, learned->history + row, (rows - 1) * row * sizeof *last);
    memcpy(last, learned->state, row * sizeof *last);
    for (int32_t i = 0; i < learned->def.functions; i++)
        phi[i] = learned_whiten(learned, last + i, learned->def.functions);
}

// ---- the regression --------------------------------------------------------------------------

// One more step: what the model said of t before it was learned from.
static void add_score(slope_score *score, cfpc_real share, cfpc_real said, cfpc_real white,
                      cfpc_real weight)
{
    score->agreed = score->keep * score->agreed + weight * said * white;
    score->predicted = score->keep * score->predicted + weight * said * said;
    score->variance *= score->keep * score->keep;
    score->missed += weight * said * (white - share * said);
}

static void end_score(slope_score *score)
{
    score->variance += score->missed * score->missed;
    score->missed = 0;
}

// Whether the slope is above the share, surely, or, with negative errors, perhaps.
static bool exceeds(const slope_score *score, cfpc_real share, cfpc_real errors)
{
    return score->predicted > 0 &&
           score->agreed - share * score->predicted > errors * cfpci_root(score->variance);
}

// All sums: φ[m] with itself, and with what was taught at m + d, d = 0 ... D.
static void accumulate(cfpc_learned *learned, const cfpc_real *phi, const cfpc_real *white,
                       cfpc_real weight)
{
    const int32_t functions = learned->def.functions, window = window_of(learned);
    cfpc_real *cross = array_of(learned, learned->cross_at);
    for (int32_t i = 0; i < functions; i++) {
        const cfpc_real weighed = weight * phi[i];
        for (int32_t j = 0; j < functions; j++)
            learned->power[i * functions + j] =
                learned->keep * learned->power[i * functions + j] + weighed * phi[j];
        for (int32_t d = 0; d < window; d++)
            cross[i * window + d] = learned->keep * cross[i * window + d] + weighed * white[d];
    }
}

// The regression is weighted by the inverse of the noise, so that loud steps do not dominate it.
static void regress(cfpc_learned *learned, const cfpc_real *white)
{
    cfpc_real phi[L_MAX];
    step_regressors(learned, phi);
    if (!(learned->left > 0))
        return;
    const cfpc_real weight =
        1 / (learned->lately > learned->left ? learned->lately : learned->left);
    const cfpc_real said = learned_dot(learned->theta, phi, learned->def.functions);
    add_score(&learned->all, learned->def.share, said, white[learned->dead_time], weight);
    add_score(&learned->recent, learned->def.share, said, white[learned->dead_time], weight);
    accumulate(learned, phi, white, weight);
}

// ---- the model -------------------------------------------------------------------------------

// R + ridge = G Gᵀ, G lower-triangular; false if there is no power in it.
static bool learned_factor(const cfpc_learned *learned, cfpc_real *g)
{
    const int32_t count = learned->def.functions;
    cfpc_real trace = 0;
    for (int32_t i = 0; i < count; i++)
        trace += learned->power[i * count + i];
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j <= i; j++) {
            const cfpc_real ridge = i == j ? RIDGE * trace / (cfpc_real)count : 0;
            const cfpc_real left = learned->power[i * count + j] + ridge -
                                   learned_dot(g + i * count, g + j * count, j);
            if (i == j && !(left > 0))
                return false;
            g[i * count + j] = i == j ? cfpci_root(left) : left / g[j * count + j];
        }
    return true;
}

// v = G⁻¹ c of this dead time; returns vᵀv, what it explains.
static cfpc_real learned_explained(const cfpc_learned *learned, const cfpc_real *g,
                                   int32_t dead_time, cfpc_real *v)
{
    const int32_t count = learned->def.functions;
    const cfpc_real *cross = array_of(learned, learned->cross_at) + dead_time;
    cfpc_real sum = 0;
    for (int32_t i = 0; i < count; i++) {
        v[i] = (cross[(size_t)i * (size_t)window_of(learned)] - learned_dot(g + i * count, v, i)) /
               g[i * count + i];
        sum += v[i] * v[i];
    }
    return sum;
}

// θ = G⁻ᵀ v
static void solve_back(const cfpc_learned *learned, const cfpc_real *g, const cfpc_real *v,
                       cfpc_real *theta)
{
    const int32_t count = learned->def.functions;
    for (int32_t i = count - 1; i >= 0; i--) {
        cfpc_real left = v[i];
        for (int32_t j = i + 1; j < count; j++)
            left -= g[j * count + i] * theta[j];
        theta[i] = cfpci_settled(left / g[i * count + i]);
    }
}

// The taps of the model.
static void write_estimate(cfpc_learned *learned)
{
    cfpc_real *estimate = array_of(learned, learned->estimate_at), state[L_MAX] = {0};
    for (int32_t k = 0; k <= learned->def.horizon; k++) {
        if (k >= learned->dead_time)
            step_functions(learned, state, k == learned->dead_time ? 1 : 0);
        estimate[k] = cfpci_settled(learned_dot(learned->theta, state, learned->def.functions));
    }
}

// The dead time that explains most, and its θ. What is explained is twice a log likelihood: another
// dead time must be better than the present one by more than chance would make it.
static void learned_solve(cfpc_learned *learned)
{
    cfpc_real g[L_MAX * L_MAX] = {0}, v[L_MAX] = {0};
    if (!learned_factor(learned, g))
        return;
    cfpc_real most = learned_explained(learned, g, learned->dead_time, v) + CHANCE;
    for (int32_t d = 0; d < window_of(learned); d++) {
        const cfpc_real now = learned_explained(learned, g, d, v);
        if (now > most) {
            most = now;
            learned->dead_time = d;
        }
    }
    learned_explained(learned, g, learned->dead_time, v);
    solve_back(learned, g, v, learned->theta);
    write_estimate(learned);
}

// The model predicts when it surely does; until it lately surely does not, or no longer surely says
// anything.
static void learned_decide(cfpc_learned *learned)
{
    const cfpc_real share = learned->def.share;
    learned->is_ready =
        learned->is_ready
            ? exceeds(&learned->recent, share, -DOUBT) && exceeds(&learned->all, 0, DOUBT)
            : learned->updates >= JUDGED_AFTER && exceeds(&learned->all, share, SURE);
    learned->was_ready |= learned->is_ready;
    const size_t bytes = ((size_t)learned->def.horizon + 1) * sizeof(cfpc_real);
    if (learned->is_ready)
        memcpy(array_of(learned, learned->taps_at), array_of(learned, learned->estimate_at), bytes);
    else
        memset(array_of(learned, learned->taps_at), 0, bytes);
}

// The probe fades as what teaches falls below what it was before the cell learned, as long as the
// model surely predicts.
static void fade(cfpc_learned *learned)
{
    const cfpc_real before =
        learned->reactive / (learned->reactive_steps > 0 ? learned->reactive_steps : 1);
    const cfpc_real falls = before > learned->taught ? cfpci_root(learned->taught / before) : 1;
    const cfpc_real least = learned->def.probe_least;
    const bool is_sure = learned->is_ready && exceeds(&learned->all, learned->def.share, SURE);
    learned->size = !is_sure ? 1 : falls < least ? least : falls;
}

// A new whitening filter, through which what was taught passes again.
static void whiten_anew(cfpc_learned *learned, const cfpc_real *taught)
{
    const int32_t window = window_of(learned);
    cfpc_real *white = array_of(learned, learned->whites_at), sum = 0;
    learned->left = cfpci_whitening_filter(&learned->whitening, learned->a);
    for (int32_t i = 0; i < window; i++) {
        white[i] = white[i + window] =
            learned_whiten(learned, taught + learned->def.whitening + i, 1);
        sum += white[i] * white[i];
    }
    learned->white_head = window - 1;
    learned->lately = sum / (cfpc_real)window;
}

static void settle_score(slope_score *score)
{
    score->agreed = cfpci_settled(score->agreed);
    score->predicted = cfpci_settled(score->predicted);
    score->variance = cfpci_settled(score->variance);
}

// All that decays while nothing is taught.
static void settle(cfpc_learned *learned)
{
    settle_score(&learned->all);
    settle_score(&learned->recent);
    cfpci_whitening_settle(&learned->whitening);
    learned->lately = cfpci_settled(learned->lately);
    learned->taught = cfpci_settled(learned->taught);
    cfpci_settle(learned->power, L_MAX * L_MAX);
    cfpci_settle(array_of(learned, learned->cross_at),
                 (size_t)window_of(learned) * (size_t)learned->def.functions);
}

// Sums that overflowed would never recover.
static bool is_sound(const cfpc_learned *learned)
{
    const size_t cross = (size_t)window_of(learned) * (size_t)learned->def.functions;
    return cfpci_is_finite(learned->all.variance) && cfpci_is_finite(learned->whitening.energy) &&
           cfpci_is_finite(learned->taught) && cfpci_all_finite(learned->power, L_MAX * L_MAX) &&
           cfpci_all_finite(learned->theta, L_MAX) &&
           cfpci_all_finite(array_of(learned, learned->cross_at), (int64_t)cross);
}

static void learned_update(cfpc_learned *learned, const cfpc_real *taught)
{
    if (!is_sound(learned)) {
        learned_start_again(learned);
        return;
    }
    learned->until_update = learned->def.memory_steps / UPDATES;
    end_score(&learned->all);
    end_score(&learned->recent);
    settle(learned);
    if (learned->left > 0) {
        learned->updates += learned->updates < JUDGED_AFTER;
        learned_solve(learned);
    }
    learned_decide(learned);
    fade(learned);
    if (--learned->until_whitened > 0)
        return;
    learned->until_whitened = WHITENED_EVERY;
    whiten_anew(learned, taught);
}

// ---- a step ----------------------------------------------------------------------------------

cfpc_real cfpc_learned_probe(cfpc_learned *learned)
{
    const cfpc_real probe = learned->size * cfpci_probe_next(&learned->probe);
    learned->probe_head =
        learned->probe_head + 1 < window_of(learned) ? learned->probe_head + 1 : 0;
    array_of(learned, learned->probes_at)[learned->probe_head] = probe;
    return probe;
}

// How loud what teaches is: before the model was first ready, and lately.
static void note_level(cfpc_learned *learned, cfpc_real t)
{
    const cfpc_real share = 2 / (cfpc_real)learned->def.memory_steps;
    if (!learned->was_ready) {
        learned->reactive += t * t;
        learned->reactive_steps += 1;
    }
    learned->taught += share * (t * t - learned->taught);
}

bool cfpc_learned_observe(cfpc_learned *learned, cfpc_real teaching)
{
    const int32_t window = window_of(learned), order = learned->def.whitening;
    const cfpc_real t = cfpci_is_finite(teaching) ? -teaching : 0;
    const cfpc_real *taught = learned_push(array_of(learned, learned->taughts_at),
                                           &learned->taught_head, window + order, t);
    cfpci_whitening_see(&learned->whitening, t);
    note_level(learned, t);
    const cfpc_real last = learned_whiten(learned, taught + window + order - 1, 1);
    learned->lately += (last * last - learned->lately) * (WHITENED_EVERY * 2) /
                       (cfpc_real)learned->def.memory_steps;
    regress(learned, learned_push(array_of(learned, learned->whites_at), &learned->white_head,
                                  window, last));
    const bool updates = --learned->until_update <= 0, begins = !learned->has_begun;
    learned->has_begun = 1;
    if (updates)
        learned_update(learned, taught);
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
