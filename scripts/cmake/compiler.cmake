# A compiler that accepts -std=c++23 may come with a library without <expected>: stop here instead of in the sources.
include(CheckCXXSourceCompiles)
if("cxx_std_23" IN_LIST CMAKE_CXX_COMPILE_FEATURES)
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  check_cxx_source_compiles("#include <expected>\nstd::expected<int, int> value;" PARQPROOF_HAS_EXPECTED)
  unset(CMAKE_TRY_COMPILE_TARGET_TYPE)
endif()
if(NOT PARQPROOF_HAS_EXPECTED)
  message(FATAL_ERROR "${CMAKE_CXX_COMPILER} (${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}) lacks C++23: "
                      "parqproof needs <expected>, which g++ 12, clang 19 and newer have. To choose another compiler:\n"
                      "  CXX=g++-12 scripts/parqproof ...\n"
                      "  cmake --fresh --preset release -DCMAKE_CXX_COMPILER=g++-12")
endif()
