// SPDX-License-Identifier: Apache-2.0
// certificate: predicts, before the first trial, where learning over many identical trials leads.
//
// With weights w at the start of a trial the error is e = e0 - H w and the teaching signal t0 - H_t
// w (often the same). It arrives `late` steps later and is multiplied by the traces Z then. With
// Z_late[n] = Z[n + late], zero beyond the end, a trial of batch learning computes
//
//     v ← μ v + η (b - M w)       M = P (Z_lateᵀ H_t + ρ XᵀX)       b = P Z_lateᵀ t0
//     w ← (1 - leak) w + v
//
// On-line learning, which changes the weights at every step, is also affine in the weights at the
// start of a trial. Its map is found by propagating all of them through one trial, and is stored as
// w ← w + (b - M w).
//
// A cell in adjoint form learns the same in batch, with the traces of its teaching filter. On line
// it learns from each input a horizon later, which is another map.
//
// Not every direction of the weights matters: some have no visible effect, some are never reached.
// D (orthonormal) spans the others, and g = Dᵀw follows g ← (1 - leak) g + v with v ← μ v + η
// (Dᵀb - DᵀMD g) exactly. Every verdict is about this reduced map.
#ifndef CFPC_CERTIFICATE_H
#define CFPC_CERTIFICATE_H

#include <stdint.h>

#include "cfpc/batch.h"
#include "cfpc/response.h"
#include "cfpc/status.h"
#include "cfpc/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- certificate -----------------------------------------------------------------------------

// What a trial teaches. The caller owns the arrays; they are needed only while a map is made.
typedef struct cfpc_lesson {
    int32_t steps;                // N
    int32_t bases;                // G
    int32_t late_steps;           // delay of the teaching signal
    const double *trace;          // Z; on line in adjoint form it may be NULL        (N x G)
    const double *teaching;       // t0, the teaching signal of a reactive trial;
                                  // NULL: the reactive error                         (N)
    const double *effect;         // H_t, its decrease per unit of weight; NULL: H;
                                  // not used on line, where the path is given        (N x G)
    const double *basis;          // X; batch: only needed with an output penalty     (N x G)
    const double *preconditioner; // P, batch only; NULL: none                        (G x G)
    double output_penalty;        // ρ, penalty on o²
    double leak;                  // fraction of the weights lost at each update, 0 to 1
    double momentum;              // μ, batch only, 0 <= μ < 1
    double faint;                 // a direction whose singular value is below this fraction of the
                                  // largest counts as not learned; 0: 1e-7

    // Of a cell in adjoint form; NULL: it learns by traces. Z is then cfpc_teaching_filter_traces
    // of X. An output penalty and a normaliser need traces: CFPC_NEEDS_TRACES.
    const cfpc_teaching_filter *filter;
} cfpc_lesson;

typedef struct cfpc_learning_map {
    int32_t bases;      // G
    int32_t range;      // K = min(N, G)
    int32_t directions; // Q, those that matter
    bool online;        // the rate is included: certify and predict with rate 1
    bool boundless;     // on line: a single trial overflows; all arrays are zero
    bool rough;         // on line: rounding grows within a trial to more than 1e-8 of the map
    double leak;        // per update; 0 for an on-line map, which includes it
    double momentum;    // μ
    double *m;          // M; one allocation with all that follow    (G x G)
    double *b;          // b                                         (G)
    double *r;          // e: [H e0] = Q [R c; 0 rest]               (K x G)
    double *c;          //                                           (K)
    double *d;          // D                                         (G x Q)
    double *reduced;    // DᵀMD                                      (Q x Q)
    double *push;       // Dᵀb                                       (Q)
    double rest;        // norm of the error that no weights can reduce
    double e0_norm;     // of the reactive error: rRMSE is relative to it
    double still;       // eigenvalues of DᵀMD up to this size are rounding errors
    double drift;       // an error that changes less per trial and unit of rate is constant
    double rounding; // relative accuracy of M: ε √N, or what it grows to within a trial on line
    bool blurred;    // a direction is below CFPC_FAINT_LESS, and more than rounding
    bool clear;      // none is between CFPC_FAINT_LESS and CFPC_FAINT_MORE
    bool descends;   // Z = H, no leak, no output penalty: the limit is the optimum
    double optimum;  // lower bound of the rRMSE; 0 if unknown
} cfpc_learning_map;

// The map of batch learning for this problem (its H, its e0).
cfpc_status cfpc_learning_map_make(cfpc_learning_map *map, const cfpc_lesson *lesson,
                                   const cfpc_problem *problem);

