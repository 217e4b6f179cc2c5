// SPDX-License-Identifier: Apache-2.0
// certificate: where learning over many identical trials leads, known before the first of them.
//
// With weights w at a trial's start the error is e = e0 - H w and the teaching signal t0 - H_t w
// (often the same). It arrives `late` steps later and meets the traces Z then: with Z_late[n] =
// Z[n + late], zero beyond the end, a trial of batch learning does
//
//     v ← μ v + η (b - M w)       M = P (Z_lateᵀ H_t + ρ XᵀX)       b = P Z_lateᵀ t0
//     w ← (1 - leak) w + v
//
// On-line learning, which changes the weights at every step, is as affine in the weights at the
// trial's start; its map is found by carrying all of them through one trial, and stands here as
// w ← w + (b - M w).
//
// Not every direction of weights matters: some change nothing that is seen, some are never
// reached. D (orthonormal) spans the others, and g = Dᵀw follows g ← (1 - leak) g + v with
// v ← μ v + η (Dᵀb - DᵀMD g) exactly. Every verdict is about this reduced map.
#ifndef CFPC_CERTIFICATE_H
#define CFPC_CERTIFICATE_H

#include "cfpc/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a trial teaches. The arrays are the caller's, and needed only while a map is made.
typedef struct cfpc_lesson {
    int32_t steps;                // N
    int32_t bases;                // G
    int32_t late_steps;           // the teaching signal arrives so much later
    const double *trace;          // Z                                                (N x G)
    const double *teaching;       // t0, the teaching signal of a reactive trial;
                                  // NULL: the reactive error                         (N)
    const double *effect;         // H_t, what it loses per unit of weight; NULL: H;
                                  // not looked at on line, where its path tells      (N x G)
    const double *basis;          // X; batch: needed with an output penalty only     (N x G)
    const double *preconditioner; // P, batch only; NULL: none                        (G x G)
    double output_penalty;        // ρ, price of o²
    double leak;                  // share of the weights lost at each update, 0 to 1
    double momentum;              // μ, batch only, 0 to 1, 1 excluded
    double faint;                 // a direction seen or reached less than this share of the best
                                  // one counts as not learned; 0: 1e-7
} cfpc_lesson;

typedef struct cfpc_learning_map {
    int32_t bases;      // G
    int32_t range;      // K = min(N, G)
    int32_t directions; // Q, those that matter
    bool online;        // the rate is inside: certify and predict with rate 1
    bool boundless;     // on line: a single trial grows beyond all numbers; all arrays are zero
    bool rough;         // on line: rounding grows within a trial to more than 1e-8 of the map
    double leak;        // of an update; 0 of an on-line map, where it is inside
    double momentum;    // μ
    double *m;          // M; its block holds all that follow        (G x G)
    double *b;          // b                                         (G)
    double *r;          // e: [H e0] = Q [R c; 0 rest]               (K x G)
    double *c;          //                                           (K)
    double *d;          // D                                         (G x Q)
    double *reduced;    // DᵀMD                                      (Q x Q)
    double *push;       // Dᵀb                                       (Q)
    double rest;        // norm of the error that no weights mend
    double e0_norm;     // of the reactive error: what rRMSE is relative to
    double still;       // an eigenvalue of DᵀMD up to this size is rounding: nothing moves there
    double drift;       // and an error that changes by less a trial, per unit of rate, is at rest
    double rounding;    // share of its norm to which M is known: ε √N
    bool blurred;       // a direction is below CFPC_FAINT_LESS, and more than rounding
    bool descends;      // Z = H, neither leak nor price: it ends at the optimum if it never stops
    double optimum;     // rRMSE that no weights undercut; 0 where it is not known
} cfpc_learning_map;

// Batch learning of this problem (its H, its e0).
cfpc_status cfpc_learning_map_make(cfpc_learning_map *map, const cfpc_lesson *lesson,
                                   const cfpc_problem *problem);

