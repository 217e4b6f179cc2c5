# SPDX-License-Identifier: Apache-2.0
# BLAS and LAPACK with LAPACKE: the target LAPACKE::LAPACKE. Debian keeps LAPACKE in a library of its
# own, others keep it in OpenBLAS; Fedora keeps headers in folders. CFPC_BLAS chooses OpenBLAS (the default) or the reference BLAS and LAPACK.
set(CFPC_BLAS openblas CACHE STRING "BLAS and LAPACK to link: openblas or reference")
set_property(CACHE CFPC_BLAS PROPERTY STRINGS openblas reference)
find_package(Threads)
find_path(LAPACKE_INCLUDE_DIR lapacke.h PATH_SUFFIXES lapacke openblas)
find_library(LAPACKE_LIBRARY lapacke)
if(CFPC_BLAS STREQUAL reference)
  set(CFPC_BLAS_FLAGS "-llapack -lblas") # for pkg-config
  find_path(CBLAS_INCLUDE_DIR cblas.h)
  find_library(BLAS_LIBRARY blas PATH_SUFFIXES blas)
  find_library(LAPACK_LIBRARY lapack PATH_SUFFIXES lapack)
else()
  set(CFPC_BLAS_FLAGS -lopenblas)
  find_path(CBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas)
  find_library(BLAS_LIBRARY openblas)
  set(LAPACK_LIBRARY ${BLAS_LIBRARY})
  if(BLAS_LIBRARY AND NOT LAPACKE_LIBRARY)
    include(CheckLibraryExists)
    check_library_exists(${BLAS_LIBRARY} LAPACKE_dgesvd "" OPENBLAS_HAS_LAPACKE)
    if(OPENBLAS_HAS_LAPACKE)
      set(LAPACKE_LIBRARY ${BLAS_LIBRARY})
    endif()
  endif()
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LAPACKE REQUIRED_VARS LAPACKE_LIBRARY LAPACK_LIBRARY BLAS_LIBRARY
                                  LAPACKE_INCLUDE_DIR CBLAS_INCLUDE_DIR Threads_FOUND)
if(LAPACKE_FOUND AND NOT TARGET LAPACKE::LAPACKE)
  add_library(LAPACKE::LAPACKE INTERFACE IMPORTED)
  target_include_directories(LAPACKE::LAPACKE INTERFACE ${LAPACKE_INCLUDE_DIR}
                             ${CBLAS_INCLUDE_DIR})
  target_link_libraries(LAPACKE::LAPACKE INTERFACE ${LAPACKE_LIBRARY} ${LAPACK_LIBRARY}
                        ${BLAS_LIBRARY} Threads::Threads ${CMAKE_DL_LIBS})
endif()
mark_as_advanced(LAPACKE_INCLUDE_DIR CBLAS_INCLUDE_DIR LAPACKE_LIBRARY LAPACK_LIBRARY BLAS_LIBRARY)
