# SPDX-License-Identifier: Apache-2.0
# What make install puts where.
include(CMakePackageConfigHelpers)

set(targets cfpc_core)
if(TARGET cfpc_zone)
  list(APPEND targets cfpc_zone)
endif()
if(TARGET cfpc_design)
  list(APPEND targets cfpc_design)
endif()
if(TARGET cfpc_lab)
  list(APPEND targets cfpc_lab)
endif()
install(TARGETS ${targets} EXPORT cfpcTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/cfpc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_BINARY_DIR}/include/cfpc/config.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cfpc)

# find_package(cfpc) gives cfpc::core, cfpc::zone, cfpc::design and cfpc::lab.
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/cfpc)
install(EXPORT cfpcTargets NAMESPACE cfpc:: DESTINATION ${package})
configure_package_config_file(cmake/cfpcConfig.cmake.in cfpcConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(cfpcConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cfpcConfig.cmake ${PROJECT_BINARY_DIR}/cfpcConfigVersion.cmake
        DESTINATION ${package})

# pkg-config: cfpc-core for firmware and the like, cfpc-zone for many cells, cfpc for core and design, cfpc-lab for all. The prefix is found from the
# file's own place, so that an installation can be moved.
set(cfpc_openmp_flag "")
if(OpenMP_C_FOUND)
  set(cfpc_openmp_flag " ${OpenMP_C_FLAGS}")
endif()
set(names cfpc-core cfpc)
if(TARGET cfpc_zone)
  list(APPEND names cfpc-zone)
endif()
if(TARGET cfpc_lab)
  list(APPEND names cfpc-lab)
  set(cfpc_lab_flags -lpthread)
  string(PREPEND cfpc_lab_flags "${cfpc_hdf5_flags}")
endif()
foreach(name ${names})
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

if(TARGET cfpc)
  install(TARGETS cfpc RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY experiments DESTINATION ${CMAKE_INSTALL_DATADIR}/cfpc)
  install(FILES docs/cfpc.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# The docs as they lie in the source, with all that they link to.
install(FILES README.md CONTRIBUTING.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples experiments bench ports DESTINATION ${CMAKE_INSTALL_DOCDIR} USE_SOURCE_PERMISSIONS
        PATTERN __pycache__ EXCLUDE
        PATTERN CMakeLists.txt EXCLUDE
        PATTERN cfpc.1 EXCLUDE)
