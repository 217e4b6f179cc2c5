# SPDX-License-Identifier: Apache-2.0
# The core as two files, where the command finds them, installed or not: ../share/cfpc/firmware.
set(firmware ${PROJECT_BINARY_DIR}/share/cfpc/firmware)
set(amalgamation ${firmware}/cfpc.h ${firmware}/cfpc.c ${firmware}/library.json)
file(GLOB core_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/core/*.[ch] ${PROJECT_SOURCE_DIR}/include/cfpc/*)
add_custom_command(OUTPUT ${amalgamation} COMMAND ${PROJECT_SOURCE_DIR}/tools/amalgamate ${firmware}
                   DEPENDS ${core_files} ${PROJECT_SOURCE_DIR}/tools/amalgamate ${PROJECT_SOURCE_DIR}/CMakeLists.txt
                   COMMENT "Putting the core into cfpc.h and cfpc.c" VERBATIM)
add_custom_target(cfpc_amalgamation ALL DEPENDS ${amalgamation})
install(FILES ${amalgamation} DESTINATION ${CMAKE_INSTALL_DATADIR}/cfpc/firmware)

# Beside them what makes an FMU of a cell.
foreach(file fmi3.h fmu.c)
  configure_file(${PROJECT_SOURCE_DIR}/ports/fmi/${file} ${firmware}/fmi/${file} COPYONLY)
  install(FILES ports/fmi/${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/cfpc/firmware/fmi)
endforeach()
