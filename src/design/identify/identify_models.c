// SPDX-License-Identifier: Apache-2.0
// identify_models: what is realised from a FIR, directly and as an open path, and the sections that
// least squares find from there, order by order.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/system.h"
#include "identify/fir.h"
#include "identify/output_error.h"
#include "math/elementary.h"
#include "math/order.h"
#include "system/realise_parts.h"

enum {
    PATH_SAMPLES = 601, // of an open path, that are realised
    SEARCH_ORDER = 4,   // at which least squares search far for the dead time
    FAR = 16,           // steps of dead time
    NEAR = 2,           // likewise, at other orders
    SEARCH_ITERATIONS = 6,
    ITERATIONS = 25,
    BELOW = 2,            // orders below one that is wanted
    PATIENCE = 2,         // orders in a row that do not help
    NUMBERS_PER_STATE = 3 // that least squares find: a pole, a gain and where it starts
};

// Least squares that leave less than this of the output's mean square are done.
static const double nothing_left = 1e-8;

// Where candidates come from: a response after its dead time, or its open path.
typedef struct source {
    const cfpci_split_log *log;
    const cfpc_identify_settings *settings;
    cfpci_candidates *candidates;
    const double *nearby; // output of the FIR                               (steps)
    bool open_path;
    int32_t dead_time;    // found so far
    cfpc_system whole;    // the response realised with the largest order
    cfpci_rows rows;      // that estimate; the first is the dead time up to which they search
    double mean_square;   // of the output in these
    cfpci_sections lower; // what least squares found with one order less
    double lower_square;  // and its mean square; infinite if there is none
} source;

// ---- Ho and Kalman ---------------------------------------------------------------------------

// The first `order` states of a balanced realisation, which are those of the realisation with that
// order, behind the dead time.
static cfpc_status consider_realised(const source *source, int32_t order)
{
    const cfpc_system *whole = &source->whole;
    const size_t columns = (size_t)cfpc_system_columns(whole);
    cfpc_system states, part = {0};
    cfpc_status status = cfpc_system_make(&states, whole->step_s, order, 1, 1, 0);
    for (int32_t i = 0; status == CFPC_OK && i <= order; i++) {
        const double *row = whole->matrix + (size_t)(i < order ? i : whole->states) * columns;
        double *to = states.matrix + (size_t)i * (size_t)(order + 1);
        memcpy(to, row, (size_t)order * sizeof *to);
        to[order] = row[columns - 1]; // from the input, or the line that delays it
    }
    if (status == CFPC_OK)
        status = cfpci_behind_delay(&part, &states, source->dead_time);
    if (status == CFPC_OK)
        status = cfpci_consider(source->candidates, source->log,
                                source->open_path ? CFPC_IDENTIFY_OPEN_PATH : CFPC_IDENTIFY_DIRECT,
                                source->dead_time, &part);
    cfpc_system_free(&states);
    cfpc_system_free(&part);
    return status;
}

// ---- least squares ---------------------------------------------------------------------------

// What a hold and a plant without feed-through leave is 0 in the first step: a section's first
// answer comes one step late. So the last step of a dead time is the sections' own; a feed is only
// there without dead time. Otherwise it could stand for a step of dead time, and could not be told
// from it.
static int32_t sections_dead_time(const cfpci_sections *sections)
{
    return sections->delay + !sections->direct;
}

// From its poles, with this dead time.
static cfpc_status fit_sections(const source *source, cfpci_sections *sections, int32_t dead_time,
                                int32_t iterations, double *mean_square)
{
    sections->direct = dead_time == 0;
    sections->delay = dead_time > 0 ? dead_time - 1 : 0;
    sections->closed = source->open_path;
    const cfpc_status status = cfpci_output_error_start(sections, &source->rows, source->nearby);
    if (status != CFPC_OK)
        return status;
    return cfpci_output_error(sections, &source->rows, iterations, mean_square);
}

// One dead time more; false if it is no better, or out of range.
static cfpc_status try_dead_time(const source *source, int32_t dead_time, cfpci_sections *best,
                                 double *mean_square, bool *better)
{
    cfpci_sections tried = *best;
    double reached = INFINITY;
    *better = false;
    if (dead_time < source->open_path || dead_time > source->rows.first)
        return CFPC_OK;
    const cfpc_status status = fit_sections(source, &tried, dead_time, SEARCH_ITERATIONS, &reached);
    *better = status == CFPC_OK && reached < *mean_square;
    if (*better) {
        *best = tried;
        *mean_square = reached;
    }
    return status;
}

