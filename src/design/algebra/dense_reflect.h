// SPDX-License-Identifier: Apache-2.0
// dense_reflect: Householder's reflections I - f v vᵀ with v[0] = 1, which make zeros.
#ifndef CFPC_DESIGN_DENSE_REFLECT_H
#define CFPC_DESIGN_DENSE_REFLECT_H

#include <stddef.h>
#include <stdint.h>

// The reflection that turns x (n) into (b, 0, …, 0): x becomes v, *b is set, f is returned, however
// large or small x is.
double cfpci_reflect(int32_t n, double *x, double *b);

// out (n) = f vᵀ a, of a (rows x n), rows `down` apart.
void cfpci_reflect_weigh(int32_t rows, int32_t n, const double *a, size_t down, double f,
                         const double *v, double *out);

// a = (I - f v vᵀ) a; w (n): scratch.
void cfpci_reflect_left(int32_t rows, int32_t n, double *a, size_t down, double f, const double *v,
                        double *w);

// a = a (I - f v vᵀ)
void cfpci_reflect_right(int32_t rows, int32_t n, double *a, size_t down, double f,
                         const double *v);

// The two one after the other, with v and its w = f vᵀ a on the left, f and u on the right; a is
// read once.
void cfpci_reflect_both(int32_t rows, int32_t n, double *a, size_t down, const double *v,
                        const double *w, double f, const double *u);

// Row j of a (count x n) holds, from its entry j on, the v of reflection j. It becomes column j of
// the product of all, the first on the left. f: (count)
void cfpci_reflect_unfold(int32_t count, int32_t n, double *a, size_t down, const double *f);

#endif
