// SPDX-License-Identifier: Apache-2.0
// zone_blas: a zone's products by BLAS, to compare with.
#ifndef CFPC_BENCH_ZONE_BLAS_H
#define CFPC_BENCH_ZONE_BLAS_H

#include "cfpc/zone.h"

const cfpc_zone_products *bench_zone_blas(void);

#endif
