# `cmake --install BUILD --component wheel --prefix DIR --strip` puts into DIR what the wheel has in addition to the sources of the
# module: the program, which calls that of the library, the library, and the core of the corpus. scikit-build-core does so in a build of its own;
# scripts/wheel with the release build.
add_executable(parqproof_launcher EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/launcher.cpp)
set_target_properties(parqproof_launcher PROPERTIES OUTPUT_NAME parqproof RUNTIME_OUTPUT_DIRECTORY launcher)
target_compile_definitions(parqproof_launcher PRIVATE PARQPROOF_VERSION="${parqproof_version}" PARQPROOF_LIBRARY="$<TARGET_SONAME_FILE_NAME:parqproof_c>")
target_link_libraries(parqproof_launcher PRIVATE parqproof_warnings ${CMAKE_DL_LIBS})
if(NOT APPLE)
  target_link_options(parqproof_launcher PRIVATE -static-libstdc++ -static-libgcc LINKER:--as-needed)
endif()
set(wheel_scripts bin)
if(SKBUILD)
  set(wheel_scripts ${SKBUILD_SCRIPTS_DIR})
endif()
install(TARGETS parqproof_launcher RUNTIME DESTINATION ${wheel_scripts} COMPONENT wheel EXCLUDE_FROM_ALL)
install(TARGETS parqproof_c LIBRARY DESTINATION parqproof/native COMPONENT wheel NAMELINK_SKIP EXCLUDE_FROM_ALL)
install(CODE "execute_process(COMMAND python3 \"${CMAKE_CURRENT_LIST_DIR}/core_corpus.py\" \"${PROJECT_SOURCE_DIR}/corpus\"
                                      \"\${CMAKE_INSTALL_PREFIX}/parqproof/native/corpus.jsonl.gz\" COMMAND_ERROR_IS_FATAL ANY)"
        COMPONENT wheel EXCLUDE_FROM_ALL)
