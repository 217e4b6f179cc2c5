// SPDX-License-Identifier: Apache-2.0
#include "cfpc/zone.h"

const cfpc_zone_products *cfpc_zone_blas(void)
{
    return NULL;
}
