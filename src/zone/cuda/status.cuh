// SPDX-License-Identifier: Apache-2.0
// status: what CUDA reports, as a status of cfpc.
#ifndef CFPC_ZONE_CUDA_STATUS_CUH
#define CFPC_ZONE_CUDA_STATUS_CUH

#include <cuda_runtime.h>

#include "cfpc/status.h"

// Of a call of CUDA. Its error is then forgotten by CUDA.
cfpc_status cfpci_cuda_status(cudaError_t error);

// Of the kernel that was launched last: whether it could be launched.
cfpc_status cfpci_cuda_launched(void);

// Returns from the calling function unless the call succeeds.
#define CFPC_TRY(call)                                                                             \
    do {                                                                                           \
        const cfpc_status tried = (call);                                                          \
        if (tried != CFPC_OK)                                                                      \
            return tried;                                                                          \
    } while (0)

#endif
