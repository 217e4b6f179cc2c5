// SPDX-License-Identifier: Apache-2.0
// learning_map: what the making of batch and on-line maps shares.
#ifndef CFPC_DESIGN_LEARNING_MAP_H
#define CFPC_DESIGN_LEARNING_MAP_H

#include "algebra/growing_qr.h"
#include "cfpc/certificate.h"

// A direction whose singular value (seen or reached) is below this fraction of the largest is
// ignored: if trace and effect are the same, a trial moves it by the square of that fraction, 1e-14
// of the best, which is the limit of double precision.
#define CFPC_FAINT 1e-7

// What determines which directions matter. Both tables have G columns and are destroyed.
typedef struct cfpci_scope {
    cfpci_growing_qr seen; // everything that depends on the weights: error, teaching signal, √ρ o
    cfpci_growing_qr reach;       // the weights only change by sums of its rows, before P
    const double *preconditioner; // P, or NULL                                      (G x G)
    double faint;                 // fraction of the best direction below which one is ignored
    double teaching;              // size of the teaching signal, as an error would have it:
                                  // ‖t0‖ ‖H‖ / ‖H_t‖
} cfpci_scope;

// CFPC_BAD_SIZE, CFPC_BAD_DELAY or CFPC_BAD_VALUE if a number of the lesson is not allowed, but for
// the threshold of faint directions.
cfpc_status cfpci_lesson_check(const cfpc_lesson *lesson);

// The threshold of faint directions.
static inline double cfpci_faint_of(const cfpc_lesson *lesson)
{
    return lesson->faint > 0 ? lesson->faint : CFPC_FAINT;
}

// Steps of the teaching signal that arrive within the trial.
static inline int32_t cfpci_steps_met(const cfpc_lesson *lesson)
{
    return lesson->late_steps < lesson->steps ? lesson->steps - lesson->late_steps : 0;
}

// What is seen, of a complete lesson: the effects on the teaching signal and, unless they are the
// same, on the error, whose unit may be another, so that it is scaled to the same size; and the
// outputs if they have a price, each (N x G). What is reached is added by the next two: by the
// traces that meet the teaching signal, and by the price of the outputs. Free it even if this
// fails.
cfpc_status cfpci_scope_make(cfpci_scope *scope, const cfpc_lesson *lesson, const double *effect,
                             const double *error, const double *output);
void cfpci_scope_add_traces(cfpci_scope *scope, const cfpc_lesson *lesson, const double *trace);
void cfpci_scope_add_outputs(cfpci_scope *scope, const cfpc_lesson *lesson);
void cfpci_scope_free(cfpci_scope *scope);

// Allocates all arrays, zero.
cfpc_status cfpci_learning_map_allocate(cfpc_learning_map *map, int32_t steps, int32_t bases);

// Given M and b, computes the directions that matter, DᵀMD and Dᵀb, and the two tolerances.
cfpc_status cfpci_learning_map_reduce(cfpc_learning_map *map, cfpci_scope *scope);

// The same with known directions, without the tolerance of a drift. faint: as in the scope.
cfpc_status cfpci_learning_map_project(cfpc_learning_map *map, double faint);

// ---- algebra ---------------------------------------------------------------------------------

// L of a - shift I = L Lᵀ, lower triangular; false if that is not positive definite. a (n x n) is
// symmetric and not changed; above the diagonal l (n x n) is not written.
bool cfpci_learning_root(int32_t n, const double *a, double shift, double *l);

// inverse = a⁻¹; a (n x n) is destroyed. regular: false if it is singular.
cfpc_status cfpci_learning_invert(int32_t n, double *a, double *inverse, bool *regular);

// ---- results of a finished map ---------------------------------------------------------------

// Φ (order x order) maps the distance from the limit over one trial, with a = 1 - leak and
// M = DᵀMD:
//
//     without momentum   aI - ηM                        of g,         order Q
//     with momentum      [aI - ηM, μI; -ηM, μI]         of (g, v),    order 2Q
int32_t cfpci_learning_order(const cfpc_learning_map *map);
void cfpci_learning_phi(const cfpc_learning_map *map, double rate, double *phi);

// rRMSE of an error whose part that the weights can reach has this norm.
double cfpci_learning_rrmse(const cfpc_learning_map *map, double norm);

// The size up to which an eigenvalue of DᵀMD is a rounding error with the default threshold.
double cfpci_learning_still(const cfpc_learning_map *map);

// Whether rounding of M leaves a verdict as it is. `drifts`: a constant direction is driven for
// ever. A monotone verdict is about norms, which rounding moves no further than M itself.
cfpc_status cfpci_learning_certain(const cfpc_learning_map *map, double rate, cfpc_verdict verdict,
                                   bool drifts, bool *certain);

// cfpc_learning_verdict, and whether some direction is constant.
cfpc_status cfpci_learning_verdict_and_still(cfpc_verdict *verdict, bool *still,
                                             const cfpc_learning_map *map, double rate);

// max over k of ‖Φᵏ‖₂ and the k of it, for a map whose spectral radius is below 1.
cfpc_status cfpci_learning_growth(const cfpc_learning_map *map, double rate, double *growth,
                                  int64_t *trial);

// Whether the teaching signal drives one of the `still` directions for ever; their number is that
// of the eigenvalues of DᵀMD that are rounding errors. With a leak there are none.
cfpc_status cfpci_learning_drifts(const cfpc_learning_map *map, int32_t still, bool *does);

// rRMSE to which learning converges, and its uncertainty from rounding of M and b.
cfpc_status cfpci_learning_asymptote(const cfpc_learning_map *map, double rate, int32_t still,
                                     double *rrmse, double *unsure);

// rRMSE after CFPC_TRIALS_MAX trials from w = 0, for a map that converges.
cfpc_status cfpci_learning_reached(const cfpc_learning_map *map, double rate, double *rrmse);

#endif
