# `cmake --install BUILD --component wheel --prefix DIR --strip` puts into DIR what the wheel has in addition to the sources of the
# module: the program, the library, and the core of the corpus. scikit-build-core does so in a build of its own; scripts/wheel with the
# release build.
set(wheel_scripts bin)
if(SKBUILD)
  set(wheel_scripts ${SKBUILD_SCRIPTS_DIR})
endif()
install(TARGETS parqproof RUNTIME DESTINATION ${wheel_scripts} COMPONENT wheel EXCLUDE_FROM_ALL)
install(TARGETS parqproof_c LIBRARY DESTINATION parqproof/native COMPONENT wheel NAMELINK_SKIP EXCLUDE_FROM_ALL)
install(CODE "execute_process(COMMAND python3 \"${CMAKE_CURRENT_LIST_DIR}/core_corpus.py\" \"${PROJECT_SOURCE_DIR}/corpus\"
                                      \"\${CMAKE_INSTALL_PREFIX}/parqproof/native/corpus.jsonl.gz\" COMMAND_ERROR_IS_FATAL ANY)"
        COMPONENT wheel EXCLUDE_FROM_ALL)
