// SPDX-License-Identifier: Apache-2.0
// tables: the constants of src/math. tools/math-tables writes tables.c and derives the sizes.
#ifndef CFPC_MATH_TABLES_H
#define CFPC_MATH_TABLES_H

#include <stdint.h>

#include "math/double_double.h"

enum {
    CFPCI_EXP_PARTS = 128,     // of an octave
    CFPCI_LOG_PIECES = 128,    // of an octave
    CFPCI_CIRCLE_POINTS = 52,  // 1/64 apart, to past pi/4
    CFPCI_ARCTANGENTS = 65,    // of k/64
    CFPCI_PI_LIMBS = 38,       // of 32 bits
    CFPCI_ERF_TERMS = 48,      // up to x = 2.5
    CFPCI_ERFC_TERMS = 64,     // from x = 2.5 on
    CFPCI_GAMMA_TERMS = 40,    // up to |t| = 1/4
    CFPCI_STIRLING_TERMS = 15, // from x = 16 on
};

extern const double cfpci_exp_per_step;                // PARTS / ln 2
extern const double cfpci_exp_step[3];                 // ln 2 / PARTS: 35 bits, 35 bits, the rest
extern const cfpci_dd cfpci_exp_root[CFPCI_EXP_PARTS]; // 2^(k / PARTS)
extern const cfpci_dd cfpci_ln2, cfpci_per_ln2, cfpci_per_ln10; // ln 2, 1 / ln 2, 1 / ln 10
extern const cfpci_dd cfpci_third;                              // 1/3
extern const double cfpci_log_inverse[CFPCI_LOG_PIECES];        // 10 bits near 1/m
extern const cfpci_dd cfpci_log_start[CFPCI_LOG_PIECES];        // -ln of it
extern const cfpci_dd cfpci_half_pi;                            // pi / 2
extern const double cfpci_half_pi_inverse;                      // 2 / pi
extern const double cfpci_half_pi_part[4];                  // pi / 2: three times 33 bits, the rest
extern const uint32_t cfpci_two_per_pi[CFPCI_PI_LIMBS];     // the bits of 2/pi after the point
extern const cfpci_dd cfpci_circle[CFPCI_CIRCLE_POINTS][2]; // sine and cosine of k/64
extern const cfpci_dd cfpci_arctangent[CFPCI_ARCTANGENTS];  // of k/64
extern const cfpci_dd cfpci_two_per_root_pi;                // 2 / sqrt(pi)
extern const cfpci_dd cfpci_half_log_two_pi;                // ln(2 pi) / 2
extern const cfpci_dd
    cfpci_gamma_term[CFPCI_GAMMA_TERMS]; // -gamma, then zeta(n) (-1)^n / n from n = 2 on
extern const cfpci_dd
    cfpci_stirling_term[CFPCI_STIRLING_TERMS]; // B(2n) / (2n (2n - 1)) from n = 1 on

#endif
