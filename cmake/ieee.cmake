# SPDX-License-Identifier: Apache-2.0
# Flags under which a compiler does not compute as IEEE 754 says are refused here, with the reason that
# src/math/double_double.h gives.
try_compile(cfpc_is_ieee ${PROJECT_BINARY_DIR}/ieee SOURCES ${PROJECT_SOURCE_DIR}/cmake/ieee.c CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR}/src
            OUTPUT_VARIABLE cfpc_said)
if(NOT cfpc_is_ieee)
  string(REGEX MATCH "cfpc needs IEEE[^\"\n]*" cfpc_reason "${cfpc_said}")
  if(cfpc_reason)
    message(FATAL_ERROR "${cfpc_reason} (CMAKE_C_FLAGS is '${CMAKE_C_FLAGS}', CFLAGS '$ENV{CFLAGS}')")
  endif()
endif()
