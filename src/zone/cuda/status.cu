// SPDX-License-Identifier: Apache-2.0
#include "status.cuh"

cfpc_status cfpci_cuda_status(cudaError_t error)
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

cfpc_status cfpci_cuda_launched(void)
{
    return cfpci_cuda_status(cudaGetLastError());
}
