# SPDX-License-Identifier: Apache-2.0
# OpenBLAS with LAPACKE: the target LAPACKE::LAPACKE. Debian keeps the two in separate libraries.
find_path(LAPACKE_INCLUDE_DIR lapacke.h)
find_path(CBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas)
find_library(LAPACKE_LIBRARY lapacke)
find_library(OPENBLAS_LIBRARY openblas)
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
