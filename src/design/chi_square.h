// SPDX-License-Identifier: Apache-2.0
#ifndef CFPC_DESIGN_CHI_SQUARE_H
#define CFPC_DESIGN_CHI_SQUARE_H

// The probability that the sum of the squares of `freedom` independent standard normal numbers is
// above x. Freedom 0: 1 for x = 0.
double cfpci_above_chi_square(double x, double freedom);

#endif