// The map of learning on line. At every step o = xᵀw passes through the path to the teaching signal
// t, which changes w by η z t, or by η/(normaliser + zᵀz) z t if normaliser > 0; in adjoint form by
// η x δ of the input a horizon ago, and after the last step by those that are still due. The loop
// is at rest when a trial starts. error_path: from o to the output, NULL: the teaching path. e0:
// reactive error (N). Momentum and a preconditioner are not supported: CFPC_BAD_VALUE.
cfpc_status cfpc_learning_map_online(cfpc_learning_map *map, const cfpc_lesson *lesson,
                                     const cfpc_system *teaching_path,
                                     const cfpc_system *error_path, const double *e0, double rate,
                                     double normaliser);

// Also accepts a zeroed or already freed map.
void cfpc_learning_map_free(cfpc_learning_map *map);

typedef enum cfpc_verdict {
    CFPC_MONOTONE, // from any start, every trial brings the weights closer to their limit
    CFPC_EVENTUAL, // they converge, but may first move away
    CFPC_DIVERGES  // they grow or drift for ever
} cfpc_verdict;

// Φ maps the distance of g (with momentum, of (g, v)) from its limit, from one trial to the next.
// Learning converges at rates below rate_max, and monotonically below rate_max_monotone; with
// momentum not at every smaller rate. 0: no rate; INFINITY: any. Both are NAN for an on-line map,
// which includes its rate: see cfpc_online_rate_max. Directions whose movement is within rounding
// errors count as constant: they affect neither rates nor verdict, unless the teaching signal
// drives them for ever; then no rate converges.
typedef struct cfpc_certificate {
    cfpc_verdict verdict;     // at this rate
    double radius;            // spectral radius of Φ
    double norm;              // ‖Φ‖₂
    double rate_max;          // rates below it have radius < 1
    double rate_max_monotone; // largest rate with norm < 1
    double growth;            // maximum of ‖Φᵏ‖₂ over k >= 0; INFINITY if it diverges
    int64_t growth_trial;     // that k; -1 if it diverges
    double asymptote;         // rRMSE to which learning converges; NAN if it diverges
    double asymptote_low;     // it lies between these two: what is reached within
    double asymptote_high;    // CFPC_TRIALS_MAX trials and the limit; INFINITY: no bound
    bool verdict_decided;     // false: the verdict and its rates depend on rounding of M, or
                              // on which faint directions count as learned; see cfpc_doubt
    bool asymptote_decided;   // the two agree to half a unit of the fourth digit, or 1e-6
} cfpc_certificate;

// What is not learned in this number of trials counts as never learned: with one trial per second
// they take 35,000 years.
#define CFPC_TRIALS_MAX ((int64_t)1 << 40)

// Certifies learning at this rate. CFPC_BAD_VALUE unless rate > 0, and unless it is 1 for an
// on-line map.
cfpc_status cfpc_certify(cfpc_certificate *certificate, const cfpc_learning_map *map, double rate);

// If some directions are faint (a condition number of H around 1e7), the figures may depend on the
// threshold above which a direction counts as learned. Make the map again with other thresholds
// (CFPC_FAINT_LESS and CFPC_FAINT_MORE as lesson.faint), certify it, and pass the result as
// `other`: what it contradicts is then marked as not decided. cfpc_certify by itself marks the
// verdict as decided unless rounding of M could change it. The interval of the asymptote is
// extended to include that of `other`.
#define CFPC_FAINT_LESS 1e-8
#define CFPC_FAINT_MORE 3e-7

// The map of the same lesson with another threshold than the default, between these two, where that
// can be had without making it again: where no direction is between them. It borrows the arrays.
bool cfpc_learning_map_faint(cfpc_learning_map *other, const cfpc_learning_map *map, double faint);

void cfpc_doubt(cfpc_certificate *certificate, const cfpc_certificate *other);

// The verdict only, which is faster.
cfpc_status cfpc_learning_verdict(cfpc_verdict *verdict, const cfpc_learning_map *map, double rate);

// Predicts learning from w = 0, as cfpc_batch_learn: rrmse (trials) before each update and, unless
// NULL, the weights at the start of the last trial (bases).
cfpc_status cfpc_predict(const cfpc_learning_map *map, double rate, int32_t trials, double *rrmse,
                         double *weights);

