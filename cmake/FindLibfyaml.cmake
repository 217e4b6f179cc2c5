# SPDX-License-Identifier: Apache-2.0
# libfyaml: the target Libfyaml::Libfyaml.
find_path(LIBFYAML_INCLUDE_DIR libfyaml.h)
find_library(LIBFYAML_LIBRARY fyaml)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Libfyaml REQUIRED_VARS LIBFYAML_LIBRARY LIBFYAML_INCLUDE_DIR)
if(Libfyaml_FOUND AND NOT TARGET Libfyaml::Libfyaml)
  add_library(Libfyaml::Libfyaml INTERFACE IMPORTED)
  target_include_directories(Libfyaml::Libfyaml INTERFACE ${LIBFYAML_INCLUDE_DIR})
  target_link_libraries(Libfyaml::Libfyaml INTERFACE ${LIBFYAML_LIBRARY})
endif()
mark_as_advanced(LIBFYAML_INCLUDE_DIR LIBFYAML_LIBRARY)
