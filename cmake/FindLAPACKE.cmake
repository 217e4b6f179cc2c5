# SPDX-License-Identifier: Apache-2.0
# OpenBLAS with LAPACKE: the target LAPACKE::LAPACKE. Debian keeps the two in separate libraries, others in one;
# Fedora keeps headers in folders.
find_path(LAPACKE_INCLUDE_DIR lapacke.h PATH_SUFFIXES lapacke openblas)
find_path(CBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas)
find_library(OPENBLAS_LIBRARY openblas)
find_library(LAPACKE_LIBRARY lapacke)
if(OPENBLAS_LIBRARY AND NOT LAPACKE_LIBRARY)
  include(CheckLibraryExists)
  check_library_exists(${OPENBLAS_LIBRARY} LAPACKE_dgesvd "" OPENBLAS_HAS_LAPACKE)
  if(OPENBLAS_HAS_LAPACKE)
    set(LAPACKE_LIBRARY ${OPENBLAS_LIBRARY})
  endif()
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LAPACKE REQUIRED_VARS LAPACKE_LIBRARY OPENBLAS_LIBRARY
                                  LAPACKE_INCLUDE_DIR CBLAS_INCLUDE_DIR)
if(LAPACKE_FOUND AND NOT TARGET LAPACKE::LAPACKE)
  add_library(LAPACKE::LAPACKE INTERFACE IMPORTED)
  target_include_directories(LAPACKE::LAPACKE INTERFACE ${LAPACKE_INCLUDE_DIR}
                             ${CBLAS_INCLUDE_DIR})
  target_link_libraries(LAPACKE::LAPACKE INTERFACE ${LAPACKE_LIBRARY} ${OPENBLAS_LIBRARY})
endif()
mark_as_advanced(LAPACKE_INCLUDE_DIR CBLAS_INCLUDE_DIR LAPACKE_LIBRARY OPENBLAS_LIBRARY)
