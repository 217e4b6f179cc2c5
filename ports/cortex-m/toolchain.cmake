# SPDX-License-Identifier: Apache-2.0
# A Cortex-M4F, run under QEMU as ARM's MPS2 board:
#   cmake -S . -B build/cortex-m -G Ninja --toolchain ports/cortex-m/toolchain.cmake
# ctest then runs the core's tests there. Debian: tools/packages firmware.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # a program needs the linker script
set(CMAKE_C_FLAGS_INIT "@${CMAKE_CURRENT_LIST_DIR}/flags")
set(CMAKE_C_FLAGS_RELEASE "")
set(CMAKE_CROSSCOMPILING_EMULATOR "${CMAKE_CURRENT_LIST_DIR}/qemu")

set(CFPC_PORT ${CMAKE_CURRENT_LIST_DIR} CACHE PATH "folder of the board's port")
set(CFPC_REAL float CACHE STRING "type of cfpc_real in the core: double or float")
set(CFPC_OPENMP OFF CACHE BOOL "no threads")
