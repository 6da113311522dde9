# `cmake --install`: the program, the libraries with their headers, and the package for find_package(parqproof).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/parqproof)
set_target_properties(parqproof_codec PROPERTIES EXPORT_NAME codec)
set_target_properties(parqproof_conformance PROPERTIES EXPORT_NAME conformance)

if(TARGET parqproof)
  set_target_properties(parqproof PROPERTIES EXPORT_NAME program)
  install(TARGETS parqproof EXPORT parqproof-program)
  install(EXPORT parqproof-program NAMESPACE parqproof:: FILE parqproof-program.cmake DESTINATION ${package_dir})
endif()
install(TARGETS parqproof_codec parqproof_conformance EXPORT parqproof)
if(TARGET parqproof_c)
  install(TARGETS parqproof_c EXPORT parqproof_c)
  install(EXPORT parqproof_c NAMESPACE parqproof:: FILE parqproof-c-targets.cmake DESTINATION ${package_dir})
  install(FILES bindings/c/parqproof.h TYPE INCLUDE)
  # For programs in C and other languages, which need no C++ compiler.
  file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
  configure_file(scripts/cmake/parqproof.pc.in ${PROJECT_BINARY_DIR}/parqproof.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/parqproof.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
install(EXPORT parqproof NAMESPACE parqproof:: FILE parqproof-targets.cmake DESTINATION ${package_dir})

# Headers keep their paths below a separate folder.
install(DIRECTORY codec ${generated_include_dir}/codec DESTINATION ${parqproof_include_dir}
        FILES_MATCHING PATTERN *.hpp PATTERN editions.def)
install(DIRECTORY conformance DESTINATION ${parqproof_include_dir}
        FILES_MATCHING PATTERN *.hpp PATTERN cli EXCLUDE)
install(FILES conformance/json-schema/report.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/parqproof)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(installed_data ${CMAKE_INSTALL_DATADIR}/parqproof)
configure_package_config_file(scripts/cmake/parqproof-config.cmake.in ${PROJECT_BINARY_DIR}/parqproof-config.cmake
                              INSTALL_DESTINATION ${package_dir} PATH_VARS installed_data NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/parqproof-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/parqproof-config.cmake ${PROJECT_BINARY_DIR}/parqproof-config-version.cmake
        DESTINATION ${package_dir})

# The component `ctest` of the package: files and readers of other projects as cases of their ctest.
install(DIRECTORY bindings/ctest/ DESTINATION ${package_dir} FILES_MATCHING PATTERN *.cmake PATTERN *.sh PATTERN CMakeLists.txt)
install(PROGRAMS scripts/interop DESTINATION ${installed_data}/scripts)
install(FILES scripts/toolchains.py DESTINATION ${installed_data}/scripts)
install(DIRECTORY scripts/readers scripts/exports DESTINATION ${installed_data}/scripts FILES_MATCHING PATTERN *.py)
install(DIRECTORY scripts/builder/codec scripts/builder/expect DESTINATION ${installed_data}/scripts/builder
        FILES_MATCHING PATTERN *.py PATTERN __pycache__ EXCLUDE)
# `cmake --install build/release --component corpus`
install(DIRECTORY corpus DESTINATION ${installed_data} COMPONENT corpus EXCLUDE_FROM_ALL)
