# Builds the smallest fail witness of each rule into the program, for `parqproof explain`.
file(GLOB witness_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/corpus/witnesses/*/*/fail-*.parquet
     ${PROJECT_SOURCE_DIR}/corpus/witnesses/*/*/fail-*.json)
add_custom_command(
  OUTPUT ${PROJECT_BINARY_DIR}/witnesses.cpp
  COMMAND ${CMAKE_COMMAND} -D CORPUS=${PROJECT_SOURCE_DIR}/corpus/witnesses -D OUTPUT=${PROJECT_BINARY_DIR}/witnesses.cpp
          -P ${CMAKE_CURRENT_LIST_DIR}/embed_witnesses.cmake
  DEPENDS ${witness_files} ${CMAKE_CURRENT_LIST_DIR}/embed_witnesses.cmake
  COMMENT "Collecting witnesses"
  VERBATIM)
target_sources(parqproof_conformance PRIVATE ${PROJECT_BINARY_DIR}/witnesses.cpp)
