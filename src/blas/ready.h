// SPDX-License-Identifier: Apache-2.0
// ready: what is needed before a call of BLAS, for design and zone alike. Only OpenBLAS needs it;
// its functions are looked up at run time, so that any BLAS works.
#ifndef CFPC_BLAS_READY_H
#define CFPC_BLAS_READY_H

#include <stdbool.h>

// To be called before every call of BLAS: all its work is done by the thread that calls. Sums must
// not depend on the number of threads, and the sizes here do not benefit from threads. False if its
// buffer cannot be allocated; can_tell: as in memory.h.
bool cfpci_blas_ready(bool can_tell);

#endif
