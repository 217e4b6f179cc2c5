# SPDX-License-Identifier: Apache-2.0
# Emscripten's own toolchain file, of the emcc that is in PATH: `cmake --preset web` needs no emcmake.
find_program(CFPC_EM_CONFIG em-config)
if(NOT CFPC_EM_CONFIG)
  message(FATAL_ERROR "cfpc: emscripten was not found; install it (Debian: emscripten)")
endif()
execute_process(COMMAND ${CFPC_EM_CONFIG} EMSCRIPTEN_ROOT OUTPUT_VARIABLE emscripten
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
include(${emscripten}/cmake/Modules/Platform/Emscripten.cmake)