// The dead time with which sections fit best: to both sides, in steps that become smaller.
static cfpc_status search_dead_time(const source *source, int32_t reach, cfpci_sections *best,
                                    double *mean_square)
{
    cfpc_status status = CFPC_OK;
    for (int32_t apart = reach; apart > 0; apart /= 2)
        for (int32_t side = -1; side <= 1; side += 2)
            for (bool better = true; better && status == CFPC_OK;)
                status = try_dead_time(source, sections_dead_time(best) + side * apart, best,
                                       mean_square, &better);
    return status;
}

// If an order did no better than the one below, it is caught somewhere: from there, with one pole
// more.
static cfpc_status identify_models_start_again(const source *source, cfpci_sections *sections,
                                               double *mean_square)
{
    if (!(source->lower_square < *mean_square))
        return CFPC_OK;
    cfpci_sections raised = source->lower;
    double reached = INFINITY;
    cfpci_sections_raise(&raised);
    const cfpc_status status =
        fit_sections(source, &raised, sections_dead_time(&source->lower), ITERATIONS, &reached);
    if (status == CFPC_OK && reached < *mean_square) {
        *sections = raised;
        *mean_square = reached;
    }
    return status;
}

// Of one order; the dead time is searched from the one found so far, first `reach` steps away.
static cfpc_status least_squares(source *source, int32_t order, int32_t reach, double *mean_square)
{
    cfpci_sections sections = {0};
    double a[CFPCI_MAX_ORDER * CFPCI_MAX_ORDER];
    const size_t columns = (size_t)cfpc_system_columns(&source->whole);
    for (int32_t i = 0; i < order; i++)
        memcpy(a + (size_t)i * (size_t)order, source->whole.matrix + (size_t)i * columns,
               (size_t)order * sizeof(double));
    cfpc_status status = cfpci_sections_of(&sections, order, a);
    if (status == CFPC_OK)
        status = fit_sections(source, &sections, source->dead_time, ITERATIONS, mean_square);
    if (status == CFPC_OK)
        status = identify_models_start_again(source, &sections, mean_square);
    if (status == CFPC_OK && source->settings->dead_time_steps < 0)
        status = search_dead_time(source, reach, &sections, mean_square);
    if (status != CFPC_OK || !isfinite(*mean_square))
        return status;
    if (reach == FAR)
        source->dead_time = sections_dead_time(&sections);
    source->lower = sections;
    source->lower_square = *mean_square;
    if (source->settings->order > 0 && order != source->whole.states)
        return CFPC_OK; // it is below the one that is wanted
    cfpc_system part;
    status = cfpci_sections_part(&part, &sections, source->log->step_s);
    if (status == CFPC_OK)
        status = cfpci_consider(source->candidates, source->log,
                                source->open_path ? CFPC_IDENTIFY_LEAST_SQUARES_OPEN_PATH
                                                  : CFPC_IDENTIFY_LEAST_SQUARES,
                                sections_dead_time(&sections), &part);
    cfpc_system_free(&part);
    return status;
}

// ---- orders ----------------------------------------------------------------------------------

// Least squares of higher and higher order, until that does not pay any more: by Schwarz's
// criterion, as long as something is left. Up to an order that is wanted, from somewhat below.
// First, one order that is not too low searches for the dead time.
static cfpc_status raise_order(source *source)
{
    const bool wanted = source->settings->order > 0;
    const int32_t most = source->whole.states, first = wanted && most > BELOW ? most - BELOW : 1;
    const int32_t count = source->rows.end - source->rows.first;
    double before = INFINITY, after = INFINITY;
    source->lower_square = INFINITY;
    cfpc_status status = CFPC_OK;
    if (source->settings->dead_time_steps < 0)
        status = least_squares(source, cfpci_least(SEARCH_ORDER, most), FAR, &after);
    source->lower_square = INFINITY;
    for (int32_t order = first, idle = 0; order <= most && idle < PATIENCE; order++) {
        after = INFINITY;
        if (status == CFPC_OK)
            status = least_squares(source, order, NEAR, &after);
        const bool pays = after > nothing_left * source->mean_square &&
                          count * cfpci_log(before / after) > NUMBERS_PER_STATE * cfpci_log(count);
        idle = wanted || pays ? 0 : idle + 1;
        before = cfpci_min(before, after);
    }
    return status;
}

