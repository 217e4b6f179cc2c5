# SPDX-License-Identifier: Apache-2.0
# The inner functions of all that is computed. With a sanitizer, or counted, they would take most of the time of all
# tests: there they are compiled as they are without, and their own tests have them as NAME_checked, with the sanitizer
# and counted.
function(cfpc_numbers name) # cfpc_numbers(name file...): an object library
  set(variants ${name})
  add_library(${name} OBJECT ${ARGN})
  if(CFPC_SANITIZE OR CFPC_COVERAGE)
    target_compile_options(${name} PRIVATE -O2 -fno-sanitize=all)
    if(CFPC_COVERAGE)
      target_compile_options(${name} PRIVATE -fno-profile-instr-generate -fno-coverage-mapping)
    endif()
  endif()
  if(CFPC_TESTS AND (CFPC_SANITIZE OR CFPC_COVERAGE))
    add_library(${name}_checked STATIC EXCLUDE_FROM_ALL ${ARGN})
    target_link_libraries(${name}_checked PUBLIC cfpc_design)
    list(APPEND variants ${name}_checked)
  endif()
  foreach(variant ${variants})
    set_target_properties(${variant} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_include_directories(${variant} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${variant} PRIVATE cfpc_core cfpc_flags) # cfpc/config.h, and the options
  endforeach()
endfunction()

# cfpc_numbers_for_tests(variable name): what the tests of these functions link.
function(cfpc_numbers_for_tests variable name)
  if(TARGET ${name}_checked)
    set(${variable} ${name}_checked PARENT_SCOPE)
  else()
    set(${variable} cfpc_design PARENT_SCOPE)
  endif()
endfunction()
