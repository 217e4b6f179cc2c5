// SPDX-License-Identifier: Apache-2.0
// candidates: models of a log, simulated and compared on the part that is held back.
#ifndef CFPC_DESIGN_CANDIDATES_H
#define CFPC_DESIGN_CANDIDATES_H

#include "cfpc/identify.h"

// A log without offset and trend.
typedef struct cfpci_split_log {
    int32_t steps;
    int32_t estimation; // steps that estimate: the first ones
    int32_t settled;    // from here on, how the log began no longer counts
    double step_s;
    double *input;  // (steps)
    double *output; // (steps)
} cfpci_split_log;

typedef struct cfpci_candidate {
    cfpc_identify_method method;
    int32_t order;
    int32_t dead_time;
    cfpc_system part;  // as in cfpc_identified
    cfpc_system model; //
    double fit, fit_estimation;
    double *left; // of the output, without offset and trend  (steps)
} cfpci_candidate;

enum { CFPCI_MAX_CANDIDATES = 200 };

typedef struct cfpci_candidates {
    int32_t count;
    cfpci_candidate of[CFPCI_MAX_CANDIDATES];
} cfpci_candidates;

void cfpci_candidates_free(cfpci_candidates *candidates);

static inline int32_t cfpci_least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline bool cfpci_is_open_path(cfpc_identify_method method)
{
    return method == CFPC_IDENTIFY_OPEN_PATH || method == CFPC_IDENTIFY_LEAST_SQUARES_OPEN_PATH;
}

// 100 (1 - ‖left‖ / ‖y - mean y‖) over the steps from … to - 1.
double cfpci_fit(int32_t from, int32_t to, const double *left, const double *y);

// The output (steps) of a stable model that runs free, from the state in which a constant input,
// the log's first, has left it.
cfpc_status cfpci_run_free(const cfpci_split_log *log, const cfpc_system *model, double *output);

// What a simulated output (steps) leaves of the log's, in its place, less its offset and trend: a
// model does not know them, and two constants do not flatter it. The start of the log, which may
// not have been at rest, does not count for them.
void cfpci_leave(const cfpci_split_log *log, double *simulated, double trend[2]);

// Takes the part over; adds the candidate if it is stable.
cfpc_status cfpci_consider(cfpci_candidates *candidates, const cfpci_split_log *log,
                           cfpc_identify_method method, int32_t dead_time, cfpc_system *part);

// The candidate of the lowest order that the held-back part cannot tell from the best; NULL if
// there is none.
cfpci_candidate *cfpci_choose(cfpci_candidates *candidates, const cfpci_split_log *log);

#endif
