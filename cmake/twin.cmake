# SPDX-License-Identifier: Apache-2.0
# The twin: the core (without core/fast) and what compiles models for it, once more, for the precision that this
# build does not have. One program can so read and write models of both. Its functions have other names: a header
# that every file of it includes first renames them. Those that create objects are named by their precision
# anyway (config.h). Every file of src/core is taken: one that was left out would be called in the wrong precision.

# cmake -DROOT=... -DSOURCES=A,B,... -DTO=... -P twin.cmake: writes the header, from the functions that these define.
if(CMAKE_SCRIPT_MODE_FILE)
  file(STRINGS ${ROOT}/include/cfpc/config.h.in by_precision REGEX "^#define .* CFPC_FOR_REAL")
  set(text "// Names of the twin. Written by the build; do not edit.\n")
  string(REPLACE "," ";" SOURCES ${SOURCES})
  foreach(source ${SOURCES})
    file(STRINGS ${source} lines REGEX "^[A-Za-z].*[ *]cfpci?_[a-z0-9_]+\\(")
    foreach(line ${lines})
      string(REGEX MATCH "cfpci?_[a-z0-9_]+\\(" name "${line}")
      string(REPLACE "(" "" name ${name})
      if(NOT by_precision MATCHES "#define ${name} ")
        string(APPEND text "#define ${name} twin_${name}\n")
      endif()
    endforeach()
  endforeach()
  string(APPEND text "#define lab_own_precision lab_twin_precision\n")
  file(WRITE ${TO} "${text}")
  return()
endif()

set(twin_folder ${PROJECT_BINARY_DIR}/twin)
set(src ${PROJECT_SOURCE_DIR}/src)
file(GLOB twin_sources CONFIGURE_DEPENDS ${src}/core/*.c)
list(APPEND twin_sources ${src}/design/compile/compile.c ${src}/design/system/system.c ${src}/lab/export/precision.c)
list(JOIN twin_sources "," twin_list)
add_custom_command(OUTPUT ${twin_folder}/twin_names.h
                   COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DSOURCES=${twin_list}
                           -DTO=${twin_folder}/twin_names.h -P ${PROJECT_SOURCE_DIR}/cmake/twin.cmake
                   DEPENDS ${twin_sources} ${PROJECT_SOURCE_DIR}/include/cfpc/config.h.in
                           ${PROJECT_SOURCE_DIR}/cmake/twin.cmake
                   VERBATIM)
block()
  math(EXPR CFPC_REAL_IS_FLOAT "1 - ${CFPC_REAL_IS_FLOAT}")
  configure_file(${PROJECT_SOURCE_DIR}/include/cfpc/config.h.in ${twin_folder}/include/cfpc/config.h @ONLY)
endblock()
add_library(cfpc_twin OBJECT ${twin_sources} ${twin_folder}/twin_names.h)
set_target_properties(cfpc_twin PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(cfpc_twin PRIVATE ${twin_folder}/include ${PROJECT_SOURCE_DIR}/include
                           ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/src/design ${PROJECT_SOURCE_DIR}/src/lab)
target_compile_options(cfpc_twin PRIVATE -include ${twin_folder}/twin_names.h)
target_link_libraries(cfpc_twin PRIVATE cfpc_flags)
