# Builds the golden vectors into the program, for `parqproof vectors`.
file(GLOB vector_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/corpus/vectors/*.json)
add_custom_command(
  OUTPUT ${PROJECT_BINARY_DIR}/vectors.cpp
  COMMAND ${CMAKE_COMMAND} -D CORPUS=${PROJECT_SOURCE_DIR}/corpus/vectors -D OUTPUT=${PROJECT_BINARY_DIR}/vectors.cpp
          -P ${CMAKE_CURRENT_LIST_DIR}/embed_vectors.cmake
  DEPENDS ${vector_files} ${CMAKE_CURRENT_LIST_DIR}/embed_vectors.cmake
  COMMENT "Collecting vectors"
  VERBATIM)
target_sources(parqproof_cli PRIVATE ${PROJECT_BINARY_DIR}/vectors.cpp)