// The maximum rate for which learning on line converges, to a relative accuracy of 1e-3. The search
// goes up from far below `start` (> 0, of the same magnitude) in steps of 20 %. 0 if none is found,
// INFINITY if every rate converges. A trial within which rounding grows to more than 1e-8 of the
// map counts as not converging; if that sets the limit, the accuracy is about 1 %.
cfpc_status cfpc_online_rate_max(double *rate_max, const cfpc_lesson *lesson,
                                 const cfpc_system *teaching_path, double normaliser, double start);

// ---- lags ------------------------------------------------------------------------------------
//
// The verdict on one lesson for many loops, at a fraction of the cost of their maps. The
// learning matrix depends on a loop only through the response g of its path,
//
//     M = P Z_lateᵀ T X = Σ_k g_k C_k,      C_k = P Σ_n Z_late[n] X[n - k]ᵀ
//
// If the bases are smooth, C_k is smooth in k: it is computed once, at every few lags, and g is
// resampled to these. The error of M is bounded, which tells whether the verdict is certain; if it
// is not, use cfpc_learning_verdict.

typedef struct cfpc_lags {
    int32_t steps;  // N
    int32_t bases;  // G
    int32_t every;  // lags between two C; 0: the bases are not smooth, no verdict is certain
    int32_t count;  // number of C
    double *kernel; // interpolation weights; one allocation with c          (every x 2 REACH)
    double *c;      // C                                                     (count x G²)
    double apart;   // maximum interpolation error of C_k, per unit of rate
    double size;    // ‖P Z‖ ‖X‖, an upper bound of C_k
} cfpc_lags;

// For batch learning without leak, momentum or output penalty; otherwise no verdict is certain. The
// lesson needs its basis. Free the result even if this fails.
cfpc_status cfpc_lags_make(cfpc_lags *lags, const cfpc_lesson *lesson);
void cfpc_lags_free(cfpc_lags *lags);

// The verdict with this path from o to the teaching signal. A certain verdict equals that of the
// learning map.
cfpc_status cfpc_lags_verdict(const cfpc_lags *lags, const cfpc_system *path, double rate,
                              cfpc_verdict *verdict, bool *certain);

// ---- robust ----------------------------------------------------------------------------------
//
// Batch learning with every model inside a band.
//
// The path from o to the teaching signal is T = T̂ + Δ, |Δ(f)| <= ρ(f) at every frequency. With
// traces Z and bases X, both zero outside the trial, learning is w ← w + η(b - M w), M = Zᵀ(Ĥ +
// ΔX). For every a and every weight κ(f) > 0
//
//     |aᵀZᵀΔX a| <= ∫ ρ |Za| |Xa| df <= aᵀB a        B = ½ ∫ ρ (κ X*X + Z*Z/κ) df
//     ‖ΔX a‖² <= aᵀR a                               R = ∫ ρ² X*X df
//
// so that K = ½(ZᵀĤ + ĤᵀZ) - B is a lower bound of ½(M + Mᵀ), and ‖M a‖² <= aᵀN a with N =
// (1 + c)(ZᵀĤ)ᵀ(ZᵀĤ) + (1 + 1/c)‖Z‖² R for any c > 0. Learning is monotone if 2K > ηN: sufficient,
// not necessary. With ρ = 0 the bound is that of the certificate.
//
// The integrals are sums over the L frequencies of a discrete Fourier transform, L at least four
// trials long. They are exact for every Δ whose impulse response has died away after L - N steps,
// whatever ρ is between these frequencies.

typedef struct cfpc_robust {
    int32_t directions; // of the weights that the traces reach
    double rate_max;    // every rate below it is monotone for every model inside; 0: none is known
    double widest;  // the same band, up to this many times as wide, leaves a rate; INFINITY: any
    double low_hz;  // the frequencies from here
    double high_hz; // to here limit it: four fifths of what the band costs the worst direction
} cfpc_robust;

// The bound for a lesson with a believed effect (`effect`, N x G) and a basis, learned in batch at
// sampling step step_s. With a leak the rates are those that keep every step a contraction. With a
// preconditioner P = SSᵀ, which must be positive definite, distances are those of S⁻¹w. Momentum is
// not covered: CFPC_BAD_VALUE. The directions are those that the traces reach, to `faint` of the
// strongest as in the certificate.
cfpc_status cfpc_robust_bound(cfpc_robust *robust, const cfpc_lesson *lesson, const cfpc_band *band,
                              double step_s);

// L, the number of frequencies that the bound for a trial of this length is computed with: it sees
// the band at multiples of the sampling rate / L. 0: too many.
int32_t cfpc_robust_grid(int32_t steps);

#ifdef __cplusplus
}
#endif

#endif