// Learning on line. At every step o = xᵀw runs through the path to the teaching signal, and what
// of it arrives now changes w by η z t, or by η/(normaliser + zᵀz) z t if normaliser > 0. The loop
// is at rest when a trial starts. error_path: from o to the output, NULL: the teaching path itself.
// e0: reactive error (N). Momentum and a preconditioner are not covered: CFPC_BAD_VALUE.
cfpc_status cfpc_learning_map_online(cfpc_learning_map *map, const cfpc_lesson *lesson,
                                     const cfpc_system *teaching_path,
                                     const cfpc_system *error_path, const double *e0, double rate,
                                     double normaliser);

// Also takes a zeroed or an already freed one.
void cfpc_learning_map_free(cfpc_learning_map *map);

typedef enum cfpc_verdict {
    CFPC_MONOTONE, // from any start the weights come nearer to where they end, trial by trial
    CFPC_EVENTUAL, // they arrive, but may first move away
    CFPC_DIVERGES  // they grow, or drift, for ever
} cfpc_verdict;

// Φ is what a trial does to a distance from the end, of g, or with momentum of (g, v). A rate below
// rate_max settles, one below rate_max_monotone does so monotonically; with momentum not every
// smaller one does. 0: no rate; INFINITY: any. Both are NAN for an on-line map, whose rate is
// inside: see cfpc_online_rate_max. Directions that rounding cannot tell from still ones count as
// still: they bind no rate and no verdict, unless the teaching signal pushes along them for ever;
// then no rate will do.
typedef struct cfpc_certificate {
    cfpc_verdict verdict;     // at this rate
    double radius;            // spectral radius of Φ
    double norm;              // ‖Φ‖₂
    double rate_max;          // rates below it have radius < 1
    double rate_max_monotone; // largest rate with norm < 1
    double growth;            // max of ‖Φᵏ‖₂ over k >= 0; INFINITY if it diverges
    int64_t growth_trial;     // that k; -1 if it diverges
    double asymptote;         // rRMSE where learning ends; NAN if it diverges
    double asymptote_low;     // it is known to lie between these two: what is reached within
    double asymptote_high;    // CFPC_TRIALS_MOST and what would be without end; INFINITY: no bound
    bool verdict_decided;     // false: the verdict, its rates and what follows from them depend on
                              // which faint directions count as learned; see cfpc_doubt
    bool asymptote_decided;   // the two agree to half a unit of the fourth digit, or 1e-6
} cfpc_certificate;

// What is not learned in so many trials never is: with one trial a second they take 35,000 years.
#define CFPC_TRIALS_MOST ((int64_t)1 << 40)

// rate > 0: anything else is CFPC_BAD_VALUE, and so is another rate than 1 for an on-line map.
cfpc_status cfpc_certify(cfpc_certificate *certificate, const cfpc_learning_map *map, double rate);

// Where some directions are faint (a condition of H around 1e7) the figures may be made by the line
// that is drawn between what counts as learned and what does not. Make the map again with the line
// elsewhere (CFPC_FAINT_LESS and CFPC_FAINT_MORE as lesson.faint), certify it, and hand it in as
// `other`: what it contradicts is not decided. The verdict of cfpc_certify is decided until then.
// The end lies between the ends of both.
#define CFPC_FAINT_LESS 1e-8
#define CFPC_FAINT_MORE 3e-7
void cfpc_doubt(cfpc_certificate *certificate, const cfpc_certificate *other);

// The verdict alone, for those who ask often.
cfpc_status cfpc_learning_verdict(cfpc_verdict *verdict, const cfpc_learning_map *map, double rate);

// Learning from w = 0, as cfpc_batch_learn: rrmse (trials) before each update, and, unless NULL,
// the weights of the last trial, at its start (bases).
cfpc_status cfpc_predict(const cfpc_learning_map *map, double rate, int32_t trials, double *rrmse,
                         double *weights);

// The largest rate up to which learning on line settles, to 1e-4 of itself, searched upwards from
// far below `start` (> 0, of its size) in steps of 20 %; 0 if none is found, INFINITY if every one
// does. A trial within which rounding grows to more than 1e-8 of the map counts as not settling;
// where that sets the border, it is known to about 1 %.
cfpc_status cfpc_online_rate_max(double *rate_max, const cfpc_lesson *lesson,
                                 const cfpc_system *teaching_path, double normaliser, double start);

#ifdef __cplusplus
}
#endif

#endif
