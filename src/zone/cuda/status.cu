// SPDX-License-Identifier: Apache-2.0
#include "status.cuh"

static cfpc_status status_of(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return CFPC_OK;
    case cudaErrorMemoryAllocation:
        return CFPC_NO_MEMORY;
    case cudaErrorNoDevice:
    case cudaErrorInvalidDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorStubLibrary:
    case cudaErrorNoKernelImageForDevice: // built for another kind of device
    case cudaErrorDevicesUnavailable:
        return CFPC_NO_DEVICE;
    default:
        return CFPC_DEVICE_FAILED;
    }
}

// CUDA keeps an error until it is asked for it: the next launch would report it as its own.
cfpc_status cfpci_cuda_status(cudaError_t error)
{
    if (error != cudaSuccess)
        (void)cudaGetLastError();
    return status_of(error);
}

cfpc_status cfpci_cuda_launched(void)
{
    return cfpci_cuda_status(cudaGetLastError());
}
