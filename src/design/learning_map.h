// SPDX-License-Identifier: Apache-2.0
// learning_map: what batch and on-line maps share while they are made.
#ifndef CFPC_DESIGN_LEARNING_MAP_H
#define CFPC_DESIGN_LEARNING_MAP_H

#include "cfpc/certificate.h"
#include "tall.h"

// A direction that is seen, or reached, less than this share of the best seen one counts for
// nothing: where trace and effect are the same, a trial moves it by the square of that share,
// 1e-14 of what it moves the best, and that is at the end of double precision.
#define CFPC_FAINT 1e-7

// What decides which directions matter. Both tables have G columns and are destroyed.
typedef struct cfpci_scope {
    cfpci_tall seen;  // all that depends on the weights: error, teaching signal, √ρ o
    cfpci_tall reach; // the weights change by sums of its rows only, before P
    const double *preconditioner; // P, or NULL                                      (G x G)
    double faint;                 // share of the best direction below which one does not count
    double teaching;              // size of the teaching signal, as an error would have it:
                                  // ‖t0‖ ‖H‖ / ‖H_t‖
} cfpci_scope;

void cfpci_scope_free(cfpci_scope *scope);

// All arrays, zero.
cfpc_status cfpci_learning_map_allocate(cfpc_learning_map *map, int32_t steps, int32_t bases);

// With M and b in place: the directions that matter, DᵀMD and Dᵀb, and the two tolerances.
cfpc_status cfpci_learning_map_reduce(cfpc_learning_map *map, cfpci_scope *scope);

// The same with the directions known, but for the tolerance of a drift. faint: as of the scope.
cfpc_status cfpci_learning_map_project(cfpc_learning_map *map, double faint);

// Learning on line at another rate than that of `like`, a map of the same lesson and paths with the
// same directions: all that a verdict needs unless some direction is still.
cfpc_status cfpci_learning_map_online_like(cfpc_learning_map *map, const cfpc_learning_map *like,
                                           const cfpc_lesson *lesson,
                                           const cfpc_system *teaching_path, double rate,
                                           double normaliser);

// ---- what a finished map tells ---------------------------------------------------------------

// Φ (order x order), what a trial does to a distance from the end, with a = 1 - leak and M = DᵀMD:
//
//     without momentum   aI - ηM                        of g,         order Q
//     with momentum      [aI - ηM, μI; -ηM, μI]         of (g, v),    order 2Q
int32_t cfpci_learning_order(const cfpc_learning_map *map);
void cfpci_learning_phi(const cfpc_learning_map *map, double rate, double *phi);

// cfpc_learning_verdict, and whether some direction is still.
cfpc_status cfpci_learning_verdict_and_still(cfpc_verdict *verdict, bool *still,
                                             const cfpc_learning_map *map, double rate);

// max over k of ‖Φᵏ‖₂ and the k of it, for a map whose spectral radius is below 1.
cfpc_status cfpci_learning_growth(const cfpc_learning_map *map, double rate, double *growth,
                                  int64_t *trial);

// Whether the teaching signal pushes for ever along one of the `still` directions, as many as DᵀMD
// has eigenvalues that are rounding. With a leak there are none.
cfpc_status cfpci_learning_drifts(const cfpc_learning_map *map, int32_t still, bool *does);

// rRMSE where learning ends, and by how much rounding of M and b may move it.
cfpc_status cfpci_learning_asymptote(const cfpc_learning_map *map, double rate, int32_t still,
                                     double *rrmse, double *unsure);

// rRMSE after CFPC_TRIALS_MOST trials from w = 0, of a map that settles.
cfpc_status cfpci_learning_reached(const cfpc_learning_map *map, double rate, double *rrmse);

#endif
