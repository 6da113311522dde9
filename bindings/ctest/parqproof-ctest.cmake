# Conformance tests for other projects, as cases of their ctest:
#
#   find_package(parqproof REQUIRED COMPONENTS ctest)
#
#   parqproof_add_files(NAME <name> GLOB <pattern>... [AFTER <test>...] [OPTIONS <option>...] [PROPERTIES <name> <value>...])
#     Each file that a pattern matches when ctest starts is a case `<name>.<path>`: `parqproof check` with these options.
#     The case `<name>` runs after the tests AFTER, and checks the files that have appeared since, so that the first run
#     after a build misses none. It fails if no file matches at all. A relative pattern is below the binary directory. These
#     cases come after the other tests of the directory, and of those before it. Call it in the last one: `ctest
#     --rerun-failed` remembers tests by their numbers. PROPERTIES are those of set_tests_properties(), for all of them.
#
#   parqproof_add_reader(NAME <name> COMMAND <command>... [BATCH] [CORPUS <folder>] [EXPECTED <folder>])
#     The corpus as cases of a reader, one for each feature: `<name>.<feature>` runs the files of which this is the rarest
#     feature. The command is a driver: it prints the rows of the file that is its last argument as JSON Lines; with BATCH
#     it reads paths from standard input. CORPUS is an unpacked release of the corpus, by default the installed one.
#     EXPECTED has the list of known wrong results; `<name>-update` is the target that writes it.
include_guard(GLOBAL)

set(_parqproof_ctest_dir ${CMAKE_CURRENT_LIST_DIR})

# Stops at arguments without a keyword and at missing ones.
macro(_parqproof_required function)
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${function}: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  foreach(keyword ${ARGN})
    if(NOT arg_${keyword})
      message(FATAL_ERROR "${function}: ${keyword} is missing")
    endif()
  endforeach()
endmacro()

function(parqproof_add_files)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "GLOB;AFTER;OPTIONS;PROPERTIES")
  _parqproof_required(parqproof_add_files NAME GLOB)
  if(NOT CMAKE_TESTING_ENABLED)
    message(FATAL_ERROR "parqproof_add_files: call enable_testing(), or include(CTest), before it")
  endif()
  get_property(names GLOBAL PROPERTY _parqproof_file_tests)
  if(TEST ${arg_NAME} OR arg_NAME IN_LIST names)
    message(FATAL_ERROR "parqproof_add_files: there is a test ${arg_NAME} already")
  endif()
  set_property(GLOBAL APPEND PROPERTY _parqproof_file_tests ${arg_NAME})
  # A relative pattern is below a folder whose name is no pattern.
  string(REGEX REPLACE "[][*?]" "?" folder "${CMAKE_CURRENT_BINARY_DIR}")
  set(patterns)
  foreach(pattern IN LISTS arg_GLOB)
    cmake_path(ABSOLUTE_PATH pattern BASE_DIRECTORY "${folder}")
    list(APPEND patterns "${pattern}")
  endforeach()
  set(base ${CMAKE_CURRENT_BINARY_DIR}/parqproof-files/${arg_NAME})
  set(program $<TARGET_FILE:parqproof::program>)
  file(CONFIGURE OUTPUT ${base}.in CONTENT [==[
set(name [=[@arg_NAME@]=])
set(patterns [=[@patterns@]=])
set(options [=[@arg_OPTIONS@]=])
set(program [=[@program@]=])
set(cmake [=[@CMAKE_COMMAND@]=])
set(base [=[@base@]=])
set(directory [=[@CMAKE_CURRENT_BINARY_DIR@]=])
set(after [=[@arg_AFTER@]=])
set(properties [=[@arg_PROPERTIES@]=])
]==] @ONLY)
  file(GENERATE OUTPUT ${base}.cmake INPUT ${base}.in)
  file(CONFIGURE OUTPUT ${base}.cases.cmake CONTENT [==[
include([=[@base@.cmake]=])
include([=[@_parqproof_ctest_dir@/parqproof-ctest-cases.cmake]=])
]==] @ONLY)
  # The tests of a directory below come after those of this one.
  set(case_file ${base}.cases.cmake)
  add_subdirectory(${_parqproof_ctest_dir}/cases ${base})
endfunction()

function(parqproof_add_reader)
  cmake_parse_arguments(PARSE_ARGV 0 arg "BATCH" "NAME;CORPUS;EXPECTED" "COMMAND")
  _parqproof_required(parqproof_add_reader NAME COMMAND)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  if(NOT arg_CORPUS)
    set(arg_CORPUS ${parqproof_data_dir}/corpus)
    if(NOT EXISTS ${arg_CORPUS}/index.json)
      message(FATAL_ERROR "parqproof_add_reader: the corpus is not installed: give CORPUS, the folder of an unpacked release, "
                          "or run `cmake --install <build> --component corpus`")
    endif()
  endif()
  cmake_path(ABSOLUTE_PATH arg_CORPUS)
  if(NOT EXISTS ${arg_CORPUS}/index.json)
    message(FATAL_ERROR "parqproof_add_reader: ${arg_CORPUS} has no index.json: CORPUS is the folder of an unpacked release of the corpus")
  endif()
  set(command)
  foreach(word IN LISTS arg_COMMAND)
    string(REPLACE "'" "'\\''" word "${word}")
    string(APPEND command " '${word}'")
  endforeach()
  set(driver --driver)
  if(arg_BATCH)
    set(driver --batch-driver)
  endif()
  set(interop ${Python3_EXECUTABLE} ${parqproof_data_dir}/scripts/interop)
  set(run ${interop} readers ${driver} "${arg_NAME}=${command}" --corpus ${arg_CORPUS})
  if(arg_EXPECTED)
    cmake_path(ABSOLUTE_PATH arg_EXPECTED)
    list(APPEND run --lists ${arg_EXPECTED})
    add_custom_target(${arg_NAME}-update COMMAND ${run} --update VERBATIM)
  else()
    list(APPEND run --lists ${CMAKE_CURRENT_BINARY_DIR}/parqproof-files/no-list)
  endif()
  execute_process(COMMAND ${interop} features --corpus ${arg_CORPUS} OUTPUT_VARIABLE features COMMAND_ERROR_IS_FATAL ANY)
  string(STRIP "${features}" features)
  string(REPLACE "\n" ";" features "${features}")
  foreach(feature IN LISTS features)
    string(REGEX REPLACE "[^A-Za-z0-9_.+-]+" "-" case "${feature}")
    add_test(NAME ${arg_NAME}.${case} COMMAND ${run} --rarest ${feature})
    set_tests_properties(${arg_NAME}.${case} PROPERTIES LABELS "parqproof;${arg_NAME};${case}")
  endforeach()
endfunction()
