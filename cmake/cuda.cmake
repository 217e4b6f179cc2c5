# SPDX-License-Identifier: Apache-2.0
# CUDA for zones on NVIDIA GPUs, when -DCFPC_CUDA=ON asks for it.
include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  message(FATAL_ERROR "CFPC_CUDA is ON, but nvcc was not found: install the CUDA toolkit (12 or later), put nvcc into \
the PATH or name it (-DCMAKE_CUDA_COMPILER=...), or leave CFPC_CUDA OFF")
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90) # H100 and H200
endif()
enable_language(CUDA)
if(CMAKE_VERSION VERSION_LESS 3.27 AND NOT TARGET CUDA::nvToolsExt)
  add_library(CUDA::nvToolsExt INTERFACE IMPORTED) # older CMake expects this library, which CUDA 13 no longer has
endif()
find_package(CUDAToolkit 12 REQUIRED)
