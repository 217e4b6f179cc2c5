// SPDX-License-Identifier: Apache-2.0
// root: the square root, without libm.
#ifndef CFPC_CORE_ROOT_H
#define CFPC_CORE_ROOT_H

#include "cfpc/config.h"

// √v to rounding for 0 <= v; by Newton from above, which falls until rounding stops it.
static inline cfpc_real cfpci_root(cfpc_real v)
{
    cfpc_real root = v > 1 ? v : 1, next = v > 0 ? (root + v / root) / 2 : 0;
    while (next < root) {
        root = next;
        next = root > 0 ? (root + v / root) / 2 : 0;
    }
    return root;
}

#endif
