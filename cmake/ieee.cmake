# SPDX-License-Identifier: Apache-2.0
# Flags under which a compiler does not compute as IEEE 754 says are refused here: those that it names by a macro, with the
# reason that src/math/double_double.h gives, and by their names those for which clang has none.
string(TOUPPER "${CMAKE_BUILD_TYPE}" cfpc_type)
set(cfpc_flags "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${cfpc_type}}")
macro(cfpc_refuse_flags reason) # not kept: the next attempt takes CFLAGS anew
  unset(CMAKE_C_FLAGS CACHE)
  message(FATAL_ERROR "${reason} (the flags are '${cfpc_flags}', CFLAGS '$ENV{CFLAGS}')")
endmacro()
set(cfpc_careless "-(Ofast|ffast-math|funsafe-math-optimizations|fassociative-math|freciprocal-math|ffinite-math-only|fno-signed-zeros)")
if(" ${cfpc_flags} " MATCHES " (${cfpc_careless}) ")
  cfpc_refuse_flags("cfpc needs IEEE 754: compile it without ${CMAKE_MATCH_1}")
endif()
try_compile(cfpc_is_ieee ${PROJECT_BINARY_DIR}/ieee SOURCES ${PROJECT_SOURCE_DIR}/cmake/ieee.c CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR}/src
            OUTPUT_VARIABLE cfpc_said)
if(NOT cfpc_is_ieee)
  string(REGEX MATCH "cfpc needs IEEE[^\"\n]*" cfpc_reason "${cfpc_said}")
  if(cfpc_reason)
    cfpc_refuse_flags("${cfpc_reason}")
  endif()
endif()