// The response, of which `samples` are given after the dead time, realised with every order.
static cfpc_status try_orders(source *source, int32_t samples, const double *response)
{
    const cfpc_identify_settings *set = source->settings;
    const int32_t most = set->order > 0 ? set->order : set->max_order;
    cfpc_status status =
        cfpc_realise(&source->whole, source->log->step_s, samples, response, 0, most);
    if (status == CFPC_UNSTABLE)
        status = CFPC_OK;
    const int32_t first = set->order > 0 ? source->whole.states : 1;
    for (int32_t order = first; status == CFPC_OK && order <= source->whole.states; order++)
        status = consider_realised(source, order);
    if (status == CFPC_OK && source->whole.states > 0)
        status = raise_order(source);
    cfpc_system_free(&source->whole);
    return status == CFPC_BAD_VALUE ? CFPC_OK : status; // the response is zero
}

// With the dead time that least squares found directly, but at least one step: without, a loop
// would be algebraic.
static cfpc_status try_open_path(source *source, int32_t taps, const double *response)
{
    source->dead_time = source->dead_time > 0 ? source->dead_time : 1;
    const int32_t count = cfpci_least(taps - source->dead_time, PATH_SAMPLES);
    double *path = calloc((size_t)count, sizeof *path);
    if (!path)
        return CFPC_NO_MEMORY;
    source->open_path = true;
    cfpc_status status = cfpci_open_path(source->dead_time, 0, count, response, path);
    if (status == CFPC_OK)
        status = try_orders(source, count, path);
    free(path);
    return status == CFPC_BAD_VALUE ? CFPC_OK : status; // the path grows until it overflows
}

static int32_t max_dead_time_of(const cfpci_split_log *log, const cfpc_identify_settings *set,
                                int32_t dead_time, int32_t taps)
{
    if (set->dead_time_steps >= 0)
        return set->dead_time_steps;
    const int32_t most = set->max_dead_time_steps >= 0 ? set->max_dead_time_steps : taps / 2;
    const int32_t fits = cfpci_least(cfpci_least(most, taps - 2), log->estimation / 4);
    const int32_t found = dead_time > 0 ? dead_time : 1; // an open path has one
    const int32_t near = cfpci_least(found + FAR, log->estimation / 2);
    const int32_t search = set->max_dead_time_steps < 0 && near > found ? near : found;
    return fits > search ? fits : search;
}

cfpc_status cfpci_identify_models(cfpci_candidates *candidates, const cfpci_split_log *log,
                                  const cfpc_identify_settings *set, const cfpci_fir *fir)
{
    const int32_t dead = fir->prior.dead_time, taps = dead + fir->prior.taps;
    double *response = calloc((size_t)taps, sizeof *response); // from lag 0
    double *nearby = malloc((size_t)log->steps * sizeof *nearby);
    cfpc_status status = response && nearby ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK) {
        source source = {.log = log,
                         .settings = set,
                         .candidates = candidates,
                         .dead_time = dead,
                         .nearby = nearby,
                         .rows = {.first = max_dead_time_of(log, set, dead, taps),
                                  .end = log->estimation,
                                  .input = log->input,
                                  .output = log->output}};
        const cfpci_rows *rows = &source.rows;
        for (int32_t n = rows->first; n < rows->end; n++)
            source.mean_square += rows->output[n] * rows->output[n] / (rows->end - rows->first);
        memcpy(response + dead, fir->posterior.mean, (size_t)fir->prior.taps * sizeof *response);
        cfpci_fir_output(log, dead, fir->prior.taps, fir->posterior.mean, nearby);
        status = try_orders(&source, taps - dead, response + dead);
        if (status == CFPC_OK && set->dead_time_steps != 0) // else the loop would be algebraic
            status = try_open_path(&source, taps, response);
    }
    free(response);
    free(nearby);
    return status;
}
