// SPDX-License-Identifier: Apache-2.0
// output_error: a model of few states whose output, running free, is nearest to a log's, by least
// squares.
//
// The states are sections of order 2, and one of order 1 if the order is odd, side by side behind
// the dead time:
//
//     G = z⁻ᵈ (feed + Σ (b1 z⁻¹ + b2 z⁻²)/(1 + a1 z⁻¹ + a2 z⁻²)).
//
// The output is G u, or G/(1 + G) u: then G is the open path of a loop.
#ifndef CFPC_DESIGN_OUTPUT_ERROR_H
#define CFPC_DESIGN_OUTPUT_ERROR_H

#include "cfpc/system.h"

enum { CFPCI_MAX_ORDER = 40, CFPCI_MAX_SECTIONS = CFPCI_MAX_ORDER / 2 + 1 };

typedef struct cfpci_section {
    int32_t size; // 1 or 2 states; of 1, the second numbers are 0
    double a[2];  // a1, a2
    double b[2];  // b1, b2
    double c[2];  // what it starts with: (c1 + c2 z⁻¹)/(1 + a1 z⁻¹ + a2 z⁻²) of one pulse
} cfpci_section;

typedef struct cfpci_sections {
    int32_t delay; // d
    bool direct;   // it has a feed, which is 0 otherwise
    bool closed;   // G is an open path, without feed
    int32_t count;
    double feed;
    double trend[2]; // offset and slope of the output from the first row on
    cfpci_section section[CFPCI_MAX_SECTIONS];
} cfpci_sections;

// The rows `first` to `end` of a log are to be met; first is at least the delay.
typedef struct cfpci_rows {
    int32_t first, end;
    const double *input, *output;
} cfpci_rows;

// Sections with the eigenvalues of a (order x order); eigenvalues at or outside the unit circle are
// moved inside.
cfpc_status cfpci_sections_of(cfpci_sections *sections, int32_t order, const double *a);

// One real pole more, in the middle of the positive ones.
void cfpci_sections_raise(cfpci_sections *sections);

// Finds everything but the poles by linear least squares; for an open path with `nearby` (end), an
// output that is near the model's.
cfpc_status cfpci_output_error_start(cfpci_sections *sections, const cfpci_rows *rows,
                                     const double *nearby);

// Improves all by Levenberg and Marquardt's method until nothing moves, at most `iterations` times.
// mean_square is that of what is left.
cfpc_status cfpci_output_error(cfpci_sections *sections, const cfpci_rows *rows, int32_t iterations,
                               double *mean_square);

// G as a system, behind its dead time.
cfpc_status cfpci_sections_part(cfpc_system *part, const cfpci_sections *sections, double step_s);

#endif
